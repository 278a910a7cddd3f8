import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, blob, clob, complex, date, double, list, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const imageInfo = complex({ ...alike(long(), 'width', 'height', 'depth'), ...alike(string(), 'format', 'colorSpace') })

const picture = defineSchema('picture', {
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

const picturebook = defineSchema('picturebook', {
  fields: {
    timeinterval: long({ default: 5 }),
    picturetemplates: list(complex({ ...alike(string(), 'title', 'description', 'tag'), maxsize: long() })),
  },
})

const imageMetadata = defineSchema('image_metadata', {
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

const iptc = defineSchema('iptc', {
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

export const pictureSchemas = [picture, picturebook, imageMetadata, iptc]

export const pictureFacets = [defineFacet('Picture', ['file', 'picture', 'image_metadata']), defineFacet('MultiviewPicture')]

export const pictureTypes = [
  defineDocumentType('Picture', {
    extends: 'Document',
    schemas: ['common', 'uid', 'dublincore', 'file', 'picture', 'image_metadata', 'relatedtext', 'facetedTag'],
    facets: ['Picture', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/image.gif',
  }),
  defineDocumentType('PictureBook', {
    extends: 'Folder',
    schemas: ['picturebook'],
    subtypes: ['Picture'],
    lifecycle: 'default',
  }),
]

export const picturesInFolders = ['Folder', 'OrderedFolder', 'Workspace'].map((type) => ({ type, subtypes: ['Picture'] }))
