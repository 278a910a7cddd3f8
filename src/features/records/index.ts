import { retentionPolicy } from '../../core/security-policy.ts'
import type { Permission } from '../../model/rights/permission.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { hold, retain, unhold } from './operations.ts'
import { expireRetentionsJob, retentionSchedule } from './retention-expiry.ts'

const recordPermissions: readonly Permission[] = ['MakeRecord', 'SetRetention', 'ManageLegalHold'].map((name) => ({
  name,
  includes: [],
}))

/** Records: what is kept by retention, and set free when its time has come. */
export default definePlugin({
  name: 'records',
  requires: ['content-model'],
  permissions: recordPermissions,
  securityPolicies: [retentionPolicy],
  jobs: [expireRetentionsJob],
  schedules: [retentionSchedule],
  operations: [hold, unhold, retain],
})
