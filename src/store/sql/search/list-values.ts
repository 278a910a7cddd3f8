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
