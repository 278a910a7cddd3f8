import { definePlugin } from '../../plugin/define-plugin.ts'
import { asynchronousCalls } from './async/run-asynchronously.ts'
import { defaultChains } from './default-chains.ts'
import { opAdapter } from './op-adapter.ts'
import { automationOperations } from './operations/all-operations.ts'
import { operationsInBulk } from './operations-in-bulk.ts'
import { automationRoutes } from './routes.ts'

/** The command endpoint: operations and chains over HTTP. */
export default definePlugin({
  name: 'automation',
  requires: ['uploads', 'files', 'file-import', 'document-export', 'document-operations'],
  operations: automationOperations,
  chains: defaultChains,
  routes: automationRoutes,
  adapters: [opAdapter],
  contribute: (_, services) => ({ jobs: [asynchronousCalls(services)], bulkActions: operationsInBulk(services) }),
})
