import { queryTimedOut } from '../../problems.ts'
import type { Row, SearchConnection, Statement } from '../../sql/connection.ts'
import { OutOfTime } from '../sqlite-errors.ts'

/** Whatever gives the rows of a statement, or rejects with OutOfTime when they take longer. */
export interface TimedConnection {
  allWithin(milliseconds: number, statement: Statement): Promise<readonly Row[]>
}

/** Searches on a connection, each for as long as a search may take. @throws queryTimedOut */
export function limitSearches(connection: TimedConnection, milliseconds: number, setting?: string): SearchConnection {
  const all = async (statement: Statement) => {
    try {
      return await connection.allWithin(milliseconds, statement)
    } catch (error) {
      throw error instanceof OutOfTime
        ? queryTimedOut({ milliseconds, ...(setting !== undefined && { setting }) }, { cause: error })
        : error
    }
  }
  return {
    timeLimitMilliseconds: milliseconds,
    all,
    get: async (statement) => (await all(statement))[0],
    run: () => Promise.reject(new Error('A search changes nothing.')),
  }
}
