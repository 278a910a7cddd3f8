import sql, { join } from 'sql-template-tag'
import type { DocumentId } from '../../../model/document.ts'
import type { Dialect } from '../dialect.ts'
import type { AcpReplacement } from '../rights/acl-inheritance.ts'
import { documentColumns } from './document-row.ts'
import { around, atOrBelow, below, belowAfter } from './path-range.ts'

/** Served by documents_by_path, from where the page before ended. */
export const documentsBelow = (path: string, after: string, limit: number) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE ${belowAfter(path, after)}
   ORDER BY path LIMIT ${limit}`

/** Served by documents_by_path. One engine does not tell case here, so there may be a few too many. */
export const renamedByTrash = (path: string) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE is_trashed = 1 AND is_proxy = 0 AND name LIKE '%.trashed' AND ${below(path)}
   ORDER BY path`

/** Served by documents_proxies. */
export const proxiesBelow = (path: string) =>
  sql`SELECT ${documentColumns} FROM documents WHERE is_proxy = 1 AND ${below(path)} ORDER BY path`

/** Served by documents_by_path for what is named, and by the primary key of document_values for those who name it. */
export const documentsNaming = (name: string, { id, path }: { readonly id: DocumentId; readonly path: string | null }) => {
  const named = path === null ? sql`= ${id}` : sql`IN (SELECT id FROM documents WHERE ${atOrBelow(path)})`
  return sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE seq IN (SELECT seq FROM document_values WHERE name = ${name} AND value ${named})
   ORDER BY seq`
}

/** Served by documents_retained, which holds few; the first condition is its own. */
export const retainedBelow = (path: string, now: string) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE (has_legal_hold = 1 OR retain_until IS NOT NULL) AND (has_legal_hold = 1 OR retain_until > ${now}) 
     AND ${around(path)} AND ${atOrBelow(path)}
   ORDER BY path LIMIT 1`

/** Served by documents_by_path for the targets and documents_by_target for their proxies; in the order of ids it would read all. */
export const proxyInto = (path: string) => sql`
  SELECT id, target_id
    FROM documents
   WHERE target_id IN (SELECT id FROM documents WHERE ${atOrBelow(path)}) AND NOT ${atOrBelow(path)}
   ORDER BY target_id, id LIMIT 1`

/** Served by documents_by_path. By row number, the order in which all lock several rows: paths change while one waits. */
export const lockSubtree = (dialect: Dialect, path: string) => sql`
  SELECT count(*) FROM (SELECT 1 FROM documents WHERE ${atOrBelow(path)} ORDER BY seq ${dialect.forUpdate}) AS locked`

/** Served by the unique id and documents_by_path, a look-up for each. */
export const lockAhead = (dialect: Dialect, ids: readonly DocumentId[], paths: readonly string[]) => {
  const wanted = [sql`id ${dialect.oneOfTexts(ids)}`, ...paths.map(atOrBelow)]
  return sql`
  SELECT count(*) FROM (SELECT 1 FROM documents WHERE ${join(wanted, ' OR ')} ORDER BY seq ${dialect.forUpdate}) AS locked`
}

/** Served by documents_by_path alone. */
export const longestPathBelow = (path: string) =>
  sql`SELECT path FROM documents WHERE ${below(path)} ORDER BY octet_length(path) DESC, path LIMIT 1`

/** Served by documents_by_path. */
export const moveBelow = (from: string, to: string) =>
  sql`UPDATE documents SET path = ${movedPath(from, to)} WHERE ${below(from)}`

/** Served by documents_by_path. One statement, because on PostgreSQL each that writes a row writes to all of its indexes. */
export const moveBelowWithRights = (dialect: Dialect, from: string, to: string, pairs: AcpReplacement['pairs']) => sql`
  UPDATE documents
     SET path = ${movedPath(from, to)},
         acp_id = coalesce(CAST(${dialect.numberMap(pairs)} ->> CAST(acp_id AS text) AS bigint), acp_id)
   WHERE ${below(from)}`

/** Lengths are SQL's: it counts code points where JavaScript counts UTF-16 units. */
const movedPath = (from: string, to: string) => sql`${to} || substr(path, length(${from}) + 1)`

/** Served by documents_by_path. The token keeps a document that was read before from being written back with the old flag. */
export const setTrashedBelow = (path: string, isTrashed: boolean) => sql`
  UPDATE documents SET is_trashed = ${isTrashed ? 1 : 0}, change_system = change_system + 1
   WHERE ${below(path)} AND is_proxy = 0 AND is_trashed = ${isTrashed ? 0 : 1}
  RETURNING id`

/** Served by documents_by_path. */
export const deleteSubtree = (path: string) =>
  sql`DELETE FROM documents WHERE ${atOrBelow(path)} RETURNING id, is_proxy, is_version, series_id, seq`
