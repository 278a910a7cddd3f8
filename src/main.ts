import { endProcess, processEnvironment } from './cli/command/process-environment.ts'
import { runCommandLine } from './cli/command/run-command-line.ts'
import { program } from './cli/program.ts'

await endProcess(await runCommandLine(process.argv.slice(2), program, processEnvironment))
