import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededBytes } from '../../../../test/support/seeded-bytes.ts'
import { handOver } from '../../../base/spent-bytes.ts'
import { inParts } from './byte-parts.ts'
import { partSize, usualSizes } from './parted-upload.ts'

const bytesOf = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })

test('parts are all bytes in their order, each of its size but the last', async () => {
  await fc.assert(
    fc.asyncProperty(bytesOf, fc.integer({ min: 1, max: 30 }), fc.boolean(), async (chunks, size, grows) => {
      const sizeOf = (part: number) => (grows ? size * part : size)
      const all = Buffer.concat(chunks)
      for (const content of [all, Readable.from(chunks.map((chunk) => Buffer.from(chunk)))]) {
        const parts = (await Array.fromAsync(inParts(content, sizeOf))).map(({ bytes }) => bytes)
        assert.ok(Buffer.concat(parts).equals(all))
        assert.ok(parts.length > 0)
        for (const [index, part] of parts.entries()) {
          const isLast = index === parts.length - 1
          assert.ok(isLast ? part.length <= sizeOf(index + 1) : part.length === sizeOf(index + 1))
          assert.ok(part.length > 0 || (isLast && all.length === 0))
        }
      }
    }),
  )
})

test('large parts have memory of their own, which is gone when they are released', async () => {
  const chunk = seededBytes(1, 0, 150_000)
  const kept = Buffer.from(chunk)
  const [first, second] = await Array.fromAsync(
    inParts(Readable.from([chunk.subarray(0, 30_000), chunk.subarray(30_000)]), () => 100_000),
  )
  chunk.fill('x')
  assert.ok(kept.subarray(0, 100_000).equals(first?.bytes ?? Buffer.of()))
  first?.release()
  assert.equal(first?.bytes.length, 0)
  assert.ok(kept.subarray(100_000).equals(second?.bytes ?? Buffer.of()))
})

test('a small file takes as much memory as it has bytes, of its own', async () => {
  // The memory of each is gone when the next comes.
  const chunks = ['abc', 'def'].map((text) => new Uint8Array(Buffer.from(text)))
  const content = handOver(Readable.from(chunks.map((chunk) => Buffer.from(chunk.buffer))))
  const [only] = await Array.fromAsync(inParts(content, () => usualSizes.uploaded))
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [0, 0],
  )
  assert.equal(Buffer.from(only?.bytes ?? []).toString(), 'abcdef')
  assert.equal((only?.bytes.buffer as ArrayBuffer | undefined)?.maxByteLength, 6)
})

test('parts grow so that ten thousand of them hold the largest file', () => {
  const first = usualSizes.uploaded
  assert.deepEqual(
    [1, 1_700, 1_701, 10_000].map((part) => partSize(first, part) / first),
    [1, 1, 2, 32],
  )
  const all = Array.from({ length: 10_000 }, (_, index) => partSize(first, index + 1)).reduce((sum, size) => sum + size)
  assert.ok(all > 450 * 1024 ** 3)
  assert.ok(partSize(first, 10_000) < 5 * 1024 ** 3, 'no part is larger than a part may be')
})
