import { isAddressRange } from '../../base/address-range.ts'
import { defineSettings } from '../../settings/define-settings.ts'

const hostPattern = /^(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** Whom the server may call by itself. */
export const networkSettings = defineSettings({
  notificationDeliveryInsecureHosts: {
    type: 'list',
    default: [],
    property: 'notification.delivery.insecureHosts',
    pattern: { matches: hostPattern, expected: 'a host, or host:port' },
    help: 'Hosts that notifications, webhooks and HTTP of chains may be sent to without TLS, with or without their port',
  },
  notificationDeliveryAllowedAddresses: {
    type: 'list',
    default: [],
    property: 'notification.delivery.allowedAddresses',
    pattern: { matches: { test: isAddressRange }, expected: 'an address, or a range such as 10.1.0.0/16' },
    help: 'Addresses that are not public and that notifications, webhooks and HTTP of chains may be sent to all the same',
  },
  notificationDeliveryCertificates: {
    type: 'string',
    property: 'notification.delivery.certificates',
    pattern: { matches: /./, expected: 'a file' },
    help: 'File with certificates, in PEM, of authorities that receivers are trusted by beside those that Node.js knows',
  },
})
