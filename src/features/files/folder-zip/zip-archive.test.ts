import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { unzipped } from '../../../../test/support/unzipped.ts'
import { type ZipEntry, zipArchive } from './zip-archive.ts'
import { directoryRecord, endRecord } from './zip-records.ts'

const modified = new Date('2024-02-29T23:59:58Z')

function entryOf(name: string, chunks: readonly Uint8Array[], length = Buffer.concat(chunks).length): ZipEntry {
  return { name, modified, length, open: async () => Readable.from(chunks) }
}

const zipped = (entries: readonly ZipEntry[]) => buffer(Readable.from(zipArchive(entries)))

describe('an archive', () => {
  test('holds every file as it was, with its name and time', async () => {
    const files = fc.array(
      fc.record({ name: fc.string({ unit: 'grapheme', minLength: 1 }), chunks: fc.array(fc.uint8Array({ minLength: 1 })) }),
    )
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        const found = unzipped(await zipped(all.map(({ name, chunks }) => entryOf(name, chunks))))
        assert.deepEqual(
          found,
          all.map(({ name, chunks }) => ({ name, modified, bytes: Buffer.concat(chunks) })),
        )
      }),
    )
  })

  test('of the same files is the same', async () => {
    const entries = () => [entryOf('a.txt', [Buffer.from('first')]), entryOf('b.txt', [])]
    assert.ok((await zipped(entries())).equals(await zipped(entries())))
  })

  test('fails when a file of it does', async () => {
    const broken = { ...entryOf('a.txt', []), open: () => Promise.reject(new Error('gone')) }
    await assert.rejects(zipped([broken]), /gone/)
    const breaking = { ...entryOf('a.txt', []), open: async () => Readable.from(failing()) }
    await assert.rejects(zipped([breaking]), /in the middle/)
  })

  test('tells readers of the larger form where it may be needed', async () => {
    const archive = await zipped([entryOf('a.txt', [Buffer.from('small after all')], 5_000_000_000)])
    assert.equal(archive.readUInt16LE(4), 45)
    assert.equal(archive.readUInt32LE(18), 0xffffffff)
    assert.equal(archive.readUInt16LE(28), 20, 'room for the larger lengths')
    const about = { name: Buffer.from('a'), modified, checksum: 1, length: 5_000_000_000, packedLength: 7, offset: 6_000_000_000 }
    const record = directoryRecord(about)
    assert.deepEqual([record.readUInt32LE(24), record.readUInt32LE(20), record.readUInt32LE(42)], [0xffffffff, 7, 0xffffffff])
    assert.deepEqual([record.readUInt16LE(47), record.readUInt16LE(49)], [1, 16])
    assert.deepEqual([record.readBigUInt64LE(51), record.readBigUInt64LE(59)], [5_000_000_000n, 6_000_000_000n])
    const ending = endRecord(70_000, 6_000_000_000, 5_000)
    assert.equal(ending.readUInt32LE(0), 0x06064b50)
    assert.deepEqual([ending.readBigUInt64LE(32), ending.readBigUInt64LE(48)], [70_000n, 6_000_000_000n])
    assert.equal(ending.readBigUInt64LE(56 + 8), 6_000_005_000n)
    assert.equal(ending.readUInt16LE(76 + 10), 0xffff)
  })
})

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('in the middle')
}
