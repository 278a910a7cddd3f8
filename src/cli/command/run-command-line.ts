import packageJson from '../../../package.json' with { type: 'json' }
import { findNearestName } from '../../settings/nearest-name.ts'
import { type Command, type CommandFamily, type Commands, type ExitCode, exitCodes, type Surroundings } from './command.ts'
import { exitCodeOf, unknownCommand } from './exit-code.ts'
import { problemLine } from './problem-line.ts'

/** Runs what was typed behind `quire`. A problem is one line; only an error nobody foresaw shows where it happened. */
export async function runCommandLine(argv: readonly string[], commands: Commands, surroundings: Surroundings): Promise<ExitCode> {
  try {
    return await dispatch(argv, commands, surroundings)
  } catch (error) {
    surroundings.complain(`quire: ${problemLine(error)}`)
    return exitCodeOf(error)
  }
}

async function dispatch(argv: readonly string[], commands: Commands, surroundings: Surroundings): Promise<ExitCode> {
  const [name, ...words] = argv
  if (name === '--version') return printed(surroundings, packageJson.version)
  if (name === undefined || asksForHelp(name)) return help(words, commands, surroundings)
  const { command, rest } = await readCommand(argv, commands)
  if (command.kind === 'family' || rest.some(isHelpFlag)) return printed(surroundings, await helpOf(command))
  return command.run(rest, surroundings)
}

async function help(words: readonly string[], commands: Commands, surroundings: Surroundings): Promise<ExitCode> {
  if (words[0] !== undefined) return printed(surroundings, await helpOf((await readCommand(words, commands)).command))
  const { overview } = await import('./help.ts')
  return printed(surroundings, overview(await loadAll(commands)))
}

async function helpOf(command: Command | CommandFamily): Promise<string> {
  const { commandHelp, familyHelp } = await import('./help.ts')
  return command.kind === 'family' ? familyHelp(command, await loadAll(command.commands)) : commandHelp(command)
}

function loadAll(commands: Commands): Promise<(Command | CommandFamily)[]> {
  return Promise.all(Object.values(commands).map((load) => load()))
}

interface CalledCommand {
  readonly command: Command | CommandFamily
  readonly rest: readonly string[]
}

/** Follows the words through families; one that is named alone stands for itself. */
async function readCommand([name = '', ...rest]: readonly string[], commands: Commands, family = ''): Promise<CalledCommand> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) throw unknownIn(commands, family, name)
  const command = await load()
  const [next] = rest
  if (command.kind === 'command' || next === undefined || asksForHelp(next)) return { command, rest }
  return readCommand(rest, command.commands, `${name} `)
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

function isHelpFlag(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

function printed(surroundings: Surroundings, text: string): ExitCode {
  surroundings.print(text)
  return exitCodes.done
}
