import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import type { ConversionJob } from '../../../core/conversion/converter.ts'

/** What cameras write of what their sensors saw, by type, as `picture:info` calls it. */
const formats: ReadonlyMap<string, string> = new Map([
  ['image/x-canon-cr2', 'CR2'],
  ['image/cr2', 'CR2'],
  ['image/x-canon-crw', 'CRW'],
  ['image/x-nikon-nef', 'NEF'],
  ['image/nef', 'NEF'],
  ['image/x-adobe-dng', 'DNG'],
  ['image/x-panasonic-raw', 'RW2'],
  ['image/x-fuji-raf', 'RAF'],
  ['image/x-sigma-x3f', 'X3F'],
  ['image/x-pentax-pef', 'PEF'],
  ['image/x-kodak-dcr', 'DCR'],
  ['image/x-kodak-kdc', 'KDC'],
  ['image/x-sony-sr2', 'SR2'],
  ['image/x-sony-arw', 'ARW'],
  ['image/x-sony-srf', 'SRF'],
  ['image/x-minolta-mrw', 'MRW'],
  ['image/x-olympus-orf', 'ORF'],
  ['image/x-raw-epson', 'ERF'],
  ['image/raw', 'RAW'],
  ['image/x-raw', 'RAW'],
])

/** What a photo is called that is not developed yet; undefined for any other picture. */
export function rawFormat(mimeType: string): string | undefined {
  return formats.get(mimeType)
}

/**
 * The picture that the camera itself made of what it saw, and put into the same file: a JPEG, mostly of all its pixels. Nothing is developed
 * here. It is in the folder of the conversion, turned as the camera was held; undefined where none is found.
 */
export async function cameraPicture({ source, folder }: Pick<ConversionJob, 'source' | 'folder'>): Promise<string | undefined> {
  const file = await open(source.path)
  const found = await findPicture(file).finally(() => file.close())
  if (found === undefined) return undefined
  const path = join(folder, 'camera.jpg')
  const { start, length, orientation } = found
  await pipeline(async function* () {
    yield startOfJpeg
    if (orientation !== undefined) yield turned(orientation)
    yield* createReadStream(source.path, { start: start + startOfJpeg.length, end: start + length - 1 })
  }, createWriteStream(path))
  return path
}

interface Place {
  readonly start: number
  readonly length: number
}

interface FoundPicture extends Place {
  /** Where the picture does not say so itself. */
  readonly orientation: number | undefined
}

const startOfJpeg = Buffer.from([0xff, 0xd8])

async function findPicture(file: FileHandle): Promise<FoundPicture | undefined> {
  const { size } = await file.stat()
  const { places, orientation } = await listPlaces(file)
  const within = places.filter(({ start, length }) => length > startOfJpeg.length && start + length <= size)
  for (const place of within.toSorted((left, right) => right.length - left.length)) {
    const seen = await lookAt(file, place)
    if (seen !== undefined) return { ...place, orientation: seen.orientation === undefined ? orientation : undefined }
  }
  return undefined
}

// Blocks of a camera's own words stand before the picture, each of at most 64 KB.
const headBytes = 512 * 1024

async function lookAt(file: FileHandle, { start, length }: Place): Promise<{ readonly orientation?: number } | undefined> {
  const head = await bytesAt(file, start, Math.min(length, headBytes))
  if (!isShown(head)) return undefined
  const { orientation } = await sharp(head, { failOn: 'none' })
    .metadata()
    .catch(() => ({ orientation: undefined }))
  return orientation === undefined ? {} : { orientation }
}

/** Baseline, extended and progressive. */
const shownFrames = new Set([0xc0, 0xc1, 0xc2])
/** Of the same range of markers, but no frames: tables and an extension. */
const otherMarkers = new Set([0xc4, 0xc8, 0xcc])

/** What the sensor saw may be kept as a JPEG, too, but as one without loss or of more than 8 bits, which nothing shows. */
function isShown(head: Buffer): boolean {
  if (!head.subarray(0, startOfJpeg.length).equals(startOfJpeg)) return false
  let at = startOfJpeg.length
  while (at + 4 < head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && !otherMarkers.has(marker)) return shownFrames.has(marker) && head[at + 4] === 8
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2)
  }
  return false
}

interface Places {
  readonly places: readonly Place[]
  readonly orientation?: number | undefined
}

async function listPlaces(file: FileHandle): Promise<Places> {
  const head = await bytesAt(file, 0, 92)
  if (head.toString('latin1', 0, 15) === 'FUJIFILMCCD-RAW' && head.length === 92) {
    return { places: [{ start: head.readUInt32BE(84), length: head.readUInt32BE(88) }] }
  }
  const order = head.toString('latin1', 0, 2)
  if ((order !== 'II' && order !== 'MM') || head.length < 8) return { places: [] }
  return walk(file, order === 'II', head)
}

