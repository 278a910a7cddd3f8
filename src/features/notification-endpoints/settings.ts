import { defineSettings } from '../../settings/define-settings.ts'

export const notificationEndpointSettings = defineSettings({
  notificationRegions: {
    type: 'list',
    default: ['us-central1', 'us-east1', 'us-west1', 'europe-west1', 'asia-east1'],
    property: 'notification.regions',
    pattern: { matches: /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/, expected: 'names of lower-case letters, digits and hyphens' },
    help: 'Regions that notification endpoints can be in',
  },
  notificationEndpointQuota: {
    type: 'integer',
    default: 100,
    min: 0,
    max: 100_000,
    property: 'notification.endpoint.quota',
    help: 'Most notification endpoints in a region of a project',
  },
  notificationOperationTime: {
    type: 'duration',
    default: '0s',
    max: '10m',
    property: 'notification.operation.time',
    help: 'How long operations on notification endpoints say that they run, to try clients that wait for them',
  },
  notificationDeliveryEnabled: {
    type: 'boolean',
    default: false,
    property: 'notification.delivery.enabled',
    help: 'Send events to notification endpoints, as notificationSubscriptions says',
  },
  notificationSubscriptions: {
    type: 'jsonList',
    property: 'notification.subscriptions',
    help: 'Which events go to which endpoints: project, region, endpoint, events and, for some documents only, an NXQL filter',
  },
})
