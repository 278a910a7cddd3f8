import sql, { join, type Sql } from 'sql-template-tag'
import { unreachable } from '../../../base/unreachable.ts'
import { parseLong } from '../../../model/properties/long.ts'
import type { Total } from '../../../nxql/query.ts'
import type { SearchValue } from '../../search.ts'
import type { SqlRow, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { limitSlot, offsetSlot } from './search-run.ts'
import { rowSource, type SearchTarget } from './search-source.ts'
import { readSelected, selected } from './selected-value.ts'
import { shown, singleValue } from './sql-operand.ts'

/** One row about all rows: of each total the result, or what it is computed of, and how many values there were. */
export function totalsRow(target: SearchTarget, totals: readonly Total[]): Sql {
  const { from, where } = rowSource(target, { isScored: false })
  const columns = totals.flatMap((total) => columnsOf(target.dialect, total))
  return sql`SELECT ${join(columns)} FROM ${from} WHERE ${where} LIMIT ${limitSlot} OFFSET ${offsetSlot}`
}

export function readTotals(totals: readonly Total[], row: SqlRow): readonly SearchValue[] {
  return totals.map((total, index) => readTotal(total, row[2 * index] ?? null, Number(row[2 * index + 1])))
}

function columnsOf(dialect: Dialect, total: Total): readonly Sql[] {
  const value = shown(singleValue(dialect, total.of))
  return [resultOf(dialect, total, value), sql`count(${value})`]
}

function resultOf({ search }: Dialect, { function: name, of }: Total, value: Sql): Sql {
  switch (name) {
    case 'COUNT':
      return sql`count(${value})`
    case 'SUM':
    case 'AVG':
      return of.type === 'long' ? search.exactSum(value) : search.sum(value)
    case 'MIN':
      return selected(sql`min(${value})`, of.type)
    case 'MAX':
      return selected(sql`max(${value})`, of.type)
    default:
      return unreachable(name)
  }
}

function readTotal({ function: name, of, type }: Total, result: SqlValue, count: number): SearchValue {
  if (result === null) return null
  if (name === 'AVG') return roundedDouble(Number(result) / count)
  if (name === 'SUM') return of.type === 'long' ? (parseLong(String(result)) ?? Number(result)) : roundedDouble(Number(result))
  return readSelected(result, name === 'COUNT' ? 'long' : type)
}

/** One engine adds decimal numbers and the other binary ones: they agree in the first fifteen digits. */
export function roundedDouble(value: number): number {
  return Number(value.toPrecision(15))
}
