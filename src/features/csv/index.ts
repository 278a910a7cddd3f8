import { definePlugin } from '../../plugin/define-plugin.ts'
import { csvExport } from './export/csv-export.ts'
import { createImportJob } from './import/import-job.ts'
import { csvImportOperations } from './import/operations.ts'
import { csvSettings } from './settings.ts'

/** Documents from tables, a line each, and back into them. */
export default definePlugin({
  name: 'csv',
  requires: ['documents', 'bulk', 'mail'],
  bulkActions: [csvExport],
  operations: csvImportOperations,
  settings: csvSettings,
  contribute: ({ csvBlobsFolder: folder, csvLegacyDates: legacyDates }, services) => ({
    jobs: [createImportJob(services, { folder, legacyDates })],
  }),
})
