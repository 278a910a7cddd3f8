import cluster from 'node:cluster'
import { type CommandEnvironment, type ExitCode, isHelpFlag } from '../command/command.ts'
import type { Program } from './command/run-command-line.ts'
import { watchWorkers } from './serve/watch-workers.ts'

/** Runs what was typed behind `quire`. What is loaded is loaded where it is needed: the process that watches over workers needs little. */
export async function runQuire(
  argv: readonly string[],
  loadProgram: () => Promise<Program>,
  environment: CommandEnvironment,
): Promise<ExitCode> {
  if (cluster.isPrimary && asksToServe(argv)) return watchWorkers(environment)
  const [{ runCommandLine, followCommandLine }, program] = await Promise.all([
    import('./command/run-command-line.ts'),
    loadProgram(),
  ])
  if (cluster.isPrimary) return runCommandLine(argv, program, environment)
  const { reportingFailure } = await import('./serve/serve-as-worker.ts')
  return reportingFailure(() => followCommandLine(argv, program, environment))
}

function asksToServe([name, ...rest]: readonly string[]): boolean {
  return name === 'serve' && !rest.some(isHelpFlag)
}
