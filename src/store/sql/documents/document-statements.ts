import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { fixed } from '../fixed-statement.ts'
import {
  type Assignments,
  assignContent,
  assignKindAndContent,
  documentColumns,
  documentPlaces,
  documentValues,
  isOfSameKind,
  listedColumns,
} from './document-row.ts'

/** Served by the unique id. */
export const documentById = fixed<[id: DocumentId]>(sql`SELECT ${documentColumns} FROM documents WHERE id = ${''}`)

/**
 * Served by the unique id. What a proxy points to is locked before it: a transaction that changes that writes to its proxies
 * next, and two that lock in different orders would wait for each other.
 */
export const lockedDocument = (dialect: Dialect, id: DocumentId, lock: Sql) =>
  dialect.writesOneAtATime
    ? documentById(id)
    : sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE id = ${id} OR id = (SELECT target_id FROM documents WHERE id = ${id})
   ORDER BY is_proxy ${lock}`

/** Served by the primary key, from where the page before ended. */
export const documentTally = (after: number, limit: number) => sql`
  SELECT type, properties ->> 'dc:creator', substr(properties ->> 'dc:created', 1, 7), count(*), max(seq)
    FROM (SELECT seq, type, properties FROM documents WHERE seq > ${after} ORDER BY seq LIMIT ${limit}) AS page
   GROUP BY 1, 2, 3 ORDER BY 5`

/** Served by the primary key, from where the page before ended. */
export const idsAfter = (after: number, limit: number) =>
  sql`SELECT id, seq FROM documents WHERE seq > ${after} ORDER BY seq LIMIT ${limit}`

/** Served by the unique id, a look-up for each. */
export const numbersOf = (dialect: Dialect, ids: readonly DocumentId[]) =>
  sql`SELECT id, seq FROM documents WHERE id ${dialect.oneOfTexts(ids)}`

/** Served by documents_by_series, a look-up for each. */
export const idsOfSeries = (dialect: Dialect, seriesIds: readonly DocumentId[], after: number, limit: number) => sql`
  SELECT id, seq FROM documents WHERE series_id ${dialect.oneOfTexts(seriesIds)} AND seq > ${after} ORDER BY seq LIMIT ${limit}`

/** Served by documents_by_path. */
export const documentByPath = fixed<[path: string]>(sql`SELECT ${documentColumns} FROM documents WHERE path = ${''}`)

/** Served by documents_by_name. */
export const documentByName = (parentId: DocumentId, name: string) =>
  sql`SELECT ${documentColumns} FROM documents WHERE parent_id = ${parentId} AND name = ${name}`

/** Served by documents_by_name alone. */
export const childNamed = fixed<[parentId: DocumentId, name: string]>(
  sql`SELECT 1 FROM documents WHERE parent_id = ${''} AND name = ${''}`,
)

/** Served by documents_by_name alone, a look-up for each. */
export const childrenNamed = (dialect: Dialect, parentId: DocumentId, names: readonly string[]) =>
  sql`SELECT name FROM documents WHERE parent_id = ${parentId} AND name ${dialect.oneOfTexts(names)}`

/** Served by the unique id, a look-up for each. */
export const documentsById = (dialect: Dialect, ids: readonly DocumentId[]) =>
  sql`SELECT ${documentColumns} FROM documents WHERE id ${dialect.oneOfTexts(ids)}`

/** The same, but of large ones their size. */
export const listedById = (dialect: Dialect, ids: readonly DocumentId[]) =>
  sql`SELECT ${listedColumns(dialect)} FROM documents WHERE id ${dialect.oneOfTexts(ids)}`

/** Served by documents_by_path, a look-up for each. A parent's path is the shorter one, so it comes first. */
export const documentsByPath = (dialect: Dialect, paths: readonly string[]) =>
  sql`SELECT ${documentColumns} FROM documents WHERE path ${dialect.oneOfTexts(paths)} ORDER BY path`

/** Served by documents_by_series. */
export const proxyCount = (dialect: Dialect, seriesId: DocumentId, readableAcps?: readonly number[]) => sql`
  SELECT count(*)
    FROM documents
   WHERE series_id = ${seriesId} AND is_proxy = 1
     ${readableAcps === undefined ? empty : sql`AND ${dialect.isAmong(raw('documents.acp_id'), readableAcps)}`}`

/** Served by documents_by_series. */
export const proxiesOf = (seriesId: DocumentId) =>
  sql`SELECT ${documentColumns} FROM documents WHERE series_id = ${seriesId} AND is_proxy = 1 ORDER BY path`

/** Served by documents_by_series: a folder has many children, a series few proxies, and `coalesce` keeps a planner from the folder. */
export const proxiesIn = (parentId: DocumentId, seriesId: DocumentId) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE series_id = ${seriesId} AND is_proxy = 1 AND coalesce(parent_id, '') = ${parentId}
   ORDER BY path`

/** Served by documents_by_target. */
export const proxyIds = fixed<[targetId: DocumentId]>(sql`SELECT id FROM documents WHERE target_id = ${''} ORDER BY path`)

