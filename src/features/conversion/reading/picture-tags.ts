import readExif, { type Exif } from 'exif-reader'
import type { Metadata } from 'sharp'
import type { ConversionJob } from '../../../core/conversion/converter.ts'
import type { PictureTags } from '../../../core/conversion/picture-report.ts'
import { readIccDescription, readIptc } from './picture-segments.ts'

/** With `exiftool` where it is there, which knows more formats. What cannot be read tells nothing. */
export async function readPictureTags(job: ConversionJob, metadata: Metadata): Promise<PictureTags> {
  const printed = job.has('exiftool') ? await printedTags(job) : undefined
  return tidy(printed ?? ownTags(metadata))
}

const exiftoolArgs = [
  ...['-json', '-G0', '-fast', '-d', '%Y-%m-%dT%H:%M:%S'],
  ...['-EXIF:all', '-IPTC:Source', '-IPTC:CopyrightNotice', '-IPTC:Caption-Abstract', '-ICC_Profile:ProfileDescription'],
]

async function printedTags(job: ConversionJob): Promise<PictureTags | undefined> {
  // 1: it found something wrong with the file, and prints what it could read.
  const { stdout } = await job.run('exiftool', [...exiftoolArgs, job.source.path], { accepts: [1] })
  if (stdout.length === 0) return undefined
  const [tags = {}] = JSON.parse(stdout.toString('utf8')) as readonly { readonly [tag: string]: unknown }[]
  const exif = (name: string) => text(tags[`EXIF:${name}`])
  const focalLength = exif('FocalLength')
  return {
    ...optional('imageDescription', exif('ImageDescription')),
    ...optional('userComment', exif('UserComment')),
    ...optional('equipment', equipment(exif('Make'), exif('Model'))),
    ...optional('dateTimeOriginal', exif('DateTimeOriginal')),
    ...optional('xResolution', number(tags['EXIF:XResolution'])),
    ...optional('yResolution', number(tags['EXIF:YResolution'])),
    ...optional('pixelXDimension', number(tags['EXIF:ExifImageWidth'])),
    ...optional('pixelYDimension', number(tags['EXIF:ExifImageHeight'])),
    ...optional('copyright', exif('Copyright')),
    ...optional('exposureTime', exif('ExposureTime')),
    ...optional('iso', exif('ISO')),
    ...optional('focalLength', focalLength),
    ...optional('focalLengthMillimetres', number(Number.parseFloat(focalLength ?? ''))),
    ...optional('colorSpace', exif('ColorSpace')),
    ...optional('whiteBalance', exif('WhiteBalance')),
    ...optional('iccProfile', text(tags['ICC_Profile:ProfileDescription'])),
    ...optional('orientation', exif('Orientation')),
    ...optional('fNumber', number(tags['EXIF:FNumber'])),
    ...optional('source', text(tags['IPTC:Source'])),
    ...optional('copyrightNotice', text(tags['IPTC:CopyrightNotice'])),
    ...optional('caption', text(tags['IPTC:Caption-Abstract'])),
  }
}

function ownTags({ exif, iptc, icc }: Metadata): PictureTags {
  const { Image: image = {}, Photo: photo = {} } = attempt(() => exif && readExif(exif)) ?? ({} as Exif)
  const press = attempt(() => iptc && readIptc(iptc)) ?? {}
  const focalLength = number(photo['FocalLength'])
  const moment = photo['DateTimeOriginal']
  return {
    ...optional('imageDescription', text(image['ImageDescription'])),
    ...optional('userComment', comment(photo['UserComment'])),
    ...optional('equipment', equipment(text(image['Make']), text(image['Model']))),
    ...optional('dateTimeOriginal', moment instanceof Date ? moment.toISOString().slice(0, 19) : undefined),
    ...optional('xResolution', number(image['XResolution'])),
    ...optional('yResolution', number(image['YResolution'])),
    ...optional('pixelXDimension', number(photo['PixelXDimension'])),
    ...optional('pixelYDimension', number(photo['PixelYDimension'])),
    ...optional('copyright', text(image['Copyright'])),
    ...optional('exposureTime', exposure(number(photo['ExposureTime']))),
    ...optional('iso', text(photo['ISOSpeedRatings'])),
    ...optional('focalLength', focalLength === undefined ? undefined : `${focalLength.toFixed(1)} mm`),
    ...optional('focalLengthMillimetres', focalLength),
    ...optional('colorSpace', named({ 1: 'sRGB', 2: 'Adobe RGB', 65535: 'Uncalibrated' }, photo['ColorSpace'])),
    ...optional('whiteBalance', named({ 0: 'Auto', 1: 'Manual' }, photo['WhiteBalance'])),
    ...optional(
      'iccProfile',
      attempt(() => icc && readIccDescription(icc)),
    ),
    ...optional('orientation', named(orientations, image['Orientation'])),
    ...optional('fNumber', number(photo['FNumber'])),
    ...optional('source', press.source),
    ...optional('copyrightNotice', press.copyrightNotice),
    ...optional('caption', press.caption),
  }
}

const orientations = {
  1: 'Horizontal (normal)',
  2: 'Mirror horizontal',
  3: 'Rotate 180',
  4: 'Mirror vertical',
  5: 'Mirror horizontal and rotate 270 CW',
  6: 'Rotate 90 CW',
  7: 'Mirror horizontal and rotate 90 CW',
  8: 'Rotate 270 CW',
}

/** Whatever an author of a file has damaged is as if it were not there. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function optional<Name extends keyof PictureTags>(name: Name, value: PictureTags[Name]): Pick<PictureTags, Name> | object {
  return value === undefined ? {} : { [name]: value }
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return String(value).replaceAll('\0', '').trim() || undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function named(names: { readonly [value: number]: string }, value: unknown): string | undefined {
  return typeof value === 'number' ? names[value] : undefined
}

/** Cameras mostly begin the model with who made it. */
function equipment(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return make ?? model
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`
}

/** In seconds; as a fraction below a quarter, as exiftool has it. */
function exposure(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds < 0) return undefined
  return seconds > 0 && seconds < 0.25001 ? `1/${Math.round(1 / seconds)}` : String(Math.round(seconds * 10) / 10)
}

// The first eight bytes of a comment say in which letters it is.
const codeBytes = 8

function comment(value: unknown): string | undefined {
  if (!Buffer.isBuffer(value)) return text(value)
  const code = value.toString('latin1', 0, codeBytes).replaceAll('\0', '')
  const rest = value.subarray(codeBytes)
  if (code === 'UNICODE') return text(new TextDecoder('utf-16be').decode(rest))
  return text(rest.toString(code === 'ASCII' ? 'latin1' : 'utf8'))
}

const longest = 2_000

function tidy(tags: PictureTags): PictureTags {
  const cut = ([name, value]: [string, unknown]) => [name, typeof value === 'string' ? value.slice(0, longest) : value]
  return Object.fromEntries(Object.entries(tags).map(cut))
}
