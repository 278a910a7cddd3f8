/** What there is to know of a file in an archive once it is written. */
export interface WrittenEntry extends WrittenBytes {
  readonly name: Buffer
  readonly modified: Date
  readonly offset: number
}

export interface WrittenBytes {
  readonly checksum: number
  readonly length: number
  readonly packedLength: number
}

// PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 to 4.5.
const localHeader = 0x04034b50
const descriptor = 0x08074b50
const centralHeader = 0x02014b50
const largeEnd = 0x06064b50
const largeEndLocator = 0x07064b50
const end = 0x06054b50
const largeField = 1
const usualVersion = 20
const largeVersion = 45
const deflated = 8
/** The lengths follow the bytes, and names are UTF-8. */
const flags = 0x0808
const most32 = 0xffffffff
const most16 = 0xffff

/** Comes before the bytes of a file. A large one may have more than four gigabytes. */
export function localRecord(name: Buffer, modified: Date, isLarge: boolean): Buffer {
  const extra = isLarge ? Buffer.concat([uint16(largeField), uint16(16), uint64(0), uint64(0)]) : Buffer.alloc(0)
  return Buffer.concat([
    uint32(localHeader),
    uint16(isLarge ? largeVersion : usualVersion),
    uint16(flags),
    uint16(deflated),
    dosTime(modified),
    uint32(0), // the checksum, which follows
    uint32(isLarge ? most32 : 0),
    uint32(isLarge ? most32 : 0),
    uint16(name.length),
    uint16(extra.length),
    name,
    extra,
  ])
}

/** Comes behind the bytes of a file. */
export function descriptorRecord({ checksum, packedLength, length }: WrittenBytes, isLarge: boolean): Buffer {
  const size = isLarge ? uint64 : uint32
  return Buffer.concat([uint32(descriptor), uint32(checksum), size(packedLength), size(length)])
}

/** A file in the directory, by which readers find it. */
export function directoryRecord({ name, modified, checksum, length, packedLength, offset }: WrittenEntry): Buffer {
  const numbers = [length, packedLength, offset]
  const large = numbers.filter((number) => number >= most32)
  const extra = large.length === 0 ? [] : [uint16(largeField), uint16(8 * large.length), ...large.map((number) => uint64(number))]
  const version = uint16(large.length === 0 ? usualVersion : largeVersion)
  return Buffer.concat([
    uint32(centralHeader),
    version,
    version,
    uint16(flags),
    uint16(deflated),
    dosTime(modified),
    uint32(checksum),
    uint32(Math.min(packedLength, most32)),
    uint32(Math.min(length, most32)),
    uint16(name.length),
    uint16(Buffer.concat(extra).length),
    Buffer.alloc(10), // no comment, the first disk, no attributes
    uint32(Math.min(offset, most32)),
    name,
    ...extra,
  ])
}

/** Comes behind the directory, at the very end. */
export function endRecord(entries: number, directoryOffset: number, directoryLength: number): Buffer {
  const isLarge = entries >= most16 || directoryOffset >= most32 || directoryLength >= most32
  return Buffer.concat([
    ...(isLarge ? [largeEndRecord(entries, directoryOffset, directoryLength)] : []),
    uint32(end),
    uint32(0),
    uint16(Math.min(entries, most16)),
    uint16(Math.min(entries, most16)),
    uint32(Math.min(directoryLength, most32)),
    uint32(Math.min(directoryOffset, most32)),
    uint16(0),
  ])
}

function largeEndRecord(entries: number, directoryOffset: number, directoryLength: number): Buffer {
  const version = uint16(largeVersion)
  return Buffer.concat([
    uint32(largeEnd),
    uint64(44),
    version,
    version,
    uint64(0), // on the first disk
    uint64(entries),
    uint64(entries),
    uint64(directoryLength),
    uint64(directoryOffset),
    uint32(largeEndLocator),
    uint32(0),
    uint64(directoryOffset + directoryLength),
    uint32(1),
  ])
}

/** To two seconds, and without a time zone: in that of the world, so that it is the same wherever the server stands. */
function dosTime(date: Date): Buffer {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107)
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return Buffer.concat([uint16(time), uint16(day)])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
