import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ValueType } from '../../../nxql/reference.ts'
import type { Summary, SummaryRange, SummaryResult } from '../../search.ts'
import type { SqlRow, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { allOf, yes } from './junction.ts'
import type { SearchTarget } from './search-source.ts'
import { readSelected, selected } from './selected-value.ts'
import { foundValues, typeOf, type ValueField, withoutValue } from './summary-source.ts'
import { roundedDouble } from './total-search.ts'

/** A summary of anything but facets: its statement, and what its rows say. */
export interface SummarySearch {
  readonly statement: Sql
  read(rows: readonly SqlRow[]): SummaryResult
}

export function summarySearch(target: SearchTarget, summary: Summary, of: ValueField): SummarySearch {
  const { search } = target.dialect
  switch (summary.kind) {
    case 'values':
      return frequencies(foundValues(target, of), of, summary.max)
    case 'prefixes':
      return frequencies(
        foundValues(target, of, (value) => sql`substr(${value}, 1, ${summary.length})`),
        of,
        summary.max,
      )
    case 'ranges':
      return ranges(target, of, summary.ranges)
    case 'intervals':
      return intervals(foundValues(target, of, (value) => search.floorTo(value, summary.width)))
    default:
      return total(target, of, summary.function)
  }
}

/** The most frequent values first, and of those that are as frequent the smaller. */
function frequencies(found: Sql, field: ValueField, max: number): SummarySearch {
  const type = typeOf(field)
  return {
    // Without a name of its own PostgreSQL would call the text of a number `value`, and order by that.
    statement: sql`SELECT ${selected(sql`value`, type)} AS shown, count(*) FROM ${found}
      GROUP BY value ORDER BY count(*) DESC, value LIMIT ${max}`,
    read: (rows) => ({
      kind: 'counts',
      counts: rows.map(([value = null, count]) => ({ value: readSelected(value, type) ?? '', count: Number(count) })),
    }),
  }
}

// As many as an aggregate looks at of anything.
const maxIntervals = 100_000

function intervals(found: Sql): SummarySearch {
  return {
    statement: sql`SELECT value, count(*) FROM ${found} GROUP BY value ORDER BY value LIMIT ${maxIntervals}`,
    read: (rows) => ({ kind: 'counts', counts: rows.map(([value, count]) => ({ value: Number(value), count: Number(count) })) }),
  }
}

function ranges(target: SearchTarget, field: ValueField, wanted: readonly SummaryRange[]): SummarySearch {
  const counts = wanted.map((range) => sql`count(DISTINCT CASE WHEN ${within(target.dialect, range)} THEN seq END)`)
  return {
    statement: sql`SELECT ${join([sql`1`, ...counts])} FROM ${foundValues(target, field)}`,
    read: ([row = []]) => ({ kind: 'rangeCounts', counts: row.slice(1).map(Number) }),
  }
}

function within(dialect: Dialect, { from, to }: SummaryRange): Sql {
  const limit = (bound: number | string) => (typeof bound === 'number' ? dialect.search.numeric(bound) : sql`${bound}`)
  return allOf([
    ...(from === undefined ? [] : [sql`value >= ${limit(from)}`]),
    ...(to === undefined ? [] : [sql`value < ${limit(to)}`]),
    yes,
  ])
}

type TotalFunction = Extract<Summary, { readonly kind: 'total' }>['function']

function total(target: SearchTarget, field: ValueField, name: TotalFunction): SummarySearch {
  const read = (value: (row: SqlRow) => number | null) => (rows: readonly SqlRow[]) =>
    ({ kind: 'number', value: value(rows[0] ?? []) }) as const
  const type = typeOf(field)
  if (name === 'missing') return { statement: withoutValue(target, field), read: read(([count]) => Number(count)) }
  return {
    statement: sql`SELECT ${resultOf(target.dialect, name, type)}, count(*) FROM ${foundValues(target, field)}`,
    read: read(([value = null, count]) => numberOf(name, type, value, Number(count))),
  }
}

/** Null for what cannot be computed of such values: only numbers have a sum, and only they and moments a least one. */
function resultOf({ search }: Dialect, name: Exclude<TotalFunction, 'missing'>, type: ValueType): Sql {
  const isNumber = type === 'long' || type === 'double'
  switch (name) {
    case 'count':
      return sql`count(*)`
    case 'cardinality':
      return sql`count(DISTINCT value)`
    case 'min':
    case 'max':
      return isNumber || type === 'date' ? selected(sql`${raw(name)}(value)`, type) : nothing
    default:
      if (!isNumber) return nothing
      return type === 'long' ? search.exactSum(sql`value`) : search.sum(sql`value`)
  }
}

const nothing = raw('NULL')

function numberOf(name: TotalFunction, type: ValueType, value: SqlValue, count: number): number | null {
  if (value === null) return null
  if (name === 'avg') return roundedDouble(Number(value) / count)
  if (name === 'sum' && type === 'double') return roundedDouble(Number(value))
  return typeof value === 'string' && value.endsWith('Z') ? Date.parse(value) : Number(value)
}
