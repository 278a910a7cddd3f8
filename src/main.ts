import { endProcess, processEnvironment } from './cli/command/process-environment.ts'
import { runQuire } from './cli/run-quire.ts'

await endProcess(await runQuire(process.argv.slice(2), () => import('./whole-program.ts'), processEnvironment))
