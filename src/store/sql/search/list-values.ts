import sql, { raw, type Sql } from 'sql-template-tag'
import type { Field, FieldType } from '../../../model/field.ts'
import { askedName, blobKeys, listName } from '../../../nxql/document-indexing.ts'
import type { Literal, Test } from '../../../nxql/formula.ts'
import type { QueryReference, ReferenceStep } from '../../../nxql/reference.ts'
import type { Dialect } from '../dialect.ts'
import { indexedPart } from './text-bounds.ts'
import { tested } from './value-test.ts'

/** Under which name document_values has the items that a reference is about; undefined for lists that are not indexed. */
export function findListName(reference: QueryReference): string | undefined {
  if (reference.kind === 'system') return reference.name === blobKeys ? askedName(reference.name) : undefined
  if (reference.kind !== 'property') return undefined
  const { property, steps, isList } = reference
  const [item, member, ...more] = isList ? [...steps, anyItem] : steps
  const { type, indexed } = property.field
  if (type.kind !== 'list' || typeof item !== 'object' || more.length > 0) return undefined
  if (member === undefined) return indexed && type.item.type.kind === 'string' ? listName(property.name) : undefined
  return typeof member === 'string' && hasIndexedMember(type.item.type, member) ? listName(property.name, member) : undefined
}

const anyItem: ReferenceStep = { binding: -1 }

function hasIndexedMember(type: FieldType, member: string): boolean {
  const isWanted = (field: Field) => field.name === member && field.indexed && field.type.kind === 'string'
  return type.kind === 'complex' && type.fields.some(isWanted)
}

/** Whether the table knows the answer, which has only the beginnings of texts. */
export function isAnsweredByIndex(test: Test): boolean {
  switch (test.kind) {
    case 'equals':
      return isShort(test.value)
    case 'oneOf':
      return test.values.every(isShort)
    case 'atOrBelow':
      return indexedPart(`${test.root}/`).isWhole
    default:
      return false
  }
}

function isShort(literal: Literal): boolean {
  return literal.kind === 'string' && indexedPart(literal.value).isWhole
}

/** `FROM …` the items that pass. Served by the primary key of document_values. */
export function itemsPassing(dialect: Dialect, name: string, test: Test): Sql {
  const value = { type: 'string', exact: raw('document_values.value'), isNullable: false } as const
  return sql`FROM document_values WHERE document_values.name = ${name} AND ${tested(dialect, value, test, false)}`
}

/** The documents that have an item that passes, all at once. */
export function havingItem(dialect: Dialect, name: string, test: Test): Sql {
  return sql`documents.seq IN (SELECT document_values.seq ${itemsPassing(dialect, name, test)})`
}

/** Whether a document has one, a look-up for each document. */
export function hasItem(dialect: Dialect, name: string, test: Test): Sql {
  return sql`EXISTS (SELECT 1 ${itemsPassing(dialect, name, test)} AND document_values.seq = documents.seq)`
}

// So many are counted in 1 ms and gathered in 4 ms, once for a statement.
const mostGathered = 20_000

/**
 * The same where SQLite goes through the index of an order: documents that are not among a moderate number of those that have one are
 * passed over without being read, as their seq is in that index. A look-up for each comes behind the document. Of 10,000 in a million,
 * the first 50 by title took 9 ms of processor time instead of 50, those from the 500th on 46 ms instead of 650.
 */
export function hasItemInOrder(dialect: Dialect, name: string, test: Test): Sql {
  const items = itemsPassing(dialect, name, test)
  const areMany = sql`(SELECT count(*) FROM (SELECT 1 ${items} LIMIT ${mostGathered + 1})) > ${mostGathered}`
  return sql`((${areMany} OR ${havingItem(dialect, name, test)}) AND ${hasItem(dialect, name, test)})`
}
