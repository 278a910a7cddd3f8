import type { Enricher } from '../../rest/rendering.ts'

/** The matches of a search in the document; outside of one there are none. */
export const highlightEnricher: Enricher = {
  name: 'highlight',
  entityType: 'document',
  enrich: async () => ({ highlight: [] }),
}
