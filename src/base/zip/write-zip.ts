import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw, type ZlibOptions } from 'node:zlib'
import {
  dataDescriptor,
  directoryRecord,
  type EntryHead,
  type EntrySizes,
  endRecords,
  localHeader,
  most32,
} from './zip-records.ts'

export interface ZipContent {
  /** In bytes. */
  readonly length: number
  /** Called when all entries before have been written. */
  open(): Promise<Readable>
  /** What is compressed already is not made smaller once more. */
  readonly isCompressed?: boolean
}

export interface ZipEntry {
  /** With folders before it; that of a folder ends with a slash. */
  readonly name: string
  readonly modified: Date
  /** Absent of a folder, and of a file with nothing in it. */
  readonly content?: ZipContent
  /** Few bytes instead, which are written as they are: some formats want to be known by what stands at the very beginning. */
  readonly stored?: Uint8Array
  /** Fields of the author's own, as `extraField` makes them. */
  readonly extra?: Uint8Array
}

const noBytes = new Uint8Array()

/**
 * The bytes of an archive of the entries, made while they are read: no file is in memory as a whole. Names are taken as they are, see
 * `createEntryNames`.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory = new DirectoryRecords()
  let position = 0
  for await (const entry of entries) {
    const [head, sizes, offset] = [headOf(entry), new Sizes(), position]
    for await (const chunk of entry.stored === undefined
      ? writeEntry(head, entry.content, sizes)
      : storedEntry(head, entry.stored, sizes)) {
      position += chunk.length
      yield chunk
    }
    directory.add(directoryRecord({ ...head, ...sizes, offset }))
  }
  const { entries: count, size } = directory
  yield* directory.records()
  yield endRecords({ entries: count, size, offset: position })
}

const recordsAtOnce = 1_000

/** What is written last of all. Many records in a buffer: one each would take as much memory again for a million files. */
class DirectoryRecords {
  readonly #whole: Buffer[] = []
  #some: Buffer[] = []
  entries = 0
  size = 0

  add(record: Buffer): void {
    this.#some.push(record)
    this.entries += 1
    this.size += record.length
    if (this.#some.length < recordsAtOnce) return
    this.#whole.push(Buffer.concat(this.#some))
    this.#some = []
  }

  *records(): Generator<Buffer> {
    yield* this.#whole
    yield Buffer.concat(this.#some)
  }
}

/** What was counted while an entry was written. */
class Sizes implements EntrySizes {
  crc = 0
  size = 0
  compressedSize = 0
}

// Compressing can make a file longer, by 5 bytes for each 16 KiB; far below the limit there is room for that.
const largeFrom = most32 - 2 ** 24

function headOf({ name, modified, content, extra = noBytes }: ZipEntry): EntryHead {
  const isLarge = content !== undefined && content.length >= largeFrom
  return { name: Buffer.from(name), modified, isStreamed: content !== undefined, isLarge, extra }
}

function* storedEntry(head: EntryHead, bytes: Uint8Array, sizes: Sizes): Generator<Uint8Array> {
  Object.assign(sizes, { crc: crc32(bytes), size: bytes.length, compressedSize: bytes.length } satisfies EntrySizes)
  yield localHeader(head, sizes)
  yield bytes
}

async function* writeEntry(head: EntryHead, content: ZipContent | undefined, sizes: Sizes): AsyncGenerator<Uint8Array> {
  yield localHeader(head)
  if (content === undefined) return
  yield* deflate(await content.open(), deflating(content), sizes)
  // Readers would take such sizes for the first half of longer ones.
  if (!head.isLarge && Math.max(sizes.size, sizes.compressedSize) >= most32) {
    throw new Error(`${Buffer.from(head.name)} has ${sizes.size} bytes where ${content.length} were announced`)
  }
  yield dataDescriptor(sizes, head.isLarge)
}

const fewBytes = 16_384

/** A quarter of a megabyte is made ready for each entry, unless it is known to be short: for thousands of those that took longer than all else. */
function deflating({ length, isCompressed = false }: ZipContent): ZlibOptions {
  const level = isCompressed ? { level: 0 } : {}
  if (length > fewBytes) return level
  const windowBits = Math.max(9, Math.ceil(Math.log2(length + 1)))
  return { ...level, windowBits, memLevel: 4, chunkSize: Math.max(1_024, length) }
}

// An entry whose length stands behind it must be compressed, or no program can read the archive as a stream. Level 0 keeps the
// bytes as they are all the same.
async function* deflate(content: Readable, options: ZlibOptions, sizes: Sizes): AsyncGenerator<Uint8Array> {
  const deflating = createDeflateRaw(options)
  const measured = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      sizes.crc = crc32(chunk, sizes.crc)
      sizes.size += chunk.length
      yield chunk
    }
  }
  const done = pipeline(content, measured, deflating)
  // Thrown below, or dropped when the reader went away.
  done.catch(() => {})
  for await (const chunk of deflating) {
    sizes.compressedSize += chunk.length
    yield chunk
  }
  await done
}
