import { alike, blob, clob, complex, date, double, list, long, string } from '../../field.ts'
import { defineSchema } from '../../schema.ts'

const imageInfo = complex({ ...alike(long(), 'width', 'height', 'depth'), ...alike(string(), 'format', 'colorSpace') })

export const picture = defineSchema('picture', {
  fields: {
    ...alike(string({ maxLength: 2000 }), 'headline', 'subheadline'),
    ...alike(string(), 'byline', 'dateline', 'slugline', 'credit', 'language', 'source', 'origin', 'genre'),
    caption: clob(),
    ...alike(string(), 'typage', 'cropCoords'),
    views: list(
      complex({
        ...alike(string(), 'title', 'description', 'tag'),
        ...alike(long(), 'height', 'width'),
        filename: string(),
        content: blob(),
        info: imageInfo,
      }),
    ),
    info: imageInfo,
  },
})

export const picturebook = defineSchema('picturebook', {
  fields: {
    timeinterval: long({ default: 5 }),
    picturetemplates: list(complex({ ...alike(string(), 'title', 'description', 'tag'), maxsize: long() })),
  },
})

export const imageMetadata = defineSchema('image_metadata', {
  prefix: 'imd',
  fields: {
    ...alike(string(), 'image_description', 'user_comment', 'equipment'),
    date_time_original: date(),
    ...alike(long(), 'xresolution', 'yresolution', 'pixel_xdimension', 'pixel_ydimension'),
    ...alike(string(), 'copyright', 'exposure_time', 'iso_speed_ratings'),
    focal_length: double(),
    focalLength: string(),
    ...alike(string(), 'color_space', 'white_balance', 'icc_profile', 'orientation'),
    fnumber: double(),
  },
})

export const iptc = defineSchema('iptc', {
  prefix: 'iptc',
  fields: {
    ...alike(string(), 'by_line', 'by_line_title', 'category', 'city', 'copyright_notice', 'country_or_primary_location'),
    ...alike(string(), 'credit', 'keywords', 'language', 'object_name', 'original_transmission_ref', 'originating_program'),
    ...alike(string(), 'province_or_state', 'record_version', 'release_time', 'source', 'special_instructions'),
    ...alike(string(), 'supplemental_categories', 'time_created', 'urgency', 'writer'),
    caption: clob(),
    headline: string({ maxLength: 2000 }),
    ...alike(date(), 'date_created', 'release_date'),
  },
})

const videoInfo = complex({
  duration: double(),
  ...alike(long(), 'width', 'height'),
  format: string(),
  streams: list(complex({ ...alike(string(), 'streamInfo', 'type', 'codec'), bitRate: double() })),
  frameRate: double(),
})

export const video = defineSchema('video', {
  prefix: 'vid',
  fields: {
    info: videoInfo,
    transcodedVideos: list(complex({ name: string(), content: blob(), info: videoInfo })),
    storyboard: list(complex({ content: blob(), timecode: double(), comment: string() })),
  },
})

export const audio = defineSchema('audio', {
  prefix: 'aud',
  fields: { duration: long() },
})

export const mediaSchemas = [picture, picturebook, imageMetadata, iptc, video, audio]
