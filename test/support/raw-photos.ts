/** How a camera wrote a photo. */
export interface PhotoWish {
  /** The picture that the camera made of it itself: a JPEG. */
  readonly shown: Uint8Array
  /** As cameras turn pictures: 6 is a quarter to the right. */
  readonly orientation?: number
}

const [short, long] = [3, 4]

type Entry = readonly [tag: number, type: typeof short | typeof long, values: readonly number[]]

/** The start of a JPEG of the kind that cameras keep what the sensor saw in, which nothing shows. */
const sensorData = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 11, 14, 0, 9, 0, 9, 1, 0, 0x11, 0]),
  Buffer.alloc(90_000),
])

/** A small file of 64 directories over one another, of 65,535 entries each, which all are elsewhere. */
export function aCrowdedPhoto(): Buffer {
  const [count, most, entry] = [64, 65_535, 12]
  const places = 24
  const first = places + count * 4
  const bytes = Buffer.alloc(first + (most + count + 2) * entry)
  bytes.write('II*\0\u0008', 'latin1')
  Buffer.from([1, 0, 0x4a, 1, 4, 0, count, 0, 0, 0, places]).copy(bytes, 8)
  for (let index = 0; index < count; index += 1) bytes.writeUInt32LE(first + index * entry, places + index * 4)
  const both = Buffer.from([0xff, 0xff, 0x12, 1, 4, 0, 64, 0, 0, 0, 0, 0])
  for (let at = first; at + entry <= bytes.length; at += entry) both.copy(bytes, at)
  return bytes
}

/** A file of directories, as TIFF has them. */
class Directories {
  readonly #isLittle: boolean
  readonly #chunks: Buffer[] = []
  #length = 0

  constructor(head: string) {
    this.#isLittle = head.startsWith('I')
    this.add(Buffer.from(head, 'latin1'))
  }

  add(bytes: Uint8Array): number {
    const place = this.#length
    const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
    this.#chunks.push(padded)
    this.#length += padded.length
    return place
  }

  addDirectory(entries: readonly Entry[], next = 0): number {
    const records = entries.map(([tag, type, values]) => {
      const bytes = this.#numbers(values, type)
      const value =
        bytes.length > 4 ? this.#numbers([this.add(bytes)], long) : Buffer.concat([bytes, Buffer.alloc(4)]).subarray(0, 4)
      return Buffer.concat([this.#numbers([tag, type], short), this.#numbers([values.length], long), value])
    })
    return this.add(Buffer.concat([this.#numbers([entries.length], short), ...records, this.#numbers([next], long)]))
  }

  finish(first: number): Buffer {
    const bytes = Buffer.concat(this.#chunks)
    this.#numbers([first], long).copy(bytes, 4)
    return bytes
  }

  #numbers(values: readonly number[], type: typeof short | typeof long): Buffer {
    const size = type === short ? 2 : 4
    const bytes = Buffer.alloc(values.length * size)
    for (const [index, value] of values.entries()) {
      if (this.#isLittle) bytes.writeUIntLE(value, index * size, size)
      else bytes.writeUIntBE(value, index * size, size)
    }
    return bytes
  }
}

const tag = {
  kind: 0xfe,
  width: 0x100,
  height: 0x101,
  bits: 0x102,
  compression: 0x103,
  colours: 0x106,
  strips: 0x111,
  orientation: 0x112,
  samples: 0x115,
  rows: 0x116,
  stripLengths: 0x117,
  directories: 0x14a,
  jpeg: 0x201,
  jpegLength: 0x202,
}

/** As Canon writes it: the picture in the first directory, a small one in the second, what the sensor saw in the last. */
export function aCanonPhoto({ shown, orientation = 1 }: PhotoWish): Buffer {
  const file = new Directories('II*\0\0\0\0\0CR\u0002\0\0\0\0\0')
  const sensor = file.addDirectory([
    [tag.compression, short, [6]],
    [tag.strips, long, [file.add(sensorData)]],
    [tag.stripLengths, long, [sensorData.length]],
  ])
  const small = file.addDirectory(
    [
      [tag.jpeg, long, [file.add(shown.subarray(0, 300))]],
      [tag.jpegLength, long, [300]],
    ],
    sensor,
  )
  const first = file.addDirectory(
    [
      [tag.compression, short, [6]],
      [tag.strips, long, [file.add(shown)]],
      [tag.orientation, short, [orientation]],
      [tag.stripLengths, long, [shown.length]],
    ],
    small,
  )
  return file.finish(first)
}

/** As Nikon writes it: a small picture without compression in the first directory, all else in directories of that. */
export function aNikonPhoto({ shown, orientation = 1 }: PhotoWish): Buffer {
  const file = new Directories('MM\0*\0\0\0\0')
  const [width, height] = [16, 12]
  const picture = file.addDirectory([
    [tag.kind, long, [1]],
    [tag.compression, short, [6]],
    [tag.jpeg, long, [file.add(shown)]],
    [tag.jpegLength, long, [shown.length]],
  ])
  const sensor = file.addDirectory([
    [tag.compression, short, [34_713]],
    [tag.strips, long, [file.add(sensorData)]],
    [tag.stripLengths, long, [sensorData.length]],
  ])
  const first = file.addDirectory([
    [tag.kind, long, [1]],
    [tag.width, short, [width]],
    [tag.height, short, [height]],
    [tag.bits, short, [8, 8, 8]],
    [tag.compression, short, [1]],
    [tag.colours, short, [2]],
    [tag.strips, long, [file.add(Buffer.alloc(width * height * 3, 0x60))]],
    [tag.orientation, short, [orientation]],
    [tag.samples, short, [3]],
    [tag.rows, short, [height]],
    [tag.stripLengths, long, [width * height * 3]],
    [tag.directories, long, [picture, sensor]],
  ])
  return file.finish(first)
}

/** As Fujifilm writes it: no directories, but a head that says where the picture is. */
export function aFujiPhoto({ shown }: PhotoWish): Buffer {
  const head = Buffer.alloc(160)
  head.write('FUJIFILMCCD-RAW 0201', 'latin1')
  head.writeUInt32BE(head.length, 84)
  head.writeUInt32BE(shown.length, 88)
  return Buffer.concat([head, shown, sensorData])
}
