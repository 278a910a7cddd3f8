/** Whose turn it is, of what is wished. */
interface Turn {
  /** Whoever waits for an answer goes before it. */
  readonly isBackground?: boolean
  readonly user?: string | undefined
}

export interface Waiting<Wish extends Turn = Turn> {
  readonly wish: Wish
  start(): void
  refuse(reason: unknown): void
}

/** Those who wait for a place, of which somebody else knows how many there are. */
export interface FairQueue {
  readonly waiting: number
  add(entry: Waiting): void
  /** False when it is not there any more. */
  remove(entry: Waiting): boolean
  /** Notes that somebody has a place without having waited. */
  place(wish: Turn): void
  /** Notes that a place was given back. */
  leave(wish: Turn): void
  /** Takes out whose turn it is, who has the place from then on. */
  next(): Waiting | undefined
  /** How many of a user run and wait that somebody waits for. */
  countOf(user: string): number
  /** Takes out all. */
  clear(): readonly Waiting[]
}

/** So often what is made in the background has its turn though somebody waits for an answer: it would never be made otherwise. */
const backgroundEvery = 10

interface Share {
  placed: number
  /** Of those placed, and those that wait, what somebody waits for. */
  awaited: number
  /** When one of the user was last placed, counted from the first on. */
  lastTurn: number
}

/**
 * Whoever has the fewest places is next, and of those the one whose turn was the longest ago: how many more a user waits for makes nobody
 * else wait.
 */
export function createFairQueue(): FairQueue {
  const waiting: Waiting[] = []
  const shares = new Map<string, Share>()
  let turns = 0

  // The server itself is one of them.
  const nameOf = ({ user = '' }: Turn) => user
  function shareOf(wish: Turn): Share {
    const share = shares.get(nameOf(wish)) ?? { placed: 0, awaited: 0, lastTurn: 0 }
    shares.set(nameOf(wish), share)
    return share
  }

  function count(wish: Turn, by: 1 | -1): void {
    if (!wish.isBackground) shareOf(wish).awaited += by
  }

  function place(wish: Turn): void {
    turns += 1
    const share = shareOf(wish)
    share.placed += 1
    share.lastTurn = turns
  }

  function forgetIfDone(wish: Turn): void {
    const { placed } = shareOf(wish)
    if (placed === 0 && !waiting.some((entry) => nameOf(entry.wish) === nameOf(wish))) shares.delete(nameOf(wish))
  }

  function isBefore(one: Waiting, other: Waiting): boolean {
    const [left, right] = [shareOf(one.wish), shareOf(other.wish)]
    return left.placed === right.placed ? left.lastTurn < right.lastTurn : left.placed < right.placed
  }

  function choose(): Waiting | undefined {
    const prefersBackground = turns % backgroundEvery === backgroundEvery - 1
    const preferred = waiting.filter(({ wish: { isBackground = false } }) => isBackground === prefersBackground)
    const candidates = preferred.length > 0 ? preferred : waiting
    return candidates.reduce<Waiting | undefined>(
      (best, entry) => (best === undefined || isBefore(entry, best) ? entry : best),
      undefined,
    )
  }

  return {
    get waiting() {
      return waiting.length
    },
    add(entry) {
      waiting.push(entry)
      count(entry.wish, 1)
    },
    remove(entry) {
      const index = waiting.indexOf(entry)
      if (index === -1) return false
      waiting.splice(index, 1)
      count(entry.wish, -1)
      forgetIfDone(entry.wish)
      return true
    },
    place(wish) {
      count(wish, 1)
      place(wish)
    },
    leave(wish) {
      shareOf(wish).placed -= 1
      count(wish, -1)
      forgetIfDone(wish)
    },
    next() {
      const entry = choose()
      if (entry === undefined) return undefined
      waiting.splice(waiting.indexOf(entry), 1)
      place(entry.wish)
      return entry
    },
    countOf: (user) => shares.get(user)?.awaited ?? 0,
    clear() {
      const all = waiting.splice(0)
      for (const { wish } of all) count(wish, -1)
      return all
    },
  }
}
