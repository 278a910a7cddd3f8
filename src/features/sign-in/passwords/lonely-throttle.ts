import { hash } from 'node:crypto'
import { networkOf } from '../../../base/address-range.ts'
import { createCache } from '../../../base/cache/bounded-cache.ts'
import { delaySeconds, guessLimits } from './guess-throttle.ts'
import type { GuessPermit } from './password-check.ts'

interface Guesses {
  readonly count: number
  readonly nextAt: number
}

const maxKnown = 10_000
const none: Guesses = { count: 0, nextAt: 0 }

/**
 * Counts wrong guesses in this process alone, while the database that all processes share does not answer: of one user from one network,
 * and of one user from wherever. Each counts as wrong from its beginning until it is settled.
 */
export function createLonelyThrottle(now = () => performance.now()): (address: string, name: string) => GuessPermit {
  const known = createCache<string, Guesses>({ maxEntries: maxKnown })
  return (address, name) => {
    // A name may be as long as a header.
    const user = hash('sha256', name, 'base64url')
    const keys = [
      { key: `${user} ${networkOf(address)}`, limit: guessLimits.pair },
      { key: user, limit: guessLimits.user },
    ]
    const before = keys.map(({ key }) => known.get(key) ?? none)
    const waiting = Math.max(...before.map(({ nextAt }) => Math.ceil((nextAt - now()) / 1_000)))
    if (waiting > 0) return { retryAfterSeconds: waiting, settle: async () => {} }
    for (const [at, { key, limit }] of keys.entries()) {
      const count = (before[at]?.count ?? 0) + 1
      known.set(key, { count, nextAt: now() + delaySeconds(limit, count) * 1_000 })
    }
    return {
      retryAfterSeconds: 0,
      async settle(isRight) {
        if (isRight) for (const { key } of keys) known.delete(key)
      },
    }
  }
}
