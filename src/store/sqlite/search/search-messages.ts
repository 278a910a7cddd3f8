import type { SqlRow, SqlValue } from '../../sql/connection.ts'

/** What a search process is asked, one order after another. */
export interface SearchOrder {
  readonly sql: string
  readonly values: readonly SqlValue[]
  readonly milliseconds: number
}

export interface SearchResult {
  readonly rows: readonly SqlRow[]
  /** What finding them took, on a busy machine the same as on a quiet one. */
  readonly processorMilliseconds: number
}

/** What it says: first that it is ready, then an answer to each order. */
export type SearchAnswer =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'rows' } & SearchResult)
  | { readonly kind: 'outOfTime' }
  | { readonly kind: 'unusable'; readonly place: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: unknown }
