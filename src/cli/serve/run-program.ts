import cluster from 'node:cluster'
import type { CommandEnvironment, ExitCode } from '../../command/command.ts'
import { exitCodeOf } from '../command/exit-code.ts'
import { problemLine } from '../command/problem-line.ts'
import { followCommandLine, type Program, runCommandLine } from '../command/run-command-line.ts'
import { report } from './serve-as-worker.ts'

/** Runs a command line in the process that was started, or in one of its workers: those tell it why they cannot. */
export function runProgram(argv: readonly string[], program: Program, environment: CommandEnvironment): Promise<ExitCode> {
  if (cluster.isPrimary) return runCommandLine(argv, program, environment)
  return reportingFailure(() => followCommandLine(argv, program, environment))
}

async function reportingFailure(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    await report({ kind: 'failed', line: problemLine(error), code: exitCodeOf(error) })
    return exitCodeOf(error)
  }
}
