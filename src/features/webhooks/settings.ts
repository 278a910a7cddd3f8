import { defineSettings } from '../../settings/define-settings.ts'

export const webhookSettings = defineSettings({
  webhooks: {
    type: 'boolean',
    default: true,
    help: 'Send events to the webhooks that administrators have added',
  },
  webhookQuota: { type: 'integer', default: 50, min: 0, max: 1_000, help: 'Most webhooks of a server' },
  webhookRetryTime: {
    type: 'duration',
    default: '20m',
    min: '1s',
    max: '24h',
    help: 'How long it is tried to send an event to a webhook before it is given up',
  },
})
