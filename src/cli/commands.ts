import type { Commands } from './command/command.ts'

export const commands: Commands = {
  serve: async () => (await import('./serve.ts')).serve,
  init: async () => (await import('./init.ts')).init,
  user: async () => (await import('./user.ts')).userFamily,
  group: async () => (await import('./group.ts')).groupFamily,
  operations: async () => (await import('./operations.ts')).operations,
  import: async () => (await import('./import.ts')).importCommand,
  gc: async () => (await import('./gc.ts')).gc,
  check: async () => (await import('./check.ts')).check,
}
