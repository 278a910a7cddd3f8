import { setTimeout as delay } from 'node:timers/promises'
import { databaseLocked } from '../problems.ts'
import { isSqliteBusy } from './sqlite-errors.ts'

const longestWaitMilliseconds = 30_000
const longestPauseMilliseconds = 20

/**
 * Does something that another process may be in the way of, again and again until it is free. The engine's own waiting
 * would stop the event loop.
 * @throws databaseLocked when it stays busy.
 */
export async function whenFree<Result>(attempt: () => Result): Promise<Result> {
  try {
    return attempt()
  } catch (error) {
    return attemptAgain(attempt, error)
  }
}

async function attemptAgain<Result>(attempt: () => Result, failure: unknown): Promise<Result> {
  const giveUpAt = performance.now() + longestWaitMilliseconds
  for (let pause = 1, error = failure; ; pause = Math.min(pause * 1.5, longestPauseMilliseconds)) {
    if (!isSqliteBusy(error)) throw error
    if (performance.now() > giveUpAt) throw databaseLocked({}, { cause: error })
    await delay(pause * (0.5 + Math.random()))
    try {
      return attempt()
    } catch (again) {
      error = again
    }
  }
}
