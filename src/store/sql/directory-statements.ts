import sql from 'sql-template-tag'
import type { DirectoryEntry } from '../directories.ts'
import type { Dialect } from './dialect.ts'
import { fixed } from './fixed-statement.ts'
import { storableJson, storableText } from './stored-json.ts'

/** Served by the primary key. */
export const entryById = (directory: string, id: string) =>
  sql`SELECT id, entry FROM directory_entries WHERE directory = ${directory} AND id = ${id}`

/** Served by the primary key. */
export const entriesOf = (directory: string) =>
  sql`SELECT id, entry FROM directory_entries WHERE directory = ${directory} ORDER BY id`

/** Served by the primary key. */
export const anyEntryOf = (directory: string) => sql`SELECT 1 FROM directory_entries WHERE directory = ${directory} LIMIT 1`

export const insertEntry = (directory: string, { id, values }: DirectoryEntry) => sql`
  INSERT INTO directory_entries (directory, id, entry) VALUES (${directory}, ${storableText(id)}, ${storableJson(values)})
  ON CONFLICT (directory, id) DO NOTHING`

/** Served by the primary key. */
export const updateEntry = (directory: string, { id, values }: DirectoryEntry) =>
  sql`UPDATE directory_entries SET entry = ${storableJson(values)} WHERE directory = ${directory} AND id = ${id}`

/** Served by the primary key. */
export const deleteEntry = (directory: string, id: string) =>
  sql`DELETE FROM directory_entries WHERE directory = ${directory} AND id = ${id}`

/** Served by the primary key, a look-up for each. */
export const deleteEntries = (dialect: Dialect, directory: string, ids: readonly string[]) =>
  sql`DELETE FROM directory_entries WHERE directory = ${directory} AND id ${dialect.oneOfTexts(ids)}`

/** Served by the primary key. */
export const targetsOf = (reference: string, sourceId: string) =>
  sql`SELECT target_id FROM directory_references WHERE reference = ${reference} AND source_id = ${sourceId} ORDER BY pos`

/** Served by directory_references_by_target. */
export const sourcesOf = (reference: string, targetId: string) =>
  sql`SELECT source_id FROM directory_references WHERE reference = ${reference} AND target_id = ${targetId} ORDER BY source_id`

/** Served by the primary key. */
export const deleteTargets = (reference: string, sourceId: string) =>
  sql`DELETE FROM directory_references WHERE reference = ${reference} AND source_id = ${sourceId}`

export const insertTargets = (dialect: Dialect, reference: string, sourceId: string, targets: readonly string[]) => sql`
  INSERT INTO directory_references (reference, source_id, target_id, pos)
  SELECT ${reference}, ${storableText(sourceId)}, text, pos FROM ${dialect.numberedTexts(targets.map(storableText))}`

/** Served by the primary key. */
export const directoryGeneration = fixed<[]>(sql`SELECT value FROM generations WHERE name = 'directories'`)()

/** Served by the primary key. */
export const raiseDirectoryGeneration = sql`UPDATE generations SET value = value + 1 WHERE name = 'directories'`
