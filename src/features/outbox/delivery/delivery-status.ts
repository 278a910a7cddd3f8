import type { IsoDate } from '../../../base/iso-date.ts'
import type { Services } from '../../../rest/services.ts'
import { countWaiting, type DeliveryAttempt, findDelivery, shownAttempts } from './stored-deliveries.ts'

/** How it stands with a target, over all repositories. */
export interface DeliveryStatus {
  readonly queued: number
  readonly delivered: number
  readonly failed: number
  readonly lastAttempt: IsoDate | null
  readonly lastError: string | null
  /** The last ones, the newest first. */
  readonly attempts: readonly (DeliveryAttempt & { readonly repository: string })[]
}

const nothing: DeliveryStatus = { queued: 0, delivered: 0, failed: 0, lastAttempt: null, lastError: null, attempts: [] }

/** All zero for a target that was never delivered to. */
export async function readDeliveryStatus(
  { repositories }: Pick<Services, 'repositories'>,
  reader: string,
  events: readonly string[],
): Promise<DeliveryStatus> {
  let sum = nothing
  for (const { name, store } of repositories.values()) {
    const { tables } = store.reader
    const state = await findDelivery(tables, reader)
    if (state === undefined) continue
    const { position, ...told } = state
    const attempts = told.attempts.map((attempt) => ({ ...attempt, repository: name }))
    sum = joined(sum, { ...told, attempts, queued: await countWaiting(tables, position, events) })
  }
  return sum
}

function joined(one: DeliveryStatus, other: DeliveryStatus): DeliveryStatus {
  const isLater = (other.lastAttempt ?? '') > (one.lastAttempt ?? '')
  const byDate = [...one.attempts, ...other.attempts].toSorted((left, right) => (left.date < right.date ? 1 : -1))
  return {
    queued: one.queued + other.queued,
    delivered: one.delivered + other.delivered,
    failed: one.failed + other.failed,
    lastAttempt: isLater ? other.lastAttempt : one.lastAttempt,
    lastError: (isLater ? (other.lastError ?? one.lastError) : (one.lastError ?? other.lastError)) ?? null,
    attempts: byDate.slice(0, shownAttempts),
  }
}
