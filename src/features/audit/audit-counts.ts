import sql, { type Sql } from 'sql-template-tag'
import { createYieldPoint } from '../../base/event-loop.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import { compareText } from '../../nxql/code-point-order.ts'
import { type AuditFilter, conditionsOf } from './audit-query.ts'

export const auditSpanTooLong = defineProblem(
  'auditSpanTooLong',
  'invalid',
  (of: { days: number; most: number }) => `These are ${of.days} days. Ask for at most ${of.most} at once.`,
)

/** How many rows there are, by day and by event. */
export interface AuditCounts {
  readonly total: number
  /** Days of UTC that have rows, the first one first. */
  readonly days: readonly { readonly day: string; readonly count: number }[]
  /** The most frequent first. */
  readonly events: readonly { readonly eventId: string; readonly count: number }[]
}

const dayMillis = 86_400_000
export const mostDays = 366
const mostEvents = 100

/**
 * Every row that fits is looked at, of a span that is bounded, a day at a time: each is a range of an index, which is counted at 10 rows a
 * microsecond, where sorting all rows into days and events took 15 times as long and let no other request in between.
 * @throws auditSpanTooLong
 */
export async function countByDayAndEvent(
  { reader: { tables } }: Session,
  filter: AuditFilter & { readonly from: number; readonly to: number },
): Promise<AuditCounts> {
  const span = Math.ceil((filter.to - filter.from) / dayMillis)
  if (span > mostDays) throw auditSpanTooLong({ days: span, most: mostDays })
  const days: { day: string; count: number }[] = []
  const events = new Map<string, number>()
  const pause = createYieldPoint()
  for (const { from, to } of daysBetween(filter.from, filter.to)) {
    let ofDay = 0
    for (const [eventId, count] of await tables.all(countsByEvent({ ...filter, from, to }))) {
      events.set(String(eventId), (events.get(String(eventId)) ?? 0) + Number(count))
      ofDay += Number(count)
    }
    if (ofDay > 0) days.push({ day: new Date(from).toISOString().slice(0, 10), count: ofDay })
    await pause()
  }
  return { total: days.reduce((sum, { count }) => sum + count, 0), days, events: mostFrequent(events) }
}

function* daysBetween(from: number, to: number): Generator<{ readonly from: number; readonly to: number }> {
  for (let start = from; start <= to; ) {
    const next = (Math.floor(start / dayMillis) + 1) * dayMillis
    yield { from: start, to: Math.min(to, next - 1) }
    start = next
  }
}

/** By audit_entries_by_event alone where only dates are asked for; by the index of what is asked for otherwise. */
function countsByEvent(filter: AuditFilter & { readonly from: number; readonly to: number }): Sql {
  const { from, to, ...others } = filter
  const isOnlySpan = Object.values(others).every((one) => one === undefined || (Array.isArray(one) && one.length === 0))
  if (!isOnlySpan) return sql`SELECT event_id, count(*) FROM audit_entries WHERE ${conditionsOf(filter)} GROUP BY event_id`
  // The events that there are: a look for the next one, however many rows each has.
  return sql`
    WITH RECURSIVE events (event_id) AS (
      SELECT min(event_id) FROM audit_entries
      UNION ALL
      SELECT (SELECT min(later.event_id) FROM audit_entries AS later WHERE later.event_id > events.event_id)
        FROM events WHERE events.event_id IS NOT NULL)
    SELECT event_id, (
        SELECT count(*) FROM audit_entries AS counted
         WHERE counted.event_id = events.event_id AND counted.event_date >= ${from} AND counted.event_date <= ${to})
      FROM events WHERE event_id IS NOT NULL`
}

function mostFrequent(events: ReadonlyMap<string, number>): AuditCounts['events'] {
  const all = [...events].filter(([, count]) => count > 0).map(([eventId, count]) => ({ eventId, count }))
  return all.sort((one, other) => other.count - one.count || compareText(one.eventId, other.eventId)).slice(0, mostEvents)
}
