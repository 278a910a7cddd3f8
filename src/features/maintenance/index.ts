import { definePlugin } from '../../plugin/define-plugin.ts'
import { maintenanceRoutes } from './maintenance-routes.ts'
import type { MaintenanceTask } from './maintenance-task.ts'
import { maintenanceSettings } from './settings.ts'
import { storageRoute } from './storage-route.ts'
import { maintenanceJob } from './task-runs.ts'
import { backUp } from './tasks/back-up.ts'
import { checkFiles } from './tasks/check-files.ts'
import { collectFiles } from './tasks/collect-files.ts'
import { measureStorage } from './tasks/measure-storage.ts'
import { reindexTexts } from './tasks/reindex-texts.ts'

const tasks = [collectFiles, checkFiles, reindexTexts, backUp]

/** What the command line does to everything that the server keeps, started from afar and watched; and what all of it takes. */
export default definePlugin({
  name: 'maintenance',
  requires: ['orphaned-files', 'fulltext'],
  settings: maintenanceSettings,
  routes: [...maintenanceRoutes(tasks), storageRoute],
  contribute: (_, services) => ({
    jobs: [maintenanceJob(services, [...tasks, measureStorage] as readonly MaintenanceTask[])],
  }),
})
