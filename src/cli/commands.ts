import type { Commands } from './command.ts'

export const commands: Commands = {
  serve: async () => (await import('./serve.ts')).serve,
}
