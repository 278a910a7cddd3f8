import type { Long } from '../../model/properties/long.ts'
import type { Span } from '../mistake.ts'
import type { Hint } from './tree.ts'

export const keywords = [
  'SELECT',
  'DISTINCT',
  'ALL',
  'AS',
  'FROM',
  'TYPE',
  'LOCATION',
  'WHERE',
  'AND',
  'OR',
  'NOT',
  'IN',
  'BETWEEN',
  'LIKE',
  'ILIKE',
  'IS',
  'NULL',
  'STARTSWITH',
  'DATE',
  'TIMESTAMP',
  'ORDER BY',
  'ASC',
  'DESC',
  'LIMIT',
  'OFFSET',
  // In no production: reserved, so that a query which groups is refused where it does.
  'GROUP BY',
  'HAVING',
] as const
export type Keyword = (typeof keywords)[number]

/** Longer ones first: the scanner takes the first that fits. */
export const signs = ['<>', '!=', '<=', '>=', '=', '<', '>', '(', ')', ',', '*', '/', '+', '-'] as const
export type Sign = (typeof signs)[number]

export type QueryToken = Span & {
  /** As written. */
  readonly text: string
} & (
    | { readonly kind: 'keyword'; readonly keyword: Keyword }
    | { readonly kind: 'name' }
    /** A name with steps behind it: `files:files/*1/file/name`. */
    | { readonly kind: 'path' }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'integer'; readonly value: Long }
    | { readonly kind: 'double'; readonly value: number }
    | { readonly kind: 'sign'; readonly sign: Sign }
    | { readonly kind: 'hint'; readonly hint: Hint }
    | { readonly kind: 'end' }
  )
