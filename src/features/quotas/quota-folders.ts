import sql, { join, raw } from 'sql-template-tag'
import type { DocumentId } from '../../model/document.ts'
import { below } from '../../store/sql/documents/path-range.ts'
import type { TableReader, TableRow, TableWriter } from '../../store/tables.ts'
import type { Sizes } from './sizes.ts'

/** A folder that has a quota. */
export interface QuotaFolder {
  readonly id: DocumentId
  readonly path: string
  /** 0 where it is counted and not limited. */
  readonly max: number
  readonly sizes: Sizes
}

type Tables = Pick<TableReader, 'all' | 'get'>

const columns = sql`folder.document_id, documents.path, folder.max_bytes, folder.total_bytes, folder.trash_bytes, folder.versions_bytes`

/** Those that are there at any of the paths. Served by documents_by_path and the primary key, a look-up for each path. */
export async function listFoldersAt(tables: Tables, paths: readonly string[]): Promise<readonly QuotaFolder[]> {
  if (paths.length === 0) return []
  const rows = await tables.all(sql`
    SELECT ${columns}
      FROM documents CROSS JOIN quotas_folders AS folder
     WHERE documents.path IN (${join(paths)}) AND folder.document_id = documents.id
     ORDER BY documents.path`)
  return rows.map(folderOf)
}

/** Those below a path. Goes through all, of which there are few. */
export async function listFoldersBelow(tables: Tables, path: string): Promise<readonly QuotaFolder[]> {
  const rows = await tables.all(sql`
    SELECT ${columns}
      FROM quotas_folders AS folder CROSS JOIN documents
     WHERE documents.id = folder.document_id AND ${below(path, raw('documents.path'))}
     ORDER BY documents.path`)
  return rows.map(folderOf)
}

/** Served by the primary key. */
export async function findFolder(tables: Tables, id: DocumentId): Promise<QuotaFolder | undefined> {
  const row = await tables.get(sql`
    SELECT ${columns}
      FROM quotas_folders AS folder JOIN documents ON documents.id = folder.document_id
     WHERE folder.document_id = ${id}`)
  return row && folderOf(row)
}

const anyFolder = sql`SELECT 1 FROM quotas_folders LIMIT 1`

/** Asked with every file that is stored, and mostly all that is asked. */
export async function hasAnyFolder(tables: Tables): Promise<boolean> {
  return (await tables.get(anyFolder)) !== undefined
}

/** Where the live document of a version is; undefined where it has no place, or is gone. */
export async function findPath(tables: Tables, id: DocumentId): Promise<string | undefined> {
  const row = await tables.get(sql`SELECT path FROM documents WHERE id = ${id} AND path IS NOT NULL`)
  return row === undefined ? undefined : String(row[0])
}

/** Adds to what is counted, and gives the folder as it is then: no other transaction changes it before this one ends. */
export async function addSizes(
  tables: TableWriter,
  id: DocumentId,
  { total, trash, versions }: Sizes,
): Promise<Pick<QuotaFolder, 'max' | 'sizes'> | undefined> {
  const row = await tables.get(sql`
    UPDATE quotas_folders
       SET total_bytes = total_bytes + ${total}, trash_bytes = trash_bytes + ${trash}, versions_bytes = versions_bytes + ${versions}
     WHERE document_id = ${id}
    RETURNING max_bytes, total_bytes, trash_bytes, versions_bytes`)
  return row && { max: Number(row[0]), sizes: sizesIn(row.slice(1)) }
}

export async function insertFolder(tables: TableWriter, id: DocumentId, max: number, sizes: Sizes): Promise<void> {
  const { total, trash, versions } = sizes
  await tables.run(sql`
    INSERT INTO quotas_folders
      (document_id, max_bytes, total_bytes, trash_bytes, versions_bytes, noted_total, noted_trash, noted_versions)
    VALUES (${id}, ${max}, ${total}, ${trash}, ${versions}, ${total}, ${trash}, ${versions})`)
}

export async function setLimit(tables: TableWriter, id: DocumentId, max: number): Promise<void> {
  await tables.run(sql`UPDATE quotas_folders SET max_bytes = ${max} WHERE document_id = ${id}`)
}

export async function setSizes(tables: TableWriter, id: DocumentId, { total, trash, versions }: Sizes): Promise<void> {
  await tables.run(sql`
    UPDATE quotas_folders SET total_bytes = ${total}, trash_bytes = ${trash}, versions_bytes = ${versions} WHERE document_id = ${id}`)
}

/** Keeps other transactions from changing what is said of a folder until this one ends. */
export async function lockFolder(tables: TableWriter, id: DocumentId): Promise<void> {
  await tables.run(sql`UPDATE quotas_folders SET max_bytes = max_bytes WHERE document_id = ${id}`)
}

export async function deleteFolder(tables: TableWriter, id: DocumentId): Promise<void> {
  await tables.run(sql`DELETE FROM quotas_folders WHERE document_id = ${id}`)
}

/** Those of which the properties of the document say something else than is counted. Goes through all, of which there are few. */
export async function listUnnoted(tables: Tables, limit: number): Promise<readonly DocumentId[]> {
  const rows = await tables.all(sql`
    SELECT document_id FROM quotas_folders
     WHERE total_bytes <> noted_total OR trash_bytes <> noted_trash OR versions_bytes <> noted_versions
     ORDER BY document_id LIMIT ${limit}`)
  return rows.map(([id]) => String(id))
}

export async function noteShown(tables: TableWriter, id: DocumentId, { total, trash, versions }: Sizes): Promise<void> {
  await tables.run(sql`
    UPDATE quotas_folders SET noted_total = ${total}, noted_trash = ${trash}, noted_versions = ${versions} WHERE document_id = ${id}`)
}

function folderOf([id, path, max, ...counted]: TableRow): QuotaFolder {
  return { id: String(id), path: String(path), max: Number(max), sizes: sizesIn(counted) }
}

function sizesIn([total, trash, versions]: TableRow): Sizes {
  return { total: Number(total), trash: Number(trash), versions: Number(versions) }
}
