import type { AggregateBucket } from '../../../core/search/aggregates/bucket.ts'
import { keyOf } from '../../../core/search/aggregates/value-key.ts'
import type { BucketParts } from '../results/summary-source.ts'
import type { RowValue } from './row-fields.ts'
import { type ChosenRows, visitRows } from './row-table.ts'

/** The rows of each bucket, found in one look at all rows. */
export async function splitRows(chosen: ChosenRows, { written, field: { type }, buckets }: BucketParts) {
  const parts = buckets.map((): number[] => [])
  const missing = buckets.findIndex(({ orMissing }) => orMissing)
  const ofValues = buckets.flatMap(({ bucket, isOfValues }, place) => (isOfValues ? [{ bucket, place }] : []))
  const isOfTerms = ofValues.some(({ bucket }) => bucket.kind === 'term')
  const terms = new Map(ofValues.map(({ bucket, place }) => [bucket.key, place]))
  const placesOf = isOfTerms ? (value: RowValue) => [terms.get(keyOf(value, type)) ?? -1] : rangeFinder(ofValues)
  await visitRows(chosen, { written, type }, (values, row) => {
    const places = values.length === 0 ? [missing] : new Set(values.flatMap(placesOf))
    for (const place of places) parts[place]?.push(row)
  })
  return parts
}

interface PlacedRange {
  readonly from: number
  readonly to: number
  readonly place: number
}

/** Intervals follow each other, and there may be thousands; ranges may lie in one another, and are few. */
function rangeFinder(
  buckets: readonly { readonly bucket: AggregateBucket; readonly place: number }[],
): (value: RowValue) => readonly number[] {
  const ranges = buckets.map(({ bucket, place }): PlacedRange => ({ ...boundsOf(bucket), place }))
  ranges.sort((one, other) => one.from - other.from)
  const areApart = ranges.every(({ to }, index) => to <= (ranges[index + 1]?.from ?? Number.POSITIVE_INFINITY))
  return (value) => {
    const number = typeof value === 'string' ? Date.parse(value) : Number(value)
    const isIn = ({ from, to }: PlacedRange) => number >= from && number < to
    if (!areApart) return ranges.filter(isIn).map(({ place }) => place)
    const last = ranges[countUpTo(ranges, number) - 1]
    return last !== undefined && isIn(last) ? [last.place] : []
  }
}

/** How many begin no later. */
function countUpTo(ranges: readonly PlacedRange[], number: number): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle]?.from ?? Number.POSITIVE_INFINITY) <= number) low = middle + 1
    else high = middle
  }
  return low
}

function boundsOf(bucket: AggregateBucket): { readonly from: number; readonly to: number } {
  if (bucket.kind === 'term') return { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  const [from, to] = [bucket.from, bucket.to].map((bound) => (typeof bound === 'string' ? Date.parse(bound) : bound))
  return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
}
