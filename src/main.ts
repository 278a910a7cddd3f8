import { endProcess, processSurroundings } from './cli/command/process-surroundings.ts'
import { runCommandLine } from './cli/command/run-command-line.ts'
import { program } from './cli/program.ts'

await endProcess(await runCommandLine(process.argv.slice(2), program, processSurroundings))
