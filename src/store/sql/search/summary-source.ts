import sql, { raw, type Sql } from 'sql-template-tag'
import type { ValueType } from '../../../nxql/reference.ts'
import type { SummaryField } from '../../search.ts'
import type { Dialect } from '../dialect.ts'
import { seqsWithin } from './document-search.ts'
import { type ItemTable, itemAlias, joinedChoices, someChoice, tablesOfReference } from './item-tables.ts'
import { allOf } from './junction.ts'
import { documentCondition, type SearchTarget } from './search-source.ts'
import { scalarAt, shown, singleValue } from './sql-operand.ts'

/** A field of which rows have values in SQL. Facets are none: those of a type are in no table. */
export type ValueField = Exclude<SummaryField, { readonly kind: 'facets' }>

/** Of what a document has one or many values. */
interface Summarised {
  readonly type: ValueType
  readonly value: Sql
  readonly tables: readonly ItemTable[]
}

export function typeOf(field: ValueField): ValueType {
  return field.kind === 'reference' ? field.reference.type : 'string'
}

/** A table `found(seq, value)`: each document with each distinct value it has, or with what is made of that. */
export function foundValues(target: SearchTarget, field: ValueField, made: (value: Sql) => Sql = (value) => value): Sql {
  const { dialect } = target
  const { value, tables } = summarised(dialect, field)
  const items = joinedChoices(
    dialect,
    tables.map((table) => ({ ...table, isRequired: true })),
  )
  const distinct = raw(tables.length === 0 ? '' : 'DISTINCT ')
  const where = allOf([summarisedDocuments(target), sql`${value} IS NOT NULL`])
  return sql`(SELECT ${distinct}documents.seq AS seq, ${made(value)} AS value FROM documents${items} WHERE ${where}) AS found`
}

/** The documents that have no value there. */
export function withoutValue(target: SearchTarget, field: ValueField): Sql {
  const { dialect } = target
  const { value, tables } = summarised(dialect, field)
  const hasNone =
    tables.length === 0 ? sql`${value} IS NULL` : sql`NOT ${someChoice(dialect, tables, true, sql`${value} IS NOT NULL`)}`
  return sql`SELECT count(*) FROM documents WHERE ${allOf([summarisedDocuments(target), hasNone])}`
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
