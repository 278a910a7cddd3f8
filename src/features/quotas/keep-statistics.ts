import type { InlineListener } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { statisticsFacet, statisticsPrefix } from './quota-model.ts'
import { withoutStatistics } from './set-quota.ts'

/**
 * What the properties say of a quota is what the server wrote. A client that sends a whole folder back sends what it read a while ago:
 * that is passed over and not refused.
 */
export const keepStatistics: InlineListener = {
  name: 'keepQuotaStatistics',
  when: 'inline',
  events: ['beforeDocumentModification'],
  changes: ({ name }) => name.startsWith(statisticsPrefix),
  heedsFacets: true,
  handle({ document, properties: { previousDocumentModel: previous } }) {
    if (!has(document) && !has(previous as Document)) return undefined
    return withStatisticsOf(document, previous as Document)
  },
}

/** Documents come into being without a quota, whatever is said of them. */
export const dropStatistics: InlineListener = {
  name: 'dropQuotaStatistics',
  when: 'inline',
  facet: statisticsFacet,
  events: ['aboutToCreate', 'aboutToImport'],
  handle: ({ document }) => without(document),
}

function has({ facets }: Document): boolean {
  return facets.includes(statisticsFacet)
}

function without(document: Document): Document {
  const facets = document.facets.filter((facet) => facet !== statisticsFacet)
  return { ...document, facets, properties: withoutStatistics(document.properties) }
}

function withStatisticsOf(document: Document, previous: Document): Document {
  const plain = without(document)
  if (!has(previous)) return plain
  const statistics = Object.entries(previous.properties).filter(([name]) => name.startsWith(statisticsPrefix))
  const facets = has(document) ? document.facets : [...plain.facets, statisticsFacet]
  return { ...plain, facets, properties: { ...plain.properties, ...Object.fromEntries(statistics) } }
}
