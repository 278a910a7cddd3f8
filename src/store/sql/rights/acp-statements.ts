import sql, { raw } from 'sql-template-tag'
import type { Dialect } from '../dialect.ts'
import { documentColumns } from '../documents/document-row.ts'
import { around, atOrBelow, below } from '../documents/path-range.ts'
import { fixed } from '../fixed-statement.ts'

/** Served by the primary key. */
export const acpById = fixed<[id: number]>(sql`SELECT id, aces FROM acps WHERE id = ${0}`)

/** Served by the primary key. */
export const acpsAfter = fixed<[id: number]>(sql`SELECT id, aces FROM acps WHERE id > ${0} ORDER BY id`)

/** Served by the unique hash, a look-up for each. */
export const acpIdsByHash = (dialect: Dialect, hashes: readonly string[]) =>
  sql`SELECT hash, id FROM acps WHERE hash ${dialect.oneOfTexts(hashes)}`

/** Lists that another transaction stored meanwhile are left as they are. */
export const insertAcps = (dialect: Dialect, lists: readonly (readonly [hash: string, aces: string])[]) => sql`
  INSERT INTO acps (hash, aces) SELECT first, second FROM ${dialect.textPairs(lists)} WHERE true ORDER BY first
  ON CONFLICT (hash) DO NOTHING`

/** Served by the unique id, a look-up for each. */
export const acpIdsOf = (dialect: Dialect, ids: readonly string[]) =>
  sql`SELECT id, acp_id FROM documents WHERE id ${dialect.oneOfTexts(ids)}`

/** Served by the unique id. */
export const rightsOf = (id: string) => sql`SELECT acp_id, parent_id FROM documents WHERE id = ${id}`

/** Served by the unique id. */
export const ownRightsOf = (id: string) => sql`SELECT acp_id, acls FROM documents WHERE id = ${id}`

/** Served by documents_with_acls. In path order, so that a document comes before all below it. */
export const rightsBelow = (path: string) =>
  sql`SELECT path, acls, acp_id FROM documents WHERE acls IS NOT NULL AND ${below(path)} ORDER BY path`

/** Served by documents_with_acls. */
export const ownAcls = (path: string) =>
  sql`SELECT id, acls FROM documents WHERE acls IS NOT NULL AND ${around(path)} AND ${atOrBelow(path)} ORDER BY path`

/** Served by documents_with_acls: all of them are looked at, for who is named in an ACL is in no index. */
export const documentsNaming = (dialect: Dialect, username: string, limit: number) => sql`
  SELECT id FROM documents
   WHERE acls IS NOT NULL AND EXISTS (SELECT 1 FROM ${dialect.acesOfAcls} WHERE ace ->> 'username' = ${username})
   ORDER BY path, id LIMIT ${limit}`

const namesAny = (dialect: Dialect, usernames: readonly string[]) => sql`
  acls IS NOT NULL AND EXISTS (SELECT 1 FROM ${dialect.acesOfAcls} WHERE ace ->> 'username' ${dialect.oneOfTexts(usernames)})`

/** Served by documents_with_acls, as the one before. */
export const documentsNamingAny = (dialect: Dialect, usernames: readonly string[], limit: number, offset: number) => sql`
  SELECT ${documentColumns} FROM documents WHERE ${namesAny(dialect, usernames)} ORDER BY path, id LIMIT ${limit} OFFSET ${offset}`

/** Served by documents_with_acls, as the one before. */
export const countNamingAny = (dialect: Dialect, usernames: readonly string[], most: number) => sql`
  SELECT count(*) FROM (SELECT 1 FROM documents WHERE ${namesAny(dialect, usernames)} LIMIT ${most}) AS named`

/**
 * Served by documents_with_dates, which holds few. An entry counts from its beginning on and until its end, both included: so the
 * one that begins at `until` has turned by then, and the one that ends then has not.
 */
export const turnedBetween = (dialect: Dialect, after: string, until: string) => {
  const [begin, end] = [dialect.byCodePoint(raw("ace ->> 'begin'")), dialect.byCodePoint(raw("ace ->> 'end'"))]
  return sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE acls IS NOT NULL AND ${raw(dialect.hasDates)} = 1
     AND EXISTS (SELECT 1 FROM ${dialect.acesOfAcls}
                  WHERE (${begin} > ${after} AND ${begin} <= ${until}) OR (${end} >= ${after} AND ${end} < ${until}))
   ORDER BY id`
}

/** Served by the unique id. */
export const updateRights = (id: string, acls: string | null, acpId: number) =>
  sql`UPDATE documents SET acls = ${acls}, acp_id = ${acpId} WHERE id = ${id}`

/** Served by documents_by_path, whatever else has the same lists. All pairs at once: what one makes is not what the next one finds. */
export const replaceAcps = (dialect: Dialect, path: string, pairs: readonly (readonly [from: number, to: number])[]) => sql`
  UPDATE documents SET acp_id = pairs.target
    FROM ${dialect.numberPairs(pairs)}
   WHERE ${atOrBelow(path)} AND ${dialect.search.notByIndex(raw('documents.acp_id'))} = pairs.source`

/** Served by documents_by_path for the live documents and documents_by_series for their versions. */
export const versionsFollowBelow = (path: string) => sql`
  UPDATE documents SET acp_id = (${acpOfLive})
   WHERE series_id IN (SELECT id FROM documents WHERE ${below(path)}) AND is_version = 1 AND acp_id <> (${acpOfLive})`

const acpOfLive = sql`SELECT live.acp_id FROM documents AS live WHERE live.id = documents.series_id`

/** Served by documents_by_series, a look-up for each. */
export const clearVersions = (dialect: Dialect, seriesIds: readonly string[], noneId: number) =>
  sql`UPDATE documents SET acp_id = ${noneId} WHERE series_id ${dialect.oneOfTexts(seriesIds)} AND is_version = 1`

/** Served by documents_by_series. */
export const versionsFollow = (seriesId: string, acpId: number) =>
  sql`UPDATE documents SET acp_id = ${acpId} WHERE series_id = ${seriesId} AND is_version = 1 AND acp_id <> ${acpId}`
