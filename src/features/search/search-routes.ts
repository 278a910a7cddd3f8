import { allDocuments } from '../../core/search/providers/conditions.ts'
import { withCurrentNames } from '../../core/search/providers/provider-parameters.ts'
import type { Session } from '../../core/session.ts'
import { type Answer, json } from '../../rest/answer.ts'
import { runEntityProvider } from '../../rest/entity-provider.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { NoBody, SentFor } from '../../rest/payload/declared-input.ts'
import { documentPageSchema } from '../../rest/render/documents-entity.ts'
import { searchHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { searchPagingOf } from '../../rest/request/paging.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { answerSearch } from './answer-search.ts'
import { readProvider, requireDocumentProvider } from './document-provider.ts'
import { nxqlLanguage, nxqlProvider, requireNxql } from './nxql-provider.ts'
import { providerAnswers } from './provider-adapter.ts'
import { providerDefinitionSchema, writeProviderDefinition } from './provider-definition.ts'
import { nxqlParameters, providerParameters } from './search-parameters.ts'
import { type SentSearch, searchRequestOf } from './search-request.ts'

const headers = Type.Object(searchHeaders)
const searchAnswers = { 200: documentPageSchema, 400: 'the query cannot be run' }

const executeQuery = {
  method: 'GET',
  path: '/search/execute',
  operationId: 'search',
  under: 'api',
  summary: 'Search with a query',
  query: nxqlParameters,
  headers,
  answers: searchAnswers,
  handle: (exchange: Exchange, _parameters: object, sent: SentQuery) =>
    exchange.read((session) => answerQuery(exchange, session, sent)),
} as const

const executeLanguage = defineRoute({
  method: 'GET',
  path: '/search/lang/{queryLanguage}/execute',
  operationId: 'searchInLanguage',
  under: 'api',
  summary: 'Search with a query in a language, of which there is one: NXQL. Deprecated',
  query: nxqlParameters,
  headers,
  answers: searchAnswers,
  async handle(exchange, { queryLanguage = '' }, sent) {
    requireNxql(queryLanguage)
    return exchange.read((session) => answerQuery(exchange, session, sent))
  },
})

const executeProvider = defineRoute({
  method: 'GET',
  path: '/search/pp/{providerName}/execute',
  operationId: 'runPageProvider',
  under: 'api',
  summary: 'Search with a page provider',
  query: providerParameters,
  headers,
  answers: providerAnswers,
  handle: (exchange, { providerName = '' }, sent) =>
    exchange.read((session) => answerProvider(exchange, session, providerName, sent)),
})

const providerDefinition: Route = {
  method: 'GET',
  path: '/search/pp/{providerName}',
  operationId: 'getPageProvider',
  under: 'api',
  summary: 'The definition of a page provider',
  answers: { 200: providerDefinitionSchema, 404: providerAnswers[404] },
  handle: async ({ repository, services }, { providerName = '' }) =>
    json(writeProviderDefinition(readProvider({ repository }, services, providerName))),
}

const olderQuery = { ...executeQuery, operationId: 'query', path: '/query', summary: 'Search with a query. Older form' } as const
const olderLanguage = { ...olderQuery, operationId: 'queryNxql', path: `/query/${nxqlLanguage}` } as const

const olderProvider = defineRoute({
  method: 'GET',
  path: '/query/{providerName}',
  operationId: 'queryPageProvider',
  under: 'api',
  summary: 'Search with a page provider, or with a query instead of its definition. Older form',
  query: nxqlParameters,
  headers,
  answers: providerAnswers,
  handle: (exchange, { providerName = '' }, sent) =>
    exchange.read((session) => {
      readProvider(session, exchange.services, providerName)
      return sent.query.query === undefined
        ? answerProvider(exchange, session, providerName, sent)
        : answerQuery(exchange, session, sent)
    }),
})

export const searchRoutes: readonly Route[] = [
  defineRoute(executeQuery),
  executeLanguage,
  executeProvider,
  providerDefinition,
  defineRoute(olderQuery),
  defineRoute(olderLanguage),
  olderProvider,
]

type SentQuery = SentFor<NoBody, typeof nxqlParameters, typeof headers>

function answerQuery(exchange: Exchange, session: Session, sent: SentQuery): Promise<Answer> {
  const { maxResults } = searchPagingOf(sent.query)
  const provider = nxqlProvider(session, sent.query.query ?? allDocuments, maxResults)
  return answerSearch(exchange, session, provider, sent)
}

/** Runs the provider of that name, of whichever kind. @throws unknownPageProvider, givesNoDocuments, failedSearch */
async function answerProvider(exchange: Exchange, session: Session, name: string, sent: SentSearch): Promise<Answer> {
  const { services } = exchange
  const request = searchRequestOf(sent)
  const provider = readProvider(session, services, name)
  if (provider.kind !== 'entities') return answerSearch(exchange, session, requireDocumentProvider(provider), sent)
  const list = await runEntityProvider(provider, { session, services, request: withCurrentNames(session, request) })
  return writeResource(exchange, session, list)
}
