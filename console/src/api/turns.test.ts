import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

test('things are done some at a time in their order, whether or not those before fail, and not at all when they were given up', async () => {
  const inTurn = createTurns(2)
  const [none, givenUp] = [new AbortController(), new AbortController()]
  const begun: number[] = []
  const ends: (() => void)[] = []
  const start = (number: number, { signal } = none) =>
    inTurn(signal, async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (number === 1) throw new Error('refused')
      return number
    })
  const all = Promise.allSettled([start(1), start(2), start(3, givenUp), start(4), start(5)])
  assert.deepEqual(begun, [1, 2])
  givenUp.abort()
  for (let rounds = 0; rounds < 10; rounds += 1) {
    for (const end of ends.splice(0)) end()
    await new Promise(setImmediate)
  }
  assert.deepEqual(begun, [1, 2, 4, 5])
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})
