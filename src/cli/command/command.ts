import { shareOwnModules } from '../../own-modules.ts'
import { parsePlugins } from '../../plugin/gather-plugins.ts'
import { settingsOf } from '../../plugin/plugin-settings.ts'
import { loadConfig } from '../../settings/config-file.ts'
import type { SettingDeclarations, SettingsOf, SettingValues } from '../../settings/define-settings.ts'
import { readCommandLine } from '../../settings/read-settings.ts'
import { type OperandDeclarations, type OperandValues, operandsUsage, parseOperands } from './operands.ts'

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
  /** Where somebody looks on: a line that takes the place of the one before it. Absent where the output goes elsewhere. */
  readonly terminal?: Terminal
  /** The first line of standard input; on a terminal it is asked for and not shown. Undefined when there is none. */
  readSecret(question: string): Promise<string | undefined>
}

export interface Terminal {
  readonly columns: number
  /** An empty line leaves nothing behind. */
  draw(line: string): void
}

/** Commands by name, each loaded only when it is called: a server that starts does not wait for the others. */
export type Commands = Readonly<Record<string, () => Promise<Command | CommandFamily>>>

/** A command as the command line sees it, whatever its settings are. */
export interface Command {
  readonly kind: 'command'
  /** With the family it belongs to: `user add`. */
  readonly name: string
  readonly summary: string
  readonly settings: readonly SettingDeclarations[]
  /** The settings that help lists; absent: all of them. */
  readonly shownSettings?: readonly string[]
  /** Flags of this command alone. */
  readonly options: SettingDeclarations
  readonly operands: OperandDeclarations
  /** Sentences of help that belong to no flag. */
  readonly notes: readonly string[]
  run(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode>
}

/** Commands about one thing: `quire user add`, `quire user remove`. */
export interface CommandFamily {
  readonly kind: 'family'
  readonly name: string
  readonly summary: string
  readonly commands: Commands
}

export interface CommandContext<Settings, Options, Operands> extends Surroundings {
  readonly settings: Settings
  readonly options: Options
  readonly operands: Operands
  /** As `quire.config.ts` lists them, not yet checked. */
  readonly plugins: readonly unknown[]
}

interface CommandDefinition<
  Groups extends readonly SettingDeclarations[],
  Options extends SettingDeclarations,
  Operands extends OperandDeclarations,
> {
  readonly name: string
  readonly summary: string
  readonly settings: Groups
  readonly shownSettings?: readonly string[]
  readonly options?: Options
  readonly operands?: Operands
  readonly notes?: readonly string[]
  run(context: CommandContext<SettingsOf<Groups>, SettingValues<Options>, OperandValues<Operands>>): Promise<ExitCode>
}

/**
 * Declares a command by what it reads and what it does with it: settings, which the environment and `quire.config.ts` give
 * too, options, which are flags of this command alone, and operands, which have no flag.
 * @example
 * export const check = defineCommand({
 *   name: 'check',
 *   summary: 'look for damage',
 *   settings: [serverSettings],
 *   options: { repair: { type: 'boolean', default: false, help: 'Mend what can be mended' } },
 *   operands: { repository: { help: 'Repository to look into' } },
 *   run: async ({ settings, operands, print }) => { print(`${settings.data}/${operands.repository}`); return exitCodes.done },
 * })
 */
export function defineCommand<
  const Groups extends readonly SettingDeclarations[],
  // biome-ignore lint/complexity/noBannedTypes: nothing declared is no names at all
  const Options extends SettingDeclarations = {},
  // biome-ignore lint/complexity/noBannedTypes: nothing declared is no names at all
  const Operands extends OperandDeclarations = {},
>(definition: CommandDefinition<Groups, Options, Operands>): Command {
  const { name, summary, settings: groups, shownSettings, notes = [] } = definition
  const options = definition.options ?? ({} as Options)
  const operands = definition.operands ?? ({} as Operands)
  const command: Command = {
    kind: 'command',
    name,
    summary,
    settings: groups,
    ...(shownSettings !== undefined && { shownSettings }),
    options,
    operands,
    notes,
    run: async (argv, surroundings) => {
      const { environment, directory } = surroundings
      const config = await loadConfig(argv, environment, directory, shareOwnModules)
      const others = settingsOf(parsePlugins(config.plugins))
      const told = readCommandLine(groups, options, { flags: argv, environment, config, others })
      const words = parseOperands(operands, told.operands, usageOf(command))
      const { settings, options: values } = told
      return definition.run({ ...surroundings, settings, options: values, operands: words, plugins: config.plugins })
    },
  }
  return command
}

/** `quire user add <name> [--flag value …]`. */
export function usageOf({ name, operands }: Pick<Command, 'name' | 'operands'>): string {
  return ['quire', name, operandsUsage(operands), '[--flag value …]'].filter((part) => part !== '').join(' ')
}
