import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { blobMissing, type StoredBlob } from './blob-store.ts'
import { createFilesystemBlobs } from './filesystem-blobs.ts'

const longAgo = new Date('2020-02-02T02:02:02.000Z')

describe('blobs in the file system', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'))
  })
  after(() => rm(folder, { recursive: true }))
  const blobs = (digestAlgorithm: 'MD5' | 'SHA-256' = 'MD5') => createFilesystemBlobs({ folder, digestAlgorithm })
  const place = (key: string) => join(folder, 'data', key.slice(0, 2), key.slice(2, 4), key)

  test('are named by their digest, two levels deep', async () => {
    const stored = await blobs().write(Buffer.from('hello'))
    const key = createHash('sha256').update('hello').digest('hex')
    assert.deepEqual(stored, { key, digest: '5d41402abc4b2a76b9719d911017c592', digestAlgorithm: 'MD5', length: 5 })
    assert.equal((await stat(place(key))).size, 5)
    const longer = await blobs('SHA-256').write(Buffer.from('hello'))
    assert.equal(longer.key, key)
    assert.equal(longer.digestAlgorithm, 'SHA-256')
  })

  test('of all sizes, from streams and from memory, many at once, are what came, and nothing is left among those that arrive', async () => {
    const store = blobs()
    // Around what is written without a file of its own before it has its name.
    const sizes = [0, 1, 65_535, 65_536, 65_537, 1_500_000]
    const contents = [...sizes, ...sizes].map((size, index) => Buffer.alloc(size, `${index}:`))
    const stored = await Promise.all(
      contents.map((content, index) => {
        const halves = [content.subarray(0, content.length / 2), content.subarray(content.length / 2)]
        return store.write(index < sizes.length ? content : Readable.from(halves, { objectMode: false }))
      }),
    )
    for (const [index, { key, length }] of stored.entries()) {
      assert.equal(
        key,
        createHash('sha256')
          .update(contents[index] ?? '')
          .digest('hex'),
      )
      assert.deepEqual(await readFile(place(key)), contents[index])
      assert.equal(length, contents[index]?.length)
      assert.equal((await stat(place(key))).mode & 0o777, 0o600)
    }
    assert.deepEqual(await readdir(join(folder, 'tmp')), [])
  })

  test('of which more come at once than files may be open are all stored', async () => {
    const store = blobs()
    const stored = await Promise.all(
      Array.from({ length: 1_500 }, (_, index) => store.write(Buffer.from(`one of many ${index}`))),
    )
    assert.equal(new Set(stored.map(({ key }) => key)).size, 1_500)
    assert.equal(await text(await store.read(stored.at(-1)?.key ?? '')), 'one of many 1499')
  })

  test('that cannot be stored are refused one by one, in our words', async () => {
    const closed = join(folder, 'closed')
    const store = createFilesystemBlobs({ folder: closed, digestAlgorithm: 'MD5' })
    const { key } = await store.write(Buffer.from('before'))
    // A file where the folder of another would be.
    const barred = createHash('sha256').update('barred').digest('hex')
    await writeFile(join(closed, 'data', barred.slice(0, 2)), '')
    const outcomes = await Promise.allSettled([
      store.write(Buffer.from('before')),
      store.write(Buffer.from('barred')),
      store.writeFile?.(join(folder, 'there is no such file')),
      store.write(Buffer.from('after')),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    )
    assert.equal((outcomes[1] as PromiseRejectedResult).reason.code, 'EEXIST')
    assert.equal((outcomes[2] as PromiseRejectedResult).reason.code, 'ENOENT')
    assert.equal(await store.has(key), true)
    assert.deepEqual(await readdir(join(closed, 'tmp')), [])
  })

  test('that are there already keep their file', async () => {
    const { key } = await blobs().write(Buffer.from('twice'))
    const { ino } = await stat(place(key))
    await blobs().write(Buffer.from('twice'))
    assert.equal((await stat(place(key))).ino, ino)
  })

  test('are copied for other programs, and not where they are gone or of another length', async () => {
    const { key } = await blobs().write(Buffer.from('copied'))
    const copy = join(folder, 'copy')
    assert.equal(await blobs().copyTo?.(key, copy, 6), true)
    assert.equal(await readFile(copy, 'utf8'), 'copied')
    await writeFile(copy, 'changed')
    assert.equal(await text(await blobs().read(key)), 'copied')
    assert.equal(await blobs().copyTo?.(key, copy, 7), false)
    assert.equal(await blobs().copyTo?.('0'.repeat(64), copy, 6), false)
  })

  test('are taken in from files as if their bytes had been written, and stay what they were', async () => {
    const made = join(folder, 'made')
    const bytes = Buffer.alloc(600_000, 'digested in several pieces')
    await writeFile(made, bytes, { mode: 0o644 })
    const store = blobs()
    const [first, again] = await Promise.all([store.writeFile?.(made), store.writeFile?.(made)])
    assert.deepEqual(first, await blobs().write(bytes))
    assert.deepEqual(again, first)
    const { key } = first as StoredBlob
    await writeFile(made, 'written to by a program that goes on')
    assert.deepEqual(await readFile(place(key)), bytes)
    assert.equal((await stat(place(key))).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(join(folder, 'tmp')), [])
  })

  test('are not taken in from files that are not there', async () => {
    await assert.rejects(async () => blobs().writeFile?.(join(folder, 'never made')), { code: 'ENOENT' })
    assert.deepEqual(await readdir(join(folder, 'tmp')), [])
  })

  test('of the first layout are read, listed, kept once and removed', async () => {
    const key = createHash('sha256').update('of old').digest('hex')
    const old = join(folder, key.slice(0, 2), key.slice(2, 4), key)
    await mkdir(dirname(old), { recursive: true })
    await writeFile(old, 'of old')
    await utimes(old, longAgo, longAgo)
    assert.equal(await text(await blobs().read(key)), 'of old')
    assert.equal(await blobs().has(key), true)
    const [listed] = await Array.fromAsync(blobs().list(key))
    assert.deepEqual(listed, { key, length: 6, touched: longAgo })
    await blobs().write(Buffer.from('of old'))
    assert.equal((await Array.fromAsync(blobs().list(key))).length, 1)
    assert.ok((await stat(old)).mtimeMs > longAgo.getTime(), 'its age starts anew')
    assert.equal(await blobs().remove({ key, length: 6, touched: longAgo }), false)
    assert.equal(await blobs().remove({ key, length: 6, touched: new Date() }), true)
    assert.equal(await blobs().has(key), false)
  })

  test('whose removal was cut off are read where they wait, and come back as old as they were', async () => {
    const { key } = await blobs().write(Buffer.from('cut off'))
    await utimes(place(key), longAgo, longAgo)
    const waiting = join(folder, 'tmp', `${key}.somebody.leaving`)
    await rename(place(key), waiting)
    assert.equal(await text(await blobs().read(key)), 'cut off')
    assert.equal(await blobs().has(key), true)
    assert.equal(await blobs().removeUnfinished(new Date(Date.now() - 60_000)), 0)
    assert.equal((await stat(waiting)).size, 7)
    assert.equal(await blobs().removeUnfinished(new Date(Date.now() + 60_000)), 0)
    assert.equal((await stat(place(key))).size, 7)
    assert.deepEqual((await stat(place(key))).mtime, longAgo)
    assert.deepEqual(await readdir(join(folder, 'tmp')), [])
  })

  test('whose removal was cut off leave those alone that came meanwhile', async () => {
    const { key } = await blobs().write(Buffer.from('twice there'))
    const waiting = join(folder, 'tmp', `${key}.somebody.leaving`)
    await rename(place(key), waiting)
    await utimes(waiting, longAgo, longAgo)
    await blobs().write(Buffer.from('twice there'))
    const { ino, mtime } = await stat(place(key))
    await blobs().removeUnfinished(new Date(Date.now() + 60_000))
    const found = await stat(place(key))
    assert.deepEqual([found.ino, found.mtime], [ino, mtime])
    assert.deepEqual(await readdir(join(folder, 'tmp')), [])
  })

  test('that arrived for the first layout and were never finished are cleared away', async () => {
    await mkdir(join(folder, 'arriving'), { recursive: true })
    await writeFile(join(folder, 'arriving', 'half'), 'half')
    assert.equal(await blobs().removeUnfinished(new Date(Date.now() + 60_000)), 1)
    assert.deepEqual(await readdir(join(folder, 'arriving')), [])
  })

  test('are for this user alone', async () => {
    const { key } = await blobs().write(Buffer.from('private'))
    assert.equal((await stat(place(key))).mode & 0o777, 0o600)
    for (const path of [dirname(place(key)), join(folder, 'data'), join(folder, 'tmp')]) {
      assert.equal((await stat(path)).mode & 0o777, 0o700, path)
    }
  })

  test('do not take other files in their folder for blobs', async () => {
    for (const path of ['secret', 'data/secret', 'data/aa', 'data/ab/readme', 'ff/ff']) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), 'secret').catch(() => {})
    }
    const keys = (await Array.fromAsync(blobs().list())).map(({ key }) => key)
    assert.ok(keys.every((key) => /^[0-9a-f]{32}$|^[0-9a-f]{64}$/.test(key)))
    await assert.rejects(blobs().read('secret'), blobMissing.is)
  })
})
