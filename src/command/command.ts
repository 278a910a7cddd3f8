import { stringifyJson } from '../base/json.ts'
import type { Services } from '../rest/services.ts'
import { defineSettings, type SettingDeclarations, type SettingsOf, type SettingValues } from '../settings/define-settings.ts'
import { type OperandDeclarations, type OperandValues, operandsUsage } from './operands.ts'

/** What scripts can rely on: done, failed, or not understood. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** It asks for help wherever it stands, and nothing else is done. */
export function isHelpFlag(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

/** What a command sees of the world around it. */
export interface CommandEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** Results, for people and scripts. */
  print(text: string): void
  /** What went wrong. */
  complain(text: string): void
  /** On a terminal: a line that takes the place of the one before it. Absent where the output goes elsewhere. */
  readonly terminal?: Terminal
  /** The first line of standard input; on a terminal it is asked for and not shown. Undefined when there is none. */
  readSecret(question: string): Promise<string | undefined>
  /** In the bundle: keeps what was compiled until now for the next start. To be called when a server has started. */
  keepCompiled?(): void
}

export interface Terminal {
  readonly columns: number
  /** An empty line leaves nothing behind. */
  draw(line: string): void
}

/** Commands by name, each loaded only when it is called: a server that starts does not wait for the others. */
export type Commands = Readonly<Record<string, () => Promise<Command | CommandFamily>>>

/** A command as the command line sees it, whatever it reads. */
export interface Command {
  readonly kind: 'command'
  /** With the family it belongs to: `user add`. */
  readonly name: string
  readonly summary: string
  /** What it reads beside the settings of the server and of all plugins. */
  readonly settings: readonly SettingDeclarations[]
  /** The settings that help lists; absent: all of them. */
  readonly shownSettings?: readonly string[]
  /** Flags of this command alone. */
  readonly options: SettingDeclarations
  readonly operands: OperandDeclarations
  /** Sentences of help that belong to no flag. */
  readonly notes: readonly string[]
  run(call: CommandCall): Promise<ExitCode>
}

/** Commands about one thing: `quire user add`, `quire user remove`. */
export interface CommandFamily {
  readonly kind: 'family'
  readonly name: string
  readonly summary: string
  readonly commands: Commands
}

/** What a server works with, in the hands of a program that does not listen. */
export interface OpenServices {
  readonly services: Services
  close(): Promise<void>
}

/** What a command is called with. */
export interface CommandContext<Settings, Options, Operands> extends CommandEnvironment {
  readonly settings: Settings
  /** What gave each setting that has not its default, by name. */
  readonly origins: ReadonlyMap<string, string>
  readonly options: Options
  readonly operands: Operands
  /** As `quire.config.ts` lists them. */
  readonly plugins: readonly unknown[]
  /**
   * Opens the data of the server that the settings describe, beside which the command may run. Nothing of the database but rows is
   * changed. For users and groups the first repository is enough, wherever files are.
   */
  openServices(wanted?: { readonly onlyDirectories?: boolean }): Promise<OpenServices>
}

/** The same for any command: each value was read by the declaration that has its name. */
export type CommandCall = CommandContext<
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  OperandValues<OperandDeclarations>
>

interface CommandDefinition<
  Groups extends readonly SettingDeclarations[],
  Options extends SettingDeclarations,
  Operands extends OperandDeclarations,
> {
  readonly name: string
  readonly summary: string
  readonly settings?: Groups
  readonly shownSettings?: readonly string[]
  readonly options?: Options
  readonly operands?: Operands
  readonly notes?: readonly string[]
  run(context: CommandContext<SettingsOf<Groups>, SettingValues<Options>, OperandValues<Operands>>): Promise<ExitCode>
}

/**
 * Declares a command by what it reads and what it does with it: settings, which the environment and `quire.config.ts` give
 * too, options, which are flags of this command alone, and operands, which have no flag. It understands all settings of the server,
 * so that `openServices` finds the data.
 * @example
 * export const count = defineCommand({
 *   name: 'count',
 *   summary: 'count repositories whose name begins so',
 *   options: { quiet: { type: 'boolean', default: false, help: 'Print the number alone' } },
 *   operands: { start: { help: 'How the name begins' } },
 *   run: async ({ options, operands, print, openServices }) => {
 *     const { services, close } = await openServices()
 *     const found = [...services.repositories.keys()].filter((name) => name.startsWith(operands.start))
 *     await close()
 *     print(options.quiet ? String(found.length) : found.join(', '))
 *     return exitCodes.done
 *   },
 * })
 */
export function defineCommand<
  const Groups extends readonly SettingDeclarations[] = readonly [],
  // biome-ignore lint/complexity/noBannedTypes: nothing declared is no names at all
  const Options extends SettingDeclarations = {},
  // biome-ignore lint/complexity/noBannedTypes: nothing declared is no names at all
  const Operands extends OperandDeclarations = {},
>(definition: CommandDefinition<Groups, Options, Operands>): Command {
  const { name, summary, settings = [], shownSettings, options = {}, operands = {}, notes = [] } = definition
  return {
    kind: 'command',
    name,
    summary,
    settings,
    ...(shownSettings !== undefined && { shownSettings }),
    options,
    operands,
    notes,
    // Each value was read by the declaration that the type comes from.
    run: (call) => definition.run(call as CommandContext<SettingsOf<Groups>, SettingValues<Options>, OperandValues<Operands>>),
  }
}

/** Of commands whose result a script may want to read. */
export const jsonOption = defineSettings({
  json: { type: 'boolean', default: false, help: 'Print the result as one line of JSON' },
})

/** Prints the result for a script that reads JSON, or the sentence about it for a person. */
export function printResult(
  { options, print }: { readonly options: { readonly json: boolean }; print(text: string): void },
  result: unknown,
  sentence: string,
): ExitCode {
  print(options.json ? stringifyJson(result) : sentence)
  return exitCodes.done
}

/** `quire user add <name> [--flag value …]`. */
export function usageOf({ name, operands }: Pick<Command, 'name' | 'operands'>): string {
  return ['quire', name, operandsUsage(operands), '[--flag value …]'].filter((part) => part !== '').join(' ')
}
