// The program of the thread that stores blobs: told of each with a message, it answers in the order in which it was told.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { storeTogether } from './store-together.ts'
import type { StoringOrder } from './storing-thread.ts'

parentPort?.on('message', (first: StoringOrder) => {
  const orders = [first]
  for (let next = receive(); next !== undefined; next = receive()) orders.push(next)
  for (const reply of storeTogether(orders, workerData)) parentPort?.postMessage(reply)
})

function receive(): StoringOrder | undefined {
  return parentPort ? receiveMessageOnPort(parentPort)?.message : undefined
}
