import { defineProblem, Problem } from '../../base/problem.ts'
import { validationFailed } from '../../model/properties/validation.ts'
import type { Operation } from '../operation.ts'

export const noMethodForInput = defineProblem(
  'noMethodForInput',
  'invalid',
  (of: { operation: string; type: string }) =>
    `Cannot find any valid path in operation chain - no method found for operation '${of.operation}' and for first input type '${of.type}'`,
)

const operationBroke = defineProblem('operationBroke', 'failed', (of: { sentence: string }) => of.sentence)

/** What a body threw, with the operation in which it happened. */
export function failedInside({ id, aliases }: Operation, error: unknown): unknown {
  const others = aliases.length === 0 ? '' : ` with aliases [${aliases.join(', ')}]`
  return prefixed(`Failed to invoke operation ${id}${others}, `, error)
}

/** What is told to whoever called the operation or chain. Of a defect only that there was one: its words may tell too much. */
export function failedCall(id: string, error: unknown): unknown {
  if (error instanceof Problem) return prefixed(`Failed to invoke operation: ${id}, `, error)
  return operationBroke({ sentence: `Failed to invoke operation: ${id}` }, { cause: error })
}

/** A report of what is not valid speaks for itself. */
function prefixed(prefix: string, error: unknown): unknown {
  if (!(error instanceof Problem) || validationFailed.is(error)) return error
  return new Problem(error.code, error.kind, prefix + error.message, error.details, { cause: error })
}
