import type { Commands } from '../../command/command.ts'

/** Loaded when one of them is called. */
export const searchEngineCommands: Commands = {
  'search-engine': async () => (await import('./commands/search-engine-family.ts')).searchEngineFamily,
}
