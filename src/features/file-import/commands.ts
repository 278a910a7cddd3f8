import type { Commands } from '../../command/command.ts'

export const fileImportCommands: Commands = {
  import: async () => (await import('./commands/import.ts')).importCommand,
}
