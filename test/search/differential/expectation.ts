import { toLong } from '../../../src/model/properties/long.ts'
import type { PropertyValue } from '../../../src/model/properties/property.ts'
import { always } from '../../../src/nxql/formula.ts'
import { compareScalars, type Scalar } from '../../../src/nxql/fulltext/passing.ts'
import type { Column, OrderKey, Query, Total } from '../../../src/nxql/query.ts'
import type { ValueType } from '../../../src/nxql/reference.ts'
import type { SearchValue } from '../../../src/store/search.ts'
import { keyLength } from '../../../src/store/sql/documents/property-key.ts'
import { type Candidate, createEvaluator } from '../../support/nxql/evaluator.ts'
import { now } from './random-values.ts'

/** The ids that a query finds among the candidates, in its order and behind that in theirs. */
export function expectedIds(query: Query, candidates: readonly Candidate[]): readonly string[] {
  const found = candidates.filter((candidate) => createEvaluator(query, candidate, now).matches())
  const keyed = found.map((candidate) => ({ id: candidate.document.id, keys: keysOf(query, candidate) }))
  const sorted = hasScore(query) ? keyed : keyed.sort((left, right) => compareKeys(query.order, left.keys, right.keys))
  const ids = sorted.map(({ id }) => id)
  return ids.slice(query.offset, query.limit === undefined ? undefined : query.offset + query.limit)
}

/** How well words match is for each engine to say. */
export function hasScore({ order }: Query): boolean {
  return order.some(({ value }) => value.kind === 'score')
}

/** The rows of a query for columns in no order, or the one row of a query for totals. */
export function expectedRows(query: Query, candidates: readonly Candidate[]): readonly (readonly SearchValue[])[] {
  const { selection } = query
  if (selection.kind === 'documents') return expectedIds(query, candidates).map((id) => [id])
  if (selection.kind === 'columns') return distinctIfAsked(query, everyRow(query, candidates, selection.columns))
  return [selection.totals.map((total) => totalOf(total, valuesOf(query, candidates, total)))]
}

function everyRow(
  query: Query,
  candidates: readonly Candidate[],
  columns: readonly Column[],
): readonly (readonly SearchValue[])[] {
  const asked: Query = { ...query, selection: { kind: 'columns', columns } }
  return candidates.flatMap((candidate) => createEvaluator(asked, candidate, now).rows() as readonly (readonly SearchValue[])[])
}

function distinctIfAsked({ isDistinct }: Query, rows: readonly (readonly SearchValue[])[]) {
  if (!isDistinct) return rows
  return [...new Map(rows.map((row) => [JSON.stringify(row.map((value) => canonical(value))), row])).values()]
}

function valuesOf(query: Query, candidates: readonly Candidate[], total: { readonly of: Column['value'] }): readonly Scalar[] {
  const rows = everyRow(query, candidates, [{ key: '', value: total.of }])
  return rows.flatMap(([value]) => (value === null || value === undefined ? [] : value))
}

function totalOf(total: Total, values: readonly Scalar[]): SearchValue {
  if (total.function === 'COUNT') return values.length
  if (values.length === 0) return null
  if (total.function === 'MIN' || total.function === 'MAX') return extreme(values, total.function === 'MAX' ? 1 : -1)
  const sum = total.of.type === 'long' ? exactSum(values) : sumOf(values.map(Number))
  return total.function === 'SUM' ? sum : Number(sum) / values.length
}

/** As an integer while it is one of 64 bits. */
function exactSum(values: readonly Scalar[]): SearchValue {
  const sum = values.reduce<bigint>((so, value) => so + BigInt(value), 0n)
  return toLong(sum) ?? Number(sum)
}

function extreme(values: readonly Scalar[], direction: 1 | -1): Scalar {
  return values.reduce((best, value) => (compareScalars(value, best) * direction > 0 ? value : best))
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((so, number) => so + number, 0)
}

/** What a document is sorted by. Its keys have no wildcards, so there is one row of them. */
function keysOf(query: Query, candidate: Candidate): readonly PropertyValue[] {
  const columns = query.order.map(({ value }) => ({ key: '', value }))
  const keys: Query = { ...query, selection: { kind: 'columns', columns }, bindings: [], where: always }
  return (createEvaluator(keys, candidate, now).rows()[0] ?? []).map(beginningOf)
}

/** Longer texts are told apart by a comparison, but not by an order. */
function beginningOf(key: PropertyValue): PropertyValue {
  return typeof key === 'string' ? Array.from(key).slice(0, keyLength).join('') : key
}

/** Nothing comes first, and last where the order is descending. */
function compareKeys(order: readonly OrderKey[], left: readonly PropertyValue[], right: readonly PropertyValue[]): number {
  for (const [index, { isDescending }] of order.entries()) {
    const difference = compareNullable(left[index] ?? null, right[index] ?? null)
    if (difference !== 0) return isDescending ? -difference : difference
  }
  return 0
}

function compareNullable(left: PropertyValue, right: PropertyValue): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  return compareScalars(left as Scalar, right as Scalar)
}

/** Whether rows come as the query says, whose keys are among its columns. */
export function isInOrder({ selection, order }: Query, rows: readonly (readonly SearchValue[])[]): boolean {
  if (selection.kind !== 'columns' || order.some(({ value }) => value.kind === 'score')) return true
  const places = order.map(({ value }) => selection.columns.findIndex((column) => column.value.identity === value.identity))
  const keys = rows.map((row) => places.map((place) => beginningOf(row[place] ?? null)))
  return keys.every((key, index) => index === 0 || compareKeys(order, keys[index - 1] ?? [], key) <= 0)
}

/** One text for one value, whatever kind of number it came as. Doubles are as exact as sums in any order are. */
export function canonical(value: SearchValue | undefined, type: ValueType = 'string'): string {
  if (typeof value !== 'number' && typeof value !== 'bigint') return JSON.stringify(value ?? null)
  return type === 'double' || !Number.isInteger(Number(value)) ? Number(value).toPrecision(12) : String(BigInt(value))
}

/** The types of the columns of a query's rows. */
export function typesOf({ selection }: Query): readonly ValueType[] {
  if (selection.kind === 'documents') return ['string']
  return selection.kind === 'columns'
    ? selection.columns.map(({ value }) => value.type)
    : selection.totals.map(({ type }) => type)
}
