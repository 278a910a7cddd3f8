import { defineProblem, Problem } from '../base/problem.ts'
import { validationFailed } from '../model/properties/validation.ts'
import type { Operation } from './operation.ts'
import type { Value } from './values/value.ts'

// How a call ends other than by its last step, and what callers and catch chains are told of it.

/** Thrown by a step that ends the whole call early and well: what it carries is the answer. */
export class ChainExit extends Error {
  readonly value: Value
  /** All that the call has written is undone. */
  readonly isUndone: boolean

  constructor(value: Value, isUndone: boolean) {
    super('The call has ended early.')
    this.value = value
    this.isUndone = isUndone
  }
}

/** Ending the call early is no failure: what was done before it stays. */
export function endedEarly(error: unknown): { readonly exit: ChainExit } {
  if (error instanceof ChainExit && !error.isUndone) return { exit: error }
  throw error
}

/**
 * Thrown where a step that runs ahead of the transaction writes and others follow: what it writes would stay when one of them fails.
 * The call then runs anew, in one transaction.
 */
export class TransactionNeeded extends Error {}

const operationBroke = defineProblem('operationBroke', 'failed', (of: { sentence: string }) => of.sentence)

/** What the caller of the operation or chain is told. Of a defect only that there was one: its words may tell too much. */
export function failedCall(id: string, error: unknown): unknown {
  if (error instanceof Problem) return prefixed(beforeReason(id), error)
  return operationBroke({ sentence: failedToInvoke(id) }, { cause: error })
}

/** The same without these words, for a client that knows what it called. */
export function withoutCall(id: string, message: string): string {
  return message.startsWith(beforeReason(id)) ? message.slice(beforeReason(id).length) : message
}

const failedToInvoke = (id: string) => `Failed to invoke operation: ${id}`
const beforeReason = (id: string) => `${failedToInvoke(id)}, `

/** What a body threw, with the operation in which it happened. */
export function failedInside({ id, aliases }: Operation, error: unknown): unknown {
  const others = aliases.length === 0 ? '' : ` with aliases [${aliases.join(', ')}]`
  return prefixed(`Failed to invoke operation ${id}${others}, `, error)
}

/** A report of what is not valid speaks for itself. */
function prefixed(prefix: string, error: unknown): unknown {
  if (!(error instanceof Problem) || validationFailed.is(error)) return error
  return new Problem(error.code, error.kind, prefix + error.message, error.details, { cause: error })
}

/** What expressions and the catch chain get to know of a failure. */
export function failureVariables(error: unknown): ReadonlyMap<string, Value> {
  const { code, kind, message } = error instanceof Problem ? error : { code: 'defect', kind: 'failed', message: '' }
  const text = (written: string): Value => ({ kind: 'string', text: written })
  return new Map([
    ['Exception', text(code)],
    ['exceptionName', text(code)],
    ['exceptionObject', { kind: 'map', members: { name: text(code), kind: text(kind), message: text(message) } }],
  ])
}
