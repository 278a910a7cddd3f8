import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { DocumentId } from '../../../model/document.ts'
import type { TextSource } from '../../file-texts.ts'
import type { SqlStatement, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { fixed } from '../fixed-statement.ts'

export type ListedRow = readonly [seq: number, name: string, value: string]

const insertValues = (dialect: Dialect, rows: readonly ListedRow[]) =>
  sql`INSERT INTO document_values (seq, name, value) SELECT seq, name, value FROM ${dialect.listedValues(rows)}`

type FewRows = readonly ((...values: SqlValue[]) => SqlStatement)[]

const fewRows = (onConflict: Sql): FewRows =>
  [1, 2, 3, 4].map((count) => {
    const places = join(Array.from({ length: count }, () => sql`(${0}, ${''}, ${''})`))
    return fixed(sql`INSERT INTO document_values (seq, name, value) VALUES ${places} ${onConflict}`)
  })

const insertFew = fewRows(empty)
const insertFewMissing = fewRows(raw('ON CONFLICT DO NOTHING'))

/** The same; of one document there are mostly few. */
export function insertListed(dialect: Dialect, rows: readonly ListedRow[]): SqlStatement {
  return insertFew[rows.length - 1]?.(...rows.flat()) ?? insertValues(dialect, rows)
}

/**
 * Those that are not there yet. WHERE, or SQLite takes ON for the condition of a join. One row by itself is worth its own statement: for one
 * that writes several, SQLite marks where to go back to, and finds that mark again in all that the transaction has changed so far.
 */
export function insertMissing(dialect: Dialect, rows: readonly ListedRow[]): SqlStatement {
  const few = insertFewMissing[rows.length - 1]?.(...rows.flat())
  return few ?? sql`${insertValues(dialect, rows)} WHERE 1 = 1 ON CONFLICT DO NOTHING`
}

/** Served by document_values_by_document. */
export const deleteValues = (dialect: Dialect, seqs: readonly number[]) =>
  sql`DELETE FROM document_values WHERE seq ${dialect.oneOfNumbers(seqs)}`

/** Some of the values of one document. Served by document_values_by_document, or by the primary key. */
export const deleteSome = (dialect: Dialect, seq: number, rows: readonly ListedRow[]) => sql`
  DELETE FROM document_values
   WHERE seq = ${seq} AND (name, value) IN (SELECT listed.name, listed.value FROM ${dialect.listedValues(rows)})`

/** Served by the primary key. */
export const deleteValuesNamed = (name: string) => sql`DELETE FROM document_values WHERE name = ${name}`

/** Served by the table's own key. */
export const deleteWords = (dialect: Dialect, seqs: readonly number[]) =>
  sql`DELETE FROM fulltext WHERE ${dialect.fulltext.key} ${dialect.oneOfNumbers(seqs)}`

/** Served by the primary key, a look-up for each. */
export const fileTexts = (dialect: Dialect, sources: readonly TextSource[]) => sql`
  SELECT file_key, mime_type, text
    FROM ${dialect.textPairs(pairsOf(sources))}
    JOIN file_texts ON file_key = texts.first AND mime_type = texts.second`

/** Served by the primary key, a look-up for each. */
export const readFiles = (dialect: Dialect, sources: readonly TextSource[]) => sql`
  SELECT file_key, mime_type
    FROM ${dialect.textPairs(pairsOf(sources))}
    JOIN file_texts ON file_key = texts.first AND mime_type = texts.second`

export const saveFileText = (key: string, mimeType: string, text: string) => sql`
  INSERT INTO file_texts (file_key, mime_type, text) VALUES (${key}, ${mimeType}, ${text})
  ON CONFLICT (file_key, mime_type) DO UPDATE SET text = excluded.text`

const indexedColumns = raw('seq, id, type, facets, properties')

/** Served by the unique id. */
export const indexedDocument = (dialect: Dialect, id: DocumentId) =>
  sql`SELECT ${indexedColumns} FROM documents WHERE id = ${id} ${dialect.forUpdate}`

/** Served by the primary key. */
export const indexedPage = (after: number, limit: number) =>
  sql`SELECT ${indexedColumns} FROM documents WHERE seq > ${after} ORDER BY seq LIMIT ${limit}`

/** Before what is said of a table of trigrams, which SQLite alone has. */
export const trigramsPrefix = 'ecm:trigrams '

export const listFilledIndexes = raw(`SELECT name FROM kept_indexes WHERE name NOT LIKE '${trigramsPrefix}%'`)

export const addFilledIndex = (name: string) => sql`INSERT INTO kept_indexes (name) VALUES (${name})`

export const removeFilledIndex = (name: string) => sql`DELETE FROM kept_indexes WHERE name = ${name}`

function pairsOf(sources: readonly TextSource[]): readonly (readonly [string, string])[] {
  return sources.map(({ key, mimeType }) => [key, mimeType])
}
