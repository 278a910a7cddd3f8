import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ValueType } from '../../../nxql/reference.ts'
import type { SummaryField, SummaryParts } from '../../search.ts'
import type { Dialect } from '../dialect.ts'
import { seqsWithin } from './document-search.ts'
import { type ItemTable, itemAlias, joinedChoices, someChoice, tablesOfReference } from './item-tables.ts'
import { allOf } from './junction.ts'
import { documentCondition, type SearchTarget } from './search-source.ts'
import { scalarAt, shown, singleValue } from './sql-operand.ts'

/** A field of which rows have values in SQL. Facets are none: those of a type are in no table. */
export type ValueField = Exclude<SummaryField, { readonly kind: 'facets' }>
export type ValueParts = SummaryParts & { readonly of: ValueField }

export function isOfValues(parts: SummaryParts): parts is ValueParts {
  return parts.of.kind !== 'facets'
}

/** Of what a document has one or many values. */
interface Summarised {
  readonly type: ValueType
  readonly value: Sql
  readonly tables: readonly ItemTable[]
}

/** Which rows a summary is made of. */
export interface SummarisedRows {
  readonly target: SearchTarget
  /** Then there is a row for each part that a document is in, called by `part0`, `part1` and so on. */
  readonly partings: readonly ValueParts[]
}

export function typeOf(field: ValueField): ValueType {
  return field.kind === 'reference' ? field.reference.type : 'string'
}

/** A table `found(seq, value)`, or with parts: each document with each distinct value it has, or with what is made of that. */
export function foundValues(rows: SummarisedRows, field: ValueField, made: (value: Sql) => Sql = (value) => value): Sql {
  const { dialect } = rows.target
  const { value, tables } = summarised(dialect, field)
  return foundRows(rows, { value: made(value), tables, condition: sql`${value} IS NOT NULL` })
}

/** A table `found(seq)`, or with parts, of the documents that have no value there. */
export function withoutValue(rows: SummarisedRows, field: ValueField): Sql {
  const { dialect } = rows.target
  const { value, tables } = summarised(dialect, field)
  const condition =
    tables.length === 0 ? sql`${value} IS NULL` : sql`NOT ${someChoice(dialect, tables, true, sql`${value} IS NOT NULL`)}`
  return foundRows(rows, { value: raw('NULL'), tables: [], condition })
}

interface Found {
  readonly value: Sql
  readonly tables: readonly ItemTable[]
  readonly condition: Sql
}

function foundRows({ target, partings }: SummarisedRows, found: Found): Sql {
  if (partings.length === 0) return sql`(${selectedRows(target, found, raw(''))}) AS found`
  const ways = partings.map((parts, index) => partingWay(target, parts, index))
  const condition = allOf([found.condition, ...ways.flatMap((way) => way.condition ?? [])])
  const valued = selectedRows(
    target,
    { ...found, condition },
    join(
      ways.map(({ column }) => column ?? raw('')),
      '',
    ),
  )
  // Kept first: to find an interval the value is compared some times, and would be read out of its JSON for each.
  return sql`(WITH valued AS MATERIALIZED (${valued})
      SELECT valued.seq AS seq, valued.value AS value${join(
        ways.map(({ part }) => part),
        '',
      )}
        FROM valued${join(
          ways.map(({ table }) => table ?? raw('')),
          '',
        )}) AS found`
}

/** How a row learns which part it is in: by a value of its document, or by a table of those that have several. */
interface PartingWay {
  readonly column?: Sql
  readonly condition?: Sql
  readonly table?: Sql
  readonly part: Sql
}

function partingWay(target: SearchTarget, parts: ValueParts, index: number): PartingWay {
  const { dialect } = target
  const [part, parting, parted] = ['part', 'parting', 'parted'].map((name) => raw(`${name}${index}`)) as [Sql, Sql, Sql]
  const by = summarised(dialect, parts.of)
  const condition = sql`${by.value} IS NOT NULL`
  if (by.tables.length === 0)
    return { column: sql`, ${by.value} AS ${parting}`, condition, part: sql`, ${partOf(dialect, parts, parting)} AS ${part}` }
  const values = selectedRows(target, { ...by, condition }, raw(''))
  return {
    table: sql`
        JOIN (SELECT DISTINCT seq, ${partOf(dialect, parts, sql`value`)} AS part FROM (${values}) AS ${parting}) AS ${parted}
          ON ${parted}.seq = valued.seq`,
    part: sql`, ${parted}.part AS ${part}`,
  }
}

function selectedRows(target: SearchTarget, { value, tables, condition }: Found, also: Sql): Sql {
  const items = joinedChoices(
    target.dialect,
    tables.map((table) => ({ ...table, isRequired: true })),
  )
  const distinct = raw(tables.length === 0 ? '' : 'DISTINCT ')
  const where = allOf([summarisedDocuments(target), condition])
  return sql`SELECT ${distinct}documents.seq AS seq, ${value} AS value${also} FROM documents${items} WHERE ${where}`
}

function partOf(dialect: Dialect, parts: ValueParts, value: Sql): Sql {
  return parts.kind === 'values'
    ? value
    : intervalOf(
        value,
        parts.bounds.map((bound) => boundIn(dialect, bound)),
      )
}

/** A bound as values are compared with it. */
export function boundIn(dialect: Dialect, bound: number | string): Sql {
  return typeof bound === 'number' ? dialect.search.numeric(bound) : sql`${bound}`
}

/** How many of the bounds a value is not below, by halves: there may be thousands of them. */
function intervalOf(value: Sql, bounds: readonly Sql[], below = 0): Sql {
  const middle = bounds.length >>> 1
  const bound = bounds[middle]
  if (bound === undefined) return raw(String(below))
  const lower = intervalOf(value, bounds.slice(0, middle), below)
  const upper = intervalOf(value, bounds.slice(middle + 1), below + middle + 1)
  return sql`CASE WHEN ${value} < ${bound} THEN ${lower} ELSE ${upper} END`
}

/** The condition on the documents that a summary is about. */
export function summarisedDocuments(target: SearchTarget): Sql {
  const { query } = target
  const isCut = query.limit !== undefined || query.offset > 0
  return isCut ? sql`documents.seq IN (${seqsWithin(target)})` : documentCondition(target)
}

function summarised(dialect: Dialect, field: ValueField): Summarised {
  if (field.kind === 'pathSegment') return { type: 'string', value: dialect.search.pathSegment(field.depth), tables: [] }
  const { reference } = field
  const { type } = reference
  const tables = tablesOfReference(dialect, reference)
  const item = { root: { kind: 'item', alias: itemAlias }, steps: [] } as const
  return { type, tables, value: reference.isList ? scalarAt(dialect, item, type) : shown(singleValue(dialect, reference)) }
}
