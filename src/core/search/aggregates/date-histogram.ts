import { firstMoment, isoDate, isWritable } from '../../../base/iso-date.ts'
import { type TimeZone, utc } from '../../../nxql/time-zone.ts'
import { anyOf } from './aggregate-field.ts'
import { type AggregateContext, type AggregatePlan, aggregateMistake, countsOf, type ValueCounts } from './aggregate-plan.ts'
import { dateFormatOf, integerOf, requiredProperty, zoneOf } from './aggregate-properties.ts'
import type { AggregateBucket } from './bucket.ts'
import { inOrder, parseOrder } from './bucket-order.ts'
import { type CalendarInterval, parseInterval, shifted, startOfInterval } from './calendar-interval.ts'
import { parseDateBound } from './date-bound.ts'
import { ascendingKeys, filledUp } from './histogram.ts'
import type { DateFormat } from './java-date-format.ts'
import { within } from './ranges.ts'
import { maxValues } from './terms.ts'
import { exactTimestamp } from './value-key.ts'

const isoFormat: DateFormat = { format: (moment) => isoDate(new Date(moment)), parse: () => undefined }

/** A bucket for each interval of time, from the first with a document to the last. */
export function planDateHistogram({ definition, field, item, now, zone: ofTheServer }: AggregateContext): AggregatePlan {
  const interval = parseInterval(requiredProperty(definition, 'interval'))
  if (interval === undefined)
    throw aggregateMistake({ reason: `aggregate ${definition.id}: interval is no time such as month or 90m` })
  const zone = zoneOf(definition, ofTheServer)
  const format = dateFormatOf(definition) ?? isoFormat
  const least = integerOf(definition, 'minDocCount', 0)
  const order = parseOrder(definition.properties?.['order'], ascendingKeys)
  const read = (text: string) => parseDateBound(text, { now: Date.parse(now), zone, format })
  const startOf = (moment: number) => startOfInterval(moment, interval, zone)
  const next = (start: number) => shifted(start, interval, 1, zone)
  const bounds = ['extendedBoundsMin', 'extendedBoundsMax'].flatMap((name) => {
    const moment = read(definition.properties?.[name] ?? '')
    return moment === undefined ? [] : startOf(moment)
  })
  return {
    conditionOf(keys) {
      const starts = keys.flatMap((key) => read(key) ?? []).map(startOf)
      return anyOf(starts.map((start) => within(field.nameOf(item), writable(start, next(start)), exactTimestamp)))
    },
    async compute(ask) {
      const summary = { kind: 'prefixes', of: field.summary, length: prefixLength(interval, zone), max: maxValues } as const
      const counted = countStarts(countsOf(await ask(summary)), startOf)
      const starts = least > 0 ? [...counted.keys()] : filledUp([...counted.keys(), ...bounds], next)
      const buckets = starts.map((start) => ({ start, count: counted.get(start) ?? 0 })).filter(({ count }) => count >= least)
      return inOrder(buckets, order, (left, right) => left.start - right.start).map(({ start, count }): AggregateBucket => {
        const [from, to] = [isoDate(new Date(start)), isoDate(new Date(next(start)))]
        return { kind: 'dateRange', key: format.format(start, zone), count, from, to }
      })
    },
  }
}

/** As far as a query can write it: the last month that there are dates of ends in a year of five digits. */
function writable(start: number, end: number): { readonly from: number; readonly to?: number } {
  return { from: Math.max(start, Date.parse(firstMoment)), ...(isWritable(new Date(end)) && { to: end }) }
}

const lengths = { year: 4, month: 7, day: 10, hour: 13, minute: 16, second: 19 } as const

/** How much of a date tells in which interval it lies: dates are in UTC, the clocks of other zones may be any minutes away. */
function prefixLength(interval: CalendarInterval, zone: TimeZone): number {
  const { year, month, day, hour, minute, second } = lengths
  if (interval.kind === 'fixed' && interval.millis % 60_000 !== 0) return second
  // An hour of UTC lies in one interval of whole hours, and there are few of them where there are minutes without number.
  const isOfHours = interval.kind === 'months' || interval.millis % 3_600_000 === 0
  if (zone !== utc) return isOfHours && zone.hasWholeHours() ? hour : minute
  if (interval.kind === 'months') return interval.months % 12 === 0 ? year : month
  if (interval.millis % 86_400_000 === 0) return day
  return interval.millis % 3_600_000 === 0 ? hour : minute
}

function countStarts(counts: ValueCounts, startOf: (moment: number) => number): Map<number, number> {
  const counted = new Map<number, number>()
  for (const { value, count } of counts) {
    const start = startOf(Date.parse(completed(String(value))))
    counted.set(start, (counted.get(start) ?? 0) + count)
  }
  return counted
}

/** The first moment of those that begin so. */
function completed(prefix: string): string {
  return prefix + '0000-01-01T00:00:00.000Z'.slice(prefix.length)
}
