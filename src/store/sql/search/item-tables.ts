import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Binding, PropertyReference, QueryReference } from '../../../nxql/reference.ts'
import type { Dialect } from '../dialect.ts'
import { allOf } from './junction.ts'
import type { JsonPlace } from './search-dialect.ts'
import { aliasOf, listOf, placeOf } from './sql-operand.ts'

/** A table of the items that a wildcard chooses from. */
export interface ItemTable {
  readonly alias: string
  readonly list: JsonPlace
}

export interface JoinedTable extends ItemTable {
  /** An empty list then gives no row rather than one of null. */
  readonly isRequired: boolean
}

export function tableOfBinding({ search }: Dialect, { id, list }: Binding): ItemTable {
  return { alias: aliasOf(id), list: list.kind === 'aces' ? ofAces(search.ownAces) : placeOf(list.property, list.steps) }
}

/** The tables on which a reference depends, outer ones first, whatever query it was made for; of a list, also its own. */
export function tablesOfReference(dialect: Dialect, reference: QueryReference): readonly ItemTable[] {
  if (reference.kind === 'ace') return [{ alias: aliasOf(reference.binding), list: ofAces(dialect.search.ownAces) }]
  const outer = reference.kind === 'property' ? tablesOfWildcards(reference) : []
  return reference.isList ? [...outer, { alias: itemAlias, list: listOf(dialect, reference) }] : outer
}

/** Of the items of a list that has no wildcard of its own. */
export const itemAlias = 'item'

function tablesOfWildcards({ property, steps }: PropertyReference): readonly ItemTable[] {
  return steps.flatMap((step, index) =>
    typeof step === 'object' ? { alias: aliasOf(step.binding), list: placeOf(property, steps.slice(0, index)) } : [],
  )
}

function ofAces(json: Sql): JsonPlace {
  return { root: { kind: 'json', json }, steps: [] }
}

/** Behind FROM: every choice of items; there is none where a list is empty. */
export function choices({ search }: Dialect, tables: readonly ItemTable[]): Sql {
  return join(
    tables.map(({ list, alias }) => search.items(list, alias)),
    ' CROSS JOIN ',
  )
}

/** Behind a table: a row for every choice of items; an empty list gives one row of null. */
export function joinedChoices({ search }: Dialect, tables: readonly JoinedTable[]): Sql {
  if (tables.length === 0) return raw('')
  const joined = tables.map(({ list, alias, isRequired }) => {
    const condition = isRequired ? search.isThere(alias) : raw('1 = 1')
    return sql` ${raw(isRequired ? 'JOIN' : 'LEFT JOIN')} ${search.items(list, alias)} ON ${condition}`
  })
  return join(joined, '')
}

/** @see Dialect.inTime, of the innermost of these tables, or of the documents when there are none. */
export function inTimeAt({ search, inTime }: Dialect, tables: readonly ItemTable[]): Sql {
  const innermost = tables.at(-1)
  return inTime(innermost === undefined ? raw('documents.seq') : search.position(innermost.alias))
}

/** Whether some choice of items makes a condition true. */
export function someChoice(dialect: Dialect, tables: readonly ItemTable[], needsItems: boolean, condition: Sql): Sql {
  const from = needsItems
    ? choices(dialect, tables)
    : sql`(SELECT 1 AS one) AS single${joinedChoices(
        dialect,
        tables.map((table) => ({ ...table, isRequired: false })),
      )}`
  return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${allOf([inTimeAt(dialect, tables), condition])})`
}
