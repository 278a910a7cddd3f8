import { defineFacet } from '../../model/document-type.ts'
import { alike, blob, date, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const thumbnail = defineSchema('thumbnail', {
  prefix: 'thumb',
  fields: { thumbnail: blob() },
})

const rendition = defineSchema('rendition', {
  prefix: 'rend',
  fields: {
    ...alike(string({ indexed: true, hasWords: false }), 'sourceId', 'sourceVersionableId'),
    sourceModificationDate: date(),
    ...alike(string(), 'renditionName', 'renditionVariant'),
  },
})

export const renditionSchemas = [thumbnail, rendition]

export const renditionFacets = [defineFacet('Thumbnail', ['thumbnail']), defineFacet('Rendition', ['rendition'])]
