import sql, { raw } from 'sql-template-tag'
import type { Dialect } from '../dialect.ts'
import { isReadable } from './search-lead.ts'

/** The engine for somebody who may not read all: what counts documents counts those that the run may read. */
export function forReadable(dialect: Dialect): Dialect {
  // Served by documents_by_parent, from the beginning of the folder up to the document.
  const readablePosition = sql`(CASE WHEN documents.pos IS NOT NULL THEN (
    SELECT CAST(count(*) AS INTEGER) FROM documents AS sibling
     WHERE sibling.parent_id = documents.parent_id AND sibling.pos < documents.pos
       AND ${isReadable(dialect, raw('sibling.acp_id'), false)}) END)`
  return { ...dialect, search: { ...dialect.search, readablePosition } }
}
