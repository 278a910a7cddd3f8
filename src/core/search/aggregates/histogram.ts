import { anyOf } from './aggregate-field.ts'
import { type AggregateContext, type AggregatePlan, aggregateMistake, countsOf } from './aggregate-plan.ts'
import { integerOf, requiredProperty } from './aggregate-properties.ts'
import type { AggregateBucket } from './bucket.ts'
import { type BucketOrder, inOrder, parseOrder } from './bucket-order.ts'
import { within } from './ranges.ts'
import { doubleKey } from './value-key.ts'

export const ascendingKeys: BucketOrder = { by: 'key', isAscending: true }
/** Beyond this many intervals, those without a document are left out: no user could look at them all. */
export const maxIntervals = 10_000

/** A bucket for each interval of numbers, from the first with a document to the last. */
export function planHistogram({ definition, field, item }: AggregateContext): AggregatePlan {
  requiredProperty(definition, 'interval')
  const width = integerOf(definition, 'interval', 0)
  if (width <= 0) throw aggregateMistake({ reason: `aggregate ${definition.id}: interval must be a positive whole number` })
  const least = integerOf(definition, 'minDocCount', 0)
  const order = parseOrder(definition.properties?.['order'], ascendingKeys)
  const bounds = ['extendedBoundsMin', 'extendedBoundsMax'].flatMap((name) => {
    const bound = integerOf(definition, name, Number.NaN)
    return Number.isNaN(bound) ? [] : Math.floor(bound / width) * width
  })
  return {
    conditionOf(keys) {
      const starts = keys.map(Number).filter((start) => Number.isFinite(start))
      return anyOf(starts.map((from) => within(field.nameOf(item), { from, to: from + width }, String)))
    },
    async compute(ask) {
      const counts = countsOf(await ask({ kind: 'intervals', of: field.summary, width }))
      const counted = new Map(counts.map(({ value, count }) => [Number(value), count]))
      const starts = least > 0 ? [...counted.keys()] : filledUp([...counted.keys(), ...bounds], (start) => start + width)
      const buckets = starts.map((from) => ({ from, count: counted.get(from) ?? 0 })).filter(({ count }) => count >= least)
      return inOrder(buckets, order, (left, right) => left.from - right.from).map(
        ({ from, count }): AggregateBucket => ({ kind: 'range', key: doubleKey(from), count, from, to: from + width }),
      )
    },
  }
}

/** All steps from the least to the greatest start. */
export function filledUp(starts: readonly number[], next: (start: number) => number): readonly number[] {
  if (starts.length === 0) return []
  const last = starts.reduce((left, right) => Math.max(left, right))
  const filled: number[] = []
  for (let start = starts.reduce((left, right) => Math.min(left, right)); start <= last; start = next(start)) {
    if (filled.length === maxIntervals) return [...new Set(starts)].sort((left, right) => left - right)
    filled.push(start)
  }
  return filled
}
