import { defineSettings } from '../../settings/define-settings.ts'

export const maintenanceSettings = defineSettings({
  backupFolder: {
    type: 'string',
    pattern: { matches: /./, expected: 'a folder' },
    help: 'Folder in which administrators make backups from the console; every server on the same data must reach it',
  },
  backupKeep: {
    type: 'integer',
    default: 14,
    min: 1,
    max: 10_000,
    help: 'Number of backups that stay there, with the new one',
  },
})
