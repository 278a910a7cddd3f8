import { definePlugin } from '../../plugin/define-plugin.ts'
import { asyncRoutes } from './async/async-routes.ts'
import { asynchronousCalls } from './async/run-asynchronously.ts'
import { batchRoutes } from './batch-routes.ts'
import { defaultChains } from './default-chains.ts'
import { callOperation } from './execute.ts'
import { filesRoute } from './files-route.ts'
import { opAdapter } from './op-adapter.ts'
import { automationOperations } from './operations/all-operations.ts'
import { operationsInBulk } from './operations-in-bulk.ts'
import { registryRoutes } from './registry-routes.ts'
import { callSettings } from './settings.ts'

export { createOperationHost } from '../../rest/operations/operation-host.ts'

/** The command endpoint: operations and chains over HTTP. */
export default definePlugin({
  name: 'automation',
  requires: ['uploads', 'files', 'file-import', 'document-export', 'document-operations'],
  operations: automationOperations,
  chains: defaultChains,
  routes: [...registryRoutes, callOperation, ...asyncRoutes, ...batchRoutes, filesRoute],
  adapters: [opAdapter],
  settings: callSettings,
  contribute: (_, services) => ({ jobs: [asynchronousCalls(services)], bulkActions: operationsInBulk(services) }),
})
