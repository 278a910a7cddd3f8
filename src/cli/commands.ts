import type { Commands } from './command.ts'

export const commands: Commands = {
  serve: async () => (await import('./serve.ts')).serve,
  user: async () => (await import('./user.ts')).userFamily,
  group: async () => (await import('./group.ts')).groupFamily,
}
