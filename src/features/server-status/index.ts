import { randomDecimal } from '../../base/ids.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { AuthenticationChain } from '../../rest/authenticator.ts'
import type { Capability } from '../../rest/services.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { administrativeStatusSchema, administrativeStatusTypes } from './administrative-status-model.ts'
import { hotReload, readCounters } from './operations.ts'
import { createStatusRoutes } from './routes.ts'
import { statusSettings } from './settings.ts'

type StatusValues = SettingValues<typeof statusSettings>

function clusterCapability({ clusteringEnabled: enabled, clusteringNodeId }: StatusValues): Capability {
  const nodeId = clusteringNodeId.trim() || randomDecimal()
  return { name: 'cluster', describe: () => ({ enabled, nodeId }) }
}

const repository: Capability = {
  name: 'repository',
  describe: ({ repositories }) => Object.fromEntries([...repositories.keys()].map((name) => [name, { queryBlobKeys: false }])),
}

function serverCapability({ distributionName, distributionServer }: StatusValues): Capability {
  return {
    name: 'server',
    describe: ({ facts }) => ({
      distributionName: facts.vendored(distributionName),
      distributionVersion: facts.apiVersion,
      distributionServer,
    }),
  }
}

/** Clients ask it for the version before all else, and a page to sign in on is no answer to them. */
const cmisChain: AuthenticationChain = {
  name: 'Cmis',
  order: 125,
  path: '(.*)/json/cmis',
  deniedPlugins: ['FORM_AUTH'],
}

export { runProbes } from './health.ts'

/** What monitoring and connecting clients ask first: is it up, what can it do, which version is it. */
export default definePlugin({
  name: 'server-status',
  requires: ['content-model'],
  schemas: [administrativeStatusSchema],
  documentTypes: administrativeStatusTypes,
  operations: [readCounters, hotReload],
  settings: statusSettings,
  authenticationChains: [cmisChain],
  contribute: (values) => ({
    capabilities: [clusterCapability(values), repository, serverCapability(values)],
    routes: createStatusRoutes({
      healthyMillis: values.healthcheckRefreshIntervalSeconds * 1_000,
      statusKey: values.statusKey,
    }),
  }),
})
