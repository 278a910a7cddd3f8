import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { blobMissing } from './blob-store.ts'
import { createFilesystemBlobs } from './filesystem-blobs.ts'

describe('blobs in the file system', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'))
  })
  after(() => rm(folder, { recursive: true }))
  const blobs = (digestAlgorithm: 'MD5' | 'SHA-256' = 'MD5') => createFilesystemBlobs({ folder, digestAlgorithm })
  const place = (key: string) => join(folder, key.slice(0, 2), key.slice(2, 4), key)

  test('are named by their digest, two levels deep', async () => {
    const stored = await blobs().write(Buffer.from('hello'))
    const key = '5d41402abc4b2a76b9719d911017c592'
    assert.deepEqual(stored, { key, digest: key, digestAlgorithm: 'MD5', length: 5 })
    assert.equal((await stat(place(key))).size, 5)
    const longer = await blobs('SHA-256').write(Buffer.from('hello'))
    assert.equal(longer.key, createHash('sha256').update('hello').digest('hex'))
    assert.equal(longer.digestAlgorithm, 'SHA-256')
  })

  test('come back byte for byte from streams of any size, and in ranges', async () => {
    for (const size of [0, 1, 70_000, 3_000_000]) {
      const bytes = randomBytes(size)
      const chunks = Array.from({ length: Math.ceil(size / 50_000) }, (_, index) =>
        bytes.subarray(index * 50_000, (index + 1) * 50_000),
      )
      const { key, length } = await blobs().write(Readable.from(chunks))
      assert.equal(length, size)
      assert.ok(bytes.equals(await buffer(await blobs().read(key))))
    }
    const { key } = await blobs().write(Buffer.from('0123456789'))
    assert.equal(await text(await blobs().read(key, { start: 2, end: 4 })), '234')
    assert.equal(await text(await blobs().read(key, { start: 9, end: 100 })), '9')
  })

  test('that are there already are kept, and their age starts anew', async () => {
    const { key } = await blobs().write(Buffer.from('twice'))
    const { ino } = await stat(place(key))
    await utimes(place(key), new Date(0), new Date(0))
    const again = await blobs().write(Buffer.from('twice'))
    const now = await stat(place(again.key))
    assert.equal(now.ino, ino)
    assert.ok(Date.now() - now.mtimeMs < 60_000)
  })

  test('written at once by many are one file', async () => {
    const written = await Promise.all(Array.from({ length: 10 }, () => blobs().write(Buffer.from('at once'))))
    assert.equal(new Set(written.map(({ key }) => key)).size, 1)
    assert.equal(await text(await blobs().read(written[0]?.key as string)), 'at once')
  })

  test('whose writing fails or is given up leave nothing behind', async () => {
    const failing = Readable.from(
      (function* () {
        yield Buffer.from('half')
        throw new Error('the sender hung up')
      })(),
    )
    await assert.rejects(blobs().write(failing), /hung up/)
    const endless = Readable.from(
      (async function* () {
        for (;;) yield Buffer.alloc(1_000)
      })(),
    )
    await assert.rejects(blobs().write(endless, { signal: AbortSignal.timeout(30) }), { name: 'AbortError' })
    assert.deepEqual(await readdir(join(folder, 'arriving')), [])
  })

  test('that are not there are missing, and no key leads anywhere else', async () => {
    await writeFile(join(folder, 'secret'), 'secret')
    const hostile = [
      '../secret',
      'secret',
      '..',
      '',
      '/etc/passwd',
      'arriving',
      `${'0'.repeat(31)}/`,
      'A'.repeat(32),
      `${'0'.repeat(32)}\n`,
    ]
    for (const key of [...hostile, '0'.repeat(32), '0'.repeat(64)]) {
      await assert.rejects(blobs().read(key), blobMissing.is)
      assert.equal(await blobs().has(key), false)
    }
    const { key } = await blobs().write(Buffer.from('there'))
    assert.equal(await blobs().has(key), true)
  })
})
