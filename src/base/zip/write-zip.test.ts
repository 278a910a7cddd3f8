import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { namesIn, readArchived, readZip } from '../../../test/support/zip-archive.ts'
import { writeZip, type ZipContent, type ZipEntry } from './write-zip.ts'
import { extraField } from './zip-records.ts'

const modified = new Date('2031-01-31T10:20:30.000Z')

function fileOf(name: string, bytes: Uint8Array, about: Partial<ZipContent> = {}): ZipEntry {
  return { name, modified, content: { length: bytes.length, open: async () => Readable.from([bytes]), ...about } }
}

function packed(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): Promise<Buffer> {
  return buffer(Readable.from(writeZip(entries)))
}

describe('a zip archive', () => {
  test('gives back whatever was put into it, under the same names and in the same order', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    const content = fc.uint8Array({ maxLength: 5_000 })
    const files = fc.uniqueArray(fc.record({ name, content, isCompressed: fc.boolean() }), { selector: (file) => file.name })
    await fc.assert(
      fc.asyncProperty(files, async (sent) => {
        const archive = await packed(sent.map((file) => fileOf(file.name, file.content, { isCompressed: file.isCompressed })))
        const back = readZip(archive).map((file) => [file.name, [...file.bytes]])
        assert.deepEqual(
          back,
          sent.map((file) => [Buffer.from(file.name).toString(), [...file.content]]),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('can begin with bytes as they are, right behind their name', async () => {
    const archive = await packed([{ name: 'mimetype', modified, stored: Buffer.from('a/b') }, fileOf('a', Buffer.from('c'))])
    assert.equal(archive.toString('latin1', 30, 41), 'mimetypea/b')
    assert.deepEqual(
      readZip(archive).map(({ name, bytes }) => [name, String(bytes)]),
      [
        ['mimetype', 'a/b'],
        ['a', 'c'],
      ],
    )
  })

  test('of nothing is one', async () => assert.deepEqual(readZip(await packed([])), []))

  test('has folders and empty files, and fields of its author behind their names', async () => {
    const extra = extraField(0x4351, Buffer.from([3, 0, 0, 0]))
    const archive = await packed([
      { name: 'folder/', modified, extra },
      { name: 'folder/empty', modified },
    ])
    assert.deepEqual(namesIn(archive), ['folder/', 'folder/empty'])
    assert.deepEqual([...readArchived(archive, 'folder/').extra], [0x51, 0x43, 4, 0, 3, 0, 0, 0])
  })

  test('makes smaller what is not compressed yet, and leaves the other as it is', async () => {
    const zeros = Buffer.alloc(100_000)
    const [smaller, same] = [await packed([fileOf('a', zeros)]), await packed([fileOf('a', zeros, { isCompressed: true })])]
    assert.ok(smaller.length < 1_000 && same.length > 100_000)
    assert.deepEqual(readArchived(same, 'a').bytes, zeros)
  })

  test('tells dates as DOS did, and of those that DOS did not know the nearest', async () => {
    const [known, before] = [await packed([{ name: 'a', modified }]), await packed([{ name: 'a', modified: new Date(0) }])]
    const shown = (archive: Buffer) => [archive.readUInt16LE(12), archive.readUInt16LE(10)]
    assert.deepEqual(shown(known), [((2031 - 1980) << 9) | (1 << 5) | 31, (10 << 11) | (20 << 5) | 15])
    assert.deepEqual(shown(before), [(1 << 5) | 1, 0])
  })

  test('may have more entries than 16 bits can count', async () => {
    const many = 70_000
    const archive = await packed(Array.from({ length: many }, (_, index) => ({ name: String(index), modified })))
    const names = namesIn(archive)
    assert.deepEqual([names.length, names.at(-1)], [many, String(many - 1)])
  })

  test('opens a file only when those before it are written', async () => {
    const opened: string[] = []
    const watched = (name: string) => fileOf(name, Buffer.from(name), { open: async () => open(name) })
    const open = (name: string) => {
      opened.push(name)
      return Readable.from([Buffer.from(name)])
    }
    for await (const chunk of writeZip([watched('a'), watched('b')])) {
      if (Buffer.from(chunk).includes('b')) break
      assert.ok(!opened.includes('b'))
    }
    assert.deepEqual(opened, ['a'])
  })

  test('lets go of the file it is reading when the reader does not want the rest', async () => {
    const endless = Readable.from(everAgain(Buffer.alloc(100_000)))
    const closed = finished(endless).catch(() => {})
    const entry = fileOf('a', Buffer.alloc(1), { open: async () => endless, isCompressed: true })
    for await (const chunk of writeZip([entry])) if (chunk.length > 1_000) break
    await closed
    assert.ok(endless.destroyed)
  })

  test('fails with the file that cannot be read', async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error('gone')) })
    await assert.rejects(packed([fileOf('a', Buffer.alloc(1), { open: async () => broken })]), /gone/)
  })
})

function* everAgain(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk
}
