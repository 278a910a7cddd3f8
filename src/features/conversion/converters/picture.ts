import { type ConversionJob, ConversionRefusal, type ConverterWork } from '../../../core/conversion/converter.ts'
import { drawnPicture } from '../reading/drawn-picture.ts'
import { encodePicture, findFormat, type PictureFormat } from '../reading/shown-picture.ts'

type Picture = Awaited<ReturnType<typeof drawnPicture>>

// JPEG knows none longer.
const maxSide = 65_500

/** Other sizes, parts and formats of a picture. What is done is told by the option `deed`. */
const pictureWork: ConverterWork = async (job) => {
  const picture = await drawnPicture(job)
  return [await encodePicture(await changed(job, picture), formatOf(job))]
}

export default pictureWork

async function changed(job: ConversionJob, picture: Picture): Promise<Picture> {
  const { parameters, options } = job
  switch (options['deed']) {
    case 'resize': {
      const [width, height] = [side(parameters['width']), side(parameters['height'])]
      return width === undefined && height === undefined ? picture : within(picture, width, height)
    }
    case 'crop':
      return crop(job, picture)
    case 'rotate':
      return picture.rotate(number(parameters['angle'] ?? '0', 'angle'), { background: 'white' })
    case 'avatar':
      return within(picture, side(parameters['targetWidth']) ?? 200, side(parameters['targetHeight']) ?? 200)
    case 'thumbnail':
      return thumbnail(picture, parameters['size'] || '1000x1000')
    default:
      return picture
  }
}

/** Within the box, in its own proportions; a small one is not made larger. By itself libvips may be a pixel off. */
async function within(picture: Picture, width = maxSide, height = maxSide): Promise<Picture> {
  const { autoOrient: own } = await picture.metadata()
  const factor = Math.max(1, own.width / width, own.height / height)
  if (factor === 1) return picture
  const sized = (length: number) => Math.max(1, Math.round(length / factor))
  return picture.resize({ width: sized(own.width), height: sized(own.height), fit: 'fill' })
}

/** In a box that is written as ImageMagick has it: `100x80`, with a `>` that asks for what is done anyway, or one side of it. */
function thumbnail(picture: Picture, size: string): Promise<Picture> {
  const [box, width, height] = /^(\d*)(?:x(\d*))?>?$/.exec(size) ?? []
  if (box === undefined || !(width || height)) {
    throw new ConversionRefusal(`The parameter size is ${size.slice(0, 40)}, which is no size. Write it like 1000x1000.`)
  }
  return within(picture, side(width), side(height))
}

async function crop({ parameters }: ConversionJob, picture: Picture): Promise<Picture> {
  const { autoOrient } = await picture.metadata()
  const left = Math.max(0, number(parameters['x'] ?? '0', 'x'))
  const top = Math.max(0, number(parameters['y'] ?? '0', 'y'))
  const width = Math.min(side(parameters['width']) ?? autoOrient.width, autoOrient.width - left)
  const height = Math.min(side(parameters['height']) ?? autoOrient.height, autoOrient.height - top)
  if (width <= 0 || height <= 0) throw new ConversionRefusal('The part that was asked for is outside of the picture.')
  return picture.extract({ left, top, width, height })
}

function formatOf({ parameters, target }: ConversionJob): PictureFormat {
  return findFormat(parameters['conversionFormat'] ?? parameters['targetFilePath']) ?? findFormat(target) ?? 'jpeg'
}

/** Undefined where it is 0 or absent: any will do. @throws ConversionRefusal */
function side(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const value = Math.round(number(text, 'size'))
  return value <= 0 ? undefined : Math.min(value, maxSide)
}

function number(text: string, name: string): number {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new ConversionRefusal(`The parameter ${name} is ${text.slice(0, 40)}, which is no number.`)
  return Math.round(value)
}
