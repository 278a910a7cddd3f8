import type { SentScalar } from './json-parts.ts'

/** Which documents or rows are meant. A field that one does not have fulfils nothing but `not`. */
export type SearchCondition =
  | { readonly kind: 'all' }
  | { readonly kind: 'and' | 'or'; readonly of: readonly SearchCondition[] }
  | { readonly kind: 'not'; readonly of: SearchCondition }
  | FieldCondition

export type FieldCondition =
  | { readonly kind: 'oneOf'; readonly field: string; readonly values: readonly SentScalar[] }
  | { readonly kind: 'range'; readonly field: string; readonly bounds: readonly SentBound[]; readonly reading: BoundReading }
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'like'; readonly field: string; readonly pattern: readonly PatternPart[] }
  | { readonly kind: 'match'; readonly field: string; readonly text: string; readonly needsAll: boolean }

export interface SentBound {
  readonly operator: '>=' | '>' | '<' | '<='
  readonly value: SentScalar
}

/** How bounds that are dates are written. */
export interface BoundReading {
  readonly format?: string
  readonly zone?: string
}

/** A text as it stands, one character or any number of them. */
export type PatternPart = { readonly text: string } | 'one' | 'any'

/** What a document or row is known by. */
export const idField = '_id'

export const nothing: SearchCondition = { kind: 'or', of: [] }

export function allOf(conditions: readonly SearchCondition[]): SearchCondition {
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : { kind: 'and', of: conditions }
}
