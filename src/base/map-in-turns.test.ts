import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapInTurns } from './map-in-turns.ts'

test('what many become is in their order, and others have their turn meanwhile', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const numbers = Array.from({ length: 5_000 }, (_, index) => index)
  const doubled = await mapInTurns(numbers, async (number) => number * 2)
  clearImmediate(counting)
  assert.deepEqual(
    doubled,
    numbers.map((number) => number * 2),
  )
  assert.ok(turns >= 9, `${turns} turns`)
})

test('a failure of one is told, and those after it are left', async () => {
  const asked: number[] = []
  const failing = mapInTurns(
    Array.from({ length: 2_000 }, (_, index) => index),
    async (number) => {
      asked.push(number)
      if (number === 3) throw new Error('not three')
    },
  )
  await assert.rejects(failing, /not three/)
  assert.ok(asked.length < 2_000)
})
