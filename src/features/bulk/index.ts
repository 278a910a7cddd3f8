import { definePlugin } from '../../plugin/define-plugin.ts'
import { indexDocuments, removeProxy, setProperties, trash } from './bulk-actions.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { runFailedWork } from './operations/failed-work.ts'
import { bulkReindex, reindex, waitForIndexing } from './operations/indexing.ts'
import { runAction, waitForAction } from './operations/run-action.ts'
import { runningBulksRoute } from './running-route.ts'
import { searchBulkRoutes } from './search-bulk-routes.ts'

export { startBulk } from './start-bulk.ts'

/** Doing the same to every document of a search, in the background. */
export default definePlugin({
  name: 'bulk',
  requires: ['search', 'saved-searches'],
  bulkActions: [setProperties, trash, removeProxy, indexDocuments],
  operations: [runAction, waitForAction, reindex, bulkReindex, waitForIndexing, runFailedWork],
  routes: [...bulkRoutes, ...searchBulkRoutes, runningBulksRoute],
})
