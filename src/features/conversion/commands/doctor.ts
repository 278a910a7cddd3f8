import { defineCommand, jsonOption } from '../../../command/command.ts'
import { conversionSettings } from '../../../core/conversion/conversion-settings.ts'

/** Says what this machine lacks. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'say which programs for conversions are there, which are missing, and what that costs',
  settings: [conversionSettings],
  shownSettings: ['conversionPath', 'config'],
  options: jsonOption,
  notes: ['Nothing has to be there: without any of them, files are still converted as far as Node.js can.'],
  run: async (call) => (await import('./doctor-actions.ts')).examine(call),
})
