import type { Commands } from '../../command/command.ts'

export const archiveCommands: Commands = {
  export: async () => (await import('./commands/export.ts')).exportCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
}
