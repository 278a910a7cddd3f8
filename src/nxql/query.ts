import type { Formula } from './formula.ts'
import type { Binding, QueryReference, ValueType } from './reference.ts'

/** A query whose every name is known to the model and whose every literal has its type. */
export interface Query {
  readonly text: string
  readonly selection: Selection
  readonly isDistinct: boolean
  readonly from: TypeFilter
  readonly where: Formula
  /** Every wildcard of the query; a list inside an item comes after the binding of that item. */
  readonly bindings: readonly Binding[]
  /** May be empty: the store appends an order of its own in any case. */
  readonly order: readonly OrderKey[]
  /** Caps the result before it is paged. */
  readonly limit?: number
  readonly offset: number
}

export type Selection =
  /** SELECT *. */
  | { readonly kind: 'documents' }
  | { readonly kind: 'columns'; readonly columns: readonly Column[] }
  /** One row about all rows. */
  | { readonly kind: 'totals'; readonly totals: readonly Total[] }

export interface Column {
  /** The alias, or the column as it is written. */
  readonly key: string
  readonly value: Selectable
}

export type Selectable = QueryReference | Score

/** How well the one full-text match of the query fits. */
export interface Score {
  readonly kind: 'score'
  readonly type: 'double'
  readonly identity: string
}

export const totalFunctions = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'] as const
export type TotalFunction = (typeof totalFunctions)[number]

/** None of them counts nulls. */
export interface Total {
  /** The alias, or `COUNT(dc:title)`. */
  readonly key: string
  readonly function: TotalFunction
  readonly of: QueryReference
  readonly type: ValueType
}

/** The types of documents that a query is about. Both lists together are all types of the model. */
export interface TypeFilter {
  readonly types: readonly string[]
  readonly otherTypes: readonly string[]
}

export interface OrderKey {
  readonly value: Selectable
  readonly isDescending: boolean
}
