import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { disposalFor, handOn, handOver } from './spent-bytes.ts'

describe('bytes that were read', () => {
  const chunk = () => Buffer.allocUnsafeSlow(10).fill('x')

  test('of a stream that was handed over are gone when the reader is done with them', () => {
    const [first, second] = [chunk(), chunk()]
    disposalFor(handOver(Readable.from([first, second])))(first)
    assert.equal(first.length, 0)
    assert.equal(second.toString(), 'xxxxxxxxxx')
  })
  test('of any other stream stay, for another reader may have them', () => {
    const kept = chunk()
    disposalFor(Readable.from([kept]))(kept)
    assert.equal(kept.toString(), 'xxxxxxxxxx')
  })
  test('are handed on by a stream that has them from such a one, and by no other', () => {
    const [owned, shared] = [chunk(), chunk()]
    disposalFor(handOn(handOver(Readable.from([])), Readable.from([owned])))(owned)
    disposalFor(handOn(Readable.from([]), Readable.from([shared])))(shared)
    assert.deepEqual([owned.length, shared.length], [0, 10])
  })
  test('that are a part of others stay with them', () => {
    const whole = chunk()
    const part = whole.subarray(2, 5)
    disposalFor(handOver(Readable.from([part])))(part)
    assert.equal(part.toString(), 'xxx')
    assert.equal(whole.toString(), 'xxxxxxxxxx')
  })
})
