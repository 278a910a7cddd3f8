import { isoDate } from '../../../base/iso-date.ts'
import type { SummaryRange } from '../../../store/search.ts'
import type { AggregateDefinition } from './aggregate-definition.ts'
import { anyOf } from './aggregate-field.ts'
import { type AggregateContext, type AggregatePlan, type AskSummary, aggregateMistake } from './aggregate-plan.ts'
import { dateFormatOf, zoneOf } from './aggregate-properties.ts'
import { parseDateBound } from './date-bound.ts'
import { exactTimestamp } from './value-key.ts'

/** A bucket for each declared range of numbers. */
export function planRanges({ definition, field, item }: AggregateContext): AggregatePlan {
  const ranges = requireRanges(definition, definition.ranges)
  const name = field.nameOf(item)
  return {
    conditionOf: (keys) => anyOf(chosen(ranges, keys).map((range) => within(name, range, String))),
    async compute(ask) {
      const counts = await countRanges(ask, { kind: 'ranges', of: field.summary, ranges: ranges.map(boundsOf) })
      return ranges.map(({ key, from = null, to = null }, index) => ({ kind: 'range', key, from, to, count: counts[index] ?? 0 }))
    },
  }
}

/** A bucket for each declared range of time. */
export function planDateRanges(context: AggregateContext): AggregatePlan {
  const { definition, field, item } = context
  const ranges = requireRanges(definition, definition.dateRanges).map(({ key, from, to }) => ({
    key,
    ...(from !== undefined && { from: momentOf(context, from) }),
    ...(to !== undefined && { to: momentOf(context, to) }),
  }))
  const name = field.nameOf(item)
  return {
    conditionOf: (keys) => anyOf(chosen(ranges, keys).map((range) => within(name, range, exactTimestamp))),
    async compute(ask) {
      const dated = ranges.map(({ key, from, to }) => ({ key, from: dateOf(from), to: dateOf(to) }))
      const asked = dated.map(({ from, to }) => ({ ...(from !== null && { from }), ...(to !== null && { to }) }))
      const counts = await countRanges(ask, { kind: 'ranges', of: field.summary, ranges: asked })
      return dated.map((range, index) => ({ kind: 'dateRange', ...range, count: counts[index] ?? 0 }))
    },
  }
}

interface Range {
  readonly key: string
  readonly from?: number
  readonly to?: number
}

function momentOf({ definition, now, zone: ofTheServer }: AggregateContext, bound: string): number {
  const format = dateFormatOf(definition)
  const reading = { now: Date.parse(now), zone: zoneOf(definition, ofTheServer), ...(format && { format }) }
  const moment = parseDateBound(bound, reading)
  if (moment === undefined) throw aggregateMistake({ reason: `aggregate ${definition.id}: ${bound} is no date` })
  return moment
}

function dateOf(moment: number | undefined): string | null {
  return moment === undefined ? null : isoDate(new Date(moment))
}

function chosen<One extends { readonly key: string }>(ranges: readonly One[], keys: readonly string[]): readonly One[] {
  return ranges.filter(({ key }) => keys.includes(key))
}

/** The condition of lying between the bounds of a range. */
export function within(name: string, { from, to }: Omit<Range, 'key'>, literal: (bound: number) => string): string {
  const bounds = [from !== undefined && `${name} >= ${literal(from)}`, to !== undefined && `${name} < ${literal(to)}`]
  return `(${bounds.filter(Boolean).join(' AND ')})`
}

function boundsOf({ from, to }: Range): SummaryRange {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

async function countRanges(ask: AskSummary, summary: Parameters<AskSummary>[0]): Promise<readonly number[]> {
  const result = await ask(summary)
  return result.kind === 'rangeCounts' ? result.counts : []
}

function requireRanges<One extends { readonly key: string; readonly from?: unknown; readonly to?: unknown }>(
  { id }: AggregateDefinition,
  ranges: readonly One[] = [],
): readonly One[] {
  if (ranges.length === 0) throw aggregateMistake({ reason: `aggregate ${id} declares no ranges` })
  const open = ranges.find(({ from, to }) => from === undefined && to === undefined)
  if (open !== undefined) throw aggregateMistake({ reason: `aggregate ${id}: the range ${open.key} has no bound` })
  return ranges
}
