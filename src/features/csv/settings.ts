import { defineSettings } from '../../settings/define-settings.ts'

/** What the import of CSV files may use. */
export const csvSettings = defineSettings({
  csvBlobsFolder: {
    type: 'string',
    property: 'platform.csv.blobs.folder',
    help: 'Folder of the server with the files that cells of imported CSV files may name; none when absent',
  },
  csvLegacyDates: {
    type: 'boolean',
    default: false,
    property: 'platform.csv.import.legacyDateFormat',
    help: 'Dates of imported CSV files are written as 12/31/2031 instead of 2031-12-31',
  },
})
