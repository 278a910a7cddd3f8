import sql, { join, raw } from 'sql-template-tag'
import type { BareDatabase } from './bare-database.ts'

/** Rows that the server writes about a document beside that of the document itself. */
export interface RowsAbout {
  readonly table: string
  readonly columns: string
  /** The column that names the document. */
  readonly key: string
}

/** What every change leaves, for people and for the programs that are told of it. */
export const recordsOfChanges: readonly RowsAbout[] = [
  {
    table: 'audit_entries',
    columns:
      'event_id, event_date, log_date, category, principal_name, comment, doc_uuid, doc_type, doc_path, doc_life_cycle, repository_id, extended',
    key: 'doc_uuid',
  },
  {
    table: 'outbox_events',
    columns:
      'event, event_date, principal_name, category, comment, doc_id, doc_type, doc_path, doc_life_cycle, doc_acp_id, is_quiet, extended, doc_parent_id, doc_change_token',
    key: 'doc_id',
  },
]

/** Adds the rows again that a table has about some documents, as if they were about others. */
export type RepeatRows = (renamed: ReadonlyMap<string, string>) => Promise<void>

export async function repeatedRows(
  { prepare, dialect }: BareDatabase,
  { table, columns, key }: RowsAbout,
  ids: readonly string[],
): Promise<RepeatRows> {
  const about = sql`SELECT ${raw(columns)} FROM ${raw(table)} WHERE ${raw(key)} ${dialect.oneOfTexts(ids)} ORDER BY id`
  const rows = await prepare(about)(about.values)
  const places = join(
    columns.split(',').map(() => null),
    ', ',
  )
  const insert = prepare(sql`INSERT INTO ${raw(table)} (${raw(columns)}) VALUES (${places})`)
  return async (renamed) => {
    for (const row of rows) await insert(row.map((value) => renamed.get(value as string) ?? value))
  }
}
