import type { Problem } from '../../base/problem.ts'
import { databaseFull, databaseOutdated, databaseReplaced, databaseTooNew } from '../problems.ts'

/** Looks after a database while a server runs on it, and remembers what keeps it from being written to. */
export interface StoreWatch {
  /** Runs a transaction, unless the database is no longer the one that was opened. @throws databaseReplaced, databaseTooNew */
  writing<Result>(transaction: () => Promise<Result>): Promise<Result>
  /** Looks now. @throws what is wrong, also that the last write found no space and there still is none. */
  check(): Promise<void>
  /** Without looking. */
  findFlaw(): Problem | undefined
  end(): void
}

export interface Watched {
  /** Finds what must not happen to the database while it is used. @throws a problem that says what */
  look(): Promise<void>
  /** Writes a little. */
  tryWrite(): Promise<void>
}

// Often enough to be called seconds, seldom enough to cost nothing.
const lookEveryMilliseconds = 2_000

export function watchStore({ look, tryWrite }: Watched): StoreWatch {
  let flaw: Problem | undefined
  let fullness: Problem | undefined
  let looking: Promise<void> | undefined

  const lookOnce = async () => {
    try {
      await look()
      flaw = undefined
    } catch (error) {
      flaw = isFlaw(error) ? error : undefined
      throw error
    } finally {
      looking = undefined
    }
  }
  const lookNow = () => {
    looking ??= lookOnce()
    return looking
  }
  const writing: StoreWatch['writing'] = async (transaction) => {
    if (flaw !== undefined) throw flaw
    try {
      const result = await transaction()
      fullness = undefined
      return result
    } catch (error) {
      fullness = findFullness(error) ?? fullness
      throw error
    }
  }
  const timer = setInterval(() => lookNow().catch(() => {}), lookEveryMilliseconds)
  timer.unref()
  return {
    writing,
    async check() {
      await lookNow()
      if (fullness !== undefined) await writing(tryWrite)
    },
    findFlaw: () => flaw ?? fullness,
    end: () => clearInterval(timer),
  }
}

/** Other failures reach the callers of the statement: that the database does not answer may be over with the next one. */
function isFlaw(error: unknown): error is Problem {
  return databaseReplaced.is(error) || databaseTooNew.is(error) || databaseOutdated.is(error)
}

function findFullness(error: unknown): Problem | undefined {
  if (databaseFull.is(error)) return error
  return error instanceof Error ? findFullness(error.cause) : undefined
}
