// The program of the thread that stores blobs: told of each with a message, it answers in the order in which it was told.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { storeTogether } from './store-together.ts'
import type { StoringOrder } from './storing-thread.ts'

// Each has a file open on its way.
const mostTogether = 64

parentPort?.on('message', (first: StoringOrder) => {
  const orders = [first]
  while (orders.length < mostTogether) {
    const next = receive()
    if (next === undefined) break
    orders.push(next)
  }
  for (const reply of storeTogether(orders, workerData)) parentPort?.postMessage(reply)
})

function receive(): StoringOrder | undefined {
  return parentPort ? receiveMessageOnPort(parentPort)?.message : undefined
}
