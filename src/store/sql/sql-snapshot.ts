import sql from 'sql-template-tag'
import type { DocumentId } from '../../model/document.ts'
import type { NumberedPage, Snapshot } from '../snapshot.ts'
import { searchConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { entriesAfter } from './directories/directory-statements.ts'
import { entryOf } from './directories/entry-search.ts'
import { createDirectoryReader } from './directories/sql-directories.ts'
import { documentColumns, documentOf } from './documents/document-row.ts'
import { atOrBelow } from './documents/path-range.ts'
import { textKey } from './documents/property-key.ts'
import { createDocumentReader, type DocumentTable } from './documents/sql-documents.ts'

/** The ports over a connection whose transaction sees one moment. */
export function createSnapshot(table: DocumentTable, close: () => Promise<void>): Snapshot {
  const { connection, dialect, repository } = table
  const numbered = async (statement: ReturnType<typeof placelessAfter>): Promise<NumberedPage> => {
    const rows = await connection.all(statement)
    const last = rows.at(-1)?.at(-1)
    return { documents: rows.map((row) => documentOf(repository, row)), last: last === undefined ? undefined : Number(last) }
  }
  const list = async (statement: ReturnType<typeof placelessAfter>) =>
    (await connection.all(statement)).map((row) => documentOf(repository, row))
  return {
    documents: {
      ...createDocumentReader(table),
      listVersionsOfAll: async (ids) => (ids.length === 0 ? [] : list(versionsOfAll(dialect, ids))),
      listPlaceless: (after, limit) => numbered(placelessAfter(after, limit)),
      listOrphanVersions: (after, limit) => numbered(orphansAfter(after, limit)),
      listPlacelessNaming: (property, path) => list(placelessNaming(dialect, property, path)),
    },
    directories: {
      ...createDirectoryReader({ connection, dialect, searching: searchConnection(connection.all, 0) }),
      listAfter: async (directory, after, limit) => (await connection.all(entriesAfter(directory, after, limit))).map(entryOf),
    },
    tables: connection,
    close,
  }
}

/** Served by documents_by_series. */
const versionsOfAll = (dialect: Dialect, ids: readonly DocumentId[]) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE series_id ${dialect.oneOfTexts(ids)} AND is_version = 1
   ORDER BY series_id, version_created, seq`

/** Served by the primary key. */
const placelessAfter = (after: number, limit: number) => sql`
  SELECT ${documentColumns}, seq
    FROM documents
   WHERE seq > ${after} AND parent_id IS NULL AND path IS NULL AND is_version = 0
   ORDER BY seq LIMIT ${limit}`

/** Served by the primary key, and the unique id for the live document. */
const orphansAfter = (after: number, limit: number) => sql`
  SELECT ${documentColumns}, seq
    FROM documents AS version
   WHERE seq > ${after} AND is_version = 1
     AND NOT EXISTS (SELECT 1 FROM documents AS live WHERE live.id = version.series_id)
   ORDER BY seq LIMIT ${limit}`

/** Served by the index of the property, where it has one. */
const placelessNaming = (dialect: Dialect, property: string, path: string) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE parent_id IS NULL AND path IS NULL AND is_version = 0
     AND ${textKey(dialect, property)} IN (SELECT id FROM documents WHERE ${atOrBelow(path)})
   ORDER BY seq`
