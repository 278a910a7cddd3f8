import { allDocuments } from '../../core/search/providers/conditions.ts'
import type { Route } from '../../rest/route.ts'
import { choiceOf, planRun, readSavedSearch } from '../saved-searches/index.ts'
import { nxqlProvider, readProvider, requireDocumentProvider, requireNxql, searchRequestOf } from '../search/index.ts'
import { type BulkSearch, bulkRoute } from './bulk-route.ts'

const ofQuery: BulkSearch['find'] = async ({ session, sent }) => {
  const query = sent.query.query?.trim() ?? allDocuments
  return { provider: nxqlProvider(session, query), request: searchRequestOf(sent) }
}

/** Where an action is started on all that a search finds. */
export const searchBulkRoutes: readonly Route[] = [
  bulkRoute({
    path: '/search/bulk/{actionId}',
    operationId: 'startBulkOnQuery',
    summary: 'Start a bulk action on all that a query finds',
    find: ofQuery,
  }),
  bulkRoute({
    path: '/search/lang/{queryLanguage}/bulk/{actionId}',
    operationId: 'startBulkOnQueryInLanguage',
    summary: 'Start a bulk action on all that a query in a language finds, of which there is one: NXQL. Deprecated',
    find(call) {
      requireNxql(call.parameters['queryLanguage'] ?? '')
      return ofQuery(call)
    },
  }),
  bulkRoute({
    path: '/search/pp/{providerName}/bulk/{actionId}',
    operationId: 'startBulkOnPageProvider',
    summary: 'Start a bulk action on all that a page provider finds',
    find: async ({ session, exchange: { services }, parameters: { providerName = '' }, sent }) => ({
      provider: requireDocumentProvider(readProvider(session, services, providerName)),
      request: searchRequestOf(sent),
    }),
  }),
  bulkRoute({
    path: '/search/saved/{id}/bulk/{actionId}',
    operationId: 'startBulkOnSavedSearch',
    summary: 'Start a bulk action on all that a saved search finds',
    async find({ session, parameters: { id = '' }, sent }) {
      return planRun(session, await readSavedSearch(session, id), choiceOf(sent))
    },
  }),
]
