import { defineCommand, jsonOption } from '../command/command.ts'
import { leaveOutOption } from './moving/leave-out.ts'

/** To a place where nothing is. */
export const restore = defineCommand({
  name: 'restore',
  summary: 'make the databases and files of a backup again, in an empty place',
  shownSettings: ['data', 'databaseUrl', 'databaseSchema', 'blobs', 'logLevel', 'config'],
  options: { ...leaveOutOption, ...jsonOption },
  operands: { backup: { help: 'A backup, or a folder of backups, of which the newest is taken' } },
  notes: [
    'Every row and file is compared with its digest. The place may be of another kind than the one that was backed up. Given again, the\n' +
      'command goes on where it was stopped or killed. Files that belong to the same database may be there: those that are missing are added.',
  ],
  run: async (call) => (await import('./moving/restore-actions.ts')).restoreAll(call),
})
