import { defineProblem } from '../../../base/problem.ts'
import type { MetadataMapping } from '../../../core/conversion/metadata-mapping.ts'

export const unknownMetadataMapping = defineProblem(
  'unknownMetadataMapping',
  'invalid',
  (of: { id: string; known: readonly string[] }) =>
    `There is no metadata mapping ${of.id.slice(0, 100)}. Name one of ${of.known.join(', ')}.`,
)

/** What cameras and the press tell of pictures (contract: blobs 10.4). */
export const builtinMappings: readonly MetadataMapping[] = [
  {
    id: 'EXIF',
    properties: {
      'imd:image_description': 'EXIF:ImageDescription',
      'imd:user_comment': 'EXIF:UserComment',
      'imd:equipment': 'EXIF:Equipment',
      'imd:date_time_original': 'EXIF:DateTimeOriginal',
      'imd:xresolution': 'EXIF:XResolution',
      'imd:yresolution': 'EXIF:YResolution',
      'imd:pixel_xdimension': 'EXIF:PixelXDimension',
      'imd:pixel_ydimension': 'EXIF:PixelYDimension',
      'imd:copyright': 'EXIF:Copyright',
      'imd:exposure_time': 'EXIF:ExposureTime',
      'imd:iso_speed_ratings': 'EXIF:ISO',
      'imd:focalLength': 'EXIF:FocalLength',
      'imd:focal_length': 'EXIF:FocalLength',
      'imd:color_space': 'EXIF:ColorSpace',
      'imd:white_balance': 'EXIF:WhiteBalance',
      'imd:icc_profile': 'EXIF:IccProfile',
      'imd:orientation': 'EXIF:Orientation',
      'imd:fnumber': 'EXIF:FNumber',
    },
  },
  {
    id: 'IPTC',
    properties: {
      'dc:source': 'IPTC:Source',
      'dc:rights': 'IPTC:CopyrightNotice',
      'dc:description': 'IPTC:Caption-Abstract',
    },
  },
]

/** @throws unknownMetadataMapping */
export function readMapping(mappings: readonly MetadataMapping[], id: string): MetadataMapping {
  const found = mappings.find((mapping) => mapping.id === id)
  if (found === undefined) throw unknownMetadataMapping({ id, known: mappings.map((mapping) => mapping.id) })
  return found
}
