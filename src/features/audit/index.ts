import { definePlugin } from '../../plugin/define-plugin.ts'
import { auditSearchSchema, auditSearchType, eventDirectories, forceAudit } from './audit-model.ts'

/** Who did what, and when. */
export default definePlugin({
  name: 'audit',
  requires: ['content-model', 'directories'],
  schemas: [auditSearchSchema],
  facets: [forceAudit],
  documentTypes: [auditSearchType],
  directories: eventDirectories,
})
