import sql, { raw, type Sql } from 'sql-template-tag'
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

/** Of what a document has one or many values. */
interface Summarised {
  readonly type: ValueType
  readonly value: Sql
  readonly tables: readonly ItemTable[]
}

/** Which rows a summary is made of. */
export interface SummarisedRows {
  readonly target: SearchTarget
  /** Then there is a row for each part that a document is in. */
  readonly parts: ValueParts | undefined
}

export function typeOf(field: ValueField): ValueType {
  return field.kind === 'reference' ? field.reference.type : 'string'
}

/** A table `found(seq, value)`, or with a `part`: each document with each distinct value it has, or with what is made of that. */
export function foundValues(rows: SummarisedRows, field: ValueField, made: (value: Sql) => Sql = (value) => value): Sql {
  const { dialect } = rows.target
  const { value, tables } = summarised(dialect, field)
  return foundRows(rows, { value: made(value), tables, condition: sql`${value} IS NOT NULL` })
}

/** A table `found(seq)`, or with a `part`, of the documents that have no value there. */
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

function foundRows({ target, parts }: SummarisedRows, found: Found): Sql {
  if (parts === undefined) return sql`(${selectedRows(target, found, raw(''))}) AS found`
  const { dialect } = target
  const by = summarised(dialect, parts.of)
  if (by.tables.length === 0) {
    const condition = allOf([found.condition, sql`${by.value} IS NOT NULL`])
    const valued = selectedRows(target, { ...found, condition }, sql`, ${by.value} AS parting`)
    // Kept first: to find an interval the value is compared some times, and would be read out of its JSON for each.
    return sql`(WITH valued AS MATERIALIZED (${valued})
      SELECT seq, value, ${partOf(dialect, parts, sql`parting`)} AS part FROM valued) AS found`
  }
  const parting = selectedRows(target, { ...by, condition: sql`${by.value} IS NOT NULL` }, raw(''))
  return sql`(SELECT valued.seq AS seq, valued.value AS value, parted.part AS part
      FROM (${selectedRows(target, found, raw(''))}) AS valued
      JOIN (SELECT DISTINCT seq, ${partOf(dialect, parts, sql`value`)} AS part FROM (${parting}) AS parting) AS parted
        ON parted.seq = valued.seq) AS found`
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
