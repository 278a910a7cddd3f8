import { hash } from 'node:crypto'
import { networkOf } from '../../../base/address-range.ts'
import { createCache } from '../../../base/cache/bounded-cache.ts'
import { isoDate } from '../../../base/iso-date.ts'
import type { Log } from '../../../base/log.ts'
import type { Store, Transaction } from '../../../store/store.ts'
import type { GuessPermit, GuessThrottle } from './password-check.ts'

/** How often somebody may be wrong before waiting, and how long the wait becomes. */
interface GuessLimit {
  readonly freeGuesses: number
  readonly maxDelaySeconds: number
}

/**
 * A person who has forgotten a password, or a program with an old one, is far below these. A user whom others guess at from many places
 * waits for seconds only, and not at all where it signed in before: else to lock somebody out one would only have to guess.
 */
export const guessLimits = {
  /** Of one user from one address. */
  pair: { freeGuesses: 20, maxDelaySeconds: 15 * 60 },
  /** Of whichever users from one address, behind which a whole company may be. */
  address: { freeGuesses: 500, maxDelaySeconds: 5 * 60 },
  /** Of one user from wherever. */
  user: { freeGuesses: 200, maxDelaySeconds: 10 },
} as const satisfies Record<string, GuessLimit>

/** The time to wait after so many wrong guesses: a second, and twice as long after each further one. */
export function delaySeconds({ freeGuesses, maxDelaySeconds }: GuessLimit, guesses: number): number {
  const beyond = guesses - freeGuesses
  return beyond < 0 ? 0 : Math.min(maxDelaySeconds, 2 ** Math.min(beyond, 20))
}

/** What was wrong so long ago no longer counts. */
const rememberedSeconds = 60 * 60
const maxKnown = 10_000

type LimitName = keyof typeof guessLimits
const limitNames = Object.keys(guessLimits) as readonly LimitName[]

/**
 * Counts wrong guesses among the expiring values of the database, which all processes share. A guess that is being looked at counts
 * in its own process, so that many at once are no way around.
 */
export function createGuessThrottle(store: () => Store, log: () => Log): GuessThrottle {
  const underWay = new Map<string, number>()
  /** Where users signed in, by this process. Nothing invalidates it: it tells of the past. */
  const knownPlaces = createCache<string, true>({ maxEntries: maxKnown })

  async function begin(address: string, name: string): Promise<GuessPermit> {
    const keys = keysOf(address, name)
    // Also those that are settled while this one looks: what it finds may not tell of them yet.
    const before = underWay.get(keys.pair) ?? 0
    const { transient } = store().reader
    const now = isoDate(new Date())
    const [count, ...waits] = await Promise.all([
      transient.find(countKey(keys.pair), now),
      ...limitNames.map((limit) => transient.find(waitKey(keys[limit]), now)),
    ])
    const isKnown = knownPlaces.get(keys.pair) !== undefined
    const until = waits.filter((wait, index) => typeof wait === 'string' && !(isKnown && limitNames[index] === 'user'))
    const wrong = Number(count ?? 0)
    const waiting = Math.max(secondsUntil(until), crowdDelay(Math.max(before, underWay.get(keys.pair) ?? 0), wrong))
    if (waiting > 0) return { retryAfterSeconds: waiting, settle: async () => {} }
    underWay.set(keys.pair, (underWay.get(keys.pair) ?? 0) + 1)
    return { retryAfterSeconds: 0, settle: (isRight) => settle(keys, isRight, wrong) }
  }

  function crowdDelay(others: number, wrong: number): number {
    return others === 0 ? 0 : delaySeconds(guessLimits.pair, wrong + others)
  }

  function leave(pair: string): void {
    const others = (underWay.get(pair) ?? 1) - 1
    if (others > 0) underWay.set(pair, others)
    else underWay.delete(pair)
  }

  async function settle(keys: GuessKeys, isRight: boolean, wrongBefore: number): Promise<void> {
    if (isRight) knownPlaces.set(keys.pair, true)
    try {
      if (isRight && wrongBefore === 0) return
      await store().transact((tx) => (isRight ? forgive(tx, keys.pair) : noteWrong(tx, keys)))
    } catch (err) {
      // A database that cannot be written to lets people in who know their password.
      log().error({ event: 'login.uncounted', err }, 'a guess at a password was not counted')
    } finally {
      // Not before it is counted where others look.
      leave(keys.pair)
    }
  }

  return { begin }
}

type GuessKeys = Record<LimitName, string>

/** Names are digested: they may be long, and may be passwords that were typed into the wrong field. */
function keysOf(address: string, name: string): GuessKeys {
  const user = hash('sha256', name, 'base64url')
  const network = networkOf(address)
  return { pair: `sign-in/pair/${user}/${network}`, address: `sign-in/address/${network}`, user: `sign-in/user/${user}` }
}

const countKey = (key: string) => `${key}/wrong`
const waitKey = (key: string) => `${key}/wait`

async function noteWrong({ transient }: Transaction, keys: GuessKeys): Promise<void> {
  const moment = Date.now()
  const now = isoDate(new Date(moment))
  const after = (seconds: number) => isoDate(new Date(moment + seconds * 1_000))
  for (const limit of limitNames) {
    const guesses = await transient.increase(countKey(keys[limit]), 1, after(rememberedSeconds), now)
    const delay = delaySeconds(guessLimits[limit], guesses)
    if (delay > 0) await transient.set(waitKey(keys[limit]), after(delay), after(delay))
  }
}

async function forgive({ transient }: Transaction, pair: string): Promise<void> {
  await transient.remove(countKey(pair))
  await transient.remove(waitKey(pair))
}

function secondsUntil(moments: readonly unknown[]): number {
  const latest = Math.max(0, ...moments.map((moment) => Date.parse(String(moment))))
  return latest === 0 ? 0 : Math.max(1, Math.ceil((latest - Date.now()) / 1_000))
}
