import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPool, tooManyConversions } from './conversion-pool.ts'
import type { ConversionProcess } from './conversion-process.ts'

const process: ConversionProcess = {
  folder: '',
  convert: () => Promise.reject(new Error('nothing is converted here')),
  isRunning: () => true,
  residentBytes: () => 0,
  end: async () => {},
}

test('a pool of conversion processes tells how many conversions run and wait', async () => {
  const pool = createPool({ processes: 1, start: async () => process, keptBytes: 1 })
  const figures = () => [pool.running, pool.waiting]
  assert.deepEqual(figures(), [0, 0])
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = pool.run(() => {
    begun.resolve()
    return mayEnd.promise
  })
  await begun.promise
  const second = pool.run(async () => {})
  assert.deepEqual(figures(), [1, 1])
  mayEnd.resolve()
  await Promise.all([first, second])
  assert.equal(pool.waiting, 0)
  await pool.end()
})

test('a user has so many conversions in a pool, and others go ahead of a greedy one', async () => {
  const pool = createPool({ processes: 1, start: async () => process, keptBytes: 1, perUser: 3 })
  const mayEnd = Promise.withResolvers<void>()
  const done: string[] = []
  const convert = (user: string, isBackground = false) =>
    pool.run(
      async () => {
        await mayEnd.promise
        done.push(isBackground ? `${user} later` : user)
      },
      { user, isBackground },
    )
  const greedy = [convert('greedy'), convert('greedy'), convert('greedy')]
  await assert.rejects(convert('greedy'), (error) => tooManyConversions.is(error))
  const others = [convert('greedy', true), convert('ann'), convert('zoe')]
  mayEnd.resolve()
  await Promise.all([...greedy, ...others])
  assert.deepEqual(done, ['greedy', 'ann', 'zoe', 'greedy', 'greedy', 'greedy later'])
  await convert('greedy')
  await pool.end()
})
