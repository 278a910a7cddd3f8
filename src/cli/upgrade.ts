import { defineCommand, jsonOption } from '../command/command.ts'
import { defineSettings } from '../settings/define-settings.ts'

const upgradeOptions = defineSettings({
  dryRun: { type: 'boolean', default: false, help: 'Change nothing, only tell what would be done' },
})

/** What the first start of a newer server does, apart from it. */
export const upgrade = defineCommand({
  name: 'upgrade',
  summary: 'bring the tables of all repositories up to what this program and its plugins work with',
  shownSettings: ['data', 'databaseUrl', 'databaseSchema', 'repositories', 'logLevel', 'config'],
  options: { ...upgradeOptions, ...jsonOption },
  notes: [
    'A server does the same when it starts. Make a backup first: an older program refuses tables that a newer one has changed, and there is\n' +
      'no way back but the backup.',
  ],
  run: async (call) => (await import('./upgrade-actions.ts')).upgradeAll(call),
})
