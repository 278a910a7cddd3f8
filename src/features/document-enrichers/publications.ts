import type { Enricher } from '../../rest/rendering.ts'

/** How many proxies show the document or one of its versions somewhere else. */
export const publicationsEnricher: Enricher = {
  name: 'publications',
  entityType: 'document',
  async enrich({ document, isStored, context: { session } }) {
    if (!isStored) return {}
    const resultsCount = await session.reader.documents.countProxies(document.seriesId ?? document.id)
    return { publications: { resultsCount } }
  },
}
