import { definePlugin } from '../../plugin/define-plugin.ts'
import { savedSearchRoutes } from './routes.ts'

import { savedSearchFacet, savedSearchProviders, savedSearchSchema, savedSearchType } from './saved-search-model.ts'

export { choiceOf, planRun } from './saved-search-run.ts'
export { readSavedSearch } from './saved-searches.ts'

/** Searches that users saved to run them again. */
export default definePlugin({
  name: 'saved-searches',
  requires: ['content-model', 'search', 'user-workspaces'],
  schemas: [savedSearchSchema],
  facets: [savedSearchFacet],
  documentTypes: [savedSearchType],
  pageProviders: savedSearchProviders,
  routes: savedSearchRoutes,
})
