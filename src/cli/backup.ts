import { defineCommand, jsonOption } from '../command/command.ts'
import { defineSettings } from '../settings/define-settings.ts'

const backupOptions = defineSettings({
  keep: {
    type: 'integer',
    min: 1,
    max: 10_000,
    help: 'Number of backups that stay, with the new one: older ones are removed, and the files that only they had',
  },
  progress: {
    type: 'boolean',
    default: false,
    help: 'Print how far it is as lines of JSON, for programs that watch it',
  },
})

/** Of all that a server has, while it serves. */
export const backup = defineCommand({
  name: 'backup',
  summary: 'write all repositories and their files, as they are at this moment, to a folder of backups',
  shownSettings: ['data', 'databaseUrl', 'databaseSchema', 'blobs', 'repositories', 'logLevel', 'config'],
  options: { ...backupOptions, ...jsonOption },
  operands: { folder: { help: 'Where backups are: each is a folder in it, named by its moment; their files are kept once' } },
  notes: [
    'The server may run meanwhile, and nothing of it is changed. Only files that the folder lacks are copied. A backup that was stopped or\n' +
      'killed is called unfinished-… and restored by nobody; the next one removes it, and need not copy its files again.',
  ],
  run: async (call) => (await import('./moving/backup-actions.ts')).backUpAll(call),
})
