import { defineProblem, Problem } from '../base/problem.ts'
import { shortened } from '../base/shortened.ts'

/** What the caller wants of a query: documents, or rows of columns. */
export type QueryForm = 'documents' | 'records'

interface FailedQuery {
  readonly query: string
  readonly form: QueryForm
  readonly reason: string
  /** Where in the query the reason lies, counted from 0. */
  readonly offset: number
}

export const failedQuery = defineProblem('failedQuery', 'invalid', ({ query, form, reason }: FailedQuery) => {
  const language = form === 'records' ? 'NXQL: ' : ''
  return `Failed to execute query: ${language}${shortened(query, shownCharacters)}, ${reason}`
})

// Enough to tell which one it is.
const shownCharacters = 2_000

/** Runs what reads a query, and puts the query before the mistake found in it. */
export function namingTheQuery<Result>(query: string, form: QueryForm, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw failedQuery({ query, form, reason: error.message, offset: offsetOf(error) }, { cause: error })
  }
}

function offsetOf({ details }: Problem): number {
  return (details as { readonly offset?: number }).offset ?? 0
}
