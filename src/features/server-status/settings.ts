import { defineSettings } from '../../settings/define-settings.ts'

export const statusSettings = defineSettings({
  healthcheckRefreshIntervalSeconds: {
    type: 'integer',
    default: 20,
    min: 0,
    property: 'platform.healthcheck.refresh.interval.seconds',
    help: 'Seconds a health answer is kept',
  },
  statusKey: {
    type: 'secret',
    property: 'server.status.key',
    help: 'Key that opens the status summary; without one it stays closed',
  },
})
