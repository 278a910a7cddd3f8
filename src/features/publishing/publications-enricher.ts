import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

/** How many proxies show the document or one of its versions somewhere else, of those that the caller may see. */
export const publicationsEnricher = defineEnricher({
  name: 'publications',
  entityType: 'document',
  adds: { publications: Type.Object({ resultsCount: Type.Integer() }) },
  async enrich({ document, isStored, context: { session } }) {
    if (!isStored) return {}
    const readableAcps = await session.repository.acps.readableBy(session, 'Browse')
    const resultsCount = await session.reader.documents.countProxies(document.seriesId ?? document.id, readableAcps)
    return { publications: { resultsCount } }
  },
})
