import { allDocuments } from '../../core/search/providers/conditions.ts'
import type { Route } from '../../rest/route.ts'
import { parseChoice, planRun, readSavedSearch } from '../saved-searches/index.ts'
import { nxqlProvider, parseSearchRequest, readProvider, requireDocumentProvider, requireNxql } from '../search/index.ts'
import { type BulkSearch, bulkRoute } from './bulk-route.ts'

const ofQuery: BulkSearch['find'] = async ({ session, exchange: { request } }) => {
  const query = request.query.get('query')?.trim() || allDocuments
  return { provider: nxqlProvider(session, query), request: parseSearchRequest(request) }
}

/** Where an action is started on all that a search finds. */
export const searchBulkRoutes: readonly Route[] = [
  bulkRoute({
    path: '/search/bulk/{actionId}',
    summary: 'Start a bulk action on all that a query finds',
    find: ofQuery,
  }),
  bulkRoute({
    path: '/search/lang/{queryLanguage}/bulk/{actionId}',
    summary: 'Start a bulk action on all that a query in a language finds, of which there is one: NXQL. Deprecated',
    find(call) {
      requireNxql(call.parameters['queryLanguage'] ?? '')
      return ofQuery(call)
    },
  }),
  bulkRoute({
    path: '/search/pp/{providerName}/bulk/{actionId}',
    summary: 'Start a bulk action on all that a page provider finds',
    find: async ({ session, exchange: { request, services }, parameters: { providerName = '' } }) => ({
      provider: requireDocumentProvider(readProvider(session, services, providerName)),
      request: parseSearchRequest(request),
    }),
  }),
  bulkRoute({
    path: '/search/saved/{id}/bulk/{actionId}',
    summary: 'Start a bulk action on all that a saved search finds',
    async find({ session, exchange: { request }, parameters: { id = '' } }) {
      return planRun(session, await readSavedSearch(session, id), parseChoice(request))
    },
  }),
]
