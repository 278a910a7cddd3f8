import type { AggregateField } from '../../../core/search/aggregates/aggregate-field.ts'
import type { AskSummary } from '../../../core/search/aggregates/aggregate-plan.ts'
import type { AggregateBucket } from '../../../core/search/aggregates/bucket.ts'
import type { SearchCondition } from '../request/condition.ts'

/** Documents or rows of which summaries are made: all that was found, or what of it is in a bucket. */
export interface SummarySource {
  count(): Promise<number>
  /** Undefined for what nobody has. What has no type of its own is read as what is wanted of it. */
  findField(written: string, wanted: WantedValues): SummarisedField | undefined
  /** What of it is in each of the buckets. */
  split(parts: BucketParts): Promise<readonly SummarySource[]>
  where(condition: SearchCondition): SummarySource
}

export type WantedValues = 'any' | 'numbers' | 'dates'

export interface SummarisedField {
  readonly field: AggregateField
  readonly ask: AskSummary
}

export interface BucketParts {
  readonly written: string
  readonly field: AggregateField
  /** The number that the aggregation has for the items of lists. */
  readonly item: number
  readonly buckets: readonly FilledBucket[]
}

/** A bucket, and whether what has no value is in it. */
export interface FilledBucket {
  readonly bucket: AggregateBucket
  /** Whether what has its values is. */
  readonly isOfValues: boolean
  readonly orMissing: boolean
}

/** The answer to every question where nothing was found. */
export const askOfNothing: AskSummary = async (summary) => {
  switch (summary.kind) {
    case 'ranges':
      return { kind: 'rangeCounts', counts: summary.ranges.map(() => 0) }
    case 'total':
      return { kind: 'number', value: null }
    default:
      return { kind: 'counts', counts: [] }
  }
}

/** What a bucket without anything in it has: no look is needed for that. */
export function emptied(source: SummarySource): SummarySource {
  const empty: SummarySource = {
    count: async () => 0,
    findField(written, wanted) {
      const found = source.findField(written, wanted)
      return found && { ...found, ask: askOfNothing }
    },
    split: async ({ buckets }) => buckets.map(() => empty),
    where: () => empty,
  }
  return empty
}
