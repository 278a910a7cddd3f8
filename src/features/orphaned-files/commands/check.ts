import { defineCommand, jsonOption } from '../../../command/command.ts'
import { filesCommandSettings } from './files-command.ts'

/** Looks for damage to files, beside a running server or without one. */
export const check = defineCommand({
  name: 'check',
  summary: 'read every file that a document has, and compare it with its digest and length',
  shownSettings: filesCommandSettings,
  options: jsonOption,
  notes: ['Ends with 1 when a file is missing or damaged, and names every document that has it.'],
  run: async (call) => (await import('./files-actions.ts')).checkFiles(call),
})
