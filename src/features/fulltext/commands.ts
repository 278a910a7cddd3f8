import type { Commands } from '../../command/command.ts'

/** What an operator does about what full text finds. */
export const fulltextCommands: Commands = {
  reindex: async () => (await import('./commands/reindex.ts')).reindex,
}
