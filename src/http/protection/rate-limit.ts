import { createCache } from '../../base/cache/bounded-cache.ts'
import { defineProblem } from '../../base/problem.ts'

export const tooManyRequests = defineProblem(
  'tooManyRequests',
  'throttled',
  (of: { who: string; perSecond: number; setting: string; retryAfterSeconds: number }) =>
    `${of.who} may make ${of.perSecond} requests a second on average. Try again in ${of.retryAfterSeconds} seconds, or have ${of.setting} raised.`,
)

export interface RateLimit {
  /** Counts a request of somebody. @throws tooManyRequests */
  take(key: string): void
  /** Counts what another process has answered, and refuses nothing. */
  add(key: string, requests: number): void
}

interface Limited {
  /** Who is told of the limit: `Your address`. */
  readonly who: string
  readonly perSecond: number
  readonly setting: string
  now?(): number
  /** Told of each request that was not refused. */
  onTaken?(key: string): void
}

// A page of the console asks for much at once, and then for nothing.
const burstSeconds = 10
// The one that was seen least recently is forgotten first: then it has its burst anew, which it had nearly got by waiting.
const mostRemembered = 100_000

/**
 * So many requests a second in the long run, and what comes together in ten seconds at once. Of each is remembered when all that it has
 * made so far would have been made at an even pace.
 * @returns undefined where there is no limit
 */
export function createRateLimit({
  who,
  perSecond,
  setting,
  now = () => performance.now(),
  onTaken,
}: Limited): RateLimit | undefined {
  if (perSecond === 0) return undefined
  const evenPace = createCache<string, number>({ maxEntries: mostRemembered })
  const interval = 1_000 / perSecond
  const burst = burstSeconds * 1_000
  const paceAfter = (key: string, requests: number, at: number) => Math.max(at, evenPace.get(key) ?? at) + requests * interval
  return {
    take(key) {
      const at = now()
      const next = paceAfter(key, 1, at)
      const tooEarly = next - at - burst
      if (tooEarly > 0) throw tooManyRequests({ who, perSecond, setting, retryAfterSeconds: Math.ceil(tooEarly / 1_000) })
      evenPace.set(key, next)
      onTaken?.(key)
    },
    add(key, requests) {
      evenPace.set(key, paceAfter(key, requests, now()))
    },
  }
}
