import { defineCommand, jsonOption } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'

const reindexOptions = defineSettings({
  texts: { type: 'boolean', default: false, help: 'Read the files of all documents anew' },
})

/** Has full text find documents by what is in their files now. */
export const reindex = defineCommand({
  name: 'reindex',
  summary: 'read files anew, so that full text finds documents by what is in them',
  shownSettings: [
    'data',
    'databaseUrl',
    'databaseSchema',
    'repositories',
    'blobs',
    'conversionProcesses',
    'conversionTimeout',
    'conversionMemory',
    'logLevel',
    'config',
  ],
  options: { ...reindexOptions, ...jsonOption },
  notes: [
    'For after programs were installed that read more files (quire doctor), or a new version of Quire does. Servers may run\n' +
      'meanwhile. At the end it says how many files could not be read, and why.',
  ],
  run: async (call) => (await import('./reindex-actions.ts')).reindexTexts(call),
})
