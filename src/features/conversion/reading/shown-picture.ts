import sharp, { type Sharp } from 'sharp'
import { type ConversionJob, ConversionRefusal } from '../../../core/conversion/converter.ts'
import { type PdfDocument, withPdf } from './pdf-document.ts'

// One conversion runs at a time in a process, and others want the other cores.
sharp.concurrency(1)
sharp.cache(false)

const pdfTypes = new Set(['application/pdf', 'application/illustrator'])
const pointsPerInch = 72
const largestSide = 4_000

/** The picture, upright, or the first page of a PDF. @throws ConversionRefusal when it cannot be read, or has too many pixels */
export async function shownPicture({ source, limits }: Pick<ConversionJob, 'source' | 'limits'>): Promise<Sharp> {
  if (pdfTypes.has(source.mimeType)) return firstPage(source.path)
  const picture = sharp(source.path, { limitInputPixels: limits.pixels, failOn: 'error', sequentialRead: true })
  const { width, height } = await picture.metadata().catch((cause: Error) => {
    const isTooLarge = /pixel limit/i.test(cause.message)
    const message = isTooLarge
      ? `It has more than ${limits.pixels} pixels.`
      : 'It is damaged, or no picture that can be read here.'
    throw new ConversionRefusal(message, { isTooLarge, cause })
  })
  if (width * height > limits.pixels)
    throw new ConversionRefusal(`It has more than ${limits.pixels} pixels.`, { isTooLarge: true })
  return picture.autoOrient()
}

function firstPage(path: string): Promise<Sharp> {
  return withPdf(path, (document) => {
    if (document.getPageCount() === 0) throw new ConversionRefusal('There is no page in it.')
    return shownPage(document, 0)
  })
}

/** At twice the size of print on a screen, so that it can be made smaller well. */
export async function shownPage(document: PdfDocument, index: number, dotsPerInch = 144): Promise<Sharp> {
  const page = document.getPage(index)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(dotsPerInch / pointsPerInch, largestSide / Math.max(originalWidth, originalHeight, 1))
  const { data, width, height } = await page.render({ scale, render: async ({ data: pixels }) => pixels })
  return sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: 'white' })
}

/** The formats that pictures are made in, by what clients call them. */
const formats: ReadonlyMap<string, 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif'> = new Map([
  ['jpeg', 'jpeg'],
  ['jpg', 'jpeg'],
  ['png', 'png'],
  ['gif', 'gif'],
  ['webp', 'webp'],
  ['tiff', 'tiff'],
  ['tif', 'tiff'],
  ['avif', 'avif'],
])

export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif'

/** By an extension, a name of a file, or a type; undefined for none that is made here. */
export function findFormat(text: string | undefined): PictureFormat | undefined {
  return formats.get((text ?? '').toLowerCase().replace(/^.*[./]/, ''))
}

/** @throws ConversionRefusal when the bytes turn out to be damaged */
export async function encodePicture(picture: Sharp, format: PictureFormat): Promise<{ bytes: Buffer; mimeType: string }> {
  // What is transparent has no colour of its own in these.
  const flat = format === 'jpeg' ? picture.flatten({ background: 'white' }) : picture
  const bytes = await flat
    .toFormat(format)
    .toBuffer()
    .catch((cause) => {
      throw new ConversionRefusal('It is damaged, or no picture that can be read here.', { cause })
    })
  return { bytes, mimeType: `image/${format}` }
}
