import packageJson from '../../package.json' with { type: 'json' }
import { defineProblem } from '../base/problem.ts'
import { wrongConfigFile } from '../settings/config-file.ts'
import { findNearestName } from '../settings/nearest-name.ts'
import { illTypedSetting, secretOnCommandLine, unexpectedArgument, unknownSetting } from '../settings/problems.ts'
import { type Command, type Commands, type ExitCode, exitCodes, type Surroundings } from './command.ts'
import { problemLine } from './problem-line.ts'

export const unknownCommand = defineProblem(
  'unknownCommand',
  'invalid',
  (given: { name: string; nearest: string | undefined }) =>
    `there is no command "${given.name}"${given.nearest === undefined ? '' : ` (did you mean ${given.nearest}?)`}; quire help lists them all`,
)

const usageProblems = [unknownCommand, unknownSetting, illTypedSetting, secretOnCommandLine, unexpectedArgument, wrongConfigFile]

/** Runs what was typed behind `quire`. A problem is one line; only an error nobody foresaw shows where it happened. */
export async function runCommandLine(argv: readonly string[], commands: Commands, surroundings: Surroundings): Promise<ExitCode> {
  try {
    return await dispatch(argv, commands, surroundings)
  } catch (error) {
    surroundings.complain(`quire: ${problemLine(error)}`)
    return usageProblems.some((problem) => problem.is(error)) ? exitCodes.usage : exitCodes.failed
  }
}

async function dispatch([name, ...rest]: readonly string[], commands: Commands, surroundings: Surroundings): Promise<ExitCode> {
  if (name === '--version') return printed(surroundings, packageJson.version)
  if (name === undefined || name === 'help' || isHelpFlag(name)) return help(rest, commands, surroundings)
  const command = await readCommand(name, commands)
  return rest.some(isHelpFlag) ? help([name], commands, surroundings) : command.run(rest, surroundings)
}

async function help([name]: readonly string[], commands: Commands, surroundings: Surroundings): Promise<ExitCode> {
  const { commandHelp, overview } = await import('./help.ts')
  if (name !== undefined) return printed(surroundings, commandHelp(await readCommand(name, commands)))
  return printed(surroundings, overview(await Promise.all(Object.values(commands).map((load) => load()))))
}

function isHelpFlag(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

function printed(surroundings: Surroundings, text: string): ExitCode {
  surroundings.print(text)
  return exitCodes.done
}

async function readCommand(name: string, commands: Commands): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) throw unknownCommand({ name, nearest: findNearestName(name, ['help', ...Object.keys(commands)]) })
  return load()
}
