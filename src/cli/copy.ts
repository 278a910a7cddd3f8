import { defineCommand, jsonOption } from '../command/command.ts'
import { copySettings } from './moving/copy-settings.ts'
import { leaveOutOption } from './moving/leave-out.ts'

/** From one kind of database and file store to another. */
export const copy = defineCommand({
  name: 'copy',
  summary: 'copy all repositories to another database, or their files to another place',
  settings: [copySettings],
  shownSettings: [...Object.keys(copySettings), 'repositories', 'logLevel', 'config'],
  options: { ...leaveOutOption, ...jsonOption },
  notes: [
    'The source may be served meanwhile, and is not changed. Given again, the command goes on where it was stopped or killed, and brings\n' +
      'over what has changed since; it ends with 0 once both sides have shown to be the same, row by row and file by file. For the move\n' +
      'itself stop the server, give the command once more, and start the server with the settings of the target.',
    'Prefer QUIRE_FROM_DATABASE_URL and QUIRE_TO_DATABASE_URL to the flags where a URL has a password.',
  ],
  run: async (call) => (await import('./moving/copy-actions.ts')).copyAll(call),
})
