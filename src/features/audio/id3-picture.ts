/**
 * The picture on the cover of a recording, as the tags in front of MP3 files have it (ID3v2.2 to 2.4, `APIC`); undefined where there is
 * none, or what is there makes no sense.
 */
export function findCover(bytes: Uint8Array): Uint8Array | undefined {
  const tag = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (tag.length < headerLength || tag.toString('latin1', 0, 3) !== 'ID3') return undefined
  const [version = 0, flags = 0] = [tag[3], tag[5]]
  if (version < 2 || version > 4) return undefined
  const whole = tag.subarray(headerLength, headerLength + syncSafe(tag, 6))
  const isScattered = (flags & 0x80) !== 0
  const frames = isScattered && version < 4 ? gathered(whole) : whole
  const start = (flags & 0x40) !== 0 && version > 2 ? extendedLength(frames, version) : 0
  for (const { id, data, flags: own } of everyFrame(frames.subarray(start), version)) {
    if (id !== 'APIC' && id !== 'PIC') continue
    const isPacked = version === 4 && (own & 0x01) !== 0
    const plain = isPacked ? data.subarray(4) : data
    const picture = pictureIn(version === 4 && (isScattered || (own & 0x02) !== 0) ? gathered(plain) : plain, version)
    if (picture !== undefined) return picture
  }
  return undefined
}

const headerLength = 10

/** How much of a file its tag takes; 0 where there is none. */
export function tagLength(head: Uint8Array): number {
  const tag = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const isTag = tag.length >= headerLength && tag.toString('latin1', 0, 3) === 'ID3'
  return isTag ? headerLength + syncSafe(tag, 6) : 0
}

/** Seven bits of each byte, so that no number looks like the beginning of sound. */
function syncSafe(bytes: Buffer, at: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4)
  return ((first & 127) << 21) | ((second & 127) << 14) | ((third & 127) << 7) | (fourth & 127)
}

/** Without the zeros that keep data from looking like sound. */
function gathered(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte, index) => byte !== 0 || bytes[index - 1] !== 0xff))
}

function extendedLength(frames: Buffer, version: number): number {
  if (frames.length < 4) return frames.length
  return version === 4 ? syncSafe(frames, 0) : 4 + frames.readUInt32BE(0)
}

interface TagFrame {
  readonly id: string
  readonly data: Buffer
  readonly flags: number
}

function* everyFrame(frames: Buffer, version: number): Generator<TagFrame> {
  const [idLength, head] = version === 2 ? [3, 6] : [4, 10]
  for (let at = 0; at + head <= frames.length; ) {
    const id = frames.toString('latin1', at, at + idLength)
    if (!/^[A-Z0-9]+$/.test(id)) return
    const length =
      version === 2 ? frames.readUIntBE(at + 3, 3) : version === 3 ? frames.readUInt32BE(at + 4) : syncSafe(frames, at + 4)
    yield { id, data: frames.subarray(at + head, at + head + length), flags: version === 2 ? 0 : (frames[at + 9] ?? 0) }
    at += head + length
  }
}

/** Behind its encoding come the type of the picture, what it shows, and a description; then it begins. */
function pictureIn(frame: Buffer, version: number): Uint8Array | undefined {
  const typeEnd = version === 2 ? 4 : frame.indexOf(0, 1) + 1
  if (typeEnd <= 1 || typeEnd >= frame.length) return undefined
  const isWide = frame[0] === 1 || frame[0] === 2
  const picture = frame.subarray(descriptionEnd(frame, typeEnd + 1, isWide))
  return picture.length === 0 ? undefined : picture
}

function descriptionEnd(frame: Buffer, from: number, isWide: boolean): number {
  if (!isWide) return frame.indexOf(0, from) + 1 || frame.length
  for (let at = from; at + 1 < frame.length; at += 2) if (frame[at] === 0 && frame[at + 1] === 0) return at + 2
  return frame.length
}
