import { program } from './cli/program.ts'
import type { WholeProgram } from './cli/run-quire.ts'
import { runProgram } from './cli/serve/run-program.ts'

/** In the bundle, all of this is one script that is loaded as it was compiled before (`build/bundle.ts`). */
export const run: WholeProgram['run'] = (argv, environment) => runProgram(argv, program, environment)
