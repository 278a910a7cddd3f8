import { settingGroups } from '../builtin-settings.ts'
import { defineCommand, jsonOption } from '../command/command.ts'

/** Says what is wrong with a deployment, or will be. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'look at what a server needs, and say what is wrong or missing, what that costs and what to do',
  settings: settingGroups,
  shownSettings: [
    'data',
    'databaseUrl',
    'databaseReplicaUrl',
    'databaseSchema',
    'blobs',
    'repositories',
    'smtpUrl',
    'host',
    'conversionPath',
    'config',
  ],
  options: jsonOption,
  notes: [
    'Give it the settings of the server, beside which it may run. Nothing is changed, and no mail is sent. It ends with 1 where something is\n' +
      'wrong. Programs for conversions need not be there: without any of them, files are still converted as far as Node.js can.',
  ],
  run: async (call) => (await import('./doctor/examine.ts')).examine(call),
})
