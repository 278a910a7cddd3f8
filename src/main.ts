import { endProcess, processEnvironment } from './cli/command/process-environment.ts'
import { runQuire } from './cli/run-quire.ts'

const loadProgram = async () => (await import('./cli/program.ts')).program

await endProcess(await runQuire(process.argv.slice(2), loadProgram, processEnvironment))
