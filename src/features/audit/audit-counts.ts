import sql, { raw } from 'sql-template-tag'
import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
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

/** Every row that fits is looked at, of a span that is bounded; both from the indexes by date or by what is asked for. @throws auditSpanTooLong */
export async function countByDayAndEvent(
  { reader: { tables } }: Session,
  filter: AuditFilter & { readonly from: number; readonly to: number },
): Promise<AuditCounts> {
  const days = Math.ceil((filter.to - filter.from) / dayMillis)
  if (days > mostDays) throw auditSpanTooLong({ days, most: mostDays })
  const conditions = conditionsOf(filter)
  const byDay = await tables.all(sql`
    SELECT event_date / ${raw(String(dayMillis))}, count(*) FROM audit_entries WHERE ${conditions} GROUP BY 1 ORDER BY 1`)
  const byEvent = await tables.all(sql`
    SELECT event_id, count(*) FROM audit_entries WHERE ${conditions} GROUP BY event_id ORDER BY 2 DESC, 1 LIMIT ${mostEvents}`)
  return {
    total: byDay.reduce((sum, [, count]) => sum + Number(count), 0),
    days: byDay.map(([day, count]) => ({ day: dayOf(Number(day)), count: Number(count) })),
    events: byEvent.map(([eventId, count]) => ({ eventId: String(eventId), count: Number(count) })),
  }
}

function dayOf(number: number): string {
  return new Date(number * dayMillis).toISOString().slice(0, 10)
}
