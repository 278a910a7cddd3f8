import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import { createRowTurns } from './row-turns.ts'

test('looks through the log come one after another, and whoever has asked for many waits for those who have asked for one', async () => {
  const inTurn = createRowTurns()
  const told: string[] = []
  let under = 0
  const look = (user: string, name: string) =>
    inTurn(user, async () => {
      under += 1
      assert.equal(under, 1, 'one at a time')
      await nextRound()
      told.push(name)
      under -= 1
    })
  await Promise.all([look('ann', 'a1'), look('ann', 'a2'), look('ann', 'a3'), look('bob', 'b1')])
  assert.deepEqual(told, ['a1', 'b1', 'a2', 'a3'])
})

test('one that fails gives its turn to the next', async () => {
  const inTurn = createRowTurns()
  const failed = inTurn('ann', async () => {
    throw new Error('lost')
  })
  const done = inTurn('ann', async () => 'found')
  await assert.rejects(failed, /lost/)
  assert.equal(await done, 'found')
  assert.equal(await inTurn('bob', async () => 'again'), 'again')
})
