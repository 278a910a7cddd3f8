import type { Commands } from '../../command/command.ts'

/** Users and groups without a browser. */
export const peopleCommands: Commands = {
  user: async () => (await import('./commands/user.ts')).userFamily,
  group: async () => (await import('./commands/group.ts')).groupFamily,
}
