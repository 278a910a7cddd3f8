import sql, { join, type Sql } from 'sql-template-tag'
import type { IsoDate } from '../../../base/iso-date.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { TableReader, TableRow, TableWriter } from '../../../store/tables.ts'

/** What became of an attempt. */
export interface DeliveryAttempt {
  readonly date: IsoDate
  readonly event: string
  readonly documentId: string
  readonly outcome: 'delivered' | 'unavailable' | 'refused'
  readonly error: string | null
  readonly milliseconds: number
  /** Of the event in the outbox, by which it is sent once more. */
  readonly position: number | null
  /** When it is tried again; null where that was the last attempt. */
  readonly next: IsoDate | null
}

/** How it stands with what a target is told of one repository. */
export interface DeliveryState {
  readonly position: number
  readonly delivered: number
  readonly failed: number
  readonly lastAttempt: IsoDate | null
  readonly lastError: string | null
  readonly attempts: readonly DeliveryAttempt[]
}

/** Who delivers, and a number that grows while it does. */
export interface DeliveryLease {
  readonly reader: string
  readonly owner: string | null
  readonly beat: number
}

export const shownAttempts = 20
const longestError = 1_000

// All served by primary keys.

export async function listLeases(tables: TableReader, prefix: string): Promise<readonly DeliveryLease[]> {
  const rows = await tables.all(sql`SELECT reader, owner, beat FROM outbox_deliveries ORDER BY reader`)
  const leases = rows.map(([reader, owner, beat]) => ({
    reader: String(reader),
    owner: owner === null || owner === undefined ? null : String(owner),
    beat: Number(beat),
  }))
  return leases.filter(({ reader }) => reader.startsWith(prefix))
}

/** Whether it is the owner's from now on: not when another was quicker. */
export async function takeLease(
  tables: TableWriter,
  { reader, owner: former, beat }: DeliveryLease,
  owner: string,
): Promise<boolean> {
  const isStill = former === null ? sql`owner IS NULL` : sql`owner = ${former}`
  const taken = await tables.run(sql`
    UPDATE outbox_deliveries SET owner = ${owner}, beat = beat + 1 WHERE reader = ${reader} AND beat = ${beat} AND ${isStill}`)
  return taken === 1
}

export async function renewLeases(tables: TableWriter, owner: string): Promise<void> {
  await tables.run(sql`UPDATE outbox_deliveries SET beat = beat + 1 WHERE owner = ${owner}`)
}

export async function releaseLease(tables: TableWriter, reader: string, owner: string): Promise<void> {
  await tables.run(sql`UPDATE outbox_deliveries SET owner = NULL WHERE reader = ${reader} AND owner = ${owner}`)
}

/** Begins with what happens from now on. Nothing where it has begun. */
export async function beginDelivery(tables: TableWriter, reader: string): Promise<void> {
  await tables.run(sql`
    INSERT INTO outbox_readers (name, position) SELECT ${reader}, coalesce(max(id), 0) FROM outbox_events WHERE TRUE
    ON CONFLICT (name) DO NOTHING`)
  await tables.run(sql`
    INSERT INTO outbox_deliveries (reader, beat, delivered, failed) VALUES (${reader}, ${0}, ${0}, ${0})
    ON CONFLICT (reader) DO NOTHING`)
}

/** Drops all that waits. */
export async function endDelivery(tables: TableWriter, reader: string): Promise<void> {
  await tables.run(sql`DELETE FROM outbox_readers WHERE name = ${reader}`)
  await tables.run(sql`DELETE FROM outbox_deliveries WHERE reader = ${reader}`)
  await tables.run(sql`DELETE FROM outbox_undelivered WHERE reader = ${reader}`)
}

export async function findDelivery(tables: TableReader, reader: string): Promise<DeliveryState | undefined> {
  const row = await tables.get(sql`
    SELECT position, delivered, failed, last_attempt, last_error, attempts
      FROM outbox_deliveries JOIN outbox_readers ON outbox_readers.name = outbox_deliveries.reader
     WHERE reader = ${reader}`)
  return row && stateOf(row)
}

function stateOf([position, delivered, failed, lastAttempt, lastError, attempts]: TableRow): DeliveryState {
  return {
    position: Number(position),
    delivered: Number(delivered),
    failed: Number(failed),
    lastAttempt: typeof lastAttempt === 'number' ? new Date(lastAttempt).toISOString() : null,
    lastError: typeof lastError === 'string' ? lastError : null,
    attempts: attemptsIn(attempts),
  }
}

/** What an older version has stored lacks some fields. */
function attemptsIn(stored: TableRow[number] | undefined): readonly DeliveryAttempt[] {
  const attempts = typeof stored === 'string' ? (JSON.parse(stored) as readonly DeliveryAttempt[]) : []
  return attempts.map((attempt) => ({ ...attempt, position: attempt.position ?? null, next: attempt.next ?? null }))
}

