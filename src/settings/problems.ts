import { defineProblem } from '../base/problem.ts'

/** A nearby name behind one that is not known. */
export function suggesting(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`
}

/** `origin` is where the value stands, as the beginning of a sentence about it: `--port`, `QUIRE_PORT`, `port in quire.config.ts`. */
export const unknownSetting = defineProblem(
  'unknownSetting',
  'invalid',
  (given: { origin: string; nearest: string | undefined }) =>
    `${given.origin} is not a setting${suggesting(given.nearest)}; --help lists them all`,
)

export const illTypedSetting = defineProblem(
  'illTypedSetting',
  'invalid',
  (given: { origin: string; shown: string | undefined; expected: string }) =>
    `${given.origin} ${given.shown === undefined ? 'needs a value: it' : `is ${given.shown} but`} must be ${given.expected}`,
)

export const secretOnCommandLine = defineProblem(
  'secretOnCommandLine',
  'invalid',
  (given: { origin: string; variable: string }) =>
    `${given.origin} is a secret, and every user of this machine can read a command line: set ${given.variable} instead`,
)

export const unexpectedArgument = defineProblem(
  'unexpectedArgument',
  'invalid',
  (given: { argument: string }) => `"${given.argument}" is not expected here: values are given as --flag=value`,
)

export const missingOption = defineProblem(
  'missingOption',
  'invalid',
  (given: { flag: string }) => `${given.flag} is missing; --help tells what it is for`,
)

export const duplicateSetting = defineProblem(
  'duplicateSetting',
  'invalid',
  (taken: { name: string; other: string; as: string }) =>
    `the settings ${taken.name} and ${taken.other} both go by ${taken.as}: rename one of them`,
)
