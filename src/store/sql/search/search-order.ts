import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { OrderKey, Query } from '../../../nxql/query.ts'
import { bindingsOf } from '../../../nxql/reference.ts'
import type { SearchSource, SearchTarget } from './search-source.ts'
import { isPosition, orderedBy, singleValue } from './sql-operand.ts'

const creation = raw('documents.seq')

/** By the keys of the query and behind them in the order of creation, then in that of the items. */
export function orderOf(
  target: SearchTarget,
  keys: readonly OrderKey[],
  source: SearchSource,
  positions: readonly Sql[] = [],
): Sql {
  const isTotal = positions.length === 0 && keys.some(isUnique)
  const sorted = keys.map((key) => orderedKey(target, key, source))
  return join([...sorted, ...(isTotal ? [] : [sortable(target, creation)]), ...positions])
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

function orderedKey(target: SearchTarget, { value, isDescending }: OrderKey, { score, isPlaced }: SearchSource): Sql {
  if (value.kind === 'score') return directed(score, isDescending, true)
  const compiled = singleValue(target.dialect, value)
  const isPath = value.kind === 'system' && value.name === 'ecm:path'
  // In one folder both orders are the same, and the column costs no counting.
  const isByColumn = isPosition(value) && isOfOneFolder(target.query)
  const key = sortable(target, isByColumn ? raw('documents.pos') : orderedBy(compiled, value))
  return directed(key, isDescending, compiled.isNullable && !(isPath && isPlaced))
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
