import { crc32, inflateRawSync } from 'node:zlib'

export interface UnzippedFile {
  readonly name: string
  readonly modified: Date
  readonly bytes: Buffer
}

/** The files of an archive as its directory has them. @throws Error where it and what comes before it do not agree. */
export function unzipped(archive: Buffer): readonly UnzippedFile[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = archive.readUInt16LE(end + 10)
  const files: UnzippedFile[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let entry = 0; entry < count; entry++) {
    requireSame('the mark of an entry', archive.readUInt32LE(at), 0x02014b50)
    const [nameLength, extraLength] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    files.push({ name, modified: dateIn(archive, at + 12), bytes: contentOf(archive, at, name) })
    at += 46 + nameLength + extraLength
  }
  requireSame('the end of the directory', at, end)
  return files
}

function contentOf(archive: Buffer, at: number, name: string): Buffer {
  const [checksum, packedLength, length] = [16, 20, 24].map((field) => archive.readUInt32LE(at + field)) as [
    number,
    number,
    number,
  ]
  const local = archive.readUInt32LE(at + 42)
  requireSame('the mark of a file', archive.readUInt32LE(local), 0x04034b50)
  requireSame('its name', archive.toString('utf8', local + 30, local + 30 + archive.readUInt16LE(local + 26)), name)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const bytes = inflateRawSync(archive.subarray(start, start + packedLength))
  const behind = start + packedLength
  const descriptor = [0, 4, 8, 12].map((field) => archive.readUInt32LE(behind + field))
  requireSame('what follows a file', String(descriptor), String([0x08074b50, checksum, packedLength, length]))
  requireSame('the length of a file', bytes.length, length)
  requireSame('the checksum of a file', crc32(bytes), checksum)
  return bytes
}

function dateIn(archive: Buffer, at: number): Date {
  const [time, day] = [archive.readUInt16LE(at), archive.readUInt16LE(at + 2)]
  const [year, month, date] = [(day >> 9) + 1980, ((day >> 5) & 15) - 1, day & 31]
  return new Date(Date.UTC(year, month, date, time >> 11, (time >> 5) & 63, (time & 31) * 2))
}

function requireSame(what: string, found: number | string, expected: number | string): void {
  if (found !== expected) throw new Error(`In the archive ${what} is ${found}, not ${expected}.`)
}
