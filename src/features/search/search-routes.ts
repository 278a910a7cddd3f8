import { allDocuments } from '../../core/search/providers/conditions.ts'
import { withCurrentNames } from '../../core/search/providers/provider-parameters.ts'
import type { Session } from '../../core/session.ts'
import { type Answer, json } from '../../rest/answer.ts'
import { runEntityProvider } from '../../rest/entity-provider.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentPageSchema } from '../../rest/render/documents-entity.ts'
import { searchHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { parsePaging } from '../../rest/request/paging.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import type { Route } from '../../rest/route.ts'
import { answerSearch } from './answer-search.ts'
import { readProvider, requireDocumentProvider } from './document-provider.ts'
import { nxqlLanguage, nxqlProvider, requireNxql } from './nxql-provider.ts'
import { providerAnswers } from './provider-adapter.ts'
import { providerDefinitionSchema, writeProviderDefinition } from './provider-definition.ts'
import { nxqlParameters, providerParameters, queryParameters } from './search-parameters.ts'
import { parseSearchRequest } from './search-request.ts'

const headers = Type.Object(searchHeaders)
const searchAnswers = { 200: documentPageSchema, 400: 'the query cannot be run' }

const executeQuery: Route = {
  method: 'GET',
  path: '/search/execute',
  operationId: 'search',
  under: 'api',
  summary: 'Search with a query',
  query: nxqlParameters,
  headers,
  answers: searchAnswers,
  handle: (exchange) => exchange.read((session) => answerQuery(exchange, session)),
}

const executeLanguage: Route = {
  method: 'GET',
  path: '/search/lang/{queryLanguage}/execute',
  under: 'api',
  summary: 'Search with a query in a language, of which there is one: NXQL. Deprecated',
  query: nxqlParameters,
  headers,
  answers: searchAnswers,
  async handle(exchange, { queryLanguage = '' }) {
    requireNxql(queryLanguage)
    return exchange.read((session) => answerQuery(exchange, session))
  },
}

const executeProvider: Route = {
  method: 'GET',
  path: '/search/pp/{providerName}/execute',
  operationId: 'runPageProvider',
  under: 'api',
  summary: 'Search with a page provider',
  query: providerParameters,
  headers,
  answers: providerAnswers,
  handle: (exchange, { providerName = '' }) => exchange.read((session) => answerProvider(exchange, session, providerName)),
}

const providerDefinition: Route = {
  method: 'GET',
  path: '/search/pp/{providerName}',
  under: 'api',
  summary: 'The definition of a page provider',
  answers: { 200: providerDefinitionSchema, 404: providerAnswers[404] },
  handle: async ({ repository, services }, { providerName = '' }) =>
    json(writeProviderDefinition(readProvider({ repository }, services, providerName))),
}

const olderQuery: Route = { ...executeQuery, operationId: 'query', path: '/query', summary: 'Search with a query. Older form' }
const olderLanguage: Route = { ...olderQuery, operationId: 'queryNxql', path: `/query/${nxqlLanguage}` }

const olderProvider: Route = {
  method: 'GET',
  path: '/query/{providerName}',
  under: 'api',
  summary: 'Search with a page provider, or with a query instead of its definition. Older form',
  query: queryParameters,
  headers,
  answers: providerAnswers,
  handle: (exchange, { providerName = '' }) =>
    exchange.read((session) => {
      readProvider(session, exchange.services, providerName)
      return findQuery(exchange) === undefined ? answerProvider(exchange, session, providerName) : answerQuery(exchange, session)
    }),
}

export const searchRoutes: readonly Route[] = [
  executeQuery,
  executeLanguage,
  executeProvider,
  providerDefinition,
  olderQuery,
  olderLanguage,
  olderProvider,
]

function answerQuery(exchange: Exchange, session: Session): Promise<Answer> {
  const { maxResults } = parsePaging(exchange.request.query)
  const provider = nxqlProvider(session, findQuery(exchange) ?? allDocuments, maxResults)
  return answerSearch(exchange, session, provider, parseSearchRequest(exchange.request))
}

function findQuery({ request }: Exchange): string | undefined {
  const query = request.query.get('query')
  return query === null || query.trim() === '' ? undefined : query
}

/** Runs the provider of that name, of whichever kind. @throws unknownPageProvider, givesNoDocuments, failedSearch */
async function answerProvider(exchange: Exchange, session: Session, name: string): Promise<Answer> {
  const { services } = exchange
  const request = parseSearchRequest(exchange.request)
  const provider = readProvider(session, services, name)
  if (provider.kind !== 'entities') return answerSearch(exchange, session, requireDocumentProvider(provider), request)
  const list = await runEntityProvider(provider, { session, services, request: withCurrentNames(session, request) })
  return writeResource(exchange, session, list)
}
