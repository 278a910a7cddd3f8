import { compile, scopeOf, searchDocuments } from '../../../core/search/page/run-query.ts'
import { documentsWhere } from '../../../core/search/providers/conditions.ts'
import type { Sort } from '../../../core/search/query/sort.ts'
import type { Session } from '../../../core/session.ts'
import { type Document, titleOf } from '../../../model/document.ts'
import { systemProperties } from '../../../nxql/system-properties.ts'
import { writeDocument } from '../../../rest/render/document-entity.ts'
import { createRenderContext } from '../../../rest/render/rendering.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { refuse, shown } from '../request/json-parts.ts'
import type { SearchRequest } from '../request/search-request.ts'
import type { Hit, UseOf } from '../results/search-answer.ts'
import { conditionText, type Translation } from './condition-text.ts'
import { findDocumentField } from './document-field.ts'
import { documentSource } from './document-source.ts'

// Behind those of aggregations, whose numbers begin at 9,000.
const firstItem = 10_000

interface DocumentSearch {
  readonly session: Session
  readonly exchange: Exchange
  readonly request: SearchRequest
}

/** What a search finds among the documents that the caller may find. */
export async function findAmongDocuments<Result>(
  { session, exchange, request }: DocumentSearch,
  use: UseOf<Result>,
): Promise<Result> {
  let item = firstItem
  const translation: Translation = {
    now: session.now,
    model: session.model,
    ignoredCharacters: session.repository.searchRules.ignoredCharacters,
    nextItem: () => item++,
  }
  const query = documentsWhere(conditionText(request.condition, translation))
  const scope = await scopeOf(session, compile(session, query))
  const source = documentSource(query, { session, scope, translation })
  const hits = await findHits(session, exchange, `${query}${orderOf(session, request.sort)}`, request)
  return use({ source, total: hits.total ?? (await source.count()), hits: hits.hits })
}

async function findHits(
  session: Session,
  exchange: Exchange,
  query: string,
  { from, size, shows }: SearchRequest,
): Promise<{ readonly hits: readonly Hit[]; readonly total: number | undefined }> {
  if (size === 0) return { hits: [], total: undefined }
  const { maxListedBytes: maxBytes } = session.repository.rules
  const found = await searchDocuments(session, compile(session, query), { offset: from, limit: size, maxBytes })
  const hits: Hit[] = []
  for (const document of found.documents) {
    hits.push({ id: document.id, type: 'doc', ...(shows && { source: await sourceOf(session, exchange, document, shows) }) })
  }
  return { hits, total: found.count }
}

/** The document as the index of such a server has it, with what its JSON shows of it. */
async function sourceOf(session: Session, exchange: Exchange, document: Document, shows: (field: string) => boolean) {
  const { services, rendering } = exchange
  const { baseUrl } = exchange.request
  const request = { headers: { properties: '*' }, baseUrl, query: new URLSearchParams() }
  const {
    properties = {},
    path,
    facets,
  } = await writeDocument(createRenderContext(session, { services, rendering, request }), document)
  const all = {
    'ecm:repository': document.repository,
    'ecm:uuid': document.id,
    'ecm:name': document.name,
    'ecm:title': titleOf(document),
    'ecm:path': path,
    'ecm:primaryType': document.type,
    'ecm:parentId': document.parentId,
    'ecm:currentLifeCycleState': document.state,
    'ecm:mixinType': facets,
    'ecm:isVersion': document.isVersion,
    'ecm:isProxy': document.isProxy,
    'ecm:isTrashed': document.isTrashed,
    ...properties,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => shows(name)))
}

function orderOf({ model }: Session, sort: readonly Sort[]): string {
  if (sort.length === 0) return ''
  const columns = sort.map(({ column, isAscending }) => {
    const field = findDocumentField(model, column)
    const clauses: readonly string[] = Object.hasOwn(systemProperties, field?.name ?? '')
      ? systemProperties[field?.name as keyof typeof systemProperties].clauses
      : ['order']
    const isList = field?.aggregate?.summary.kind === 'reference' && field.aggregate.summary.reference.isList
    if (field === undefined || isList || field.isInItems || !clauses.includes('order') || field.asks === 'children')
      return refuse(`Documents cannot be sorted by ${shown(column)}.`)
    return `${field.name} ${isAscending ? 'ASC' : 'DESC'}`
  })
  return ` ORDER BY ${columns.join(', ')}`
}
