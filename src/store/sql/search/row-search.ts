import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Column, OrderKey, Selectable } from '../../../nxql/query.ts'
import type { Dialect } from '../dialect.ts'
import { directed, orderOf, usesScore } from './search-order.ts'
import { limitSlot, offsetSlot } from './search-run.ts'
import { rowSource, type SearchSource, type SearchTarget } from './search-source.ts'
import { selected } from './selected-value.ts'
import { aliasOf, shown, singleValue } from './sql-operand.ts'

/** A page of rows: one for each document and each choice of items for the wildcards of the query. */
export function rowsPage(target: SearchTarget, columns: readonly Column[]): Sql {
  return target.query.isDistinct ? distinctPage(target, columns) : plainPage(target, columns)
}

export function rowsCount(target: SearchTarget, columns: readonly Column[]): Sql {
  const source = rowSource(target, { isScored: target.query.isDistinct && usesScore(columns.map(asKey)) })
  const rows = target.query.isDistinct
    ? sql`SELECT DISTINCT ${join(columns.map(({ value }) => comparable(target.dialect, value, source)))}`
    : raw('SELECT 1')
  return sql`${source.with}SELECT count(*) FROM (${rows} FROM ${source.from} WHERE ${source.where}
    LIMIT ${limitSlot} OFFSET ${offsetSlot}) AS counted`
}

function plainPage(target: SearchTarget, columns: readonly Column[]): Sql {
  const { dialect, query } = target
  const source = rowSource(target, { isScored: usesScore([...query.order, ...columns.map(asKey)]) })
  const values = columns.map(({ value }) => selected(comparable(dialect, value, source), value.type))
  const positions = query.bindings.map(({ id }) => directed(dialect.search.position(aliasOf(id)), false, true))
  return sql`${source.with}SELECT ${join(values)} FROM ${source.from} WHERE ${source.where}
    ORDER BY ${orderOf(target, query.order, source, positions)} LIMIT ${limitSlot} OFFSET ${offsetSlot}`
}

/** Rows that are alike are one, which stands where the first of them would, and among those of one document by its values. */
function distinctPage(target: SearchTarget, columns: readonly Column[]): Sql {
  const { dialect, query } = target
  const source = rowSource(target, { isScored: usesScore(columns.map(asKey)) })
  const named = columns.map(({ value }, index) => sql`${comparable(dialect, value, source)} AS ${columnName(index)}`)
  const numbers = raw(columns.map((_, index) => index + 1).join(', '))
  const order = [
    ...query.order.map(({ value, isDescending }) => directed(columnName(indexOf(columns, value)), isDescending, true)),
    raw('first_seq'),
    ...columns.map((_, index) => directed(columnName(index), false, true)),
  ]
  // Under their own names PostgreSQL would order by what is shown of them: numbers as texts.
  const values = columns.map(({ value }, index) => sql`${selected(columnName(index), value.type)} AS ${raw(`shown_${index}`)}`)
  return sql`${source.with}SELECT ${join(values)} FROM (
    SELECT ${join(named)}, min(documents.seq) AS first_seq FROM ${source.from} WHERE ${source.where} GROUP BY ${numbers}) AS found
    ORDER BY ${join(order)} LIMIT ${limitSlot} OFFSET ${offsetSlot}`
}

function comparable(dialect: Dialect, value: Selectable, { score }: SearchSource): Sql {
  return value.kind === 'score' ? score : shown(singleValue(dialect, value))
}

function columnName(index: number): Sql {
  return raw(`c${index}`)
}

function indexOf(columns: readonly Column[], { identity }: Selectable): number {
  return columns.findIndex(({ value }) => value.identity === identity)
}

function asKey({ value }: Column): OrderKey {
  return { value, isDescending: false }
}
