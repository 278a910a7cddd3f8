import sql, { raw } from 'sql-template-tag'
import { blobDigests, blobKeys, oldBlobKeys } from '../../../nxql/document-indexing.ts'
import type { Dialect } from '../dialect.ts'
import { atOrBelow, below, belowAfter } from './path-range.ts'

/** Served by the primary key of document_values. */
export const usedKeys = (dialect: Dialect, keys: readonly string[]) => sql`
  SELECT DISTINCT value FROM document_values WHERE name = ${blobKeys} AND value ${dialect.oneOfTexts(keys)}`

/** Served by the primary key of document_values. */
export const usedDigests = (dialect: Dialect, keys: readonly string[]) => sql`
  SELECT DISTINCT value FROM document_values WHERE name = ${blobDigests} AND value ${dialect.oneOfTexts(keys)}`

/** Served by the primary key of document_values. */
export const propertiesWithDigest = (digest: string, limit: number) => sql`
  SELECT properties
    FROM document_values AS used JOIN documents ON documents.seq = used.seq
   WHERE used.name = ${blobDigests} AND used.value = ${digest}
   ORDER BY used.seq LIMIT ${limit}`

/** Served by the primary key of document_values. */
export const anyKey = sql`SELECT 1 FROM document_values WHERE name = ${blobKeys} LIMIT 1`

/** Served by the primary key of document_values. */
export const oldAddresses = (after: string, limit: number) => sql`
  SELECT DISTINCT value FROM document_values WHERE name = ${oldBlobKeys} AND value > ${after} ORDER BY value LIMIT ${limit}`

/** Served by the primary key of document_values. */
export const oldAddressCount = sql`SELECT count(DISTINCT value) FROM document_values WHERE name = ${oldBlobKeys}`

/** Served by the primary key of document_values. */
export const keyCount = sql`SELECT count(DISTINCT value) FROM document_values WHERE name = ${blobKeys}`

/** Served by the primary key of document_values. */
export const blobReferrers = (key: string, after: number, limit: number) => sql`
  SELECT id, used.seq
    FROM document_values AS used JOIN documents ON documents.seq = used.seq
   WHERE used.name = ${blobKeys} AND used.value = ${key} AND used.seq > ${after}
   ORDER BY used.seq LIMIT ${limit}`

/** Served by the primary key of file_texts. */
export const copyTexts = (from: string, to: string) => sql`
  INSERT INTO file_texts (file_key, mime_type, text)
  SELECT ${to}, mime_type, text FROM file_texts WHERE file_key = ${from}
  ON CONFLICT (file_key, mime_type) DO NOTHING`

/** Served by the primary key of released_files. */
export const releasedKeys = (dialect: Dialect, keys: readonly string[], after: string) => sql`
  SELECT DISTINCT file_key FROM released_files WHERE file_key ${dialect.oneOfTexts(keys)} AND released > ${after}`

/** Served by document_values_by_document. */
export const releaseOfDocuments = (dialect: Dialect, seqs: readonly number[]) => sql`
  INSERT INTO released_files (file_key, seq, released)
  SELECT value, seq, ${dialect.now} FROM document_values WHERE seq ${dialect.oneOfNumbers(seqs)} AND name = ${blobKeys}
  ON CONFLICT (file_key, seq) DO UPDATE SET released = excluded.released`

/** Of no document, as whose number there is 0. */
export const releaseKeys = (dialect: Dialect, keys: readonly string[]) => sql`
  INSERT INTO released_files (file_key, seq, released)
  SELECT text, 0, ${dialect.now} FROM ${dialect.numberedTexts(keys.toSorted())} WHERE true ORDER BY text
  ON CONFLICT (file_key, seq) DO UPDATE SET released = excluded.released`

/** Served by released_files_by_time. */
export const deleteReleases = (before: string) => sql`DELETE FROM released_files WHERE released < ${before}`

/** Served by the primary key of file_texts, and that of document_values. */
export const deleteTextsOf = (dialect: Dialect, keys: readonly string[]) => sql`
  DELETE FROM file_texts
   WHERE file_key ${dialect.oneOfTexts(keys)}
     AND NOT EXISTS (SELECT 1 FROM document_values WHERE name = ${blobKeys} AND value = file_texts.file_key)`

/** Served by the primary key of document_values, which is also the order. */
export const blobUses = (key: string, seq: number, limit: number) => sql`
  SELECT used.value, used.seq, id, path, type, properties
    FROM document_values AS used JOIN documents ON documents.seq = used.seq
   WHERE used.name = ${blobKeys} AND (used.value, used.seq) > (${key}, ${seq})
   ORDER BY used.value, used.seq LIMIT ${limit}`

/** Served by the primary key. */
export const transientTexts = (after: string, limit: number) =>
  sql`SELECT key, value FROM transient_values WHERE key > ${after} ORDER BY key LIMIT ${limit}`

/** Served by the primary key. */
export const jobTexts = (after: number, limit: number) =>
  sql`SELECT seq, payload FROM jobs WHERE seq > ${after} ORDER BY seq LIMIT ${limit}`

const hasFiles = (seq: string) =>
  sql`EXISTS (SELECT 1 FROM document_values AS used WHERE used.seq = ${raw(seq)} AND used.name = ${blobKeys})`

/** Served by documents_by_path, from where the page before ended, and document_values_by_document. */
export const placedFiles = (path: string, after: string | undefined, limit: number) => sql`
  SELECT id, path, is_trashed, properties, seq
    FROM documents
   WHERE ${after === undefined ? atOrBelow(path) : belowAfter(path, after)}
     AND is_proxy = 0 AND ${hasFiles('documents.seq')}
   ORDER BY path LIMIT ${limit}`

/**
 * Served by documents_by_path, documents_by_series and document_values_by_document; the join that says so keeps one engine from beginning
 * with the versions of all.
 */
export const placedVersions = (path: string, after: { path: string; seq: number } | undefined, limit: number) => sql`
  SELECT version.id, live.path, 0, version.properties, version.seq
    FROM documents AS live CROSS JOIN documents AS version
   WHERE ${after === undefined ? belowOrAt(path) : behind(path, after)}
     AND live.is_proxy = 0 AND version.series_id = live.id AND version.is_version = 1 AND ${hasFiles('version.seq')}
   ORDER BY live.path, version.seq LIMIT ${limit}`

const livePath = raw('live.path')
const belowOrAt = (path: string) => sql`(live.path = ${path} OR (${below(path, livePath)}))`
const behind = (path: string, after: { path: string; seq: number }) => sql`
  live.path >= ${after.path} AND ${belowOrAt(path)} AND (live.path > ${after.path} OR version.seq > ${after.seq})`
