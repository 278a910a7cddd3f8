import { randomUUID } from 'node:crypto'
import type { Json } from '../../base/json.ts'
import type { Log } from '../../base/log.ts'
import type { Store } from '../../store/store.ts'
import type { RateLimit } from './rate-limit.ts'

/** What a process tells the others: by limit and by whom it counts, how many requests it has answered since it began to tell of them. */
type Told = { readonly [limit: string]: { readonly [key: string]: number } }

export interface RateExchange {
  /** Counts a request that was answered here. */
  note(limit: string, key: string): void
  /** Tells the others of what was noted, and adds what they have answered to the limits. */
  exchange(limits: Readonly<Record<string, Pick<RateLimit, 'add'> | undefined>>): Promise<void>
}

interface RateExchangeOptions {
  readonly store: Pick<Store, 'transact'>
  now(): string
}

const prefix = 'rates/'
// Whoever was not seen for longer has its burst anew.
const rememberedRounds = 30
// By far the fewest reach a limit; of more than that the busiest are told.
const mostTold = 2_000
// Whoever has many addresses could else fill the memory; those beyond it have the limit of this process alone.
const mostCounted = 10_000
// The clocks of servers may differ by that. What a process that ended has told does not change, and so counts no more.
const expiresMilliseconds = 300_000

/**
 * Has the processes on one database tell each other whom they have answered how often, each in a row of its own that is written while there
 * is something to tell: nobody waits for anybody. A request is counted by others one round later, so that whoever asks all processes at
 * once may get what each gives at once, and has to wait for all of it afterwards: in the long run the limit holds.
 */
export function createRateExchange({ store, now }: RateExchangeOptions): RateExchange {
  const own = `${prefix}${randomUUID()}`
  const answered = new Map<string, { count: number; idleRounds: number; isNew: boolean }>()
  let seen: ReadonlyMap<string, Told> | undefined

  function tellable(): Told {
    const busiest = [...answered].toSorted(([, left], [, right]) => right.count - left.count).slice(0, mostTold)
    const told: Record<string, Record<string, number>> = {}
    for (const [name, { count }] of busiest) {
      const [limit = '', ...key] = name.split(' ')
      told[limit] ??= {}
      told[limit][key.join(' ')] = count
    }
    return told
  }

  /** Gives whether anything was noted since the last round. */
  function endRound(): boolean {
    let hasNew = false
    for (const [name, one] of answered) {
      hasNew ||= one.isNew
      one.idleRounds = one.isNew ? 0 : one.idleRounds + 1
      one.isNew = false
      if (one.idleRounds > rememberedRounds) answered.delete(name)
    }
    return hasNew
  }

  return {
    note(limit, key) {
      const name = `${limit} ${key}`
      const known = answered.get(name)
      if (known === undefined) {
        if (answered.size < mostCounted) answered.set(name, { count: 1, idleRounds: 0, isNew: true })
      } else {
        known.count += 1
        known.isNew = true
      }
    },

    async exchange(limits) {
      const hasNew = endRound()
      // Nobody is here whom the others could have answered, too.
      if (answered.size === 0) {
        seen = undefined
        return
      }
      const rows = await store.transact(async ({ transient }) => {
        const expires = new Date(Date.parse(now()) + expiresMilliseconds).toISOString()
        if (hasNew) await transient.set(own, tellable() as Json, expires)
        return transient.list(prefix, now())
      })
      const others = new Map(rows.filter(({ key }) => key !== own).map(({ key, value }) => [key, value as Told]))
      // What was answered before somebody came here is long over, or soon will be.
      if (seen !== undefined) addAnswered(limits, seen, others)
      seen = others
    },
  }
}

function addAnswered(
  limits: Parameters<RateExchange['exchange']>[0],
  before: ReadonlyMap<string, Told>,
  others: ReadonlyMap<string, Told>,
): void {
  for (const [process, told] of others) {
    for (const [limit, counts] of Object.entries(told)) {
      for (const [key, count] of Object.entries(counts)) {
        const known = before.get(process)?.[limit]?.[key] ?? 0
        // A process that has forgotten somebody counts from the beginning.
        const added = count >= known ? count - known : count
        if (added > 0) limits[limit]?.add(key, added)
      }
    }
  }
}

/** Exchanges every so often. Gives the function that ends it. */
export function keepExchanging(
  exchange: RateExchange,
  limits: Parameters<RateExchange['exchange']>[0],
  { milliseconds, log }: { readonly milliseconds: number; readonly log: Log },
): () => Promise<void> {
  let isFailing = false
  let underWay: Promise<void> | undefined
  const run = async () => {
    try {
      await exchange.exchange(limits)
      isFailing = false
    } catch (err) {
      // Each process counts by itself until then.
      if (!isFailing) log.warn({ event: 'rates.notExchanged', err }, 'processes could not tell each other how often they answer')
      isFailing = true
    } finally {
      underWay = undefined
    }
  }
  const timer = setInterval(() => {
    underWay ??= run()
  }, milliseconds).unref()
  return async () => {
    clearInterval(timer)
    await underWay
  }
}
