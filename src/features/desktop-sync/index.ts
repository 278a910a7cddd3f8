import { systemAccess } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { removeOldChanges } from './change-rows.ts'
import { configurationRoute } from './configuration-route.ts'
import { noteChanges } from './note-changes.ts'
import { readingOperations } from './reading-operations.ts'
import { forgetRootsWithoutDocument } from './root-rows.ts'
import { desktopSyncSettings } from './settings.ts'
import { driveRootSchema, driveSynchronized } from './sync-model.ts'
import { desktopSyncTables } from './sync-tables.ts'
import { synchronizationEnricher } from './synchronization-enricher.ts'
import { writingOperations } from './writing-operations.ts'

/** Folders and collections that users have on their own machines, kept up by a desktop client. */
export default definePlugin({
  name: 'desktop-sync',
  requires: ['content-model', 'collections', 'file-import', 'outbox'],
  schemas: [driveRootSchema],
  facets: [driveSynchronized],
  tables: desktopSyncTables,
  settings: desktopSyncSettings,
  contribute(values, services) {
    if (!values.desktopSync) return {}
    return {
      listeners: noteChanges(),
      operations: [...writingOperations, ...readingOperations(values, () => services.facts.apiVersion)],
      routes: [configurationRoute(values)],
      enrichers: [synchronizationEnricher],
      jobs: [sweepJob(values.desktopSyncKeep)],
      schedules: [sweepSchedule],
    }
  },
})

const sweepKind = 'sweepDesktopSync'

const sweepSchedule: Schedule = { name: sweepKind, everySeconds: 3_600, job: sweepKind }

/** Some at a time, so that no request waits for long. */
function sweepJob(keepMilliseconds: number): JobHandler {
  return {
    kind: sweepKind,
    isBulk: true,
    async run(_, repository) {
      const before = Date.parse(repository.now()) - keepMilliseconds
      const access = systemAccess(repository)
      while (await access.write((session) => removeOldChanges(session, before)));
      await access.write(forgetRootsWithoutDocument)
    },
  }
}
