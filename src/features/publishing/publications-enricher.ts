import type { Enricher } from '../../rest/render/rendering.ts'

/** How many proxies show the document or one of its versions somewhere else, of those that the caller may see. */
export const publicationsEnricher: Enricher = {
  name: 'publications',
  entityType: 'document',
  async enrich({ document, isStored, context: { session } }) {
    if (!isStored) return {}
    const readableAcps = await session.repository.acps.readableBy(session, 'Browse')
    const resultsCount = await session.reader.documents.countProxies(document.seriesId ?? document.id, readableAcps)
    return { publications: { resultsCount } }
  },
}
