import { isAddressRange } from '../../base/address-range.ts'
import { defineSettings } from '../../settings/define-settings.ts'

const hostPattern = /^(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

export const outboxSettings = defineSettings({
  outbox: {
    type: 'boolean',
    default: true,
    help: 'Write down what happens for live events, notifications and webhooks; without it there are none of them',
  },
  outboxKeep: {
    type: 'duration',
    default: '1h',
    min: '1m',
    max: '30d',
    help: 'How long events stay that all readers have passed, for clients that come back and want what they missed',
  },
  outboxKeepUnread: {
    type: 'duration',
    default: '7d',
    min: '1m',
    max: '365d',
    help: 'How long events wait for a reader that does not come, such as a receiver that is down',
  },
  notificationDeliveryInsecureHosts: {
    type: 'list',
    default: [],
    property: 'notification.delivery.insecureHosts',
    pattern: { matches: hostPattern, expected: 'a host, or host:port' },
    help: 'Hosts that notifications and webhooks may be sent to without TLS, with or without their port',
  },
  notificationDeliveryAllowedAddresses: {
    type: 'list',
    default: [],
    property: 'notification.delivery.allowedAddresses',
    pattern: { matches: { test: isAddressRange }, expected: 'an address, or a range such as 10.1.0.0/16' },
    help: 'Addresses that are not public and that notifications and webhooks may be sent to all the same',
  },
  notificationDeliveryCertificates: {
    type: 'string',
    property: 'notification.delivery.certificates',
    pattern: { matches: /./, expected: 'a file' },
    help: 'File with certificates, in PEM, of authorities that receivers are trusted by beside those that Node.js knows',
  },
  notificationDeliveryLease: {
    type: 'duration',
    default: '15s',
    min: '1s',
    max: '10m',
    property: 'notification.delivery.lease',
    help: 'How long a process that has died keeps others from delivering in its place',
  },
})
