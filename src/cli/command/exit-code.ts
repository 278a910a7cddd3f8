import { defineProblem } from '../../base/problem.ts'
import { type ExitCode, exitCodes } from '../../command/command.ts'
import { missingOperand } from '../../command/operands.ts'
import { wrongConfigFile } from '../../settings/config-file.ts'
import {
  illTypedSetting,
  missingOption,
  secretOnCommandLine,
  suggesting,
  unexpectedArgument,
  unknownSetting,
} from '../../settings/problems.ts'
import { blobsAddressWrong } from '../../store/blobs/blobs-address.ts'

export const unknownCommand = defineProblem(
  'unknownCommand',
  'invalid',
  (given: { name: string; nearest: string | undefined; help: string }) =>
    `there is no command "${given.name}"${suggesting(given.nearest)}; ${given.help} lists them all`,
)

const usageProblems = [
  unknownCommand,
  unknownSetting,
  illTypedSetting,
  secretOnCommandLine,
  unexpectedArgument,
  missingOperand,
  missingOption,
  wrongConfigFile,
  blobsAddressWrong,
]

/** Whether it was called wrongly or failed. */
export function exitCodeOf(error: unknown): ExitCode {
  return usageProblems.some((problem) => problem.is(error)) ? exitCodes.usage : exitCodes.failed
}
