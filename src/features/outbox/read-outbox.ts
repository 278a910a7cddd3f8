import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { defineProblem } from '../../base/problem.ts'
import type { Repository } from '../../core/session.ts'
import type { TableReader, TableRow } from '../../store/tables.ts'
import { eventColumns, eventOf, type OutboxEvent } from './outbox-event.ts'

/** What follows a position, as far as it can be told now. */
export interface OutboxPage {
  readonly events: readonly OutboxEvent[]
  /** Where the next page begins: behind the last event, or where this one began. */
  readonly position: number
  /** Something may follow at once: the page is full, or an event that was seen waits for a transaction before it to end. */
  readonly hasMore: boolean
  /** Events behind the position were removed before they were read. */
  readonly isLossy: boolean
}

const outboxTable = 'outbox_events'

/**
 * The events after a position, in their order, and without a hole that would be filled later. PostgreSQL gives numbers before it
 * commits, so a number may be seen while a smaller one is not yet. Where the numbers follow each other nothing can come between them. At
 * a gap it is asked which transactions are writing: a gap that is there when they all have ended is for good, as what was rolled
 * back leaves it. They write their rows last of all, so this takes as long as a commit.
 */
export async function readOutbox(repository: Repository, after: number, limit: number): Promise<OutboxPage> {
  const { tables } = repository.store.reader
  const seen = await tables.all(eventsAfter(after, limit))
  const last = Number(seen.at(-1)?.[0] ?? after)
  const gap = findGap(seen, after)
  if (gap === undefined) return pageOf(repository, seen, { after, limit, isLossy: false })
  if (gap > 0) return pageOf(repository, seen.slice(0, gap), { after, limit: gap, isLossy: false })
  const isLossy = after < (await removedUpTo(tables))
  if (!(await areWritersDone(repository))) return { events: [], position: after, hasMore: true, isLossy }
  return pageOf(repository, await tables.all(eventsBetween(after, last, limit)), { after, limit, isLossy })
}

/** The event with that number; undefined once it is removed. */
export async function findEvent({ name, store }: Repository, position: number): Promise<OutboxEvent | undefined> {
  const row = await store.reader.tables.get(eventsBetween(position - 1, position, 1))
  return row && eventOf(row, name)
}

/** The number of the last event, 0 where there is none. */
export async function newestPosition({ store }: Repository): Promise<number> {
  return Number((await store.reader.tables.get(newest))?.[0] ?? 0)
}

const outboxBusy = defineProblem(
  'outboxBusy',
  'unavailable',
  (_: object) => 'A transaction that writes events does not end. Try again in a moment.',
)

const settlingAttempts = 10

/** A position behind which lies all that is committed from now on, whatever is being written. @throws outboxBusy */
export async function settledPosition(repository: Repository): Promise<number> {
  const newest = await newestPosition(repository)
  for (let attempt = 0; attempt < settlingAttempts; attempt += 1) if (await areWritersDone(repository)) return newest
  throw outboxBusy({})
}

/** Up to there no event is left. */
async function removedUpTo(tables: TableReader): Promise<number> {
  return Number((await tables.get(sql`SELECT up_to FROM outbox_removed`))?.[0] ?? 0)
}

interface PageFrame {
  readonly after: number
  readonly limit: number
  readonly isLossy: boolean
}

function pageOf({ name }: Repository, rows: readonly TableRow[], { after, limit, isLossy }: PageFrame): OutboxPage {
  const events = rows.map((row) => eventOf(row, name))
  return { events, position: events.at(-1)?.position ?? after, hasMore: events.length >= limit, isLossy }
}

/** The index of the first row that does not follow the one before it. */
function findGap(rows: readonly TableRow[], after: number): number | undefined {
  const index = rows.findIndex(([id], place) => Number(id) !== after + place + 1)
  return index === -1 ? undefined : index
}

const looks = 40
const lookMilliseconds = 5

/** Waits for the transactions that are writing to a table now, but not for long: one may have been suspended. */
export async function areWritersDone({ store }: Repository, table = outboxTable): Promise<boolean> {
  const first = await store.writersOf(table)
  for (let look = 0, waited = first; waited.length > 0; look += 1) {
    if (look === looks) return false
    await delay(lookMilliseconds)
    const now = new Set(await store.writersOf(table))
    waited = waited.filter((writer) => now.has(writer))
  }
  return true
}

// All served by the primary key.

const newest = sql`SELECT max(id) FROM outbox_events`

const eventsAfter = (after: number, limit: number) => sql`
  SELECT ${raw(eventColumns)} FROM outbox_events WHERE id > ${after} ORDER BY id LIMIT ${limit}`

const eventsBetween = (after: number, last: number, limit: number) => sql`
  SELECT ${raw(eventColumns)} FROM outbox_events WHERE id > ${after} AND id <= ${last} ORDER BY id LIMIT ${limit}`
