import { definePlugin } from '../../plugin/define-plugin.ts'
import { providerAdapter } from './provider-adapter.ts'
import { builtinProviders } from './providers/builtin-providers.ts'
import { searchAdapter } from './search-adapter.ts'
import { searchRoutes } from './search-routes.ts'

export { answerSearch, failedSearch } from './answer-search.ts'
export { readProvider, requireDocumentProvider } from './document-provider.ts'
export { everyDocument, nxqlProvider, requireNxql } from './nxql-provider.ts'
export { savedSearchParameters } from './search-parameters.ts'
export { parseSearchRequest } from './search-request.ts'

/** Searches over REST: by a query, or by the name of a page provider. */
export default definePlugin({
  name: 'search',
  pageProviders: builtinProviders,
  routes: searchRoutes,
  adapters: [searchAdapter, providerAdapter],
})
