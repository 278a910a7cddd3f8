import packageJson from '../../../package.json' with { type: 'json' }
import {
  type Command,
  type CommandCall,
  type CommandEnvironment,
  type CommandFamily,
  type Commands,
  type ExitCode,
  exitCodes,
  isHelpFlag,
  type OpenServices,
  usageOf,
} from '../../command/command.ts'
import { parseOperands } from '../../command/operands.ts'
import { shareOwnModules } from '../../own-modules.ts'
import type { Plugin } from '../../plugin/define-plugin.ts'
import { parsePlugins } from '../../plugin/gather-plugins.ts'
import { withCommandsOf } from '../../plugin/plugin-commands.ts'
import { settingsOf } from '../../plugin/plugin-settings.ts'
import { type LoadedConfig, loadConfig } from '../../settings/config-file.ts'
import type { SettingDeclarations } from '../../settings/define-settings.ts'
import { findNearestName } from '../../settings/nearest-name.ts'
import { readCommandLine } from '../../settings/read-settings.ts'
import { exitCodeOf, unknownCommand } from './exit-code.ts'
import { problemLine } from './problem-line.ts'

/** What can be typed behind `quire`, without what the plugins of a deployment add. */
export interface Program {
  readonly commands: Commands
  /** What every command understands. */
  readonly settings: readonly SettingDeclarations[]
  openServices(
    told: { readonly settings: Readonly<Record<string, unknown>>; readonly plugins: readonly unknown[] },
    wanted: { readonly onlyDirectories?: boolean },
  ): Promise<OpenServices>
}

/** Runs what was typed behind `quire`. A problem is one line; only an unexpected error shows where it happened. */
export async function runCommandLine(
  argv: readonly string[],
  program: Program,
  commandEnvironment: CommandEnvironment,
): Promise<ExitCode> {
  try {
    return await followCommandLine(argv, program, commandEnvironment)
  } catch (error) {
    commandEnvironment.complain(`quire: ${problemLine(error)}`)
    return exitCodeOf(error)
  }
}

/** The same for a program that tells elsewhere what is wrong. */
export async function followCommandLine(
  argv: readonly string[],
  program: Program,
  commandEnvironment: CommandEnvironment,
): Promise<ExitCode> {
  const [name, ...words] = argv
  if (name === '--version') return printed(commandEnvironment, packageJson.version)
  const deployment = readDeployment(argv, program, commandEnvironment)
  if (name === undefined || asksForHelp(name)) return printed(commandEnvironment, await help(words, deployment))
  const { command, rest } = await readCommand(argv, deployment)
  if (command.kind === 'family' || rest.some(isHelpFlag)) return printed(commandEnvironment, await helpOf(command, deployment))
  return run(command, rest, deployment, commandEnvironment)
}

/** The program in a folder whose `quire.config.ts` may add to it. That is read when it is first needed. */
interface Deployment {
  readonly program: Program
  configured(): Promise<{ readonly config: LoadedConfig; readonly plugins: readonly Plugin[] }>
}

function readDeployment(argv: readonly string[], program: Program, { environment, directory }: CommandEnvironment): Deployment {
  const read = async () => {
    const config = await loadConfig(argv, environment, directory, shareOwnModules)
    return { config, plugins: parsePlugins(config.plugins) }
  }
  let reading: ReturnType<typeof read> | undefined
  return {
    program,
    configured() {
      reading ??= read()
      return reading
    },
  }
}

async function run(
  command: Command,
  argv: readonly string[],
  { program, configured }: Deployment,
  commandEnvironment: CommandEnvironment,
): Promise<ExitCode> {
  const { config, plugins } = await configured()
  const { settings, origins, options, operands } = readCommandLine([], command.options, {
    flags: argv,
    environment: commandEnvironment.environment,
    config,
    others: groupsOf(command, program, plugins),
  })
  const told: CommandCall['settings'] = settings as Readonly<Record<string, unknown>>
  return command.run({
    ...commandEnvironment,
    settings: told,
    origins,
    options,
    operands: parseOperands(command.operands, operands, usageOf(command)),
    plugins: config.plugins,
    openServices: (wanted = {}) => program.openServices({ settings: told, plugins: config.plugins }, wanted),
  })
}

/** All that a command understands; one that names a group of the program reads the same. */
function groupsOf(command: Command, program: Program, plugins: readonly Plugin[]): readonly SettingDeclarations[] {
  return [...new Set([...program.settings, ...settingsOf(plugins), ...command.settings])]
}

async function help(words: readonly string[], deployment: Deployment): Promise<string> {
  // What comes with a dash says which configuration is meant.
  if (words[0] !== undefined && !words[0].startsWith('-'))
    return helpOf((await readCommand(words, deployment)).command, deployment)
  const { overview } = await import('./help.ts')
  const { plugins, flaw } = await pluginsForHelp(deployment)
  return `${overview(await loadAll(withCommandsOf(plugins, deployment.program.commands)))}${flaw}`
}

async function helpOf(command: Command | CommandFamily, deployment: Deployment): Promise<string> {
  const { commandHelp, familyHelp } = await import('./help.ts')
  if (command.kind === 'family') return familyHelp(command, await loadAll(command.commands))
  const { plugins, flaw } = await pluginsForHelp(deployment)
  return `${commandHelp({ ...command, settings: groupsOf(command, deployment.program, plugins) })}${flaw}`
}

/** Who asks for help may be mending the very file that lists the plugins. */
async function pluginsForHelp({ configured }: Deployment): Promise<{ plugins: readonly Plugin[]; flaw: string }> {
  try {
    return { ...(await configured()), flaw: '' }
  } catch (error) {
    return { plugins: [], flaw: `\n\nWhat plugins add is not shown: ${problemLine(error)}` }
  }
}

function loadAll(commands: Commands): Promise<(Command | CommandFamily)[]> {
  return Promise.all(Object.values(commands).map((load) => load()))
}

interface CalledCommand {
  readonly command: Command | CommandFamily
  readonly rest: readonly string[]
}

/** Those of plugins are looked at when the program itself has none of the name. @throws unknownCommand */
async function readCommand(words: readonly string[], { program, configured }: Deployment): Promise<CalledCommand> {
  const [name = ''] = words
  if (Object.hasOwn(program.commands, name)) return followWords(words, program.commands)
  const { plugins } = await configured()
  return followWords(words, withCommandsOf(plugins, program.commands))
}

/** Follows the words through families; one that is named alone stands for itself. */
async function followWords([name = '', ...rest]: readonly string[], commands: Commands, family = ''): Promise<CalledCommand> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) throw unknownIn(commands, family, name)
  const command = await load()
  const [next] = rest
  if (command.kind === 'command' || next === undefined || asksForHelp(next)) return { command, rest }
  return followWords(rest, command.commands, `${name} `)
}

function unknownIn(commands: Commands, family: string, name: string): Error {
  const nearest = findNearestName(name, ['help', ...Object.keys(commands)])
  return unknownCommand({
    name: `${family}${name}`,
    nearest: nearest && `${family}${nearest}`,
    help: `quire help ${family}`.trimEnd(),
  })
}

function asksForHelp(word: string): boolean {
  return word === 'help' || isHelpFlag(word)
}

function printed(commandEnvironment: CommandEnvironment, text: string): ExitCode {
  commandEnvironment.print(text)
  return exitCodes.done
}
