import { defineFacet } from '../../model/document-type.ts'
import { alike, date, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const rendition = defineSchema('rendition', {
  prefix: 'rend',
  fields: {
    ...alike(string({ indexed: 'sparse', hasWords: false }), 'sourceId', 'sourceVersionableId'),
    sourceModificationDate: date(),
    ...alike(string(), 'renditionName', 'renditionVariant'),
  },
})

export const renditionSchemas = [rendition]

export const renditionFacets = [defineFacet('Rendition', ['rendition'])]
