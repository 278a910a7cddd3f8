import type { FulltextTerm } from '../../nxql/fulltext/fulltext-expression.ts'

/** Which words were looked for, and in which fields a client wants to see them. */
export interface Highlighting {
  readonly fields: readonly string[]
  readonly terms: readonly FulltextTerm[]
}
