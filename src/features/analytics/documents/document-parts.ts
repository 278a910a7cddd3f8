import { isoDate, isWritable } from '../../../base/iso-date.ts'
import type { AskSummary } from '../../../core/search/aggregates/aggregate-plan.ts'
import type { AggregateBucket } from '../../../core/search/aggregates/bucket.ts'
import { keyOf } from '../../../core/search/aggregates/value-key.ts'
import type { SearchValue, SummarisedPart, Summary, SummaryParts, SummaryResult } from '../../../store/search.ts'
import { askOfNothing, type BucketParts, type FilledBucket } from '../results/summary-source.ts'

/** Asks the same of all parts in one look; undefined where they cannot be looked at together. */
type AskParts = (summary: Summary, partings: readonly SummaryParts[]) => Promise<readonly SummarisedPart[] | undefined>

/** Answers by what the parts are called, each found out once. */
export interface PartLooks {
  find(question: PartQuestion): Promise<ReadonlyMap<string, SummaryResult> | undefined>
}

interface PartQuestion {
  readonly written: string
  readonly summary: Summary
  readonly partings: readonly Parting[]
}

/** A part of some documents: in a bucket of them, in a bucket of that one, and so on. */
export interface DocumentPart {
  readonly looks: PartLooks
  readonly partings: readonly Parting[]
  /** What it is called, by each parting in turn. */
  readonly names: readonly string[]
}

/** Buckets as parts of the documents. */
interface Parting {
  /** Two that are written alike part alike. */
  readonly written: string
  readonly parts: SummaryParts
  nameOf(bucket: AggregateBucket): string
  /** Of a part as the store calls it. */
  nameFor(name: NonNullable<SearchValue>): string
}

export function createPartLooks(ask: AskParts): PartLooks {
  const found = new Map<string, Promise<ReadonlyMap<string, SummaryResult> | undefined>>()
  async function look({ summary, partings }: PartQuestion): Promise<ReadonlyMap<string, SummaryResult> | undefined> {
    const answers = await ask(
      summary,
      partings.map(({ parts }) => parts),
    )
    const nameFor = (names: SummarisedPart['names']) => nameOf(names.map((name, index) => partings[index]?.nameFor(name) ?? ''))
    return answers && new Map(answers.map(({ names, result }) => [nameFor(names), result]))
  }
  return {
    find(question) {
      const { written, summary, partings } = question
      const asked = JSON.stringify([written, { ...summary, of: undefined }, ...partings.map((parting) => parting.written)])
      const finding = found.get(asked) ?? look(question)
      found.set(asked, finding)
      return finding
    },
  }
}

/**
 * The bucket as a part: first of what its own documents are a part of, so that one look answers for the buckets of all buckets, and then of
 * its own documents, where the first are too many to be looked at together.
 */
export function partsOf(
  split: BucketParts,
  looks: PartLooks,
  outer: readonly DocumentPart[],
): (bucket: FilledBucket) => readonly DocumentPart[] {
  const partings = partingsOf(split, outer.length > 0 ? 1 : 2)
  return ({ bucket, orMissing }) => {
    const parting = partings.findLast(({ first }) => first <= startOf(bucket))
    // What has no value is in no part.
    if (parting === undefined || orMissing) return []
    const name = parting.nameOf(bucket)
    // Each bucket has intervals of its own, which tell nothing about those of the others.
    const wider = parting.parts.kind === 'intervals' ? [] : outer
    return [
      ...wider.map((part) => ({ ...part, partings: [...part.partings, parting], names: [...part.names, name] })),
      { looks, partings: [parting], names: [name] },
    ]
  }
}

/**
 * What is asked of the documents of one bucket is asked of those of the others as well. So the first question about a field is answered
 * for many of them, in one look instead of one for each.
 */
export function askInParts(written: string, parts: readonly DocumentPart[], alone: AskSummary): AskSummary {
  return async (summary, of) => {
    if (of === 'everything') return alone(summary, of)
    for (const { looks, partings, names } of parts) {
      const answers = await looks.find({ written, summary, partings })
      if (answers !== undefined) return answers.get(nameOf(names)) ?? askOfNothing(summary)
    }
    return alone(summary)
  }
}

function nameOf(names: readonly string[]): string {
  return JSON.stringify(names)
}

interface Interval {
  readonly from: number
  readonly to: number
}

// The statement names each bound, and SQLite compares each constant of a statement with all others before it.
const mostIntervals = 500

/** One of all terms, or some of many intervals, each behind the one before. */
function partingsOf(split: BucketParts, fewest: number): readonly (Parting & { readonly first: number })[] {
  const filled = split.buckets.map(({ bucket }) => bucket).filter(({ count }) => count > 0)
  if (filled.length < fewest) return []
  if (filled.every(({ kind }) => kind === 'term')) return [{ first: Number.NEGATIVE_INFINITY, ...byValues(split) }]
  const intervals = filled.map(intervalOf).toSorted((one, other) => one.from - other.from)
  // Of those that lie in one another a value may be in several.
  if (intervals.some(({ to }, index) => to > (intervals[index + 1]?.from ?? to))) return []
  return Array.from({ length: Math.ceil(intervals.length / mostIntervals) }, (_, place) => {
    const some = intervals.slice(place * mostIntervals, (place + 1) * mostIntervals)
    return { first: some[0]?.from ?? Number.NEGATIVE_INFINITY, ...byIntervals(split, some) }
  })
}

function byValues({ written, field: { summary: of, type } }: BucketParts): Parting {
  return {
    written,
    parts: { kind: 'values', of },
    nameOf: ({ key }) => key,
    nameFor: (name) => keyOf(name, type),
  }
}

function byIntervals({ written, field: { summary: of, type } }: BucketParts, intervals: readonly Interval[]): Parting {
  const bounds = [...new Set(intervals.flatMap(({ from, to }) => [from, to]))].filter(Number.isFinite)
  const places = new Map(bounds.map((bound, index) => [bound, index + 1]))
  return {
    written: `${written} ${bounds}`,
    parts: { kind: 'intervals', of, bounds: type === 'date' ? bounds.map((bound) => isoDate(new Date(bound))) : bounds },
    nameOf: (bucket) => String(places.get(startOf(bucket)) ?? 0),
    nameFor: String,
  }
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
