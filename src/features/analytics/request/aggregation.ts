import type { AggregateDefinition } from '../../../core/search/aggregates/aggregate-definition.ts'
import type { SearchCondition } from './condition.ts'
import type { SentScalar } from './json-parts.ts'

/** A summary that was asked for, with what is to be computed in each of its buckets. */
export interface Aggregation {
  readonly name: string
  /** A number that no other aggregation of the request has. */
  readonly place: number
  readonly nested: readonly Aggregation[]
  readonly of: AggregationKind
}

export type AggregationKind =
  | {
      readonly kind: 'buckets'
      readonly definition: AggregateDefinition
      /** The key under which what has no value is counted. */
      readonly missing?: SentScalar
    }
  | { readonly kind: 'metric'; readonly metric: Metric; readonly field: string }
  | { readonly kind: 'filter'; readonly condition: SearchCondition }
  | { readonly kind: 'filters'; readonly filters: readonly { readonly key?: string; readonly condition: SearchCondition }[] }

export const metrics = ['avg', 'sum', 'min', 'max', 'value_count', 'cardinality', 'stats'] as const
export type Metric = (typeof metrics)[number]

/** All fields that are summarised, each once. */
export function fieldsOf(aggregations: readonly Aggregation[]): readonly string[] {
  const fields = aggregations.flatMap(({ of, nested }) => [...ownFields(of), ...fieldsOf(nested)])
  return [...new Set(fields)]
}

function ownFields(of: AggregationKind): readonly string[] {
  if (of.kind === 'buckets') return [of.definition.field]
  return of.kind === 'metric' ? [of.field] : []
}
