import type { Deadline } from '../sql/deadline.ts'

/** Hands something out to one at a time, first come, first served. */
export interface Turns {
  /** Resolves when it is the caller's turn; the function ends the turn. */
  take(deadline: Deadline): Promise<() => void>
  /** The same before all who wait. */
  takeNext(): Promise<() => void>
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let isTaken = false
  const pass = () => {
    const next = waiting.shift()
    if (next === undefined) isTaken = false
    else next()
  }
  return {
    async take(deadline) {
      if (isTaken) {
        const { promise: turn, resolve } = Promise.withResolvers<void>()
        waiting.push(resolve)
        await deadline.race(turn).catch((error) => {
          // Whoever gave up keeps its place in the line and passes the turn on when it comes.
          turn.then(pass)
          throw error
        })
      }
      isTaken = true
      return pass
    },
    async takeNext() {
      if (isTaken) await new Promise<void>((resolve) => waiting.unshift(resolve))
      isTaken = true
      return pass
    },
  }
}
