import type { SearchField } from '../query/predicate.ts'

export const bucketKinds = ['terms', 'significant_terms', 'range', 'date_range', 'histogram', 'date_histogram'] as const
export const metricKinds = ['cardinality', 'count', 'sum', 'avg', 'min', 'max', 'missing'] as const
export type AggregateKind = (typeof bucketKinds)[number] | (typeof metricKinds)[number]

/** A summary of everything a provider finds, of which a client can select parts. */
export interface AggregateDefinition {
  readonly id: string
  readonly type: AggregateKind
  /** `dc:nature`, `file:content/length`, `ecm:path@level2`. */
  readonly field: string
  /** Where the selected keys are; a parameter or property named as the id by default. */
  readonly searchField?: SearchField
  /** `size`, `order`, `interval`, `format` …, all as text. */
  readonly properties?: { readonly [name: string]: string }
  readonly ranges?: readonly NumberRange[]
  readonly dateRanges?: readonly DateRange[]
}

/** From inclusive, to exclusive; at least one of both. */
export interface NumberRange {
  readonly key: string
  readonly from?: number
  readonly to?: number
}

/** Bounds are `now-24H` or a date in the format of the aggregate. */
export interface DateRange {
  readonly key: string
  readonly from?: string
  readonly to?: string
}

/** A terms aggregate of a search document: what is selected of it is in the field of its name. */
export function termsOf(schema: string, id: string, field: string): AggregateDefinition {
  return { id, type: 'terms', field, searchField: { schema, name: id }, properties: { size: '10' } }
}
