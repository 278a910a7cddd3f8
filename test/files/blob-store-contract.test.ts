import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { type BlobStore, blobDamaged, blobMissing, type ListedBlob } from '../../src/store/blobs/blob-store.ts'
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
  test('names bytes by their SHA-256, and tells the digest of the algorithm that it was given', async () => {
    const place = await createPlace()
    const key = createHash('sha256').update('hello').digest('hex')
    const md5 = '5d41402abc4b2a76b9719d911017c592'
    const blobs = await place.open()
    assert.equal(blobs.digestAlgorithm, 'MD5')
    assert.deepEqual(await blobs.write(Buffer.from('hello')), { key, digest: md5, digestAlgorithm: 'MD5', length: 5 })
    const longer = await (await place.open('SHA-256')).write(Readable.from([Buffer.from('hel'), Buffer.from('lo')]))
    assert.deepEqual(longer, { key, digest: key, digestAlgorithm: 'SHA-256', length: 5 })
  })

  test('gives bytes back as they came, from streams of any size', async () => {
    const blobs = await (await createPlace()).open()
    for (const size of [0, 1, 70_000, 3_000_000, 8 * 1024 ** 2, 8 * 1024 ** 2 + 1, 21_000_000]) {
      const bytes = randomBytes(size)
      const { key, length } = await blobs.write(inChunks(bytes))
      assert.equal(length, size)
      assert.equal(key, createHash('sha256').update(bytes).digest('hex'))
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

  test('has what an earlier program stored by its MD5, and gives it a second address that outlives the first', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    for (const bytes of [Buffer.from('of old'), randomBytes(9 * 1024 ** 2)]) {
      const old = createHash('md5').update(bytes).digest('hex')
      await place.put(old, bytes)
      await place.age(old, longAgo)
      assert.ok(bytes.equals(await buffer(await blobs.read(old))))
      const key = createHash('sha256').update(bytes).digest('hex')
      const blob = { key, digest: old, digestAlgorithm: 'MD5', length: bytes.length }
      await blobs.addAddress(old, blob)
      await blobs.addAddress(old, blob)
      assert.ok(Date.now() - (await find(blobs, key)).touched.getTime() < minute, 'no collection takes it at once')
      assert.equal(await blobs.remove(await find(blobs, old)), true)
      assert.ok(bytes.equals(await buffer(await blobs.read(key))))
    }
    assert.deepEqual(await place.listUnfinished(), [])
    await assert.rejects(
      blobs.addAddress('0'.repeat(32), { key: '0'.repeat(64), digest: '', digestAlgorithm: 'MD5', length: 0 }),
      blobMissing.is,
    )
  })

  test('says of a file with another length than its reader knows that it is damaged', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    const { key } = await blobs.write(Buffer.from('0123456789'))
    assert.equal(await text(await blobs.read(key, undefined, 10)), '0123456789')
    assert.equal(await text(await blobs.read(key, { start: 2, end: 3 }, 10)), '23')
    await place.put(key, Buffer.from('01234'))
    await assert.rejects(blobs.read(key, undefined, 10), blobDamaged.is)
    await assert.rejects(blobs.read(key, { start: 2, end: 3 }, 10), blobDamaged.is)
  })

  test('replaces a file of another length, or one that a check has marked, by the upload of what it should be', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    const content = Buffer.from('what it should be')
    const { key } = await blobs.write(content)
    await place.put(key, content.subarray(3))
    await blobs.write(content)
    assert.equal(await text(await blobs.read(key)), String(content), 'another length')
    await place.put(key, Buffer.from('WHAT IT SHOULD BE'))
    await place.age(key, longAgo)
    await (await place.open()).flaws.mark(key)
    assert.deepEqual(await Array.fromAsync(blobs.flaws.list()), [key])
    await (await place.open()).write(inChunks(content))
    assert.equal(await text(await blobs.read(key)), String(content), 'a mark')
    assert.deepEqual(await Array.fromAsync(blobs.flaws.list()), [], 'and the mark is gone')
    await blobs.flaws.mark('../x')
    await blobs.flaws.clear(key)
    assert.deepEqual(await Array.fromAsync(blobs.flaws.list()), [])
  })

  test('knows whose files these are, once it was told, and tells the time by its own clock', async () => {
    const place = await createPlace()
    const blobs = await place.open()
    assert.equal(await blobs.findOwner(), undefined)
    await blobs.setOwner('one')
    assert.equal(await (await place.open()).findOwner(), 'one')
    await blobs.setOwner('another')
    assert.equal(await blobs.findOwner(), 'another')
    assert.ok(Math.abs((await blobs.now()).getTime() - Date.now()) < minute)
    assert.deepEqual(await listed(blobs), [], 'none of this is a file of a document')
    assert.deepEqual(await place.listUnfinished(), [])
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
    for (const digits of ['', 'e', 'e3', 'e3b', 'e3b0c442', '00', 'zz']) {
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
