import { definePlugin } from '../../plugin/define-plugin.ts'
import { dropStatistics, keepStatistics } from './keep-statistics.ts'
import { getInfo, getStatistics, recomputeStatistics, setMaxSize } from './operations.ts'
import { quotaEnricher } from './quota-enricher.ts'
import { quotaWatcher } from './quota-ledger.ts'
import { sizeStatistics, statisticsSchema } from './quota-model.ts'
import { quotaTables } from './quota-tables.ts'
import { noteStatistics, recountJob } from './recount.ts'
import { quotaSettings } from './settings.ts'

/** How many bytes of files a folder may hold, with all that is below it (contract: adapters 7.8). */
export default definePlugin({
  name: 'quotas',
  requires: ['content-model', 'user-workspaces'],
  settings: quotaSettings,
  tables: quotaTables,
  schemas: [statisticsSchema],
  facets: [sizeStatistics],
  fileWatchers: [quotaWatcher],
  listeners: [keepStatistics, dropStatistics],
  jobs: [recountJob],
  schedules: [noteStatistics],
  enrichers: [quotaEnricher],
  contribute: ({ quotaMaxSize }) => ({
    operations: [getInfo, getStatistics, setMaxSize(quotaMaxSize), recomputeStatistics],
  }),
})