/** Served by documents_by_series. */
export const versionsOf = (dialect: Dialect, seriesId: DocumentId, limit: number, offset: number) => sql`
  SELECT ${listedColumns(dialect)}
    FROM documents
   WHERE series_id = ${seriesId} AND is_version = 1
   ORDER BY version_created, seq LIMIT ${limit} OFFSET ${offset}`

/** Served by documents_by_series, read backwards. */
export const latestVersionOf = (seriesId: DocumentId) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE series_id = ${seriesId} AND is_version = 1
   ORDER BY version_created DESC, seq DESC LIMIT 1`

/** Nothing is written when documents_by_name has the name already. */
export const insertDocument = (document: Document) => insertUnlessTaken(...documentValues(document))

/** For one whose name is free. */
export const insertNamed = (document: Document) => insertRow(...documentValues(document))

const insertingOf = (onConflict: Sql) =>
  fixed(sql`INSERT INTO documents (${documentColumns}) VALUES (${documentPlaces})${onConflict} RETURNING seq`)

const insertRow = insertingOf(empty)
const insertUnlessTaken = insertingOf(raw(' ON CONFLICT (parent_id, name) WHERE parent_id IS NOT NULL DO NOTHING'))

export const insertDocuments = (documents: readonly Document[]) => sql`
  INSERT INTO documents (${documentColumns}) VALUES ${join(documents.map((document) => tuple(documentValues(document))))}
  RETURNING id, seq`

/**
 * Served by the unique id, and documents_by_target for whether proxies repeat it. The change token in the condition is what makes a lost
 * update impossible.
 */
export const updateDocument = (before: Document, after: Document) =>
  (isOfSameKind(before, after) ? updateContent : updateKindAndContent)(before, after)

const updateOf = ({ places, values }: Assignments) => {
  const updateRow = fixed(sql`
    UPDATE documents SET ${places}
     WHERE id = ${''} AND change_system = ${0} AND change_user = ${0}
    RETURNING seq, EXISTS (SELECT 1 FROM documents AS proxy WHERE proxy.target_id = documents.id)`)
  return ({ id, changeToken }: Document, after: Document) => updateRow(...values(after), id, changeToken.system, changeToken.user)
}

const updateContent = updateOf(assignContent)
const updateKindAndContent = updateOf(assignKindAndContent)

/** Served by the unique id. */
export const deleteDocument = (id: DocumentId) => sql`DELETE FROM documents WHERE id = ${id} RETURNING seq`

/** Served by documents_by_series, the unique id for the live document, and the primary key of document_values for what names them. */
export const lockOrphanVersions = (
  dialect: Dialect,
  seriesIds: readonly DocumentId[],
  lists: readonly string[],
  limit: number,
) => sql`
  SELECT version.id
    FROM documents AS version
   WHERE version.series_id ${dialect.oneOfTexts(seriesIds)} AND version.is_version = 1 AND version.has_legal_hold = 0
     AND NOT EXISTS (SELECT 1 FROM documents AS live WHERE live.id = version.series_id)
     AND NOT EXISTS (SELECT 1 FROM documents AS proxy WHERE proxy.series_id = version.series_id AND proxy.is_proxy = 1)
     ${lists.length === 0 ? empty : notNamed(dialect, lists)}
   ORDER BY version.seq LIMIT ${limit} ${dialect.forUpdate}`

const notNamed = (dialect: Dialect, lists: readonly string[]) => sql`
     AND NOT EXISTS (
       SELECT 1 FROM document_values AS part JOIN documents AS whole ON whole.seq = part.seq
        WHERE part.name ${dialect.oneOfTexts(lists)} AND part.value = version.id AND whole.is_version = 1)`

/** Served by the unique id, a look-up for each. */
export const deleteVersions = (dialect: Dialect, ids: readonly DocumentId[]) =>
  sql`DELETE FROM documents WHERE id ${dialect.oneOfTexts(ids)} AND is_version = 1 RETURNING seq`

/**
 * Served by documents_by_series. Latest is the most recent, latest major the most recent with minor number 0. Proxies repeat what
 * is said of their target. Gives the ids of those that have changed.
 */
export function refreshLatestFlags(seriesId: DocumentId): Sql {
  const isLatest = isShown(latestId(seriesId, empty))
  const isLatestMajor = isShown(latestId(seriesId, raw('AND minor_version = 0')))
  return sql`
    UPDATE documents SET is_latest_version = ${isLatest}, is_latest_major_version = ${isLatestMajor}
     WHERE series_id = ${seriesId} AND (is_version = 1 OR is_proxy = 1)
       AND (is_latest_version <> ${isLatest} OR is_latest_major_version <> ${isLatestMajor})
    RETURNING id`
}

const isShown = (id: Sql) => sql`CASE WHEN coalesce(target_id, id) = (${id}) THEN 1 ELSE 0 END`

const latestId = (seriesId: DocumentId, condition: Sql) => sql`
  SELECT id FROM documents
   WHERE series_id = ${seriesId} AND is_version = 1 ${condition}
   ORDER BY version_created DESC, seq DESC LIMIT 1`

function tuple(values: readonly SqlValue[]): Sql {
  return join(values, ',', '(', ')')
}
