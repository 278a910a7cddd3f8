import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { type BlobStore, blobMissing, type ListedBlob } from '../../src/store/blobs/blob-store.ts'
import { onEachBlobPlace } from '../support/blob-places.ts'

const longAgo = new Date('2020-02-02T02:02:02.000Z')
const minute = 60_000

async function listed(blobs: BlobStore, firstDigits?: string): Promise<ListedBlob[]> {
  return Array.fromAsync(blobs.list(firstDigits))
}

async function find(blobs: BlobStore, key: string): Promise<ListedBlob> {
  const blob = (await listed(blobs)).find((one) => one.key === key)
  assert.ok(blob, `${key} is listed`)
  return blob
}

function inChunks(bytes: Buffer, size = 50_000): Readable {
  return Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
  )
}

onEachBlobPlace('a blob store', (createPlace) => {
  test('names bytes by their digest, and says which algorithm made it', async () => {
    const place = await createPlace()
    const key = '5d41402abc4b2a76b9719d911017c592'
    const blobs = await place.open()
    assert.equal(blobs.digestAlgorithm, 'MD5')
    assert.deepEqual(await blobs.write(Buffer.from('hello')), { key, digest: key, digestAlgorithm: 'MD5', length: 5 })
    const digest = createHash('sha256').update('hello').digest('hex')
    const longer = await (await place.open('SHA-256')).write(Readable.from([Buffer.from('hel'), Buffer.from('lo')]))
    assert.deepEqual(longer, { key: digest, digest, digestAlgorithm: 'SHA-256', length: 5 })
  })

  test('gives bytes back as they came, from streams of any size', async () => {
    const blobs = await (await createPlace()).open()
    for (const size of [0, 1, 70_000, 3_000_000, 8 * 1024 ** 2, 8 * 1024 ** 2 + 1, 21_000_000]) {
      const bytes = randomBytes(size)
      const { key, length } = await blobs.write(inChunks(bytes))
      assert.equal(length, size)
      assert.equal(key, createHash('md5').update(bytes).digest('hex'))
      assert.ok(bytes.equals(await buffer(await blobs.read(key))), `${size} bytes`)
    }
  })

  test('takes bytes that are at hand, and part of another buffer', async () => {
    const blobs = await (await createPlace()).open()
    const { key } = await blobs.write(Buffer.from('0123456789').subarray(3, 6))
    assert.equal(await text(await blobs.read(key)), '345')
  })

  test('gives ranges, as far as there is something', async () => {
    const blobs = await (await createPlace()).open()
    const { key } = await blobs.write(Buffer.from('0123456789'))
    const ranges: [start: number, end: number, expected: string][] = [
      [2, 4, '234'],
      [0, 0, '0'],
      [0, 9, '0123456789'],
      [9, 100, '9'],
      [10, 20, ''],
    ]
    for (const [start, end, expected] of ranges) assert.equal(await text(await blobs.read(key, { start, end })), expected)
  })

  test('has what was stored with another algorithm, for the setting may change', async () => {
    const place = await createPlace()
    const { key } = await (await place.open('MD5')).write(Buffer.from('old'))
    const blobs = await place.open('SHA-256')
    assert.equal(await text(await blobs.read(key)), 'old')
    assert.equal(await blobs.has(key), true)
  })

  test('keeps the same bytes once, and their age starts anew', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    const contents = [Buffer.from('twice'), randomBytes(9 * 1024 ** 2)]
    for (const content of contents) {
      const { key } = await blobs.write(content)
      await place.age(key, longAgo)
      assert.deepEqual(await blobs.write(content), await blobs.write(inChunks(content)))
      assert.ok(Date.now() - (await find(blobs, key)).touched.getTime() < minute)
    }
    assert.equal((await listed(blobs)).length, 2)
  })

  test('keeps one of what many write at once', async () => {
    const place = await createPlace()
    const stores = await Promise.all(Array.from({ length: 10 }, () => place.open()))
    const written = await Promise.all(stores.map((blobs) => blobs.write(Buffer.from('at once'))))
    assert.equal(new Set(written.map(({ key }) => key)).size, 1)
    const [blobs] = stores
    assert.ok(blobs)
    assert.equal((await listed(blobs)).length, 1)
    assert.equal(await text(await blobs.read(written[0]?.key ?? '')), 'at once')
  })

  test('leaves nothing behind of what fails in the middle', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    for (const before of [10, 20_000_000]) {
      const failing = Readable.from(
        (function* () {
          yield randomBytes(before)
          throw new Error('the sender hung up')
        })(),
      )
      await assert.rejects(blobs.write(failing), /hung up/)
    }
    assert.deepEqual(await place.listUnfinished(), [])
    assert.deepEqual(await listed(blobs), [])
  })

  test('stops when it is told to, and leaves nothing behind', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    const endless = () =>
      Readable.from(
        (async function* () {
          for (;;) yield Buffer.alloc(100_000)
        })(),
      )
    await assert.rejects(blobs.write(endless(), { signal: AbortSignal.timeout(300) }), { name: 'AbortError' })
    await assert.rejects(blobs.write(endless(), { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.deepEqual(await place.listUnfinished(), [])
    assert.deepEqual(await listed(blobs), [])
  })

  test('misses what is not there, and no key leads anywhere else', async () => {
    const blobs = await (await createPlace()).open()
    const { key } = await blobs.write(Buffer.from('there'))
    const hostile = ['../x', '..', '', '/etc/passwd', 'tmp', 'tmp/', `${key}/`, `../${key}`, key.toUpperCase(), `${key}\n`, '\0']
    for (const wrong of [...hostile, '0'.repeat(32), '0'.repeat(64)]) {
      await assert.rejects(blobs.read(wrong), blobMissing.is, JSON.stringify(wrong))
      assert.equal(await blobs.has(wrong), false)
    }
    assert.equal(await blobs.has(key), true)
  })

  test('lists all it has with length and age, or those that begin so', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    assert.deepEqual(await listed(blobs), [])
    const contents = Array.from({ length: 10 }, (_, index) => Buffer.alloc(index, index))
    const written = await Promise.all(contents.map((content) => blobs.write(content)))
    const all = await listed(blobs)
    const facts = (some: readonly { key: string; length: number }[]) =>
      some.map(({ key, length }) => `${key} ${length}`).toSorted()
    assert.deepEqual(facts(all), facts(written))
    for (const { touched } of all) assert.ok(Math.abs(Date.now() - touched.getTime()) < minute)
    for (const digits of ['', 'd', 'd4', 'd41', 'd41d8cd9', '00', 'zz']) {
      const expected = written.filter(({ key }) => key.startsWith(digits))
      assert.deepEqual(facts(await listed(blobs, digits)), facts(expected), digits)
    }
  })

  test('removes a blob once', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    const { key } = await blobs.write(Buffer.from('to go'))
    const blob = await find(blobs, key)
    assert.equal(await blobs.remove(blob), true)
    assert.equal(await blobs.has(key), false)
    await assert.rejects(blobs.read(key), blobMissing.is)
    assert.equal(await blobs.remove(blob), false)
    assert.deepEqual(await listed(blobs), [])
    assert.deepEqual(await place.listUnfinished(), [])
  })

  test('does not remove what was written again since it was listed', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    const { key } = await blobs.write(Buffer.from('needed again'))
    await place.age(key, longAgo)
    const blob = await find(blobs, key)
    await blobs.write(Buffer.from('needed again'))
    assert.equal(await blobs.remove(blob), false)
    assert.equal(await text(await blobs.read(key)), 'needed again')
  })

  test('never loses what is written while it is being removed', async () => {
    const place = await createPlace()
    const [writer, remover] = [await place.open(), await place.open()]
    const small = Buffer.from('contended')
    const { key } = await writer.write(small)
    let removals = 0
    for (let round = 0; round < 30; round++) {
      await place.age(key, longAgo)
      const blob = await find(remover, key)
      const [isRemoved] = await Promise.all([
        remover.remove(blob),
        new Promise((resolve) => setTimeout(resolve, round % 8)).then(() => writer.write(small)),
      ])
      if (isRemoved) removals += 1
      assert.equal(await writer.has(key), true, `round ${round}`)
    }
    assert.ok(removals > 0, 'some were removed before they were written again')
    assert.deepEqual(await place.listUnfinished(), [])
  })

  test('clears away what was begun before and never finished, and only that', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    const { key } = await blobs.write(Buffer.from('whole'))
    const halting = new PassThrough()
    halting.write(randomBytes(20_000_000))
    const write = blobs.write(halting).catch(() => 'given up')
    while ((await place.listUnfinished()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(await blobs.removeUnfinished(new Date(Date.now() - minute)), 0)
    assert.equal((await place.listUnfinished()).length, 1)
    assert.equal(await blobs.removeUnfinished(new Date(Date.now() + minute)), 1)
    assert.deepEqual(await place.listUnfinished(), [])
    assert.equal(await blobs.has(key), true)
    halting.destroy(new Error('the end'))
    assert.equal(await write, 'given up')
  })
})
