import type { PictureTags } from '../../core/conversion/picture-report.ts'
import type { Document } from '../../model/document.ts'
import { isUnset, type Properties, type PropertyValue } from '../../model/properties/property.ts'

/** Which property has what a camera tells (contract: blobs 10.4). */
const ofCamera = {
  'imd:image_description': 'imageDescription',
  'imd:user_comment': 'userComment',
  'imd:equipment': 'equipment',
  'imd:date_time_original': 'dateTimeOriginal',
  'imd:xresolution': 'xResolution',
  'imd:yresolution': 'yResolution',
  'imd:pixel_xdimension': 'pixelXDimension',
  'imd:pixel_ydimension': 'pixelYDimension',
  'imd:copyright': 'copyright',
  'imd:exposure_time': 'exposureTime',
  'imd:iso_speed_ratings': 'iso',
  'imd:focalLength': 'focalLength',
  'imd:focal_length': 'focalLengthMillimetres',
  'imd:color_space': 'colorSpace',
  'imd:white_balance': 'whiteBalance',
  'imd:icc_profile': 'iccProfile',
  'imd:orientation': 'orientation',
  'imd:fnumber': 'fNumber',
} as const satisfies { readonly [property: string]: keyof PictureTags }

/** And what the press tells, of documents of all kinds. */
const ofPress = {
  'dc:source': 'source',
  'dc:rights': 'copyrightNotice',
  'dc:description': 'caption',
} as const satisfies { readonly [property: string]: keyof PictureTags }

const whole = new Set(['imd:xresolution', 'imd:yresolution', 'imd:pixel_xdimension', 'imd:pixel_ydimension'])
const moment = 'imd:date_time_original'

/** Properties that follow from the file alone: with another file they are others. */
export const cameraProperties: readonly string[] = Object.keys(ofCamera)

/** What the tags add to a document. What somebody has written stays. */
export function metadataFrom(tags: PictureTags, { properties }: Pick<Document, 'properties'>): Properties {
  const told = Object.entries({ ...ofCamera, ...ofPress }).flatMap(([property, tag]) => {
    const value = typedValue(property, tags[tag])
    return value === undefined || !isUnset(properties[property]) ? [] : [[property, value] as const]
  })
  return Object.fromEntries(told)
}

function typedValue(property: string, value: string | number | undefined): PropertyValue | undefined {
  if (property === moment) return momentOf(String(value ?? ''))
  if (whole.has(property))
    return typeof value === 'number' && Number.isSafeInteger(Math.round(value)) ? Math.round(value) : undefined
  return value
}

/** Cameras know no zone: it is taken as that of Greenwich, as the clock of the server is. */
function momentOf(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return undefined
  const time = Date.parse(`${text.slice(0, 19)}Z`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
