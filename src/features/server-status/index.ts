import { definePlugin } from '../../plugin/define-plugin.ts'
import type { Capability } from '../../rest/services.ts'
import { administrativeStatusSchema, administrativeStatusTypes } from './administrative-status-model.ts'
import { hotReload, readCounters } from './operations.ts'
import { createStatusRoutes } from './routes.ts'
import { statusSettings } from './settings.ts'

const cluster: Capability = { name: 'cluster', describe: ({ facts }) => ({ ...facts.cluster }) }

const repository: Capability = {
  name: 'repository',
  describe: ({ repositories }) => Object.fromEntries([...repositories.keys()].map((name) => [name, { queryBlobKeys: false }])),
}

const server: Capability = {
  name: 'server',
  describe: ({ facts }) => ({
    distributionName: facts.distribution.name,
    distributionVersion: facts.distribution.version,
    distributionServer: facts.distribution.server,
  }),
}

const serverCapabilities: readonly Capability[] = [cluster, repository, server]

/** What monitoring and connecting clients ask first: is it up, what can it do, which version is it. */
export default definePlugin({
  name: 'server-status',
  requires: ['content-model'],
  schemas: [administrativeStatusSchema],
  documentTypes: administrativeStatusTypes,
  operations: [readCounters, hotReload],
  capabilities: serverCapabilities,
  settings: statusSettings,
  contribute: ({ healthcheckRefreshIntervalSeconds, statusKey }) => ({
    routes: createStatusRoutes({ healthyMillis: healthcheckRefreshIntervalSeconds * 1_000, statusKey }),
  }),
})
