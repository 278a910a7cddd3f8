import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { definePlugin } from '../../../src/plugin/define-plugin.ts'
import { json } from '../../../src/rest/answer.ts'
import { Type } from '../../../src/rest/openapi/schema.ts'

const megabyte = 1_000_000
const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()
let largestHeap = 0
setInterval(() => {
  largestHeap = Math.max(largestHeap, getHeapStatistics().used_heap_size)
}, 5).unref()

/** Tells how long the event loop was held at the longest and how much the heap held at the most since it was asked before, and what it holds. */
const watched = definePlugin({
  name: 'watch',
  routes: [
    {
      method: 'GET',
      path: '/watched',
      under: 'server',
      isPublic: true,
      summary: 'How busy the process was',
      answers: { 200: Type.Object({}) },
      async handle() {
        await pause(20) // what held the loop until now is counted only once its timer has fired
        const heap = getHeapStatistics().used_heap_size
        const heldMilliseconds = delays.max / 1_000_000
        const told = { heldMilliseconds, largestHeapMegabytes: largestHeap / megabyte, heapMegabytes: heap / megabyte }
        delays.reset()
        largestHeap = heap
        return json(told)
      },
    },
  ],
})

export default { plugins: [watched] }
