import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPrincipal } from '../../model/rights/principal.ts'
import { createOpenStreams, ownerOf } from './open-streams.ts'

describe('open streams', () => {
  test('are so many for one user, whatever others have', () => {
    const streams = createOpenStreams({ maxOfUser: 2, maxInAll: 10 })
    const give = [streams.take('ann'), streams.take('ann')]
    assert.throws(() => streams.requirePlace('ann'), { code: 'tooManyStreams', kind: 'throttled' })
    assert.equal(streams.take('ann'), undefined)
    streams.requirePlace('bob')
    give[0]?.()
    streams.requirePlace('ann')
    assert.ok(streams.take('ann'))
  })

  test('are so many in all', () => {
    const streams = createOpenStreams({ maxOfUser: 2, maxInAll: 2 })
    const give = streams.take('ann')
    streams.take('bob')
    assert.throws(() => streams.requirePlace('eve'), { code: 'streamsExhausted', kind: 'unavailable' })
    assert.equal(streams.take('eve'), undefined)
    give?.()
    assert.ok(streams.take('eve'))
  })

  test('of those who have not signed in are counted by address', () => {
    const anonymous = createPrincipal('Guest', [], { isAdministrator: false, isAnonymous: true })
    assert.notEqual(ownerOf(anonymous, '10.0.0.1'), ownerOf(anonymous, '10.0.0.2'))
    const ann = createPrincipal('ann', [], { isAdministrator: false })
    assert.equal(ownerOf(ann, '10.0.0.1'), ownerOf(ann, '10.0.0.2'))
  })
})
