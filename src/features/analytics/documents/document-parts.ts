import { memoised } from '../../../base/cache/memo.ts'
import { isoDate, isWritable } from '../../../base/iso-date.ts'
import type { AskSummary } from '../../../core/search/aggregates/aggregate-plan.ts'
import type { AggregateBucket } from '../../../core/search/aggregates/bucket.ts'
import { keyOf } from '../../../core/search/aggregates/value-key.ts'
import type { SummarisedParts, Summary, SummaryParts, SummaryResult } from '../../../store/search.ts'
import { askOfNothing, type BucketParts, type FilledBucket } from '../results/summary-source.ts'

/** Asks the same of all parts in one look; undefined where they cannot be looked at together. */
type AskParts = (summary: Summary, parts: SummaryParts) => Promise<SummarisedParts | undefined>

/** Buckets as parts of the documents, and which of the answers about the parts is about a bucket. */
interface Parting {
  readonly parts: SummaryParts
  find(answers: SummarisedParts, bucket: AggregateBucket): SummaryResult | undefined
}

/**
 * What is asked of the documents of one bucket is asked of those of the others as well. So the first question about a field is answered
 * for many of them, in one look instead of one for each.
 */
export function askInParts(
  split: BucketParts,
  askParts: AskParts,
): (written: string, bucket: FilledBucket, alone: AskSummary) => AskSummary {
  const partings = partingsOf(split)
  const asked = new Map<string, Promise<SummarisedParts | undefined>>()
  return (written, { bucket, orMissing }, alone) => {
    const parting = partings.findLast(({ first }) => first <= startOf(bucket))
    // What has no value is in no part.
    if (parting === undefined || orMissing) return alone
    return async (summary, of) => {
      if (of === 'everything') return alone(summary, of)
      const question = JSON.stringify([parting.first, written, { ...summary, of: undefined }])
      const answering = asked.get(question) ?? askParts(summary, parting.parts)
      asked.set(question, answering)
      const answers = await answering
      return answers === undefined ? alone(summary) : (parting.find(answers, bucket) ?? askOfNothing(summary))
    }
  }
}

interface Interval {
  readonly from: number
  readonly to: number
}

// The statement names each bound, and SQLite compares each constant of a statement with all others before it.
const mostIntervals = 500

/** One of all terms, or some of many intervals, each behind the one before. */
function partingsOf({ field: { summary: of, type }, buckets }: BucketParts): readonly (Parting & { readonly first: number })[] {
  const filled = buckets.map(({ bucket }) => bucket).filter(({ count }) => count > 0)
  if (filled.length < 2) return []
  if (filled.every(({ kind }) => kind === 'term')) {
    const byKey = memoised((answers: SummarisedParts) => new Map([...answers].map(([value, one]) => [keyOf(value, type), one])))
    const find: Parting['find'] = (answers, { key }) => byKey(answers).get(key)
    return [{ first: Number.NEGATIVE_INFINITY, parts: { kind: 'values', of }, find }]
  }
  const intervals = filled.map(intervalOf).toSorted((one, other) => one.from - other.from)
  // Of those that lie in one another a value may be in several.
  if (intervals.some(({ to }, index) => to > (intervals[index + 1]?.from ?? to))) return []
  return Array.from({ length: Math.ceil(intervals.length / mostIntervals) }, (_, place) => {
    const some = intervals.slice(place * mostIntervals, (place + 1) * mostIntervals)
    const bounds = [...new Set(some.flatMap(({ from, to }) => [from, to]))].filter(Number.isFinite)
    const places = new Map(bounds.map((bound, index) => [bound, index + 1]))
    const written = type === 'date' ? bounds.map((bound) => isoDate(new Date(bound))) : bounds
    return {
      first: some[0]?.from ?? Number.NEGATIVE_INFINITY,
      parts: { kind: 'intervals', of, bounds: written },
      find: (answers, bucket) => answers.get(places.get(startOf(bucket)) ?? 0),
    }
  })
}

function startOf(bucket: AggregateBucket): number {
  return intervalOf(bucket).from
}

function intervalOf(bucket: AggregateBucket): Interval {
  const [from, to] = bucket.kind === 'term' ? [null, null] : [bucket.from, bucket.to].map(numberOf)
  return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
}

/** No date of a document is beyond what can be written. */
function numberOf(bound: number | string | null): number | null {
  if (typeof bound !== 'string') return bound
  return isWritable(new Date(bound)) ? Date.parse(bound) : null
}
