import type { AggregateDefinition } from './aggregate-definition.ts'
import type { AggregateBucket } from './bucket.ts'

/** An aggregate as it was computed. */
export interface Aggregate {
  readonly definition: AggregateDefinition
  readonly selection: readonly string[]
  readonly result: AggregateResult
}

export type AggregateResult =
  | {
      readonly kind: 'buckets'
      readonly buckets: readonly AggregateBucket[]
      /** Selected keys that have no bucket, then all buckets. */
      readonly extendedBuckets: readonly AggregateBucket[]
    }
  | { readonly kind: 'value'; readonly value: number | null }
  /** A field that cannot be summarised. */
  | { readonly kind: 'nothing' }
