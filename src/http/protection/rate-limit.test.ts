import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRateLimit, tooManyRequests } from './rate-limit.ts'

function aLimit(perSecond: number) {
  const clock = { now: 0 }
  const limit = createRateLimit({ who: 'You', perSecond, setting: 'user-rate-limit', now: () => clock.now })
  const isTaken = (key = 'ann') => {
    try {
      limit?.take(key)
      return true
    } catch (error) {
      if (tooManyRequests.is(error)) return false
      throw error
    }
  }
  return { clock, limit, isTaken }
}

describe('a limit of requests a second', () => {
  test('is none at 0', () => {
    assert.equal(aLimit(0).limit, undefined)
  })

  test('lets ten seconds’ worth come at once, then an even pace', () => {
    const { clock, isTaken } = aLimit(2)
    assert.equal(Array.from({ length: 30 }, () => isTaken()).filter(Boolean).length, 20)
    clock.now += 500
    assert.deepEqual([isTaken(), isTaken()], [true, false])
  })

  test('counts each for itself, and says when to come again', () => {
    const { limit, isTaken } = aLimit(1)
    for (let request = 0; request < 10; request++) assert.ok(isTaken())
    assert.ok(isTaken('bob'))
    assert.throws(() => limit?.take('ann'), {
      message: 'You may make 1 requests a second on average. Try again in 1 seconds, or have user-rate-limit raised.',
    })
  })

  test('is never exceeded by more than what may come at once, however requests come', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(3_000), { maxLength: 300 }), (perSecond, waits) => {
        const { clock, isTaken } = aLimit(perSecond)
        let taken = 0
        for (const wait of waits) {
          clock.now += wait
          if (isTaken()) taken += 1
        }
        assert.ok(taken <= (perSecond * (clock.now + 10_000)) / 1_000 + 1e-6)
      }),
    )
  })
})
