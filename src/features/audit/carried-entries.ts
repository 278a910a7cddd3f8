import sql, { join, raw } from 'sql-template-tag'
import { stringifyJson } from '../../base/json.ts'
import type { TableReader, TableWriter } from '../../store/tables.ts'
import { insertEntry } from './audit-listener.ts'
import { entryColumns, entryOf, type LogEntry } from './log-entry.ts'
import { entriesIn } from './read-entries.ts'

/** A row that goes to another log, which gives it a number of its own. */
export type CarriedEntry = Omit<LogEntry, 'id'>

/** The whole log, the oldest first. */
export async function* everyEntry(tables: TableReader): AsyncGenerator<readonly CarriedEntry[]> {
  for await (const entries of entriesIn(tables, {})) yield entries.map(withoutId)
}

/** All rows about some documents, the oldest first. Served by audit_entries_by_document. */
export async function entriesAbout(tables: TableReader, documentIds: readonly string[]): Promise<readonly CarriedEntry[]> {
  if (documentIds.length === 0) return []
  const rows = await tables.all(sql`
    SELECT ${raw(entryColumns)} FROM audit_entries WHERE doc_uuid IN (${join(documentIds)}) ORDER BY event_date, id`)
  return rows.map((row) => withoutId(entryOf(row)))
}

/** Adds rows of another log as they are. Who brings them has read their form. */
export async function bringEntries(tables: TableWriter, entries: readonly CarriedEntry[]): Promise<void> {
  for (const entry of entries) {
    const extended = Object.keys(entry.extended).length === 0 ? null : stringifyJson(entry.extended)
    const statement = insertEntry(
      entry.eventId,
      Date.parse(entry.eventDate),
      Date.parse(entry.logDate),
      entry.category,
      entry.principalName ?? '',
      entry.comment,
      entry.docUUID,
      entry.docType,
      entry.docPath,
      entry.docLifeCycle,
      entry.repositoryId,
      extended,
    )
    await tables.send(statement)
  }
}

/** Empties the log of a repository that is to become another one. */
export async function forgetEntries(tables: TableWriter): Promise<void> {
  await tables.run(sql`DELETE FROM audit_entries`)
}

function withoutId({ id: _, ...entry }: LogEntry): CarriedEntry {
  return entry
}
