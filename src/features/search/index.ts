import { definePlugin } from '../../plugin/define-plugin.ts'
import { pageProviderOperation, queryOperation } from './operations/find-documents.ts'
import { resultSetPageProviderOperation, resultSetQueryOperation } from './operations/find-rows.ts'
import { fetchDocument, fetchFile } from './operations/pass-on.ts'
import { providerAdapter } from './provider-adapter.ts'
import { dashboardProviders } from './providers/dashboard.ts'
import { navigationProviders } from './providers/navigation.ts'
import { searchProviders } from './providers/searches.ts'
import { searchAdapter } from './search-adapter.ts'
import { contentViewDisplayFacet, searchFormSchemas, searchFormTypes, searchOperators } from './search-form-model.ts'
import { searchRoutes } from './search-routes.ts'

export { answerSearch } from './answer-search.ts'
export { readProvider, requireDocumentProvider } from './document-provider.ts'
export { requireFound } from './failed-search.ts'
export { soughtTerms } from './highlighting.ts'
export { nxqlProvider, requireNxql } from './nxql-provider.ts'
export { namedValues } from './operations/search-parameters.ts'
export { nxqlParameters, savedSearchParameters } from './search-parameters.ts'
export { type SentSearch, searchRequestOf } from './search-request.ts'

/** Searches over REST and by operations: by a query, or by the name of a page provider. */
export default definePlugin({
  name: 'search',
  requires: ['content-model', 'directories'],
  schemas: searchFormSchemas,
  facets: [contentViewDisplayFacet],
  documentTypes: searchFormTypes,
  directories: [searchOperators],
  pageProviders: [...searchProviders, ...navigationProviders, ...dashboardProviders],
  routes: searchRoutes,
  adapters: [searchAdapter, providerAdapter],
  operations: [
    queryOperation,
    pageProviderOperation,
    resultSetQueryOperation,
    resultSetPageProviderOperation,
    fetchDocument,
    fetchFile,
  ],
})
