import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPool } from './conversion-pool.ts'
import type { ConversionProcess } from './conversion-process.ts'

test('a pool of conversion processes tells how many conversions run and wait', async () => {
  const process: ConversionProcess = {
    folder: '',
    convert: () => Promise.reject(new Error('nothing is converted here')),
    isRunning: () => true,
    residentBytes: () => 0,
    end: async () => {},
  }
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
