import type { Json } from '../../../base/json.ts'
import { allOf, idField, nothing, type PatternPart, type SearchCondition, type SentBound } from './condition.ts'
import {
  fieldIn,
  formatIn,
  itemsIn,
  objectIn,
  onlyMember,
  refuse,
  requireKnown,
  type SentObject,
  scalarIn,
  shown,
  textIn,
  wholeNumberIn,
} from './json-parts.ts'

const mostConditions = 100
const mostValues = 1_000
const mostNested = 10

/** What is left of what one request may ask. */
interface Allowance {
  conditions: number
}

/** Reads the part of the query language that analytics pages send. @throws searchNotUnderstood, unstorableText */
export function createConditionReader(): (query: Json | undefined) => SearchCondition {
  const allowance = { conditions: mostConditions }
  return (query) => (query === undefined || query === null ? { kind: 'all' } : readQuery(query, allowance, 0))
}

type Reader = (value: Json, allowance: Allowance, depth: number) => SearchCondition

function readQuery(query: Json, allowance: Allowance, depth: number): SearchCondition {
  if (depth > mostNested) refuse(`The query is nested deeper than ${mostNested} levels.`)
  allowance.conditions -= 1
  if (allowance.conditions < 0) refuse(`The query has more than ${mostConditions} conditions.`)
  const [kind, value] = onlyMember(query, 'A query')
  const read = readers.get(kind)
  if (read === undefined) refuse(`The query ${shown(kind)} is not understood. There are ${[...readers.keys()].join(', ')}.`)
  return (read as Reader)(value, allowance, depth + 1)
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['match_all', () => ({ kind: 'all' })],
  ['match_none', () => nothing],
  ['term', readTerm],
  ['terms', readTerms],
  ['range', readRange],
  ['exists', (value) => ({ kind: 'exists', field: namedField(value, 'exists') })],
  ['missing', (value) => ({ kind: 'not', of: { kind: 'exists', field: namedField(value, 'missing') } })],
  ['prefix', (value) => readPattern(value, 'prefix', ['value', 'prefix', 'boost'], (text) => [{ text }, 'any'])],
  ['wildcard', (value) => readPattern(value, 'wildcard', ['value', 'wildcard', 'boost'], wildcardParts)],
  ['match', readMatch],
  ['ids', readIds],
  ['bool', readBool],
  ['constant_score', readConstantScore],
  ['filtered', readFiltered],
])

function readTerm(value: Json): SearchCondition {
  const [field, sent] = fieldMember(value, 'term')
  const wanted = longForm(sent, `term of ${shown(field)}`, ['value', 'boost'])
  return { kind: 'oneOf', field, values: [scalarIn(wanted, `The term of ${shown(field)}`)] }
}

function readTerms(value: Json): SearchCondition {
  const { boost: _, ...fields } = objectIn(value, 'terms')
  const [field, sent] = fieldMember(fields, 'terms')
  if (!Array.isArray(sent)) refuse(`The terms of ${shown(field)} have to be a list.`)
  const where = `The terms of ${shown(field)}`
  return { kind: 'oneOf', field, values: itemsIn(sent, where, mostValues).map((item) => scalarIn(item, where)) }
}

function readRange(value: Json): SearchCondition {
  const [field, sent] = fieldMember(value, 'range')
  const where = `The range of ${shown(field)}`
  const range = objectIn(sent, where)
  requireKnown(range, where, [...boundNames, 'include_lower', 'include_upper', 'format', 'time_zone', 'boost'])
  const bounds = boundNames.flatMap((name): SentBound[] => {
    const bound = range[name]
    if (bound === undefined || bound === null) return []
    return [{ operator: operatorOf(name, range), value: scalarIn(bound, where) }]
  })
  const { format, time_zone: zone } = range
  const reading = {
    ...(format !== undefined && { format: formatIn(format, where) }),
    ...(zone !== undefined && { zone: textIn(zone, where) }),
  }
  return { kind: 'range', field, bounds, reading }
}

const boundNames = ['gte', 'gt', 'lt', 'lte', 'from', 'to'] as const
const operators = { gte: '>=', gt: '>', lt: '<', lte: '<=' } as const

function operatorOf(name: (typeof boundNames)[number], range: SentObject): SentBound['operator'] {
  if (name === 'from') return range['include_lower'] === false ? '>' : '>='
  if (name === 'to') return range['include_upper'] === false ? '<' : '<='
  return operators[name]
}

