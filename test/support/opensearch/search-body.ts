import { illegal, unparsed } from './refusal.ts'
import type { IndexedFields, StoredIndex } from './stored-index.ts'

type Part = { readonly [name: string]: unknown }
type Value = string | number | boolean
type Matcher = (document: IndexedFields) => boolean

const mostClauses = 1_024
const mostTerms = 65_536

/** What a search finds, as OpenSearch answers it. */
export function answerSearch(index: StoredIndex, body: Part): object {
  const { query = { match_all: {} }, sort = [], from = 0, size = 10, track_total_hits: tracked = 10_000, ...rest } = body
  const unknown = Object.keys(rest).find((name) => !['_source', 'timeout', 'search_after'].includes(name))
  if (unknown !== undefined) throw unparsed(`unknown key [${unknown}] in the search request`)
  if (Number(from) + Number(size) > index.window) {
    throw illegal(`Result window is too large, from + size must be less than or equal to: [${index.window}]`)
  }
  const matches = matcherOf(index, query, { clauses: 0 })
  const keys = sortKeys(index, sort)
  const found = index
    .visible()
    .filter(matches)
    .map((document) => ({ document, values: keys.map((key) => key.valueOf(document)) }))
    .sort((left, right) => compareHits(keys, left.values, right.values))
  const behind = body['search_after'] === undefined ? found : found.filter(isBehind(keys, body['search_after']))
  const total = tracked === true ? found.length : Math.min(found.length, Number(tracked))
  return {
    took: 1,
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: {
      total: { value: total, relation: total < found.length ? 'gte' : 'eq' },
      max_score: null,
      hits: behind.slice(Number(from), Number(from) + Number(size)).map(({ document, values }) => ({
        _index: index.name,
        _id: document.id,
        _score: null,
        ...(body['_source'] !== false && { _source: document.source }),
        sort: values,
      })),
    },
  }
}

export function countMatches(index: StoredIndex, body: Part): number {
  return index.visible().filter(matcherOf(index, body['query'] ?? { match_all: {} }, { clauses: 0 })).length
}

interface Tally {
  clauses: number
}

function matcherOf(index: StoredIndex, query: unknown, tally: Tally): Matcher {
  const [kind, given] = onlyEntry(query)
  tally.clauses += 1
  if (tally.clauses > mostClauses) throw new Error('too_many_clauses')
  if (kind === 'match_all') return () => true
  if (kind === 'match_none') return () => false
  if (kind === 'bool') return boolMatcher(index, given as Part, tally)
  if (kind === 'exists') {
    const field = String((given as Part)['field'])
    return ({ values }) => values.has(field)
  }
  const [field, told] = onlyEntry(given)
  const kindOfField = index.fields.get(field)?.kind
  // What is not mapped matches nothing, without a word.
  if (kindOfField === undefined) return () => false
  const valuesOf = ({ values }: IndexedFields) => values.get(field) ?? []
  switch (kind) {
    case 'term': {
      const value = checked(kindOfField, isPart(told) ? told['value'] : told)
      return (document) => valuesOf(document).includes(value)
    }
    case 'terms': {
      const list = Array.isArray(told) ? told : []
      if (list.length > mostTerms)
        throw illegal(`The number of terms [${list.length}] used in the Terms Query request has exceeded`)
      const values = new Set(list.map((value) => checked(kindOfField, value)))
      return (document) => valuesOf(document).some((value) => values.has(value))
    }
    case 'prefix': {
      if (kindOfField !== 'keyword' && kindOfField !== 'text')
        throw illegal(`Can only use prefix queries on keyword and text fields`)
      const start = String(isPart(told) ? told['value'] : told)
      return (document) => valuesOf(document).some((value) => String(value).startsWith(start))
    }
    case 'wildcard': {
      const pattern = String(isPart(told) ? told['value'] : told)
      const expression = new RegExp(`^${[...pattern].map(wildcardPiece).join('')}$`, 'su')
      return (document) => valuesOf(document).some((value) => expression.test(String(value)))
    }
    case 'range':
      return rangeMatcher(kindOfField, told as Part, valuesOf)
    case 'match_phrase': {
      if (kindOfField !== 'text') throw illegal('phrases are for texts')
      const words = String(isPart(told) ? told['query'] : told)
        .split(/\s+/)
        .filter((word) => word !== '')
      return (document) => hasPhrase(valuesOf(document), words)
    }
    default:
      throw unparsed(`unknown query [${kind}]`)
  }
}

