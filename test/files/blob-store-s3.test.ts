import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, describe, test } from 'node:test'
import { type BlobStore, noSpaceLeft } from '../../src/store/blobs/blob-store.ts'
import { parseBlobsAddress, type S3Address } from '../../src/store/blobs/blobs-address.ts'
import { openS3Blobs, type S3Tuning } from '../../src/store/blobs/s3/s3-blobs.ts'
import { objectStoreUnreachable } from '../../src/store/blobs/s3/s3-problems.ts'
import { bucketPlace, useS3Server } from '../support/blob-places.ts'
import { S3Refusal } from '../support/s3/refusal.ts'

const mebi = 1024 ** 2
const inline = {
  contentType: 'text/plain',
  contentDisposition: 'attachment; filename=a.txt',
  cacheControl: 'private, max-age=60',
}

describe('blobs in S3', () => {
  const server = useS3Server({ pageSize: 2, largestCopy: 7 * mebi })
  afterEach(() => server().intercept(undefined))
  let prefixes = 0

  async function open(
    tuning: S3Tuning = {},
  ): Promise<{ blobs: BlobStore; place: ReturnType<typeof bucketPlace>; prefix: string }> {
    const prefix = `p${++prefixes}`
    const place = bucketPlace(server(), prefix)
    return { blobs: await openS3Blobs(parseBlobsAddress(place.address) as S3Address, 'MD5', tuning), place, prefix }
  }
  const seenSince = (start: number) =>
    server()
      .seen.slice(start)
      .map(({ operation }) => operation)

  test('that are small take one request to be written, and one to see that they were not removed meanwhile', async () => {
    const { blobs } = await open()
    const start = server().seen.length
    await blobs.write(Readable.from([Buffer.from('small'), Buffer.from('ish')]))
    assert.deepEqual(seenSince(start), ['PUT', 'LIST'])
  })

  test('that are large come in parts under a temporary name, and are copied to their own in parts', async () => {
    const { blobs, place, prefix } = await open({ sizes: { uploaded: 5 * mebi, copied: 6 * mebi } })
    const bytes = randomBytes(23 * mebi + 17)
    const start = server().seen.length
    const { key } = await blobs.write(Readable.from([bytes]))
    const counts = Object.entries(Object.groupBy(seenSince(start), (operation) => operation)).map(([name, all]) => [
      name,
      all?.length,
    ])
    assert.deepEqual(Object.fromEntries(counts), {
      'POST UPLOADS': 2,
      'PUT PART': 5,
      'POST PART': 2,
      'COPY PART': 4,
      LIST: 1,
      DELETE: 1,
    })
    assert.deepEqual(await place.listUnfinished(), [])
    assert.deepEqual(
      [...server().bucket('files').objects.keys()].filter((name) => name.startsWith(prefix)),
      [`${prefix}/${key}`],
    )
    assert.ok(bytes.equals(await buffer(await blobs.read(key))))
    assert.ok(
      bytes
        .subarray(12 * mebi, 12 * mebi + 100)
        .equals(await buffer(await blobs.read(key, { start: 12 * mebi, end: 12 * mebi + 99 }))),
    )
  })

  test('of about the size of a part come back whole', async () => {
    const { blobs, place } = await open({ sizes: { uploaded: 5 * mebi, copied: 6 * mebi } })
    for (const length of [5 * mebi - 1, 5 * mebi, 5 * mebi + 1, 10 * mebi]) {
      const bytes = randomBytes(length)
      const { key } = await blobs.write(Readable.from([bytes.subarray(0, 3 * mebi), bytes.subarray(3 * mebi)]))
      assert.ok(bytes.equals(await buffer(await blobs.read(key))), `${length} bytes`)
    }
    assert.deepEqual(await place.listUnfinished(), [])
  })

  test('survive answers that say to try again', async () => {
    const { blobs } = await open()
    let refusals = 0
    server().intercept(({ operation }) => {
      if (operation !== 'PUT' || refusals === 2) return
      refusals += 1
      throw new S3Refusal(503, 'SlowDown', 'Please reduce your request rate.')
    })
    const { key } = await blobs.write(Buffer.from('at last'))
    assert.equal(refusals, 2)
    assert.equal(await text(await blobs.read(key)), 'at last')
  })

  test('are unavailable while the object store fails, and nothing is left of what was begun', async () => {
    const { blobs, place } = await open({ sizes: { uploaded: 5 * mebi, copied: 512 * mebi } })
    server().intercept(({ operation }) => {
      if (operation === 'PUT PART') throw new S3Refusal(500, 'InternalError', 'We encountered an internal error.')
    })
    await assert.rejects(blobs.write(Readable.from([randomBytes(12 * mebi)])), objectStoreUnreachable.is)
    assert.deepEqual(await place.listUnfinished(), [])
    server().intercept(() => {
      throw new S3Refusal(403, 'AccessDenied', 'Access Denied')
    })
    await assert.rejects(blobs.read('0'.repeat(32)), objectStoreUnreachable.is)
    await assert.rejects(blobs.has('0'.repeat(32)), objectStoreUnreachable.is)
    await assert.rejects(Array.fromAsync(blobs.list()), objectStoreUnreachable.is)
  })

  test('are unavailable when the object store does not answer in time', async () => {
    const { blobs } = await open({ answerMillis: 50 })
    server().intercept(() => new Promise<void>(() => {}))
    await assert.rejects(blobs.write(Buffer.from('into the void')), objectStoreUnreachable.is)
    await assert.rejects(blobs.has('0'.repeat(32)), objectStoreUnreachable.is)
  })

  test('find no space left where the object store is full', async () => {
    const { blobs } = await open()
    for (const [status, code] of [
      [403, 'QuotaExceeded'],
      [507, 'XMinioStorageFull'],
    ] as const) {
      server().intercept(({ operation }) => {
        if (operation === 'PUT') throw new S3Refusal(status, code, 'full')
      })
      await assert.rejects(blobs.write(Buffer.from(code)), noSpaceLeft.is)
    }
  })

  test('have an address of their own for a while, with the headers that the client shall get', async () => {
    const { blobs } = await open()
    const { key } = await blobs.write(Buffer.from('directly'))
    const url = await blobs.directUrl?.(key, inline)
    assert.ok(url)
    const answer = await fetch(url)
    assert.equal(await answer.text(), 'directly')
    assert.equal(answer.headers.get('content-type'), inline.contentType)
    assert.equal(answer.headers.get('content-disposition'), inline.contentDisposition)
    assert.equal(answer.headers.get('cache-control'), inline.cacheControl)
    const range = await fetch(url, { headers: { range: 'bytes=2-4' } })
    assert.deepEqual([range.status, await range.text()], [206, 'rec'])
    assert.ok(Number(new URL(url).searchParams.get('X-Amz-Expires')) <= 3_600)
    assert.equal((await fetch(url.replace(/Signature=../, 'Signature=00'))).status, 403)
  })

  test('that are written between the look and the removal are brought again', async () => {
    const { blobs, place } = await open()
    const { key } = await blobs.write(Buffer.from('contended'))
    await place.age(key, new Date('2020-01-01'))
    const [blob] = await Array.fromAsync(blobs.list())
    assert.ok(blob)
    let write: Promise<unknown> | undefined
    server().intercept(async (seen) => {
      if (seen.operation !== 'DELETE' || !seen.key.endsWith(key) || write !== undefined) return
      write = blobs.write(Buffer.from('contended'))
      // Until it is there, and waits for the removal of which it found the note.
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    assert.equal(await blobs.remove(blob), true)
    await write
    assert.equal(await text(await blobs.read(key)), 'contended')
  })

  test('that are written while two remove them are brought again', async () => {
    const { blobs, place } = await open()
    const { key } = await blobs.write(Buffer.from('twice'))
    await place.age(key, new Date('2020-01-01'))
    const [blob] = await Array.fromAsync(blobs.list())
    assert.ok(blob)
    const slow = Promise.withResolvers<void>()
    let deletions = 0
    server().intercept(async (seen) => {
      if (seen.operation === 'DELETE' && seen.key.endsWith(key) && ++deletions === 1) await slow.promise
    })
    const first = blobs.remove(blob)
    while (deletions === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await blobs.remove(blob)
    const write = blobs.write(Buffer.from('twice'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    slow.resolve()
    await Promise.all([first, write])
    assert.equal(await blobs.has(key), true)
  })

  test('need no more memory the larger they are', async () => {
    const { blobs } = await open({ sizes: { uploaded: 5 * mebi, copied: 7 * mebi } })
    let max = 0
    const chunk = randomBytes(mebi)
    const source = Readable.from(
      (function* () {
        for (let index = 0; index < 200; index++) {
          max = Math.max(max, process.memoryUsage().external)
          yield chunk
        }
      })(),
      { highWaterMark: 1 },
    )
    const before = process.memoryUsage().external
    const { length } = await blobs.write(source)
    assert.equal(length, 200 * mebi)
    assert.ok(max - before < 100 * mebi, `${Math.round((max - before) / mebi)} MiB`)
  })
})
