import { commands } from './cli/commands.ts'
import { endProcess, processSurroundings } from './cli/process-surroundings.ts'
import { runCommandLine } from './cli/run-command-line.ts'

await endProcess(await runCommandLine(process.argv.slice(2), commands, processSurroundings))
