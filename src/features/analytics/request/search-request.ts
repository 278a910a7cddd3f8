import type { Json } from '../../../base/json.ts'
import type { Sort } from '../../../core/search/query/sort.ts'
import type { Aggregation } from './aggregation.ts'
import type { SearchCondition } from './condition.ts'
import { fieldIn, itemsIn, onlyMember, refuse, requireKnown, type SentObject, textIn, wholeNumberIn } from './json-parts.ts'
import { readAggregations } from './read-aggregations.ts'
import { createConditionReader } from './read-condition.ts'

/** What is asked of an index. */
export interface SearchRequest {
  readonly condition: SearchCondition
  readonly aggregations: readonly Aggregation[]
  readonly from: number
  readonly size: number
  readonly sort: readonly Sort[]
  /** Whether a field is shown of what is found; undefined: nothing is. */
  readonly shows: ((field: string) => boolean) | undefined
}

const usualSize = 10
const largestSize = 100
const furthest = 10_000
const mostSorts = 10
const mostShown = 100

// What engines are told beside the question, and what changes no answer here.
const heedless = ['timeout', 'track_total_hits', 'track_scores', 'version', 'explain', 'preference']

/** @throws searchNotUnderstood, unstorableText */
export function readSearch(body: SentObject): SearchRequest {
  requireKnown(body, 'A search', ['query', 'aggs', 'aggregations', 'from', 'size', 'sort', '_source', ...heedless])
  const readCondition = createConditionReader()
  const size = wholeNumberIn(body['size'], 'size', usualSize)
  const from = wholeNumberIn(body['from'], 'from', 0)
  if (size > largestSize) refuse(`size may be at most ${largestSize}.`)
  if (from + size > furthest) refuse(`from and size lead no further than ${furthest}.`)
  return {
    condition: readCondition(body['query']),
    aggregations: readAggregations(body, readCondition),
    from,
    size,
    sort: itemsIn(body['sort'] ?? undefined, 'sort', mostSorts).flatMap(readSort),
    shows: readSource(body['_source']),
  }
}

/** The order of scores and of the index is that in which things are found. */
function readSort(value: Json): readonly Sort[] {
  const [column, sent] = typeof value === 'string' ? [value, 'asc'] : onlyMember(value, 'A sort')
  if (column === '_score' || column === '_doc') return []
  const direction = typeof sent === 'string' ? sent : textIn(orderOf(sent), `The order of ${column}`)
  if (direction !== 'asc' && direction !== 'desc') refuse('A sort is asc or desc.')
  return [{ column: fieldIn(column, 'A sort'), isAscending: direction === 'asc' }]
}

function orderOf(sent: Json): Json {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return refuse('A sort is asc or desc.')
  const sort = sent as SentObject
  requireKnown(sort, 'A sort', ['order', 'unmapped_type', 'missing'])
  return sort['order'] ?? 'asc'
}

function readSource(value: Json | undefined): SearchRequest['shows'] {
  if (value === false) return undefined
  if (value === undefined || value === null || value === true) return () => true
  const wanted = itemsIn(value, '_source', mostShown).map((one) => textIn(one, '_source'))
  const [names, beginnings] = [new Set(wanted), wanted.flatMap((one) => (one.endsWith('*') ? one.slice(0, -1) : []))]
  return (field) => names.has(field) || beginnings.some((beginning) => field.startsWith(beginning))
}
