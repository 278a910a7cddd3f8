import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ValueType } from '../../../nxql/reference.ts'
import type { SummarisedPart, Summary, SummaryRange, SummaryResult } from '../../search.ts'
import type { SqlRow, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { allOf, yes } from './junction.ts'
import type { SearchTarget } from './search-source.ts'
import { readSelected, selected } from './selected-value.ts'
import {
  boundIn,
  foundValues,
  type SummarisedRows,
  typeOf,
  type ValueField,
  type ValueParts,
  withoutValue,
} from './summary-source.ts'
import { roundedDouble } from './total-search.ts'

/** A summary of anything but facets: its statement, and what its rows say. */
export interface SummarySearch<Result> {
  readonly statement: Sql
  read(rows: readonly SqlRow[]): Result
}

/** What is asked of the found rows, of all of them at once or of each part. */
interface SummaryForm {
  readonly found: Sql
  readonly columns: readonly Sql[]
  /** A row for each value then, the first of them in this order. */
  readonly values?: { readonly order: Sql; readonly max: number }
  read(rows: readonly SqlRow[]): SummaryResult
}

export function summarySearch(target: SearchTarget, summary: Summary, of: ValueField): SummarySearch<SummaryResult> {
  const { found, columns, values, read } = summaryForm({ target, partings: [] }, summary, of)
  const grouped = values === undefined ? raw('') : sql` GROUP BY value ORDER BY ${values.order} LIMIT ${values.max}`
  return { statement: sql`SELECT ${named(columns)} FROM ${found}${grouped}`, read }
}

// More rows than this are not worth to be looked at together.
const mostRows = 100_000

/** The same summary of each part; nothing comes of it where that were too many rows. */
export function partedSearch(
  target: SearchTarget,
  summary: Summary,
  of: ValueField,
  partings: readonly ValueParts[],
): SummarySearch<readonly SummarisedPart[] | undefined> {
  const { found, columns, values, read } = summaryForm({ target, partings }, summary, of)
  const types = partings.map((parts): ValueType => (parts.kind === 'values' ? typeOf(parts.of) : 'long'))
  const names = partings.map((_, index) => raw(`part${index}`))
  const parts = join(names)
  const shown = join(types.map((type, index) => selected(names[index] as Sql, type)))
  return {
    statement:
      values === undefined
        ? sql`SELECT ${shown}, ${named(columns)} FROM ${found} GROUP BY ${parts} LIMIT ${mostRows + 1}`
        : sql`SELECT ${shown}, ${join(columns.map((_, index) => nameOf(index)))} FROM (
            SELECT ${parts}, ${named(columns)}, row_number() OVER (PARTITION BY ${parts} ORDER BY ${values.order}) AS place
              FROM ${found} GROUP BY ${parts}, value) AS ranked
            WHERE place <= ${values.max} ORDER BY ${join(names.map((name) => sql`ranked.${name}`))}, place LIMIT ${mostRows + 1}`,
    read: (rows) => (rows.length > mostRows ? undefined : readParts(rows, types, read)),
  }
}

/** The rows of a part follow each other. */
function readParts(rows: readonly SqlRow[], types: readonly ValueType[], read: SummaryForm['read']): readonly SummarisedPart[] {
  const parts: { readonly names: SqlRow; readonly rows: SqlRow[] }[] = []
  for (const row of rows) {
    const names = row.slice(0, types.length)
    const own = row.slice(types.length)
    const last = parts.at(-1)
    if (last?.names.every((name, index) => name === names[index])) last.rows.push(own)
    else parts.push({ names, rows: [own] })
  }
  return parts.map(({ names, rows: some }) => ({
    names: types.map((type, index) => readSelected(names[index] ?? null, type) ?? ''),
    result: read(some),
  }))
}

// Without names of their own PostgreSQL would call the text of a number `value`, and order by that.
function named(columns: readonly Sql[]): Sql {
  return join(columns.map((column, index) => sql`${column} AS ${nameOf(index)}`))
}

function nameOf(index: number): Sql {
  return raw(`column${index}`)
}

function summaryForm(rows: SummarisedRows, summary: Summary, of: ValueField): SummaryForm {
  const { search } = rows.target.dialect
  switch (summary.kind) {
    case 'values':
      return frequencies(foundValues(rows, of), of, summary.max)
    case 'prefixes':
      return frequencies(
        foundValues(rows, of, (value) => sql`substr(${value}, 1, ${summary.length})`),
        of,
        summary.max,
      )
    case 'ranges':
      return ranges(rows, of, summary.ranges)
    case 'intervals':
      return intervals(foundValues(rows, of, (value) => search.floorTo(value, summary.width)))
    default:
      return total(rows, of, summary.function)
  }
}

/** The most frequent values first, and of those that are as frequent the smaller. */
function frequencies(found: Sql, field: ValueField, max: number): SummaryForm {
  const type = typeOf(field)
  return {
    found,
    columns: [selected(sql`value`, type), sql`count(*)`],
    values: { order: sql`count(*) DESC, value`, max },
    read: (rows) => ({
      kind: 'counts',
      counts: rows.map(([value = null, count]) => ({ value: readSelected(value, type) ?? '', count: Number(count) })),
    }),
  }
}

// As many as an aggregate looks at of anything.
const maxIntervals = 100_000

function intervals(found: Sql): SummaryForm {
  return {
    found,
    columns: [sql`value`, sql`count(*)`],
    values: { order: sql`value`, max: maxIntervals },
    read: (rows) => ({ kind: 'counts', counts: rows.map(([value, count]) => ({ value: Number(value), count: Number(count) })) }),
  }
}

function ranges(rows: SummarisedRows, field: ValueField, wanted: readonly SummaryRange[]): SummaryForm {
  const counts = wanted.map((range) => sql`count(DISTINCT CASE WHEN ${within(rows.target.dialect, range)} THEN seq END)`)
  return {
    found: foundValues(rows, field),
    columns: [sql`1`, ...counts],
    read: ([row = []]) => ({ kind: 'rangeCounts', counts: row.slice(1).map(Number) }),
  }
}

function within(dialect: Dialect, { from, to }: SummaryRange): Sql {
  return allOf([
    ...(from === undefined ? [] : [sql`value >= ${boundIn(dialect, from)}`]),
    ...(to === undefined ? [] : [sql`value < ${boundIn(dialect, to)}`]),
    yes,
  ])
}

type TotalFunction = Extract<Summary, { readonly kind: 'total' }>['function']

function total(rows: SummarisedRows, field: ValueField, name: TotalFunction): SummaryForm {
  const { dialect } = rows.target
  const read = (value: (row: SqlRow) => number | null) => (found: readonly SqlRow[]) =>
    ({ kind: 'number', value: value(found[0] ?? []) }) as const
  const type = typeOf(field)
  if (name === 'missing') {
    return { found: withoutValue(rows, field), columns: [sql`count(*)`], read: read(([count]) => Number(count)) }
  }
  return {
    found: foundValues(rows, field),
    columns: [resultOf(dialect, name, type), sql`count(*)`],
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
