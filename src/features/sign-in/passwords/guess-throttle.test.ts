import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { delaySeconds, guessLimits } from './guess-throttle.ts'

describe('the time to wait after wrong guesses', () => {
  test('is none at first, then doubles up to a bound', () => {
    const { pair } = guessLimits
    const expected: readonly [guesses: number, seconds: number][] = [
      [1, 0],
      [19, 0],
      [20, 1],
      [21, 2],
      [25, 32],
      [29, 512],
      [30, 900],
      [10_000, 900],
    ]
    for (const [guesses, seconds] of expected) assert.equal(delaySeconds(pair, guesses), seconds, String(guesses))
  })

  test('never shrinks with another guess', () => {
    const limits = Object.values(guessLimits)
    fc.assert(
      fc.property(fc.constantFrom(...limits), fc.nat({ max: 100_000 }), (limit, guesses) => {
        assert.ok(delaySeconds(limit, guesses) <= delaySeconds(limit, guesses + 1))
      }),
      { numRuns: 200 },
    )
  })
})
