import assert from 'node:assert/strict'
import { crc32, inflateRawSync } from 'node:zlib'

export interface ArchivedFile {
  readonly name: string
  readonly bytes: Buffer
  readonly text: string
  /** What stands behind the name in the directory. */
  readonly extra: Buffer
}

/** Reads a zip archive from its directory, as programs do, and checks what it says of each entry. */
export function readZip(archive: Buffer): readonly ArchivedFile[] {
  const { entries, offset } = directoryOf(archive)
  const files: ArchivedFile[] = []
  let at = offset
  for (let index = 0; index < entries; index++) {
    assert.equal(archive.readUInt32LE(at), 0x02014b50, 'a record of the directory begins here')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place))
    const nameAt = at + 46
    const extraAt = nameAt + (nameLength ?? 0)
    const name = archive.toString('utf8', nameAt, extraAt)
    const bytes = contentOf(archive, at)
    files.push({ name, bytes, text: bytes.toString(), extra: archive.subarray(extraAt, extraAt + (extraLength ?? 0)) })
    at = extraAt + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return files
}

export function namesIn(archive: Buffer): readonly string[] {
  return readZip(archive).map(({ name }) => name)
}

export function readArchived(archive: Buffer, name: string): ArchivedFile {
  const found = readZip(archive).find((file) => file.name === name)
  assert.ok(found, `${name} is in the archive, which has ${namesIn(archive).join(', ')}`)
  return found
}

function directoryOf(archive: Buffer): { entries: number; offset: number } {
  const end = archive.length - 22
  assert.equal(archive.readUInt32LE(end), 0x06054b50, 'the archive ends as one')
  const entries = archive.readUInt16LE(end + 10)
  if (entries < 0xffff) return { entries, offset: archive.readUInt32LE(end + 16) }
  const large = Number(archive.readBigUInt64LE(end - 20 + 8))
  assert.equal(archive.readUInt32LE(large), 0x06064b50, 'the longer end is where it is said to be')
  return { entries: Number(archive.readBigUInt64LE(large + 32)), offset: Number(archive.readBigUInt64LE(large + 48)) }
}

function contentOf(archive: Buffer, record: number): Buffer {
  const [crc, compressed, size, local] = [16, 20, 24, 42].map((place) => archive.readUInt32LE(record + place))
  assert.equal(archive.readUInt32LE(local ?? 0), 0x04034b50, 'an entry begins there')
  const start = (local ?? 0) + 30 + archive.readUInt16LE((local ?? 0) + 26) + archive.readUInt16LE((local ?? 0) + 28)
  const data = archive.subarray(start, start + (compressed ?? 0))
  const bytes = archive.readUInt16LE(record + 10) === 8 ? inflateRawSync(data) : data
  assert.deepEqual([bytes.length, crc32(bytes)], [size, crc])
  return bytes
}
