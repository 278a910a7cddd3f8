import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createYieldPoint } from './event-loop.ts'

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('pieces of work that share a yield point go on in rounds of their own, so that others come between any two', async () => {
  const yieldPoint = createYieldPoint()
  let rounds = 0
  let isDone = false
  const others = () => {
    rounds += 1
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  work(20)
  const wentOnAt = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await yieldPoint()
      work(5)
      return rounds
    }),
  )
  isDone = true
  assert.equal(new Set(wentOnAt).size, 5)
})

test('a yield point does not delay short work', () => assert.equal(createYieldPoint()(), undefined))
