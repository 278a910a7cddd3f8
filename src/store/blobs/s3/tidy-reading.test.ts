import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { objectStoreUnreachable } from './s3-problems.ts'
import { createTidyReading } from './tidy-reading.ts'

describe('reading tidily', () => {
  test('gives all bytes', async () => {
    const bytes = Buffer.alloc(20_000_000, 'quire')
    const chunks = Array.from({ length: 200 }, (_, index) => bytes.subarray(index * 100_000, (index + 1) * 100_000))
    assert.ok(bytes.equals(await buffer(createTidyReading()(Readable.from(chunks)))))
  })
  test('ends what is read at once when the reader goes away, also while nothing comes', async () => {
    const stalled = new PassThrough()
    createTidyReading()(stalled).destroy()
    await finished(stalled).catch(() => {})
    assert.equal(stalled.destroyed, true)
  })
  test('tells the reader of an error, in words for clients', async () => {
    const broken = new PassThrough()
    const read = buffer(createTidyReading()(broken))
    broken.write('some')
    broken.destroy(new Error('the connection is gone'))
    await assert.rejects(read, (error: Error) => objectStoreUnreachable.is(error) && /is gone/.test(String(error.cause)))
  })
})
