import { defineFacet } from '../../model/document-type.ts'
import { alike, date, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const fields = {
  ...alike(string({ indexed: 'sparse', hasWords: false }), 'sourceId', 'sourceVersionableId'),
  sourceModificationDate: date(),
  ...alike(string(), 'renditionName', 'renditionVariant'),
}

// The server looks its renditions up by these values, and what it finds it hands out: nobody else sets them.
const rendition = defineSchema('rendition', { prefix: 'rend', fields, secured: Object.keys(fields) })

export const renditionSchemas = [rendition]

export const renditionFacets = [defineFacet('Rendition', ['rendition'], { isReserved: true })]
