import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { labelsOf } from './tag-document.ts'

/** The labels of the document's tags. */
export const tagsEnricher = defineEnricher({
  name: 'tags',
  entityType: 'document',
  adds: { tags: Type.Array(Type.String()) },
  async enrich({ document, isStored }) {
    return isStored ? { tags: labelsOf(document) } : {}
  },
})
