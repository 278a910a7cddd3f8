import { type IsoDate, parseIsoDate } from '../base/iso-date.ts'
import { defineProblem } from '../base/problem.ts'
import type { Document } from './document.ts'

/** Indefinitely: the one date that may be replaced by an earlier one. */
export const indeterminately: IsoDate = '9999-01-01T00:00:00.000Z'

export const versionIsNoRecord = defineProblem(
  'versionIsNoRecord',
  'invalid',
  (of: { id: string }) => `${of.id} is a version and cannot become a record. Make its live document one.`,
)

export const notARecord = defineProblem(
  'notARecord',
  'conflict',
  (of: { id: string }) => `${of.id} is not a record and cannot be retained. Make it a record first.`,
)

export const retentionShortened = defineProblem(
  'retentionShortened',
  'conflict',
  (of: { id: string; retainUntil: IsoDate }) =>
    `${of.id} is retained until ${of.retainUntil}. Retention can be extended, not shortened.`,
)

export const invalidRetention = defineProblem(
  'invalidRetention',
  'invalid',
  (of: { sent: string }) => `A record can be retained until a date that is yet to come, not until ${JSON.stringify(of.sent)}.`,
)

export type RetentionPlan =
  /** It is retained until that very moment already. */
  { readonly kind: 'keep' } | { readonly kind: 'set' | 'extend'; readonly retainUntil: IsoDate }

/** What asking to retain a record until a date comes to. @throws notARecord, invalidRetention, retentionShortened */
export function planRetention(
  record: Pick<Document, 'id' | 'isRecord' | 'retainUntil'>,
  sent: string,
  now: IsoDate,
): RetentionPlan {
  const retainUntil = parseIsoDate(sent)
  if (retainUntil === undefined || retainUntil <= now) throw invalidRetention({ sent })
  if (!record.isRecord) throw notARecord({ id: record.id })
  const current = record.retainUntil
  if (retainUntil === current) return { kind: 'keep' }
  if (current === null || current === indeterminately) return { kind: 'set', retainUntil }
  if (retainUntil < current) throw retentionShortened({ id: record.id, retainUntil: current })
  return { kind: 'extend', retainUntil }
}
