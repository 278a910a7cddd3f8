import type { QuireConfig } from 'quire'

/** Sends what happens to documents to a receiver on the same machine, which needs no TLS. */
export default {
  settings: {
    notificationDeliveryEnabled: true,
    notificationSubscriptions: [{ project: 'my-project', region: 'us-east1', endpoint: 'my-receiver', events: ['*'] }],
    notificationDeliveryInsecureHosts: ['127.0.0.1'],
    notificationDeliveryAllowedAddresses: ['127.0.0.1'],
  },
} satisfies QuireConfig
