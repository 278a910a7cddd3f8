import sharp from 'sharp'

export interface PictureWish {
  readonly width?: number
  readonly height?: number
  readonly format?: 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff'
  readonly background?: string
  /** As cameras write it, by directory: `IFD0` has the picture, `IFD2` how it was taken. */
  readonly exif?: { readonly IFD0?: Record<string, string>; readonly IFD2?: Record<string, string> }
  /** As cameras turn pictures: 6 is a quarter to the right. */
  readonly orientation?: number
}

/** A picture of one colour. */
export async function aPicture(wish: PictureWish = {}): Promise<Buffer> {
  const { width = 300, height = 200, format = 'jpeg', background = 'teal', exif, orientation } = wish
  const isClear = background.length === 9
  const drawn = sharp({ create: { width, height, channels: isClear ? 4 : 3, background } }).toFormat(format)
  const told = exif === undefined ? drawn : drawn.withExif(exif)
  return (orientation === undefined ? told : told.withMetadata({ orientation })).toBuffer()
}

/** What the bytes are a picture of: width, height and format. */
export async function pictureIn(bytes: Uint8Array): Promise<readonly [width: number, height: number, format: string]> {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}

/** 120 by 60 points with a word on them, as it is put into the pages of others. */
export const postscriptPicture = Buffer.from(
  `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 120 60
/Helvetica findfont 20 scalefont setfont 10 20 moveto (zebrafish) show showpage
`,
)

/** A picture of one colour as Windows draws it, without compression. */
export function aBitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(54 + row * height, 0x80)
  bytes.fill(0, 0, 54)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  return bytes
}

/** The same as Photoshop keeps it: one picture without layers. */
export function aPhotoshopFile(width: number, height: number): Buffer {
  const head = Buffer.alloc(40)
  head.write('8BPS', 'latin1')
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(3, 12)
  head.writeUInt32BE(height, 14)
  head.writeUInt32BE(width, 18)
  head.writeUInt16BE(8, 22)
  head.writeUInt16BE(3, 24)
  return Buffer.concat([head, Buffer.alloc(3 * width * height, 0x80)])
}
