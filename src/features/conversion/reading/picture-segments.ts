import { Buffer } from 'node:buffer'

/** What the press tells of a picture, as much of it as is shown of documents. */
export interface PressTags {
  readonly source?: string
  readonly copyrightNotice?: string
  readonly caption?: string
}

const numbers: ReadonlyMap<number, keyof PressTags> = new Map([
  [115, 'source'],
  [116, 'copyrightNotice'],
  [120, 'caption'],
])

const tagMarker = 0x1c
const headLength = 5
const envelope = 1
const application = 2
const characterSet = 90
const utf8 = '\x1b%G'

/**
 * IPTC data sets, wherever they begin in the block that editors wrap them in: a marker, a record, a number, a length, the value. What is
 * in no record is passed over, and a length beyond the end ends it.
 */
export function readIptc(block: Uint8Array): PressTags {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const tags: { -readonly [Name in keyof PressTags]: PressTags[Name] } = {}
  let encoding: BufferEncoding = 'latin1'
  for (let at = 0; at + headLength <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 3)
    const [marker, record = 0, number = 0] = bytes.subarray(at, at + 3)
    const end = at + headLength + length
    if (marker !== tagMarker || record > 9 || end > bytes.length) {
      at += 1
      continue
    }
    const value = bytes.subarray(at + headLength, end)
    if (record === envelope && number === characterSet && value.toString('latin1') === utf8) encoding = 'utf8'
    const name = record === application ? numbers.get(number) : undefined
    if (name !== undefined) tags[name] = value.toString(encoding).replaceAll('\0', '').trim()
    at = end
  }
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== ''))
}

const iccHeaderLength = 128
const iccEntryLength = 12

/** The name of a colour profile; undefined where it has none. */
export function readIccDescription(profile: Uint8Array): string | undefined {
  const bytes = Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength)
  const count = Math.min(bytes.readUInt32BE(iccHeaderLength), 100)
  for (let index = 0; index < count; index += 1) {
    const at = iccHeaderLength + 4 + index * iccEntryLength
    if (bytes.toString('latin1', at, at + 4) !== 'desc') continue
    const start = bytes.readUInt32BE(at + 4)
    return descriptionIn(bytes.subarray(start, start + bytes.readUInt32BE(at + 8)))
  }
  return undefined
}

function descriptionIn(tag: Buffer): string | undefined {
  const kind = tag.toString('latin1', 0, 4)
  if (kind === 'desc') return plain(tag.toString('latin1', 12, 12 + tag.readUInt32BE(8)))
  if (kind !== 'mluc') return undefined
  const [length, start] = [tag.readUInt32BE(20), tag.readUInt32BE(24)]
  return plain(new TextDecoder('utf-16be').decode(tag.subarray(start, start + length)))
}

function plain(text: string): string | undefined {
  return text.replaceAll('\0', '').trim() || undefined
}
