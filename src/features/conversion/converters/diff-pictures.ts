import sharp from 'sharp'
import { type ConversionJob, ConversionRefusal, type ConverterWork, type StagedFile } from '../../../core/conversion/converter.ts'
import { drawnPicture } from '../reading/drawn-picture.ts'
import { encodePicture, findFormat } from '../reading/shown-picture.ts'

// Both are in memory, with the result.
const mostPixels = 50_000_000
const channels = 4

/**
 * Where two pictures differ: the first one, pale, with all that is different in a colour of its own. They lie with their upper left corners
 * upon each other; what only one of them covers is different.
 */
const diffPictures: ConverterWork = async (job) => {
  const [other] = job.attached
  if (other === undefined) throw new ConversionRefusal('A second picture is needed to compare it with.')
  // One after the other: both may be drawn into the same file.
  const left = await readPixels(job, job.source)
  const right = await readPixels(job, other)
  const [width, height] = [Math.max(left.width, right.width), Math.max(left.height, right.height)]
  requireComparable(width, height)
  const [pixels, others] = [await onCanvas(left, width, height), await onCanvas(right, width, height)]
  paintDifferences(pixels, others, paletteOf(job))
  const format = findFormat(job.parameters['format']) ?? findFormat(job.source.mimeType) ?? 'png'
  return [await encodePicture(sharp(pixels, { raw: { width, height, channels } }), format)]
}

export default diffPictures

/** @throws ConversionRefusal */
function requireComparable(width: number, height: number): void {
  if (width * height > mostPixels)
    throw new ConversionRefusal(`Pictures of more than ${mostPixels} pixels are not compared.`, { isTooLarge: true })
}

/** Red, green, blue and how much of it is there. */
interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

async function readPixels(job: ConversionJob, source: StagedFile): Promise<Pixels> {
  const picture = await drawnPicture({ ...job, source })
  const { width, height } = (await picture.metadata()).autoOrient
  requireComparable(width, height)
  const data = await picture
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
    .catch((cause: unknown) => {
      throw new ConversionRefusal('It is damaged, or no picture that can be read here.', { cause })
    })
  return { data, width, height }
}

/** Nothing is where the picture does not reach. */
function onCanvas({ data, width, height }: Pixels, right: number, bottom: number): Promise<Buffer> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  return sharp(data, { raw: { width, height, channels } })
    .extend({ right: right - width, bottom: bottom - height, background })
    .raw()
    .toBuffer()
}

interface Palette {
  /** How far two values of a colour may be apart and still be the same, from 0 to 255. */
  readonly fuzz: number
  readonly highlight: readonly number[]
  /** The first picture shines through where there is none. */
  readonly lowlight: readonly number[] | undefined
}

function paintDifferences(pixels: Buffer, others: Buffer, { fuzz, highlight, lowlight }: Palette): void {
  for (let at = 0; at < pixels.length; at += channels) {
    let isSame = true
    for (let part = 0; part < channels; part += 1)
      isSame &&= Math.abs((pixels[at + part] ?? 0) - (others[at + part] ?? 0)) <= fuzz
    for (let part = 0; part < 3; part += 1) {
      const pale = lowlight?.[part] ?? 255 - Math.round((255 - (pixels[at + part] ?? 0)) / 5)
      pixels[at + part] = isSame ? pale : (highlight[part] ?? 0)
    }
    pixels[at + 3] = 255
  }
}

/** As ImageMagick has them when nothing is told. */
function paletteOf({ parameters }: ConversionJob): Palette {
  const { fuzz = '0', highlightColor = '#f1001e', lowlightColor } = parameters
  return {
    fuzz: parseFuzz(fuzz),
    highlight: parseColour(highlightColor),
    lowlight: lowlightColor ? parseColour(lowlightColor) : undefined,
  }
}

/** `5%`, or a number from 0 to 255. @throws ConversionRefusal */
function parseFuzz(text: string): number {
  const [, number = '', percent] = /^\s*(\d+(?:\.\d+)?)\s*(%)?\s*$/.exec(text) ?? []
  const fuzz = percent === undefined ? Number(number) : Number(number) * 2.55
  if (number === '' || fuzz > 255) throw new ConversionRefusal(`fuzz must be a share such as 5%, not ${text.slice(0, 40)}.`)
  return fuzz
}

const colours: { readonly [name: string]: string } = {
  ...{ black: '#000000', white: '#ffffff', red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00' },
  ...{ gray: '#808080', grey: '#808080', orange: '#ffa500', purple: '#800080', magenta: '#ff00ff', cyan: '#00ffff' },
}

/** @throws ConversionRefusal */
function parseColour(text: string): readonly number[] {
  const name = text.trim().toLowerCase()
  const [, digits] = /^(?:#|0x)([0-9a-f]{6})(?:[0-9a-f]{2})?$/.exec(colours[name] ?? name) ?? []
  if (digits === undefined)
    throw new ConversionRefusal(`A colour must be a name such as red, or #ff0000, not ${text.slice(0, 40)}.`)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
}
