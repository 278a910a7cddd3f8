import { itemsOf } from '../../model/properties/property-texts.ts'
import type { Enricher } from '../../rest/render/rendering.ts'

/** The labels of the document's tags. */
export const tagsEnricher: Enricher = {
  name: 'tags',
  entityType: 'document',
  async enrich({ document, isStored }) {
    if (!isStored) return {}
    const labels = itemsOf(document, 'nxtag:tags').flatMap(({ label }) => (typeof label === 'string' ? [label] : []))
    return { tags: [...new Set(labels)].sort() }
  },
}
