import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { ChildrenFilter, SortKey } from '../../documents.ts'
import type { Dialect } from '../dialect.ts'
import { listedColumns } from './document-row.ts'
import { textKey } from './property-key.ts'

/** Served by documents_by_title, documents_by_position or documents_by_name, whichever has the order that is asked for. */
export const childrenPage = (
  dialect: Dialect,
  filter: ChildrenFilter,
  sort: readonly SortKey[],
  limit: number,
  offset: number,
) => sql`
  SELECT ${listedColumns(dialect)}
    FROM documents
   WHERE ${matching(dialect, filter)}
   ORDER BY ${order(dialect, sort)} LIMIT ${limit} OFFSET ${offset}`

/** Served by documents_visible alone; reads no more of it than the limit when none is filtered out. */
export const childrenCount = (dialect: Dialect, filter: ChildrenFilter, limit: number) => sql`
  SELECT count(*) FROM (SELECT 1 FROM documents WHERE ${matching(dialect, filter)} LIMIT ${limit}) AS counted`

/** Served by documents_by_name or another index that begins with the parent: one look-up each, and then only its children are read. */
export const childrenSummary = (
  dialect: Dialect,
  parentIds: readonly string[],
  property: string,
  readableAcps?: readonly number[],
) => sql`
  SELECT parent_id, count(*), max(${textKey(dialect, property)})
    FROM documents
   WHERE parent_id ${dialect.oneOfTexts(parentIds)}${readableAcps === undefined ? empty : sql` AND ${dialect.isAmong(raw('documents.acp_id'), readableAcps)}`}
   GROUP BY parent_id`

function matching(dialect: Dialect, filter: ChildrenFilter): Sql {
  const conditions = [sql`parent_id = ${filter.parentId}`]
  if (filter.readableAcps !== undefined) conditions.push(dialect.isAmong(raw('documents.acp_id'), filter.readableAcps))
  if (filter.visibleOnly !== undefined) {
    const { hiddenTypes, inTrash = false } = filter.visibleOnly
    conditions.push(inTrash ? sql`is_trashed = 1` : sql`is_trashed = 0`, sql`NOT type ${dialect.oneOfTexts(hiddenTypes)}`)
  }
  if (filter.onlyTypes !== undefined) {
    const { types, facet } = filter.onlyTypes
    conditions.push(sql`(type ${dialect.oneOfTexts(types)} OR ${dialect.hasItem(facets, facet)})`)
  }
  return join(conditions, ' AND ')
}

const facets = raw('facets')

const columns = {
  id: { column: 'id', isNullable: false },
  name: { column: 'name', isNullable: false },
  position: { column: 'pos', isNullable: true },
  path: { column: 'path', isNullable: true },
  type: { column: 'type', isNullable: false },
  state: { column: 'state', isNullable: false },
  majorVersion: { column: 'major_version', isNullable: false },
  minorVersion: { column: 'minor_version', isNullable: false },
} as const satisfies Record<Extract<SortKey['by'], { kind: 'column' }>['name'], { column: string; isNullable: boolean }>

/** Ends in the order of creation, which goes the way of the last key, so that an index read backwards still serves. */
function order(dialect: Dialect, sort: readonly SortKey[]): Sql {
  const creation = raw(sort.at(-1)?.descending ? 'seq DESC' : 'seq ASC')
  return join([...sort.map((key) => ordered(dialect, key)), creation])
}

function ordered(dialect: Dialect, { by, descending }: SortKey): Sql {
  const direction = raw(descending ? 'DESC' : 'ASC')
  // Where there are no nulls, saying where they go would keep PostgreSQL from using the index.
  if (by.kind === 'column' && !columns[by.name].isNullable) return sql`${raw(columns[by.name].column)} ${direction}`
  return sql`${keyOf(dialect, by)} ${direction} NULLS ${raw(descending ? 'LAST' : 'FIRST')}`
}

function keyOf(dialect: Dialect, by: SortKey['by']): Sql {
  if (by.kind === 'column') return raw(columns[by.name].column)
  return by.isNumeric ? dialect.jsonNumber('properties', by.name) : textKey(dialect, by.name)
}