const tags = {
  /** Of Panasonic. */
  picture: 0x2e,
  compression: 0x103,
  strips: 0x111,
  orientation: 0x112,
  stripLengths: 0x117,
  directories: 0x14a,
  jpeg: 0x201,
  jpegLength: 0x202,
} as const

// Cameras write about ten.
const maxDirectories = 64

/** All but two makers write directories as TIFF has them: a chain, and others below those. */
async function walk(file: FileHandle, isLittle: boolean, head: Buffer): Promise<Places> {
  const waiting = [numberIn(head, 4, 4, isLittle)]
  const seen = new Set<number>()
  const places: Place[] = []
  let orientation: number | undefined
  for (let place = waiting.shift(); place !== undefined && seen.size < maxDirectories; place = waiting.shift()) {
    if (place === 0 || seen.has(place)) continue
    seen.add(place)
    const { fields, next } = await readDirectory(file, place, isLittle)
    orientation ??= fields.get(tags.orientation)?.[0]
    places.push(...picturesIn(fields))
    waiting.push(...(fields.get(tags.directories) ?? []), next)
  }
  return { places, orientation: orientation !== undefined && orientation > 1 && orientation <= 8 ? orientation : undefined }
}

type Fields = ReadonlyMap<number, readonly number[]>

const compressedAsJpeg = new Set([6, 7])

function picturesIn(fields: Fields): readonly Place[] {
  const first = (tag: number) => fields.get(tag)?.[0]
  const isJpeg = compressedAsJpeg.has(first(tags.compression) ?? 0) && fields.get(tags.strips)?.length === 1
  const pairs = [
    [first(tags.jpeg), first(tags.jpegLength)],
    isJpeg ? [first(tags.strips), first(tags.stripLengths)] : [],
    fields.get(tags.picture) ?? [],
  ]
  return pairs.flatMap(([start, length]) => (start === undefined || length === undefined ? [] : [{ start, length }]))
}

interface Directory {
  readonly fields: Fields
  /** Where the next one is; 0 where there is none. */
  readonly next: number
}

const entryBytes = 12
const maxValues = 64
const knownTags: ReadonlySet<number> = new Set(Object.values(tags))
const bytesOfType: ReadonlyMap<number, number> = new Map([
  [3, 2],
  [4, 4],
  [13, 4],
])
const undefinedType = 7

async function readDirectory(file: FileHandle, start: number, isLittle: boolean): Promise<Directory> {
  const count = numberIn(await bytesAt(file, start, 2), 0, 2, isLittle)
  const bytes = await bytesAt(file, start + 2, count * entryBytes + 4)
  const fields = new Map<number, readonly number[]>()
  for (let at = 0; at + entryBytes <= Math.min(bytes.length, count * entryBytes); at += entryBytes) {
    const tag = numberIn(bytes, at, 2, isLittle)
    // Once each: a file may name one tag 65,535 times, and have directories that overlap.
    if (knownTags.has(tag) && !fields.has(tag))
      fields.set(tag, await readField(file, bytes.subarray(at, at + entryBytes), isLittle))
  }
  return { fields, next: numberIn(bytes, count * entryBytes, 4, isLittle) }
}

/** Its numbers; of plain bytes, where they are and how many. */
async function readField(file: FileHandle, entry: Buffer, isLittle: boolean): Promise<readonly number[]> {
  const type = numberIn(entry, 2, 2, isLittle)
  const count = numberIn(entry, 4, 4, isLittle)
  const place = numberIn(entry, 8, 4, isLittle)
  if (type === undefinedType) return [place, count]
  const size = bytesOfType.get(type)
  if (size === undefined || count > maxValues) return []
  const bytes = size * count <= 4 ? entry.subarray(8) : await bytesAt(file, place, size * count)
  return Array.from({ length: Math.min(count, Math.floor(bytes.length / size)) }, (_, index) =>
    numberIn(bytes, index * size, size, isLittle),
  )
}

/** As many as there are. */
async function bytesAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/** 0 beyond the end. */
function numberIn(bytes: Buffer, at: number, size: number, isLittle: boolean): number {
  if (at + size > bytes.length) return 0
  return isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size)
}

/** A block of EXIF that says nothing but how the picture is to be turned. */
function turned(orientation: number): Buffer {
  const block = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010000000000000000', 'hex')
  block.writeUInt16BE(orientation, 28)
  return block
}