function readPattern(
  value: Json,
  kind: string,
  known: readonly string[],
  partsOf: (text: string) => readonly PatternPart[],
): SearchCondition {
  const [field, sent] = fieldMember(value, kind)
  const text = textIn(longForm(sent, `${kind} of ${shown(field)}`, known), `The ${kind} of ${shown(field)}`)
  return { kind: 'like', field, pattern: partsOf(text) }
}

const mostWildcards = 10

function wildcardParts(text: string): readonly PatternPart[] {
  const parts = [...text.matchAll(/\\(.)|\*+|\?|[^\\*?]+|\\/gsu)].map(([part, escaped]): PatternPart => {
    if (escaped !== undefined) return { text: escaped }
    return part === '?' ? 'one' : part.startsWith('*') ? 'any' : { text: part }
  })
  if (parts.filter((part) => part === 'any').length > mostWildcards) refuse(`A wildcard may have at most ${mostWildcards} stars.`)
  return parts
}

function readMatch(value: Json): SearchCondition {
  const [field, sent] = fieldMember(value, 'match')
  const where = `The match of ${shown(field)}`
  const wanted = longForm(sent, where, ['query', 'operator', 'boost', 'type'])
  const { operator = 'or' } = typeof sent === 'object' && sent !== null ? (sent as SentObject) : {}
  const needsAll = textIn(operator, where).toLowerCase() === 'and'
  return { kind: 'match', field, text: String(scalarIn(wanted, where)), needsAll }
}

function readIds(value: Json): SearchCondition {
  const ids = objectIn(value, 'ids')
  requireKnown(ids, 'ids', ['values', 'type'])
  const values = itemsIn(ids['values'], 'ids', mostValues).map((item) => scalarIn(item, 'An id'))
  return { kind: 'oneOf', field: idField, values }
}

const boolNames = [
  'must',
  'filter',
  'should',
  'must_not',
  'minimum_should_match',
  'boost',
  'adjust_pure_negative',
  'disable_coord',
]

function readBool(value: Json, allowance: Allowance, depth: number): SearchCondition {
  const bool = objectIn(value, 'bool')
  requireKnown(bool, 'bool', boolNames)
  const all = (name: string) =>
    itemsIn(bool[name] ?? undefined, name, mostConditions).map((one) => readQuery(one, allowance, depth))
  const needed = [...all('must'), ...all('filter')]
  const [should, mustNot] = [all('should'), all('must_not')]
  return allOf([
    ...needed,
    ...mustNot.map((of): SearchCondition => ({ kind: 'not', of })),
    ...chosen(should, wholeNumberIn(bool['minimum_should_match'], 'minimum_should_match', needed.length === 0 ? 1 : 0)),
  ])
}

/** So many of them at least. */
function chosen(should: readonly SearchCondition[], least: number): readonly SearchCondition[] {
  if (should.length === 0 || least === 0) return []
  if (least === 1) return [{ kind: 'or', of: should }]
  return least === should.length ? should : refuse(`minimum_should_match may be 0, 1 or all, which are ${should.length}.`)
}

function readConstantScore(value: Json, allowance: Allowance, depth: number): SearchCondition {
  const { filter, ...others } = objectIn(value, 'constant_score')
  requireKnown(others, 'constant_score', ['boost'])
  return readQuery(filter ?? {}, allowance, depth)
}

function readFiltered(value: Json, allowance: Allowance, depth: number): SearchCondition {
  const { query, filter, ...others } = objectIn(value, 'filtered')
  requireKnown(others, 'filtered', [])
  return allOf([query, filter].flatMap((part) => (part === undefined ? [] : [readQuery(part, allowance, depth)])))
}

function namedField(value: Json, kind: string): string {
  const { field, ...others } = objectIn(value, kind)
  requireKnown(others, kind, [])
  return fieldIn(field, kind)
}

function fieldMember(value: Json, kind: string): readonly [field: string, value: Json] {
  const [field, sent] = onlyMember(value, kind)
  return [fieldIn(field, kind), sent]
}

/** What stands for itself may also be the first of some members of an object. */
function longForm(value: Json, where: string, known: readonly string[]): Json | undefined {
  if (typeof value !== 'object' || value === null) return value
  const form = objectIn(value, where)
  requireKnown(form, where, known)
  return known.map((name) => form[name]).find((one) => one !== undefined)
}
