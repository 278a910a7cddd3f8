import { type IsoDate, parseIsoDate } from '../base/iso-date.ts'
import { defineProblem } from '../base/problem.ts'
import type { Document } from './document.ts'

/** Indefinitely: the one date that may be replaced by an earlier one. */
export const indeterminately: IsoDate = '9999-01-01T00:00:00.000Z'

/**
 * The date until which a record was retained when it became retained indefinitely: no date before it may replace that. It stays for good;
 * nobody writes it but who sets the retention.
 */
export const leastRetention = 'retention:atLeastUntil'
/** Brings that property to the records that need it. */
export const leastRetentionFacet = 'RetainedAtLeast'

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
  | { readonly kind: 'keep' }
  /** `atLeastUntil` is there when the date that is known is about to be replaced by none. */
  | { readonly kind: 'set' | 'extend'; readonly retainUntil: IsoDate; readonly atLeastUntil?: IsoDate }

/** What asking to retain a record until a date comes to. @throws notARecord, invalidRetention, retentionShortened */
export function planRetention(
  record: Pick<Document, 'id' | 'isRecord' | 'retainUntil' | 'properties'>,
  sent: string,
  now: IsoDate,
): RetentionPlan {
  const retainUntil = parseIsoDate(sent)
  if (retainUntil === undefined || retainUntil <= now) throw invalidRetention({ sent })
  if (!record.isRecord) throw notARecord({ id: record.id })
  const current = record.retainUntil
  if (retainUntil === current) return { kind: 'keep' }
  const least = current === indeterminately ? (record.properties[leastRetention] ?? null) : current
  if (typeof least === 'string' && retainUntil < least) throw retentionShortened({ id: record.id, retainUntil: least })
  if (current === null || current === indeterminately) return { kind: 'set', retainUntil }
  return { kind: 'extend', retainUntil, ...(retainUntil === indeterminately && { atLeastUntil: current }) }
}
