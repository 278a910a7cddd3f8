import { asksToServe } from '../../bin/worker-process.js'
import type { CommandEnvironment, ExitCode } from '../command/command.ts'
import { watchWorkers } from './serve/watch-workers.ts'

/** The part of the program that is not loaded by a process which only watches over workers. */
export interface WholeProgram {
  run(argv: readonly string[], environment: CommandEnvironment): Promise<ExitCode>
}

/** Runs what was typed behind `quire`. */
export async function runQuire(
  argv: readonly string[],
  loadProgram: () => Promise<WholeProgram>,
  environment: CommandEnvironment,
): Promise<ExitCode> {
  if (asksToServe(argv)) return watchWorkers(environment)
  return (await loadProgram()).run(argv, environment)
}
