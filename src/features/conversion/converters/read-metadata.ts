import type { ConversionJob, ConverterWork } from '../../../core/conversion/converter.ts'
import type { PictureTags } from '../../../core/conversion/picture-report.ts'
import { drawnPicture } from '../reading/drawn-picture.ts'
import { readPictureTags } from '../reading/picture-tags.ts'

/** What is inside a file, as JSON by `group:tag`: all that exiftool finds, or of pictures what we read ourselves. */
const readMetadata: ConverterWork = async (job) => {
  const found = job.has('exiftool') ? await printedMetadata(job) : await ownMetadata(job)
  return [{ bytes: JSON.stringify(found), mimeType: 'application/json', encoding: 'UTF-8' }]
}

export default readMetadata

type Metadata = { readonly [tag: string]: unknown }

// What it tells of the file in our folder is nobody's business, and says nothing of the file.
const arguments_ = ['-json', '-G0', '-fast', '-d', '%Y-%m-%dT%H:%M:%S', '--System:all', '--ExifTool:all']
const [mostTags, longest] = [2_000, 10_000]

async function printedMetadata(job: ConversionJob): Promise<Metadata> {
  // 1: it found something wrong with the file, and prints what it could read.
  const { stdout } = await job.run('exiftool', [...arguments_, job.source.path], { accepts: [1] })
  const [printed = {}] = (stdout.length === 0 ? [] : JSON.parse(stdout.toString('utf8'))) as readonly Metadata[]
  const { SourceFile: _, ...tags } = printed
  const told = Object.entries(tags).slice(0, mostTags)
  return withStandardNames(Object.fromEntries(told.map(([tag, value]) => [tag, cut(value)])))
}

function cut(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, longest) : value
}

/** Names that mappings know and exiftool does not. */
function withStandardNames(tags: Metadata): Metadata {
  const [make, model] = [tags['EXIF:Make'], tags['EXIF:Model']].map((text) => String(text ?? '').trim())
  const equipment = model?.toLowerCase().startsWith(make?.toLowerCase() ?? '') ? model : `${make} ${model}`.trim()
  const added = {
    'EXIF:Equipment': equipment || undefined,
    'EXIF:PixelXDimension': tags['EXIF:ExifImageWidth'],
    'EXIF:PixelYDimension': tags['EXIF:ExifImageHeight'],
    'EXIF:IccProfile': tags['ICC_Profile:ProfileDescription'],
  }
  return { ...tags, ...Object.fromEntries(Object.entries(added).filter(([, value]) => value !== undefined)) }
}

const ownNames = {
  imageDescription: 'EXIF:ImageDescription',
  userComment: 'EXIF:UserComment',
  equipment: 'EXIF:Equipment',
  dateTimeOriginal: 'EXIF:DateTimeOriginal',
  xResolution: 'EXIF:XResolution',
  yResolution: 'EXIF:YResolution',
  pixelXDimension: 'EXIF:PixelXDimension',
  pixelYDimension: 'EXIF:PixelYDimension',
  copyright: 'EXIF:Copyright',
  exposureTime: 'EXIF:ExposureTime',
  iso: 'EXIF:ISO',
  focalLength: 'EXIF:FocalLength',
  colorSpace: 'EXIF:ColorSpace',
  whiteBalance: 'EXIF:WhiteBalance',
  iccProfile: 'EXIF:IccProfile',
  orientation: 'EXIF:Orientation',
  fNumber: 'EXIF:FNumber',
  source: 'IPTC:Source',
  copyrightNotice: 'IPTC:CopyrightNotice',
  caption: 'IPTC:Caption-Abstract',
} as const satisfies { readonly [Tag in keyof PictureTags]?: string }

async function ownMetadata(job: ConversionJob): Promise<Metadata> {
  const picture = await drawnPicture(job)
  const tags: PictureTags = await readPictureTags(job, await picture.metadata())
  const named = Object.entries(ownNames).flatMap(([tag, name]) => {
    const value = tags[tag as keyof typeof ownNames]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(named)
}
