import { itemsOf } from '../../model/properties/property-texts.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

/** The labels of the document's tags. */
export const tagsEnricher = defineEnricher({
  name: 'tags',
  entityType: 'document',
  adds: { tags: Type.Array(Type.String()) },
  async enrich({ document, isStored }) {
    if (!isStored) return {}
    const labels = itemsOf(document, 'nxtag:tags').flatMap(({ label }) => (typeof label === 'string' ? [label] : []))
    return { tags: [...new Set(labels)].sort() }
  },
})
