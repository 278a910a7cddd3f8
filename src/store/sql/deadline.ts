import { transactionTimedOut } from '../problems.ts'

/** The moment by which something must have finished, mostly a transaction. */
export interface Deadline {
  /** Undefined when there is all the time in the world. */
  remainingMilliseconds(): number | undefined
  /** @throws transactionTimedOut, or what else was given to be thrown */
  check(): void
  /** The promise's outcome, or the same problem when that comes first. */
  race<Result>(work: Promise<Result>): Promise<Result>
}

export const noDeadline: Deadline = { remainingMilliseconds: () => undefined, check() {}, race: (work) => work }

export function deadlineIn(
  seconds: number | undefined,
  timedOut: () => Error = () => transactionTimedOut({ seconds: seconds ?? 0 }),
): Deadline {
  if (seconds === undefined) return noDeadline
  const end = performance.now() + seconds * 1_000
  return {
    remainingMilliseconds: () => Math.max(1, Math.ceil(end - performance.now())),
    check() {
      if (performance.now() >= end) throw timedOut()
    },
    async race(work) {
      const { promise: alarm, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(timedOut()), end - performance.now())
      try {
        return await Promise.race([work, alarm])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
