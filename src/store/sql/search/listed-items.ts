import sql, { raw, type Sql } from 'sql-template-tag'
import type { ItemsWindow } from '../../search.ts'
import { allOf } from './junction.ts'
import { isReadable } from './search-lead.ts'
import { limitSlot } from './search-run.ts'
import type { SearchTarget } from './search-source.ts'
import { behindPrefix } from './text-bounds.ts'

/**
 * Each value that the items of a list have, in order, as far as a document that may be found has it. It goes from one value to the
 * next through the primary key of document_values, so that a value costs the same however many documents have it. Within CASE no planner
 * makes a join of the look for documents: that would have the values in any order, and those beyond the limit too.
 */
export function listedItems({ dialect, isRestricted }: Omit<SearchTarget, 'query'>, window: ItemsWindow): Sql {
  const { name, prefix, after } = window
  const end = behindPrefix(prefix)
  const isWanted = (value: Sql) =>
    allOf([sql`document_values.name = ${name}`, value, ...(end === undefined ? [] : [sql`document_values.value < ${end}`])])
  const first = after === undefined ? sql`document_values.value >= ${prefix}` : sql`document_values.value > ${after}`
  const next = (value: Sql) => sql`(SELECT min(document_values.value) FROM document_values WHERE ${isWanted(value)})`
  const isSeen = allOf([
    dialect.inTime(raw('owned.seq')),
    sql`owned.name = ${name}`,
    sql`owned.value = items.value`,
    ...(isRestricted ? [isReadable(dialect, raw('documents.acp_id'), false)] : []),
  ])
  return sql`
    WITH RECURSIVE items(value) AS (
      SELECT ${next(first)}
      UNION ALL
      SELECT ${next(sql`document_values.value > items.value`)} FROM items WHERE items.value IS NOT NULL)
    SELECT items.value FROM items
     WHERE items.value IS NOT NULL AND ${dialect.inTime(raw('items.value'))}
       AND CASE WHEN EXISTS (
         SELECT 1 FROM document_values AS owned JOIN documents ON documents.seq = owned.seq WHERE ${isSeen}) THEN 1 END = 1
     LIMIT ${limitSlot}`
}
