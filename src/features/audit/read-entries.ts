import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { TableReader } from '../../store/tables.ts'
import { type AuditFilter, branchesOf } from './audit-query.ts'
import { entryColumns, entryOf, type LogEntry } from './log-entry.ts'

/** In milliseconds: from the first moment on, up to the last one and without it. */
export interface AuditPeriod {
  readonly from?: number
  readonly before?: number
}

const entriesAtOnce = 1_000

/** All rows of a period, the oldest first, some at a time, by audit_entries_by_date. */
export function entriesIn(tables: TableReader, { from, before }: AuditPeriod): AsyncGenerator<readonly LogEntry[]> {
  return entriesWhere(tables, before === undefined ? [] : [sql`event_date < ${before}`], from)
}

/** All rows of a filter, some at a time, in no order as a whole: each branch by the index that serves it. */
export async function* entriesOf(tables: TableReader, filter: AuditFilter): AsyncGenerator<readonly LogEntry[]> {
  for (const conditions of branchesOf(filter)) yield* entriesWhere(tables, conditions, filter.from)
}

/** Each look goes on behind the last one. */
async function* entriesWhere(
  tables: TableReader,
  conditions: readonly Sql[],
  from = Number.MIN_SAFE_INTEGER,
): AsyncGenerator<readonly LogEntry[]> {
  let last = { date: from, id: 0 }
  for (;;) {
    const behind = sql`(event_date, id) > (${last.date}, ${last.id})`
    const rows = await tables.all(sql`
      SELECT ${raw(entryColumns)} FROM audit_entries WHERE ${join([...conditions, behind], ' AND ')}
      ORDER BY event_date, id LIMIT ${entriesAtOnce}`)
    const entries = rows.map(entryOf)
    const end = entries.at(-1)
    if (end === undefined) return
    yield entries
    last = { date: Date.parse(end.eventDate), id: end.id }
  }
}
