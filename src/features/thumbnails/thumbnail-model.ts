import { defineFacet } from '../../model/document-type.ts'
import { blob } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const thumbnailFacetName = 'Thumbnail'

export const thumbnailSchema = defineSchema('thumbnail', { prefix: 'thumb', fields: { thumbnail: blob() } })

export const thumbnailFacet = defineFacet(thumbnailFacetName, ['thumbnail'])
