import type { Commands } from '../../command/command.ts'

export const tokenCommands: Commands = {
  token: async () => (await import('./commands/token.ts')).tokenFamily,
}
