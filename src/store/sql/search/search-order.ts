import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { OrderKey, Query } from '../../../nxql/query.ts'
import { bindingsOf } from '../../../nxql/reference.ts'
import type { SearchSource, SearchTarget } from './search-source.ts'
import { isPosition, orderedBy, singleValue } from './sql-operand.ts'

const creation = raw('documents.seq')

/** What rows are sorted by. */
interface SortKey {
  readonly value: Sql
  /** The value, or another name of it, with its direction. */
  directed(value: Sql): Sql
}

/** By the keys of the query and behind them in the order of creation, then in that of the items. */
export function orderOf(
  target: SearchTarget,
  keys: readonly OrderKey[],
  source: SearchSource,
  positions: readonly Sql[] = [],
): Sql {
  const isTotal = positions.length === 0 && keys.some(isUnique)
  const sorted = sortKeys(target, keys, source).map(({ value, directed }) => directed(value))
  return join([...sorted, ...(isTotal ? [] : [sortable(target, creation)]), ...positions])
}

/** The keys of the query, without the order of creation. */
export function sortKeys(target: SearchTarget, keys: readonly OrderKey[], source: SearchSource): readonly SortKey[] {
  return keys.map((key) => sortKey(target, key, source))
}

/** What starts from a condition is sorted, or the engine would go by the index of the order after all. */
function sortable({ dialect, lead }: SearchTarget, key: Sql): Sql {
  return typeof lead === 'number' ? dialect.search.notByIndex(key) : key
}

/** Documents are ordered by what each has once. */
export function withoutWildcards(keys: readonly OrderKey[]): readonly OrderKey[] {
  return keys.filter(({ value }) => value.kind === 'score' || bindingsOf(value).length === 0)
}

export function usesScore(keys: readonly OrderKey[]): boolean {
  return keys.some(({ value }) => value.kind === 'score')
}

/** Nulls are smaller than all else. Where there are none, saying so would keep PostgreSQL from an index. */
export function directed(expression: Sql, isDescending: boolean, isNullable: boolean): Sql {
  const nulls = isNullable ? raw(isDescending ? ' NULLS LAST' : ' NULLS FIRST') : raw('')
  return sql`${expression} ${raw(isDescending ? 'DESC' : 'ASC')}${nulls}`
}

function sortKey(target: SearchTarget, { value, isDescending }: OrderKey, { score, isPlaced }: SearchSource): SortKey {
  if (value.kind === 'score') return { value: score, directed: (named) => directed(named, isDescending, true) }
  const compiled = singleValue(target.dialect, value)
  const isPath = value.kind === 'system' && value.name === 'ecm:path'
  // In one folder both orders are the same, and the column costs no counting.
  const isByColumn = isPosition(value) && isOfOneFolder(target.query)
  const isNullable = compiled.isNullable && !(isPath && isPlaced)
  return {
    value: sortable(target, isByColumn ? raw('documents.pos') : orderedBy(compiled, value)),
    directed: (named) => directed(named, isDescending, isNullable),
  }
}

function isOfOneFolder({ selection, where }: Query): boolean {
  const conditions = where.kind === 'and' ? where.operands : [where]
  return selection.kind === 'documents' && conditions.some(asksForParent)
}

function asksForParent(condition: Query['where']): boolean {
  if (condition.kind !== 'value' || condition.negated || condition.test.kind !== 'equals') return false
  return condition.reference.kind === 'system' && condition.reference.name === 'ecm:parentId'
}

function isUnique({ value }: OrderKey): boolean {
  return value.kind === 'system' && value.name === 'ecm:uuid'
}
