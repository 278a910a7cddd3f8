import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { auditAdapter, auditEnricher } from './audit-adapter.ts'
import { documentAudit, serverAudit } from './audit-listener.ts'
import { auditSearchSchema, auditSearchType, eventDirectories, forceAudit } from './audit-model.ts'
import { auditQuery, logEvent, queryWithPageProvider, restoreAudit } from './audit-operations.ts'
import { auditProviders } from './audit-providers.ts'
import { auditRoutes } from './audit-routes.ts'
import { auditTables } from './audit-tables.ts'
import { auditedDocumentEvents } from './audited-events.ts'
import { auditCommands } from './commands.ts'
import { createdPrincipalWriter } from './created-principal.ts'
import { logEntryWriter } from './log-entry.ts'
import { archiveFolder, archiveJob, dailyArchive } from './retention.ts'
import { auditSettings } from './settings.ts'

export { documentEntry, isWrittenDown, type NewEntry, serverEntry, writeEntry } from './audit-listener.ts'
export { requireAuditReader } from './audit-providers.ts'
export type { AuditFilter } from './audit-query.ts'
export { bringEntries, type CarriedEntry, entriesAbout, everyEntry, forgetEntries } from './carried-entries.ts'
export { findMaker } from './document-history.ts'
export type { LogEntry } from './log-entry.ts'
export { entriesOf } from './read-entries.ts'

/** Who did what, and when: rows that are written with what they tell of and never change. */
export default definePlugin({
  name: 'audit',
  requires: ['content-model', 'directories', 'documents', 'people', 'sign-in'],
  schemas: [auditSearchSchema],
  facets: [forceAudit],
  documentTypes: [auditSearchType],
  directories: eventDirectories,
  tables: auditTables,
  // Whichever plugin announces one of them: it becomes a row.
  events: eventsOf('after', ...auditedDocumentEvents.keys()),
  listeners: [documentAudit],
  serverListeners: [serverAudit],
  adapters: [auditAdapter],
  enrichers: [auditEnricher],
  entityWriters: [logEntryWriter, createdPrincipalWriter],
  pageProviders: auditProviders,
  operations: [logEvent, auditQuery, restoreAudit],
  routes: auditRoutes,
  commands: auditCommands,
  settings: auditSettings,
  contribute(values, services) {
    const { auditKeepDays: keepDays } = values
    const archives = keepDays > 0
    return {
      operations: [queryWithPageProvider(auditProviders, services)],
      // The job is known without it too: one may wait from before the setting was changed, and then has nothing to do.
      jobs: [archiveJob({ keepDays, folder: () => archiveFolder(values, services) })],
      schedules: archives ? [dailyArchive] : [],
    }
  },
})
