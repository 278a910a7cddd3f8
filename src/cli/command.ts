import { loadConfig } from '../settings/config-file.ts'
import type { SettingDeclarations, SettingsOf } from '../settings/define-settings.ts'
import { readSettings } from '../settings/read-settings.ts'

/** What scripts can rely on: done, failed, or not understood. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What a command sees of the world around it. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** Results, for people and scripts. */
  print(text: string): void
  /** What went wrong. */
  complain(text: string): void
}

/** A command as the command line sees it, whatever its settings are. */
export interface Command {
  readonly name: string
  readonly summary: string
  readonly settings: readonly SettingDeclarations[]
  run(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode>
}

/** Commands by name, each loaded only when it is called: a server that starts does not wait for the others. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>

export interface CommandContext<Settings> extends Surroundings {
  readonly settings: Settings
  /** As `quire.config.ts` lists them, not yet checked. */
  readonly plugins: readonly unknown[]
}

/**
 * Declares a command by the settings it reads and what it does with them.
 * @example
 * export const check = defineCommand({
 *   name: 'check',
 *   summary: 'look for damage',
 *   settings: [serverSettings],
 *   run: async ({ settings, print }) => { print(settings.data); return exitCodes.done },
 * })
 */
export function defineCommand<const Groups extends readonly SettingDeclarations[]>(definition: {
  readonly name: string
  readonly summary: string
  readonly settings: Groups
  run(context: CommandContext<SettingsOf<Groups>>): Promise<ExitCode>
}): Command {
  const { name, summary, settings: groups } = definition
  return {
    name,
    summary,
    settings: groups,
    run: async (argv, surroundings) => {
      const { environment, directory } = surroundings
      const config = await loadConfig(argv, environment, directory)
      const settings = readSettings(groups, { flags: argv, environment, config })
      return definition.run({ ...surroundings, settings, plugins: config.plugins })
    },
  }
}
