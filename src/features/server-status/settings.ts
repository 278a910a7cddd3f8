import { defineSettings } from '../../settings/define-settings.ts'

/** What clients are told of the server, and what monitoring asks. */
export const statusSettings = defineSettings({
  clusteringEnabled: {
    type: 'boolean',
    default: false,
    property: 'repository.clustering.enabled',
    help: 'Report this server as one of a cluster',
  },
  clusteringNodeId: {
    type: 'string',
    default: '',
    property: 'repository.clustering.id',
    help: 'Id of this server in the cluster; empty makes one at each start',
  },
  distributionName: {
    type: 'string',
    default: 'platform-server',
    property: 'org.platform.distribution.name',
    help: 'Name in the capabilities',
  },
  distributionServer: {
    type: 'string',
    default: 'node',
    property: 'org.platform.distribution.server',
    help: 'Kind of server in the capabilities',
  },
  healthcheckRefreshIntervalSeconds: {
    type: 'integer',
    default: 20,
    min: 0,
    property: 'platform.healthcheck.refresh.interval.seconds',
    help: 'Seconds a health answer is kept',
  },
  diskMinFree: {
    type: 'bytes',
    default: '500 MB',
    min: '0 MB',
    help: 'Free space in the data folder below which the health check of the disk fails',
  },
  statusKey: {
    type: 'secret',
    property: 'server.status.key',
    help: 'Key that opens the status summary; without one it stays closed',
  },
})
