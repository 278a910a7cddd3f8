import { defineProblem } from '../base/problem.ts'
import { unexpectedArgument } from '../settings/problems.ts'

/** A word that a command takes without a flag. */
interface OperandDeclaration {
  readonly help: string
  /** `one` unless said otherwise; `optional` and `many` (at least one) only as the last. */
  readonly count?: 'one' | 'optional' | 'many'
}

/** In the order in which they are typed. */
export interface OperandDeclarations {
  readonly [name: string]: OperandDeclaration
}

type OperandValue<Declaration> = Declaration extends { count: 'many' }
  ? readonly string[]
  : Declaration extends { count: 'optional' }
    ? string | undefined
    : string

export type OperandValues<Declarations extends OperandDeclarations> = {
  readonly [Name in keyof Declarations]: OperandValue<Declarations[Name]>
}

export const missingOperand = defineProblem(
  'missingOperand',
  'invalid',
  (of: { name: string; usage: string }) => `${placeholder(of.name)} is missing; usage: ${of.usage}`,
)

/** Gives the words their names. @throws missingOperand, unexpectedArgument */
export function parseOperands<const Declarations extends OperandDeclarations>(
  declarations: Declarations,
  words: readonly string[],
  usage: string,
): OperandValues<Declarations> {
  const values: { [name: string]: string | readonly string[] | undefined } = {}
  let rest = words
  for (const [name, { count = 'one' }] of Object.entries(declarations)) {
    const taken = rest.slice(0, count === 'many' ? undefined : 1)
    if (taken.length === 0 && count !== 'optional') throw missingOperand({ name, usage })
    values[name] = count === 'many' ? taken : taken[0]
    rest = rest.slice(taken.length)
  }
  if (rest[0] !== undefined) throw unexpectedArgument({ argument: rest[0] })
  return values as OperandValues<Declarations> // each was taken as its declaration says
}

/** `<group> <user…>`. */
export function operandsUsage(declarations: OperandDeclarations): string {
  return Object.entries(declarations)
    .map(([name, { count = 'one' }]) => placeholder(count === 'many' ? `${name}…` : name, count))
    .join(' ')
}

export function placeholder(name: string, count: OperandDeclaration['count'] = 'one'): string {
  return count === 'optional' ? `[${name}]` : `<${name}>`
}
