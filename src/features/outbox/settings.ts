import { defineSettings } from '../../settings/define-settings.ts'

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
  notificationDeliveryLease: {
    type: 'duration',
    default: '15s',
    min: '1s',
    max: '10m',
    property: 'notification.delivery.lease',
    help: 'How long a process that has died keeps others from delivering in its place',
  },
})
