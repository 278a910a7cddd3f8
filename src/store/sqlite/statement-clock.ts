import type { DatabaseSync } from 'node:sqlite'
import { OutOfTime } from './sqlite-errors.ts'

/** Stops a statement of a connection when its time is over. */
export interface StatementClock {
  /** @throws OutOfTime from inside the work, at the next row that asks for the time. */
  within<Result>(milliseconds: number, work: () => Result): Result
  /** The same by the time of the processor. */
  briefly<Result>(processorMilliseconds: number, work: () => Result): Result
  /** For functions that take long over one row. @throws OutOfTime */
  check(): void
}

/**
 * Gives the connection the function `in_time(column)` of the dialect, which statements call for every row they look at. A call costs
 * 0.05 µs, where looking at a row of documents costs 0.15 µs and looking into its properties more than 1 µs (measured).
 */
export function createStatementClock(database: DatabaseSync): StatementClock {
  let end = Number.POSITIVE_INFINITY
  let extension: ((now: number) => number) | undefined
  const check = () => {
    const now = performance.now()
    if (now <= end) return
    end = extension?.(now) ?? now
    if (end <= now) throw new OutOfTime()
  }
  database.function('in_time', (_row) => {
    check()
    return 1
  })
  const within = <Result>(milliseconds: number, work: () => Result): Result => {
    end = performance.now() + milliseconds
    try {
      return work()
    } finally {
      end = Number.POSITIVE_INFINITY
      extension = undefined
    }
  }
  return {
    check,
    within,
    briefly(processorMilliseconds, work) {
      const latest = performance.now() + patience * processorMilliseconds
      const processorEnd = processorTime() + processorMilliseconds
      // Asking for the time of the processor takes 1 µs, and is worth it only when by the clock on the wall the time is over.
      extension = (now) => Math.min(latest, now + processorEnd - processorTime())
      return within(processorMilliseconds, work)
    },
  }
}

// A machine may give the thread a tenth of a processor; beyond that it is the disk that is waited for, and all requests with it.
const patience = 10

/** Of this thread, in milliseconds. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
