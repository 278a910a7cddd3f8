import type { Commands } from '../../command/command.ts'

/** The log for programs that read it elsewhere. */
export const auditCommands: Commands = {
  audit: async () => (await import('./commands/audit.ts')).auditFamily,
}
