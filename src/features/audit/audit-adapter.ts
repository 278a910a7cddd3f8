import { pageOf, planPage } from '../../core/search/page/page-plan.ts'
import { defineAdapter } from '../../rest/adapter.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher, type RenderContext } from '../../rest/render/rendering.ts'
import { adapterPagingOf, idleAdapterMaxResults, pagingParameters } from '../../rest/request/paging.ts'
import { requireDocument } from '../../rest/resource.ts'
import { filterOf } from './audit-filter.ts'
import { maxCounted } from './audit-query.ts'
import { sourcesOf } from './document-history.ts'
import { logEntriesSchema, logEntrySchema } from './log-entry.ts'
import { listHistory } from './readable-history.ts'

const names = (of: string) => Type.Names({ description: `Only rows of these ${of}; repeated, or with commas between them` })
const moment = (which: string) =>
  Type.Optional(Type.String({ description: `${which} moment, which belongs to it: 2026-03-02T08:11:03.214Z, or a day` }))

/** The history of a document (contract: adapters 4.1). */
export const auditAdapter = defineAdapter({
  name: 'audit',
  operationId: 'listAuditEntries',
  summary: 'What happened to the document, the newest first',
  accepts: ['document'],
  yields: 'entities',
  answers: { 200: logEntriesSchema, 400: 'a date, a number or a column that is none' },
  query: Type.Object({
    eventId: names('events'),
    category: names('categories'),
    principalName: names('users'),
    startEventDate: moment('First'),
    endEventDate: moment('Last'),
    ...pagingParameters,
    maxResults: idleAdapterMaxResults,
  }),
  async resolve({ session, resource, sent: { query } }) {
    const { maxResults: _counted, ...paging } = adapterPagingOf(query)
    const plan = { ...planPage({ maxPageSize: 1_000 }, paging, session.repository.searchRules), countLimit: maxCounted }
    const sources = await sourcesOf(session, requireDocument(resource))
    const { offset, limit = maxCounted } = plan
    const { values, total } = await listHistory(session, sources, filterOf(query), { offset, limit, sort: paging.sort })
    const page = { ...pageOf(plan, values.length, await total()), error: null }
    return { kind: 'entities', listType: 'logEntries', entityType: 'logEntry', values, page }
  },
})

const enrichedEntries = 10

/** The newest rows of it, filtered by parameters or headers of the request for the document (contract: adapters 4.2). */
export const auditEnricher = defineEnricher({
  name: 'audit',
  entityType: 'document',
  needsRead: true,
  adds: { audit: Type.Array(logEntrySchema) },
  async enrich({ document, isStored, context }) {
    if (!isStored) return { audit: [] }
    const { session } = context
    const window = { offset: 0, limit: enrichedEntries }
    const { values } = await listHistory(session, await sourcesOf(session, document), filterOf(sentFilterOf(context)), window)
    return { audit: [...values] }
  },
})

/** Parameters win over headers of the same name; the case of names does not matter. */
function sentFilterOf({ request: { query, headers } }: RenderContext) {
  const given = (name: string): readonly string[] => {
    const wanted = name.toLowerCase()
    const sent = [...query].flatMap(([key, value]) => (key.toLowerCase() === wanted ? [value] : []))
    return sent.length > 0 ? sent : [headers[wanted] ?? []].flat()
  }
  return {
    eventId: given('eventId'),
    category: given('category'),
    principalName: given('principalName'),
    startEventDate: given('startEventDate')[0],
    endEventDate: given('endEventDate')[0],
  }
}
