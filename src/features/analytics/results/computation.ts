import { refuse } from '../request/json-parts.ts'

/** What all aggregations of a request share. */
export interface Computation {
  readonly now: string
  /** Counts what is answered. @throws searchNotUnderstood */
  addBuckets(count: number): void
  /** Lets other requests in between. */
  pause(): Promise<void> | undefined
}

export type Result = { readonly [name: string]: unknown }

/** As search engines allow. */
const mostBuckets = 65_536

export function createComputation(now: string, pause: Computation['pause']): Computation {
  let buckets = 0
  return {
    now,
    pause,
    addBuckets(count) {
      buckets += count
      if (buckets > mostBuckets)
        refuse(`There are more than ${mostBuckets} buckets. Ask for longer intervals, or for less at once.`)
    },
  }
}
