import { defineSettings } from '../../settings/define-settings.ts'

/** Who may read what the server counts, beside whoever looks after it. */
export const metricsSettings = defineSettings({
  metricsLoopback: {
    type: 'boolean',
    default: false,
    help: 'Tell /metrics to programs of the own machine without credentials; requests that a proxy has passed on are none',
  },
  metricsKey: {
    type: 'secret',
    help: 'Key with which a program may read /metrics, sent as Authorization: Bearer',
  },
})
