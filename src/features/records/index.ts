import { definePlugin } from '../../plugin/define-plugin.ts'
import { expireRetentionsJob, retentionSchedule } from './retention-expiry.ts'

/** Records: what is kept by retention, and set free when its time has come. */
export default definePlugin({
  name: 'records',
  requires: ['content-model'],
  jobs: [expireRetentionsJob],
  schedules: [retentionSchedule],
})
