import { settingGroups } from '../builtin-settings.ts'
import { defineCommand, jsonOption } from '../command/command.ts'
import { defineSettings } from '../settings/define-settings.ts'

const operationsOptions = defineSettings({
  markdown: { type: 'boolean', default: false, help: 'Print them as a page for documentation' },
})

/** Tells what clients can call; no data is opened for it. */
export const operations = defineCommand({
  name: 'operations',
  summary: 'list the operations and chains that clients can call, or tell all about one',
  settings: settingGroups,
  shownSettings: ['config', 'vendor'],
  options: { ...operationsOptions, ...jsonOption },
  operands: { id: { help: 'Id or alias of an operation or chain', count: 'optional' } },
  notes: ['Those of the plugins in quire.config.ts are among them.'],
  run: async (call) => (await import('./operations-actions.ts')).showOperations(call),
})
