import type { Commands } from '../../command/command.ts'

/** What an operator does about files: free their space, look for damage. */
export const fileCommands: Commands = {
  gc: async () => (await import('./commands/gc.ts')).gc,
  check: async () => (await import('./commands/check.ts')).check,
}
