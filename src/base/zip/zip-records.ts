import { Buffer } from 'node:buffer'

// The records of a zip archive (PKWARE, APPNOTE 6.3.10: 4.3.7 to 4.3.16, 4.5.3). Sizes that 32 bits cannot hold are in fields of
// 64 bits behind the record, and the record itself says so with nothing but ones.

export const most16 = 0xffff
export const most32 = 0xffff_ffff

/** Of an entry, what stands before its data. */
export interface EntryHead {
  /** In UTF-8. */
  readonly name: Uint8Array
  readonly modified: Date
  /** Its data is compressed and of a length that only writing it will tell. */
  readonly isStreamed: boolean
  /** It may become longer than 32 bits can say. */
  readonly isLarge: boolean
  /** Fields of the author's own, as `extraField` makes them. */
  readonly extra: Uint8Array
}

export interface EntrySizes {
  readonly crc: number
  readonly size: number
  readonly compressedSize: number
}

/** Of an entry, what the directory at the end says. */
export interface WrittenEntry extends EntryHead, EntrySizes {
  /** Where its head begins. */
  readonly offset: number
}

const noSizes: EntrySizes = { crc: 0, size: 0, compressedSize: 0 }
const namesAreUtf8 = 0x0800
const sizesFollow = 0x0008
const version = { usual: 20, large: 45 }
const large64 = 0x0001

/** The sizes of what is streamed are not known yet, and stand behind it. */
export function localHeader({ name, modified, isStreamed, isLarge, extra }: EntryHead, sizes: EntrySizes = noSizes): Buffer {
  const fields = isLarge ? Buffer.concat([extraField(large64, Buffer.alloc(16)), extra]) : Buffer.from(extra)
  const record = Buffer.alloc(30)
  record.writeUInt32LE(0x04034b50, 0)
  record.writeUInt16LE(isLarge ? version.large : version.usual, 4)
  record.writeUInt16LE(flagsOf(isStreamed), 6)
  record.writeUInt16LE(methodOf(isStreamed), 8)
  record.writeUInt32LE(dosTime(modified), 10)
  record.writeUInt32LE(sizes.crc, 14)
  record.writeUInt32LE(isLarge ? most32 : sizes.compressedSize, 18)
  record.writeUInt32LE(isLarge ? most32 : sizes.size, 22)
  record.writeUInt16LE(name.length, 26)
  record.writeUInt16LE(fields.length, 28)
  return Buffer.concat([record, name, fields])
}

/** What stands behind the data of an entry that was streamed. */
export function dataDescriptor({ crc, size, compressedSize }: EntrySizes, isLarge: boolean): Buffer {
  const start = Buffer.alloc(8)
  start.writeUInt32LE(0x08074b50, 0)
  start.writeUInt32LE(crc, 4)
  return Buffer.concat([start, isLarge ? longs(compressedSize, size) : shorts(compressedSize, size)])
}

export function directoryRecord(entry: WrittenEntry): Buffer {
  const { name, modified, isStreamed, crc, size, compressedSize, offset } = entry
  const beyond = [size, compressedSize, offset].filter(isBeyond32)
  const extra =
    beyond.length === 0 ? Buffer.from(entry.extra) : Buffer.concat([extraField(large64, longs(...beyond)), entry.extra])
  const needed = entry.isLarge || beyond.length > 0 ? version.large : version.usual
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE((madeOnUnix << 8) | needed, 4)
  record.writeUInt16LE(needed, 6)
  record.writeUInt16LE(flagsOf(isStreamed), 8)
  record.writeUInt16LE(methodOf(isStreamed), 10)
  record.writeUInt32LE(dosTime(modified), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(Math.min(compressedSize, most32), 20)
  record.writeUInt32LE(Math.min(size, most32), 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE(attributesOf(name), 38)
  record.writeUInt32LE(Math.min(offset, most32), 42)
  return Buffer.concat([record, name, extra])
}

export interface Directory {
  readonly entries: number
  readonly size: number
  readonly offset: number
}

/** What ends the archive: how many entries there are, and where the directory of them is. */
export function endRecords({ entries, size, offset }: Directory): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, most16), 8)
  end.writeUInt16LE(Math.min(entries, most16), 10)
  end.writeUInt32LE(Math.min(size, most32), 12)
  end.writeUInt32LE(Math.min(offset, most32), 16)
  const isLarge = entries >= most16 || isBeyond32(size) || isBeyond32(offset)
  return isLarge ? Buffer.concat([largeEndRecords({ entries, size, offset }), end]) : end
}

function largeEndRecords({ entries, size, offset }: Directory): Buffer {
  const end = Buffer.alloc(24)
  end.writeUInt32LE(0x06064b50, 0)
  // Of what follows this number: 12 bytes to the end of these, and four numbers.
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE((madeOnUnix << 8) | version.large, 12)
  end.writeUInt16LE(version.large, 14)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end, longs(entries, entries, size, offset), locator])
}

/** A field behind a record: who understands it by its number, and its bytes. */
export function extraField(id: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

const madeOnUnix = 3
const slash = 0x2f

/** Rights as Unix has them, and the mark of a folder as DOS had it. */
function attributesOf(name: Uint8Array): number {
  return name.at(-1) === slash ? ((0o40755 << 16) | 0x10) >>> 0 : (0o100644 << 16) >>> 0
}

function flagsOf(isStreamed: boolean): number {
  return isStreamed ? namesAreUtf8 | sizesFollow : namesAreUtf8
}

function methodOf(isStreamed: boolean): number {
  return isStreamed ? 8 : 0
}

function isBeyond32(value: number): boolean {
  return value >= most32
}

function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}

function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8)
  return bytes
}

const firstDosDay = Date.UTC(1980, 0, 1)
const lastDosDay = Date.UTC(2107, 11, 31)

/** Date and time as DOS wrote them, in UTC because the reader's zone is not known; two seconds are as exact as it gets. */
function dosTime(date: Date): number {
  const known = new Date(Math.min(Math.max(date.getTime(), firstDosDay), lastDosDay))
  const day = ((known.getUTCFullYear() - 1980) << 9) | ((known.getUTCMonth() + 1) << 5) | known.getUTCDate()
  const time = (known.getUTCHours() << 11) | (known.getUTCMinutes() << 5) | (known.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}
