import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { seededBytes, seededDigest, seededStream } from './seeded-bytes.ts'

describe('seeded bytes', () => {
  const whole = seededBytes(7, 0, 600_000)

  test('are the same wherever one begins', () => {
    for (const start of [0, 1, 15, 16, 17, 262_143, 262_144, 599_999]) {
      assert.ok(whole.subarray(start, start + 100).equals(seededBytes(7, start, Math.min(100, 600_000 - start))), `from ${start}`)
    }
  })
  test('are others for another seed, and nowhere repeat', () => {
    assert.ok(!whole.equals(seededBytes(8, 0, 600_000)))
    assert.equal(whole.indexOf(whole.subarray(0, 16), 1), -1)
  })
  test('come as a stream and as a digest, too', async () => {
    for (const length of [0, 1, 262_144, 600_000]) {
      const expected = whole.subarray(0, length)
      assert.ok(expected.equals(await buffer(seededStream(7, length))))
      assert.equal(seededDigest(7, length), hash('md5', expected, 'hex'))
    }
  })
})
