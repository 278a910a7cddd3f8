import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attemptTime, pauseAfter, usualRetries } from './retry-rules.ts'

test('pauses are anything up to a bound that doubles from half a second to half a minute', () => {
  const bounds = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((attempts) => pauseAfter(usualRetries, attempts, 1))
  assert.deepEqual(bounds, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
      const pause = pauseAfter(usualRetries, attempts, random)
      assert.ok(pause >= 0 && pause <= 30_000)
    }),
  )
})

test('an attempt may take ten seconds, or what is left', () => {
  assert.equal(attemptTime(usualRetries, 60_000), 10_000)
  assert.equal(attemptTime(usualRetries, 700), 700)
  assert.equal(attemptTime(usualRetries, 0), undefined)
})
