import type { Json } from '../../../base/json.ts'
import type { AggregateDefinition, DateRange, NumberRange } from '../../../core/search/aggregates/aggregate-definition.ts'
import { maxTerms } from '../../../core/search/aggregates/terms.ts'
import { doubleKey } from '../../../core/search/aggregates/value-key.ts'
import type { AggregationKind } from './aggregation.ts'
import {
  formatIn,
  itemsIn,
  objectIn,
  refuse,
  requireKnown,
  type SentObject,
  scalarIn,
  shown,
  textIn,
  wholeNumberIn,
} from './json-parts.ts'
import { momentOfBound } from './moments.ts'

interface SentBuckets {
  readonly id: string
  readonly field: string
  readonly body: SentObject
  readonly where: string
}

type BucketsRead = Omit<Extract<AggregationKind, { readonly kind: 'buckets' }>, 'kind'>

const mostRanges = 100
const mostKeys = 100

/** How each kind that has buckets is written, as definitions of page providers have it. */
export const bucketReaders: ReadonlyMap<AggregateDefinition['type'], (sent: SentBuckets) => BucketsRead> = new Map([
  ['terms', (sent) => readTerms(sent, 'terms')],
  ['significant_terms', (sent) => readTerms(sent, 'significant_terms')],
  ['range', readRanges],
  ['date_range', readDateRanges],
  ['histogram', readHistogram],
  ['date_histogram', readDateHistogram],
] satisfies [AggregateDefinition['type'], (sent: SentBuckets) => BucketsRead][])

// How an engine computes them, which changes nothing of what they are.
const hints = ['shard_size', 'shard_min_doc_count', 'show_term_doc_count_error', 'execution_hint', 'collect_mode']

function readTerms({ id, field, body, where }: SentBuckets, type: 'terms' | 'significant_terms'): BucketsRead {
  requireKnown(body, where, ['size', 'min_doc_count', 'order', 'include', 'exclude', 'missing', ...hints])
  const { missing } = body
  const properties = {
    // Of more than there may be, the rest is in what was not shown; 0 was once as many as there are.
    size: String(Math.min(wholeNumberIn(body['size'], `${where}: size`, 10) || maxTerms, maxTerms)),
    minDocCount: String(wholeNumberIn(body['min_doc_count'], `${where}: min_doc_count`, 1)),
    ...orderIn(body['order'], where),
    ...expressionIn('include', body['include'], where),
    ...expressionIn('exclude', body['exclude'], where),
  }
  return { definition: { id, type, field, properties }, ...(missing !== undefined && { missing: scalarIn(missing, where) }) }
}

