import { setTimeout as sleep } from 'node:timers/promises'
import { isWriting } from '../../../core/access.ts'
import { serverStopping } from '../../../core/server-stopping.ts'
import type { Session } from '../../../core/session.ts'

export interface Patience {
  readonly seconds: number
  /** The caller does not wait any more once it has fired. */
  readonly signal: AbortSignal
}

const shortestPause = 20
const longestPause = 250

/**
 * Waits for something that other processes or requests do, and gives whether it came about in time. Inside a transaction it looks
 * once: what others wait for may be that very transaction.
 * @throws serverStopping
 */
export async function waitUntil(
  session: Session,
  { seconds, signal }: Patience,
  isDone: () => Promise<boolean>,
): Promise<boolean> {
  const end = performance.now() + seconds * 1_000
  for (let pause = shortestPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    if (await isDone()) return true
    const left = end - performance.now()
    if (left <= 0 || isWriting(session)) return false
    const { stopping } = session.repository
    if (stopping.signal.aborted) throw serverStopping({})
    await sleep(Math.min(pause, left), undefined, { signal })
  }
}