function boolMatcher(index: StoredIndex, given: Part, tally: Tally): Matcher {
  const { must = [], filter = [], should = [], must_not: mustNot = [], minimum_should_match: least, ...rest } = given
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined) throw unparsed(`[bool] query does not support [${unknown}]`)
  const matchers = (queries: unknown) => [queries].flat().map((query) => matcherOf(index, query, tally))
  const [all, some, none] = [[...matchers(must), ...matchers(filter)], matchers(should), matchers(mustNot)]
  const needed = least === undefined ? (all.length === 0 && some.length > 0 ? 1 : 0) : Number(least)
  return (document) =>
    all.every((matches) => matches(document)) &&
    !none.some((matches) => matches(document)) &&
    some.filter((matches) => matches(document)).length >= needed
}

function rangeMatcher(kind: string, told: Part, valuesOf: (document: IndexedFields) => readonly Value[]): Matcher {
  const bounds = Object.entries(told).map(([name, bound]) => {
    const passes = rangeTests[name]
    if (passes === undefined) throw unparsed(`[range] query does not support [${name}]`)
    const limit = checked(kind, bound)
    return (value: Value) => passes(compareValues(value, limit))
  })
  return (document) => valuesOf(document).some((value) => bounds.every((passes) => passes(value)))
}

const rangeTests: Readonly<Record<string, (difference: number) => boolean>> = {
  gt: (difference) => difference > 0,
  gte: (difference) => difference >= 0,
  lt: (difference) => difference < 0,
  lte: (difference) => difference <= 0,
}

/** As fields of the kind have it. */
function checked(kind: string, value: unknown): Value {
  if (kind === 'boolean') {
    if (value !== true && value !== false && value !== 'true' && value !== 'false') {
      throw illegal(`Can't parse boolean value [${String(value)}], expected [true] or [false]`)
    }
    return value === true || value === 'true'
  }
  if (kind === 'long' || kind === 'double') {
    if (typeof value !== 'number') throw illegal(`For input string: "${String(value)}"`)
    return value
  }
  if (typeof value !== 'string') return String(value)
  return value
}

function hasPhrase(words: readonly Value[], wanted: readonly string[]): boolean {
  return words.some((_, start) => wanted.every((word, index) => words[start + index] === word))
}

function wildcardPiece(character: string): string {
  return character === '*' ? '.*' : character === '?' ? '.' : character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
}

interface SortKey {
  readonly isDescending: boolean
  readonly isMissingFirst: boolean
  valueOf(document: IndexedFields): Value | null
}

function sortKeys(index: StoredIndex, sort: unknown): readonly SortKey[] {
  return [sort].flat().map((one) => {
    const [field, told] = onlyEntry(one)
    const mapped = index.fields.get(field)
    if (mapped === undefined) throw illegal(`No mapping found for [${field}] in order to sort on`)
    if (!mapped.hasDocValues) throw illegal(`Fielddata is disabled on [${field}]`)
    const { order = 'asc', missing = '_last' } = told as Part
    const isDescending = order === 'desc'
    return {
      isDescending,
      isMissingFirst: missing === '_first',
      // Of several values the smallest, or when it goes down the largest.
      valueOf: ({ values }) => values.get(field)?.toSorted((a, b) => compareValues(a, b) * (isDescending ? -1 : 1))[0] ?? null,
    }
  })
}

function compareHits(keys: readonly SortKey[], left: readonly (Value | null)[], right: readonly (Value | null)[]): number {
  for (const [at, { isDescending, isMissingFirst }] of keys.entries()) {
    const [one, other] = [left[at] ?? null, right[at] ?? null]
    if (one === null && other === null) continue
    if (one === null || other === null) return (one === null) === isMissingFirst ? -1 : 1
    const difference = compareValues(one, other) * (isDescending ? -1 : 1)
    if (difference !== 0) return difference
  }
  return 0
}

function isBehind(keys: readonly SortKey[], after: unknown) {
  const last = [after].flat() as readonly (Value | null)[]
  return ({ values }: { readonly values: readonly (Value | null)[] }) => compareHits(keys, values, last) > 0
}

/** Texts by the bytes of UTF-8, which is the order of code points. */
function compareValues(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return Number(left) - Number(right)
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function onlyEntry(value: unknown): readonly [string, unknown] {
  const entries = isPart(value) ? Object.entries(value) : []
  const [entry] = entries
  if (entry === undefined || entries.length > 1) throw unparsed('an object with one name is expected')
  return entry
}
