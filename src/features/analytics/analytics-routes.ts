import { createYieldPoint } from '../../base/event-loop.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import { json } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { requireAuditReader } from '../audit/index.ts'
import { createRowTurns, type InTurn } from './audit/row-turns.ts'
import { findAmongRouting, findAmongRows } from './audit/search-rows.ts'
import { findAmongDocuments } from './documents/search-documents.ts'
import type { SentObject } from './request/json-parts.ts'
import { readSearch, type SearchRequest } from './request/search-request.ts'
import { createComputation } from './results/computation.ts'
import { searchAnswerSchema, type UseOf, writeAnswer } from './results/search-answer.ts'

export const noAnalyticsIndex = defineProblem(
  'noAnalyticsIndex',
  'notFound',
  (of: { index: string; known: readonly string[] }) => `There is no index ${of.index}. There are ${of.known.join(', ')}.`,
)

/** What can be searched, and who may: it throws for others. */
interface AnalyticsIndex {
  admit(session: Session): void
  find<Result>(search: IndexSearch, use: UseOf<Result>): Promise<Result>
}

interface IndexSearch {
  readonly session: Session
  readonly exchange: Exchange
  readonly request: SearchRequest
  readonly mostRows: number
  pause(): Promise<void> | undefined
  readonly inTurn: InTurn
}

const indexes: ReadonlyMap<string, AnalyticsIndex> = new Map([
  ['platform', { admit: () => {}, find: findAmongDocuments }],
  ['audit', { admit: requireAuditReader, find: findAmongRows }],
  ['audit_wf', { admit: () => {}, find: findAmongRouting }],
])

const body = Type.Optional(
  Type.Map({
    description:
      'The query, aggregations, size, from, sort and _source, as search engines read them; docs/api.md says how much of it',
    examples: [{ size: 0, aggs: { by: { terms: { field: 'ecm:primaryType' } } } }],
  }),
)
const query = Type.Object({
  search_type: Type.Optional(
    Type.Enum(['count', 'query_then_fetch', 'dfs_query_then_fetch'], { description: 'Changes nothing' }),
  ),
})

/** The door for pages of figures, which speak the language of a search engine (contract: workflow 11). */
export function analyticsRoutes(mostRows: number): readonly Route[] {
  const inTurn = createRowTurns()
  const shared = {
    method: 'POST',
    under: 'server',
    body,
    query,
    answers: {
      200: searchAnswerSchema,
      400: 'what is not understood, or asks for too much at once',
      403: 'the audit log, of which others than administrators see what workflows they may follow',
      404: 'no index of that name',
    },
  } as const
  const handle: Route['handle'] = async (exchange, { index = '' }, sent) => {
    const started = performance.now()
    exchange.onlyReads()
    const { admit, find } = findIndex(exchange, index)
    return exchange.read(async (session) => {
      admit(session)
      // Read for its check: whichever way it is asked, all is looked at in one place.
      void sent.query
      const request = readSearch((sent.body ?? {}) as SentObject)
      const pause = pauseWhile(exchange)
      return find({ session, exchange, request, mostRows, pause, inTurn }, async (found) =>
        json(await writeAnswer(index, found, request, createComputation(session.now, pause), started)),
      )
    })
  }
  return [
    defineRoute({
      ...shared,
      path: '/site/es/{index}/_search',
      operationId: 'searchAnalytics',
      summary: 'Searches documents or the audit log, and summarises what is found',
      handle,
    }),
    defineRoute({
      ...shared,
      path: '/site/es/{index}/{type}/_search',
      operationId: 'searchAnalyticsOfType',
      summary: 'The same; the type says nothing',
      handle,
    }),
  ]
}

/** What nobody waits for any more is not gone on with. */
function pauseWhile({ request: { signal } }: Exchange): () => Promise<void> | undefined {
  const yields = createYieldPoint()
  return () => {
    signal.throwIfAborted()
    return yields()
  }
}

/** What pages of figures call all indexes, of which those of documents alone are meant: for the log they name its own. */
const allIndexes: ReadonlySet<string> = new Set(['_all', '*'])

/** One of them carries the vendor's word. @throws noAnalyticsIndex */
function findIndex({ services }: Exchange, name: string): AnalyticsIndex {
  const { vendored } = services.facts
  const wanted = allIndexes.has(name) ? vendored('platform') : name
  const [, found] = [...indexes].find(([neutral]) => vendored(neutral) === wanted) ?? []
  if (found === undefined) throw noAnalyticsIndex({ index: name.slice(0, 100), known: [...indexes.keys()].map(vendored) })
  return found
}
