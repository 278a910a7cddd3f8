import type { Deadline } from './deadline.ts'

/** Hands something out to one at a time, or to as many as there are places, first come, first served. */
export interface Turns {
  /** Resolves when it is the caller's turn; the function ends the turn. */
  take(deadline: Deadline): Promise<() => void>
  /** The same before all who wait. */
  takeNext(): Promise<() => void>
}

export function createTurns(places = 1): Turns {
  const waiting: (() => void)[] = []
  let free = places
  const pass = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return {
    async take(deadline) {
      if (free > 0) {
        free -= 1
      } else {
        const { promise: turn, resolve } = Promise.withResolvers<void>()
        waiting.push(resolve)
        await deadline.race(turn).catch((error) => {
          // Whoever gave up keeps its place in the line and passes the turn on when it comes.
          turn.then(pass)
          throw error
        })
      }
      return pass
    },
    async takeNext() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.unshift(resolve))
      return pass
    },
  }
}