// As many as are worth counting.
const countedAtMost = 10_000

/** How many events wait behind a position, by their names. */
export async function countWaiting(tables: TableReader, position: number, events: readonly string[]): Promise<number> {
  const named: Sql = events.includes('*') || events.length === 0 ? sql`TRUE` : sql`event IN (${join([...events])})`
  const row = await tables.get(sql`
    SELECT count(*) FROM (
      SELECT 1 FROM outbox_events WHERE id > ${position} AND is_quiet = ${0} AND ${named} LIMIT ${countedAtMost}) AS waiting`)
  return Number(row?.[0] ?? 0)
}

/** What a while of delivering came to. */
export interface DeliveryProgress {
  readonly reader: string
  readonly owner: string
  readonly position: number
  readonly delivered: number
  readonly failed: number
  readonly attempts: readonly DeliveryAttempt[]
}

/** False when another delivers by now: then nothing is written. */
export async function storeProgress(tables: TableWriter, progress: DeliveryProgress): Promise<boolean> {
  const { reader, owner, position, delivered, failed, attempts } = progress
  const row = await tables.get(sql`SELECT attempts FROM outbox_deliveries WHERE reader = ${reader} AND owner = ${owner}`)
  if (row === undefined) return false
  const shown = [...attemptsIn(row[0]), ...attempts.map(shortened)].slice(-shownAttempts)
  const last = attempts.at(-1)
  const error = attempts.findLast(({ outcome }) => outcome !== 'delivered')?.error ?? null
  const changed = await tables.run(sql`
    UPDATE outbox_deliveries
       SET delivered = delivered + ${delivered}, failed = failed + ${failed}, attempts = ${JSON.stringify(shown)},
           last_attempt = coalesce(${last === undefined ? null : Date.parse(last.date)}, last_attempt),
           last_error = coalesce(${error}, last_error)
     WHERE reader = ${reader} AND owner = ${owner}`)
  if (changed === 0) return false
  await tables.run(sql`UPDATE outbox_readers SET position = ${position} WHERE name = ${reader} AND position <= ${position}`)
  return true
}

/** Of what was sent at once, beside what waits. Nothing where nobody delivers to the target. */
export async function noteAttempt(tables: TableWriter, reader: string, attempt: DeliveryAttempt): Promise<void> {
  const row = await tables.get(sql`SELECT attempts FROM outbox_deliveries WHERE reader = ${reader}`)
  if (row === undefined) return
  const shown = [...attemptsIn(row[0]), shortened(attempt)].slice(-shownAttempts)
  await tables.run(sql`
    UPDATE outbox_deliveries
       SET attempts = ${JSON.stringify(shown)}, last_attempt = ${Date.parse(attempt.date)},
           last_error = coalesce(${attempt.error}, last_error)
     WHERE reader = ${reader}`)
}

function shortened(attempt: DeliveryAttempt): DeliveryAttempt {
  return { ...attempt, error: attempt.error?.slice(0, longestError) ?? null }
}

/** An event that was given up and may be sent with the full state. */
export interface UndeliveredEvent {
  readonly position: number
  readonly json: string
}

const undeliveredAtMost = 1_000

/** The oldest go when there are too many. */
export async function storeUndelivered(
  { tx }: WriteSession,
  reader: string,
  { position, json }: UndeliveredEvent,
): Promise<void> {
  await tx.tables.run(sql`
    INSERT INTO outbox_undelivered (reader, position, json) VALUES (${reader}, ${position}, ${json})
    ON CONFLICT (reader, position) DO NOTHING`)
  await tx.tables.run(sql`
    DELETE FROM outbox_undelivered WHERE reader = ${reader} AND position <= (
      SELECT position FROM outbox_undelivered WHERE reader = ${reader} ORDER BY position DESC LIMIT 1 OFFSET ${undeliveredAtMost})`)
}

/** The oldest first, as many as one message may have. */
export async function listUndelivered(tables: TableReader, reader: string, limit: number): Promise<readonly UndeliveredEvent[]> {
  const rows = await tables.all(sql`
    SELECT position, json FROM outbox_undelivered WHERE reader = ${reader} ORDER BY position LIMIT ${limit}`)
  return rows.map(([position, json]) => ({ position: Number(position), json: String(json) }))
}

export async function removeUndelivered(tables: TableWriter, reader: string, upTo: number, from = 0): Promise<void> {
  await tables.run(sql`DELETE FROM outbox_undelivered WHERE reader = ${reader} AND position BETWEEN ${from} AND ${upTo}`)
}
