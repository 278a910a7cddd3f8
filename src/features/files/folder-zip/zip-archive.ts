import { pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { descriptorRecord, directoryRecord, endRecord, localRecord, type WrittenBytes, type WrittenEntry } from './zip-records.ts'

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string
  readonly modified: Date
  /** As far as it is known before: what may pass four gigabytes is written in the larger form. */
  readonly length: number
  open(): Promise<AsyncIterable<Uint8Array>>
}

// Packing may make a file a little larger.
const surelyFits = 4_000_000_000

/** The bytes of an archive, made as they are read. The same files make the same bytes. */
export async function* zipArchive(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = []
  let offset = 0
  for (const entry of entries) {
    const tally = { checksum: 0, length: 0, packedLength: 0 }
    const about = { name: Buffer.from(entry.name.toWellFormed()), modified: entry.modified, offset }
    const isLarge = entry.length > surelyFits
    for await (const bytes of everyByte(entry, about.name, isLarge, tally)) {
      offset += bytes.length
      yield bytes
    }
    written.push({ ...about, ...tally })
  }
  const directory = Buffer.concat(written.map(directoryRecord))
  yield directory
  yield endRecord(written.length, offset, directory.length)
}

type Tally = { -readonly [Fact in keyof WrittenBytes]: WrittenBytes[Fact] }

async function* everyByte(entry: ZipEntry, name: Buffer, isLarge: boolean, tally: Tally): AsyncGenerator<Uint8Array> {
  yield localRecord(name, entry.modified, isLarge)
  // Most files that people keep are packed already: more effort makes them hardly smaller.
  const packed = pipeline(counted(await entry.open(), tally), createDeflateRaw({ level: 1 }), () => {})
  for await (const bytes of packed as AsyncIterable<Uint8Array>) {
    tally.packedLength += bytes.length
    yield bytes
  }
  yield descriptorRecord(tally, isLarge)
}

async function* counted(content: AsyncIterable<Uint8Array>, tally: Tally): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    tally.checksum = crc32(bytes, tally.checksum)
    tally.length += bytes.length
    yield bytes
  }
}
