import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './turn.ts'

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('pieces of work that share a pace go on in turns of their own, so that others come between any two', async () => {
  const pace = createPace()
  let turns = 0
  let isDone = false
  const others = () => {
    turns += 1
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  work(20)
  const wentOnAt = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await pace()
      work(5)
      return turns
    }),
  )
  isDone = true
  assert.equal(new Set(wentOnAt).size, 5)
})

test('a pace holds up nobody who works for a short time', () => assert.equal(createPace()(), undefined))
