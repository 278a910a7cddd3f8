import sql from 'sql-template-tag'
import { systemAccess } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import type { Repository } from '../../core/session.ts'
import type { TableReader, TableWriter } from '../../store/tables.ts'
import { newestPosition } from './read-outbox.ts'

const kind = 'sweepOutbox'

export const sweepOutboxSchedule: Schedule = { name: kind, everySeconds: 300, job: kind }

export interface OutboxRetention {
  /** What all readers have passed stays for so long, for clients that come back. */
  readonly keepMilliseconds: number
  /** No event stays for longer, whether it was read or not. */
  readonly keepUnreadMilliseconds: number
}

export function sweepOutboxJob(retention: OutboxRetention): JobHandler {
  return {
    kind,
    isBulk: true,
    async run(_, repository) {
      const unread = await sweepOutbox(repository, retention)
      if (unread > 0)
        repository.log.warn(
          { event: 'outbox.unreadRemoved', repository: repository.name, rows: unread },
          'events were too old and were removed before all that wait for them had read them',
        )
    },
  }
}

const removedAtOnce = 1_000

/** Removes what is no longer needed, some at a time so that no request waits for long, and gives how much of it was not read by all. */
export async function sweepOutbox(repository: Repository, retention: OutboxRetention): Promise<number> {
  // The database gives the number of the last row again when that is gone, so it stays until there is a later one.
  const newest = await newestPosition(repository)
  let unread = 0
  for (;;) {
    const removed = await removeSome(repository, retention, newest)
    unread += removed.unread
    if (removed.rows < removedAtOnce) return unread
  }
}

async function removeSome(
  repository: Repository,
  { keepMilliseconds, keepUnreadMilliseconds }: OutboxRetention,
  newest: number,
): Promise<{ readonly rows: number; readonly unread: number }> {
  const now = Date.parse(repository.now())
  return systemAccess(repository).write(async ({ tx: { tables } }) => {
    const passed = (await slowestReader(tables)) ?? newest
    const oldest = await tables.all(sql`
      SELECT id, event_date FROM outbox_events WHERE id < ${newest} ORDER BY id LIMIT ${removedAtOnce}`)
    const isNeeded = ([id, date]: readonly unknown[]) => {
      const age = now - Number(date)
      return age <= (Number(id) <= passed ? keepMilliseconds : keepUnreadMilliseconds)
    }
    const firstNeeded = oldest.findIndex(isNeeded)
    const removable = firstNeeded === -1 ? oldest : oldest.slice(0, firstNeeded)
    const last = Number(removable.at(-1)?.[0] ?? 0)
    if (last === 0) return { rows: 0, unread: 0 }
    await tables.run(sql`DELETE FROM outbox_events WHERE id <= ${last}`)
    await tables.run(sql`UPDATE outbox_removed SET up_to = ${last}`)
    return { rows: removable.length, unread: removable.filter(([id]) => Number(id) > passed).length }
  })
}

// Readers that shall miss nothing say how far they have come: no event is removed before they have, unless it is too old for all.

/** Begins it, or moves it on. */
export async function moveReader(tables: TableWriter, reader: string, position: number): Promise<void> {
  await tables.run(sql`
    INSERT INTO outbox_readers (name, position) VALUES (${reader}, ${position})
    ON CONFLICT (name) DO UPDATE SET position = excluded.position`)
}

export async function removeReader(tables: TableWriter, reader: string): Promise<void> {
  await tables.run(sql`DELETE FROM outbox_readers WHERE name = ${reader}`)
}

/** Where it is; undefined where there is no such reader. */
export async function readerPosition(tables: TableReader, reader: string): Promise<number | undefined> {
  const row = await tables.get(sql`SELECT position FROM outbox_readers WHERE name = ${reader}`)
  return row === undefined ? undefined : Number(row[0])
}

/** Where the slowest is; undefined where there is none. */
async function slowestReader(tables: TableReader): Promise<number | undefined> {
  const [position = null] = (await tables.get(sql`SELECT min(position) FROM outbox_readers`)) ?? []
  return position === null ? undefined : Number(position)
}
