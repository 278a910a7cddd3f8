import { settingGroups } from '../builtin-settings.ts'
import { defineCommand } from '../command/command.ts'
import { defineSettings } from '../settings/define-settings.ts'

/** A deployment that starts, with a plugin to begin from. */
export const init = defineCommand({
  name: 'init',
  summary: 'make a new deployment: configuration, an example plugin and its test',
  settings: settingGroups,
  shownSettings: [],
  options: defineSettings({
    console: { type: 'boolean', default: false, help: 'With a plugin that adds to the console: a layout and a tab' },
  }),
  operands: { folder: { help: 'Where to; the current folder when absent', count: 'optional' } },
  notes: ['No file that is there already is changed, but package.json, which gets what it lacks.'],
  run: async (call) => (await import('./init-actions.ts')).makeDeployment(call),
})
