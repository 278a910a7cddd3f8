import sharp, { type Metadata, type Sharp } from 'sharp'
import {
  type ConversionJob,
  ConversionRefusal,
  type ConverterWork,
  type MadeFile,
  type StagedFile,
} from '../../../core/conversion/converter.ts'
import type { PictureInfo, PictureReport, ViewReport } from '../../../core/conversion/picture-report.ts'
import { drawnFormat, drawnPicture } from '../reading/drawn-picture.ts'
import { readPictureTags } from '../reading/picture-tags.ts'
import { encodePicture } from '../reading/shown-picture.ts'

/**
 * A picture in several sizes, and what is known of it: first a JSON file that says so, a `PictureReport`, then the JPEG files of the views,
 * in their order. A view that would be the very file is left out, and said to be that. The sizes are told by the parameter `views`.
 */
const pictureViews: ConverterWork = async (job) => {
  const picture = await drawnPicture(job)
  const metadata = await picture.metadata()
  const views = await makeViews(job, picture, metadata)
  const report: PictureReport = {
    info: infoOf(metadata, job.source),
    tags: await readPictureTags(job, metadata),
    views: views.map((view) => view.report),
  }
  const json: MadeFile = { bytes: JSON.stringify(report), mimeType: 'application/json' }
  return [json, ...views.flatMap(({ bytes }) => (bytes === undefined ? [] : [{ bytes, mimeType: 'image/jpeg' }]))]
}

export default pictureViews

interface MadeView {
  readonly report: ViewReport
  readonly bytes?: Buffer
}

// JPEG knows none longer.
const maxSide = 65_500

/** From the largest to the smallest, each of the one before: decoding a large picture takes longer than all else together. */
async function makeViews(job: ConversionJob, picture: Sharp, metadata: Metadata): Promise<readonly MadeView[]> {
  const { width, height } = metadata.autoOrient
  const longest = Math.min(Math.max(width, height), maxSide)
  const sides = parseSides(job.parameters['views']).map((side) => Math.min(side ?? longest, longest))
  const views: MadeView[] = []
  let larger: Sharp | undefined
  for (const [index, side] of [...sides.entries()].toSorted(([, left], [, right]) => right - left)) {
    const size = sizeWithin({ width, height }, side)
    if (side < Math.max(width, height)) larger = await pixelsOf((larger ?? picture.clone()).resize({ ...size, fit: 'fill' }))
    else if (isPlainJpeg(metadata) && drawnFormat(job.source.mimeType) === undefined) {
      views[index] = { report: { info: infoOf(metadata, job.source), isSource: true } }
      continue
    }
    const { bytes } = await encodePicture((larger ?? picture).clone(), 'jpeg')
    views[index] = {
      bytes,
      report: { info: { ...size, depth: 8, format: 'JPEG', colorSpace: shownSpace(metadata) }, isSource: false },
    }
  }
  return views
}

async function pixelsOf(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new ConversionRefusal('It is damaged, or no picture that can be read here.', { cause })
    })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
}

/** A side is divided by how many times the longest one is too long (contract: blobs 10.2). */
function sizeWithin({ width, height }: { readonly width: number; readonly height: number }, longest: number) {
  const factor = Math.max(1, Math.max(width, height) / longest)
  return { width: Math.max(1, Math.round(width / factor)), height: Math.max(1, Math.round(height / factor)) }
}

const maxViews = 50

/** The longest side of each view; null for as it is. @throws ConversionRefusal */
function parseSides(text = '[]'): readonly (number | null)[] {
  const sides: unknown = JSON.parse(text)
  const isSide = (side: unknown) => side === null || (Number.isInteger(side) && Number(side) > 0)
  if (!Array.isArray(sides) || sides.length > maxViews || !sides.every(isSide))
    throw new ConversionRefusal(`The parameter views must be a list of at most ${maxViews} sizes.`)
  return sides as readonly (number | null)[]
}

/** One that needs no change to be shown as it is. */
function isPlainJpeg({ format, orientation = 1, space }: Metadata): boolean {
  return format === 'jpeg' && orientation === 1 && (space === 'srgb' || space === 'b-w')
}

const depths: { readonly [depth: string]: number } = { ushort: 16, short: 16, uint: 32, int: 32, float: 32 }
const colorSpaces: { readonly [space: string]: string } = { 'b-w': 'Gray', grey16: 'Gray', cmyk: 'CMYK', lab: 'Lab' }

function infoOf(metadata: Metadata, source: Pick<StagedFile, 'mimeType'>): PictureInfo {
  const { width, height, depth, space } = metadata
  return {
    width,
    height,
    depth: depths[depth] ?? 8,
    format: formatOf(metadata, source),
    colorSpace: colorSpaces[space] ?? 'sRGB',
  }
}

function formatOf({ format, compression }: Metadata, { mimeType }: Pick<StagedFile, 'mimeType'>): string {
  if (format === 'heif') return compression === 'av1' ? 'AVIF' : 'HEIC'
  return drawnFormat(mimeType) ?? (format === 'raw' ? 'PDF' : format.toUpperCase())
}

/** Views are in the colours of screens. */
function shownSpace({ space }: Metadata): string {
  return space === 'b-w' || space === 'grey16' ? 'Gray' : 'sRGB'
}
