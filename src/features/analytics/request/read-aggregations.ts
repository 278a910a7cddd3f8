import type { Json } from '../../../base/json.ts'
import type { AggregateDefinition } from '../../../core/search/aggregates/aggregate-definition.ts'
import { type Aggregation, type AggregationKind, type Metric, metrics } from './aggregation.ts'
import { bucketReaders } from './bucket-definition.ts'
import type { SearchCondition } from './condition.ts'
import { fieldIn, objectIn, refuse, requireKnown, type SentObject, shown } from './json-parts.ts'

const mostAggregations = 20
const mostFilters = 50
const nameShape = /^[^[\]>]{1,100}$/

interface Reading {
  readonly readCondition: (query: Json | undefined) => SearchCondition
  count: number
}

/** Reads what is to be summarised, by name and with what lies in it. @throws searchNotUnderstood, unstorableText */
export function readAggregations(
  body: SentObject,
  readCondition: (query: Json | undefined) => SearchCondition,
): readonly Aggregation[] {
  return readNested(body, { readCondition, count: 0 })
}

function readNested(body: SentObject, reading: Reading): readonly Aggregation[] {
  const { aggs, aggregations = aggs } = body
  if (aggregations === undefined || aggregations === null) return []
  return Object.entries(objectIn(aggregations, 'Aggregations')).map(([name, sent]) => readOne(name, sent, reading))
}

function readOne(name: string, sent: Json, reading: Reading): Aggregation {
  if (!nameShape.test(name)) refuse(`An aggregation cannot be named ${shown(name)}.`)
  const place = reading.count
  reading.count += 1
  if (place === mostAggregations) refuse(`There are more than ${mostAggregations} aggregations.`)
  const body = objectIn(sent, `The aggregation ${shown(name)}`)
  const { aggs: _, aggregations: __, meta: ___, ...own } = body
  const [kind, ...others] = Object.keys(own)
  if (kind === undefined || others.length > 0) refuse(`The aggregation ${shown(name)} has to have one kind.`)
  const of = readKind(name, kind as string, own[kind as string] as Json, reading)
  const nested = readNested(body, reading)
  if (of.kind === 'metric' && nested.length > 0) refuse(`${shown(name)} is one number, in which nothing else is computed.`)
  return { name, place, nested, of }
}

function readKind(id: string, kind: string, value: Json, { readCondition }: Reading): AggregationKind {
  const where = `The aggregation ${shown(id)}`
  if (kind === 'filter') return { kind: 'filter', condition: readCondition(value) }
  if (kind === 'filters') return readFilters(value, where, readCondition)
  const body = objectIn(value, where)
  const { field: sent, ...rest } = body
  const field = fieldIn(sent, where)
  if (kind === 'missing') return { kind: 'filter', condition: { kind: 'not', of: { kind: 'exists', field } } }
  const metric = metrics.find((one) => one === kind)
  if (metric !== undefined) return readMetric(metric, field, rest, where)
  const read = bucketReaders.get(kind as AggregateDefinition['type'])
  if (read === undefined) refuse(`The aggregation ${shown(kind)} is not understood. There are ${known.join(', ')}.`)
  return { kind: 'buckets', ...(read as NonNullable<typeof read>)({ id, field, body: rest, where }) }
}

const known = ['filter', 'filters', 'missing', ...metrics, ...bucketReaders.keys()]

function readMetric(metric: Metric, field: string, rest: SentObject, where: string): AggregationKind {
  requireKnown(rest, where, ['precision_threshold'])
  return { kind: 'metric', metric, field }
}

function readFilters(value: Json, where: string, readCondition: Reading['readCondition']): AggregationKind {
  const { filters: sent, ...others } = objectIn(value, where)
  requireKnown(others, where, [])
  const isNamed = !Array.isArray(sent)
  const filters = Object.entries(isNamed ? objectIn(sent, where) : sent)
  if (filters.length > mostFilters) refuse(`${where} has more than ${mostFilters} filters.`)
  return {
    kind: 'filters',
    filters: filters.map(([key, query]) => ({ ...(isNamed && { key }), condition: readCondition(query) })),
  }
}
