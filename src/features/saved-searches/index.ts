import { definePlugin } from '../../plugin/define-plugin.ts'
import { savedSearchRoutes } from './routes.ts'

export { parseChoice, planRun } from './saved-search-run.ts'
export { readSavedSearch } from './saved-searches.ts'

/** Searches that people keep to run them again. */
export default definePlugin({
  name: 'saved-searches',
  requires: ['search', 'user-workspaces'],
  routes: savedSearchRoutes,
})
