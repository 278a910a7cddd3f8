import type { Deadline } from './transact.ts'

/** Lets one caller in at a time, or as many as there are permits, first come, first served. */
export interface Semaphore {
  /** Resolves with the function that releases the permit. */
  acquire(deadline: Deadline): Promise<() => void>
  /** The same behind so many of those who wait, ahead of all others. */
  acquireBehind(count: number): Promise<() => void>
  /** How many have not been let in yet. */
  readonly waiting: number
}

export function createSemaphore(permits = 1): Semaphore {
  const waiting: (() => void)[] = []
  let free = permits
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return {
    get waiting() {
      return waiting.length
    },
    async acquire(deadline) {
      if (free > 0) {
        free -= 1
      } else {
        const { promise: granted, resolve } = Promise.withResolvers<void>()
        waiting.push(resolve)
        await deadline.race(granted).catch((error) => {
          // A caller that gave up keeps its place in the queue and releases the permit when it comes.
          granted.then(release)
          throw error
        })
      }
      return release
    },
    async acquireBehind(count) {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.splice(count, 0, resolve))
      return release
    },
  }
}