function readRanges({ id, field, body, where }: SentBuckets): BucketsRead {
  requireKnown(body, where, ['ranges', 'keyed'])
  requireListed(body, where)
  const ranges = rangesIn(body, where).map((range): NumberRange => {
    const [from, to] = [numberIn(range['from'], where), numberIn(range['to'], where)]
    const key = range['key'] ?? `${from === undefined ? '*' : doubleKey(from)}-${to === undefined ? '*' : doubleKey(to)}`
    return { key: textIn(key, `${where}: key`), ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  })
  return { definition: { id, type: 'range', field, ranges } }
}

function readDateRanges({ id, field, body, where }: SentBuckets): BucketsRead {
  requireKnown(body, where, ['ranges', 'keyed', 'format', 'time_zone'])
  requireListed(body, where)
  const writing = writingOf(body, where)
  const dateRanges = rangesIn(body, where).map((range): DateRange => {
    const [from, to] = [dateIn(range['from'], writing, where), dateIn(range['to'], writing, where)]
    // Without a key of its own it is called by its dates once they are known.
    const key = textIn(range['key'] ?? '', `${where}: key`)
    return { key, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  })
  return { definition: { id, type: 'date_range', field, dateRanges, properties: writing } }
}

function readHistogram({ id, field, body, where }: SentBuckets): BucketsRead {
  requireKnown(body, where, ['interval', 'min_doc_count', 'extended_bounds', 'order', 'keyed'])
  requireListed(body, where)
  const interval = numberIn(body['interval'], `${where}: interval`)
  if (interval === undefined) refuse(`${where} needs an interval.`)
  const bounds = boundsIn(body, where, (bound) => numberIn(bound, where)?.toFixed(0))
  const properties = { interval: String(interval), ...bounds, ...countAndOrder(body, where) }
  return { definition: { id, type: 'histogram', field, properties } }
}

const intervals = ['interval', 'calendar_interval', 'fixed_interval'] as const

function readDateHistogram({ id, field, body, where }: SentBuckets): BucketsRead {
  requireKnown(body, where, [...intervals, 'format', 'time_zone', 'min_doc_count', 'extended_bounds', 'order', 'keyed'])
  requireListed(body, where)
  const [interval, ...others] = intervals.flatMap((name) => body[name] ?? [])
  if (interval === undefined || others.length > 0) refuse(`${where} needs one interval, such as month or 90m.`)
  const writing = writingOf(body, where)
  const bounds = boundsIn(body, where, (bound) => dateIn(bound, writing, where))
  const properties = {
    interval: textIn(interval, `${where}: interval`),
    ...writing,
    ...bounds,
    ...countAndOrder(body, where),
  }
  return { definition: { id, type: 'date_histogram', field, properties } }
}

function countAndOrder(body: SentObject, where: string) {
  return {
    minDocCount: String(wholeNumberIn(body['min_doc_count'], `${where}: min_doc_count`, 0)),
    ...orderIn(body['order'], where),
  }
}

// As engines write moments: those of another zone as its clocks show them.
const usualFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"

/** Dates are in UTC unless told, whatever zone queries of the server are in. */
function writingOf({ format, time_zone: zone }: SentObject, where: string) {
  return {
    format: format === undefined || format === null ? usualFormat : formatIn(format, where),
    timeZone: zone === undefined || zone === null ? 'UTC' : textIn(zone, `${where}: time_zone`),
  }
}

const orders: ReadonlyMap<string, string> = new Map([
  ['_count', 'count'],
  ['_key', 'key'],
  ['_term', 'key'],
  ['_time', 'key'],
])

function orderIn(value: Json | undefined, where: string): { readonly order?: string } {
  if (value === undefined || value === null) return {}
  // What follows decides where counts are alike, and there keys ascend.
  const [first] = itemsIn(value, `${where}: order`, 2)
  const [name, direction] = Object.entries(objectIn(first, `${where}: order`))[0] ?? ['', '']
  const by = orders.get(name)
  if (by === undefined || (direction !== 'asc' && direction !== 'desc')) {
    return refuse(`${where}: order may be by ${[...orders.keys()].join(', ')}, asc or desc.`)
  }
  return { order: `${by} ${direction}` }
}

/** Values, or one of them with `.*` behind it. Nothing else of what was sent gets into an expression. */
function expressionIn(name: 'include' | 'exclude', value: Json | undefined, where: string): { readonly [name: string]: string } {
  if (value === undefined || value === null) return {}
  if (Array.isArray(value)) {
    const values = itemsIn(value, `${where}: ${name}`, mostKeys).map((item) => String(scalarIn(item, where)))
    return { [name]: values.length === 0 ? '(?!)' : values.map((one) => RegExp.escape(one)).join('|') }
  }
  const text = textIn(value, `${where}: ${name}`)
  const [, start = ''] = /^([^\\.*+?()[\]{}|^$@~&<>#"]*)(?:\.\*)?$/s.exec(text) ?? refuseExpression(name, text, where)
  return { [name]: text.endsWith('.*') ? `${RegExp.escape(start)}.*` : RegExp.escape(start) }
}

function refuseExpression(name: string, text: string, where: string): never {
  return refuse(`${where}: ${name} may be a list of values, or the beginning of some with .* behind it, and not ${shown(text)}.`)
}

function rangesIn({ ranges }: SentObject, where: string): readonly SentObject[] {
  return itemsIn(ranges, `${where}: ranges`, mostRanges).map((one) => {
    const range = objectIn(one, `${where}: a range`)
    requireKnown(range, `${where}: a range`, ['key', 'from', 'to'])
    return range
  })
}

function requireListed({ keyed }: SentObject, where: string): void {
  if (keyed !== undefined && keyed !== false) refuse(`${where}: buckets come as a list, and cannot be keyed.`)
}

function boundsIn(
  { extended_bounds: sent }: SentObject,
  where: string,
  boundIn: (value: Json | undefined) => string | undefined,
): { readonly [name: string]: string } {
  if (sent === undefined || sent === null) return {}
  const { min, max, ...others } = objectIn(sent, `${where}: extended_bounds`)
  requireKnown(others, `${where}: extended_bounds`, ['min', 'max'])
  const [first, last] = [boundIn(min), boundIn(max)]
  return { ...(first !== undefined && { extendedBoundsMin: first }), ...(last !== undefined && { extendedBoundsMax: last }) }
}

/** As a number, or as its digits, which pages send. */
function numberIn(value: Json | undefined, where: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(scalarIn(value, where))
  return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : refuse(`${where} needs numbers.`)
}

/** A number is a moment in milliseconds, and a date without a zone is of that in which dates are written. */
function dateIn(value: Json | undefined, writing: ReturnType<typeof writingOf>, where: string): string | undefined {
  if (value === undefined || value === null) return undefined
  const sent = scalarIn(value, where)
  if (typeof sent === 'string' && sent.trim().startsWith('now')) return sent
  const reading = { format: writing.format, zone: writing.timeZone }
  const moment = momentOfBound({ operator: '>=', value: sent }, reading, { now: '' })
  return moment === undefined ? refuse(`${where}: ${shown(String(sent))} is no date.`) : new Date(moment).toISOString()
}
