import { queryTimedOut } from '../../problems.ts'
import type { SearchConnection, SqlRow, SqlStatement } from '../../sql/connection.ts'
import { searchConnection } from '../../sql/connection.ts'
import { OutOfTime } from '../sqlite-errors.ts'

/** Whatever gives the rows of a statement, or rejects with OutOfTime when they take longer. */
export interface TimedConnection {
  allWithin(milliseconds: number, statement: SqlStatement): Promise<readonly SqlRow[]>
}

/** Searches on a connection, each for as long as a search may take. @throws queryTimedOut */
export function limitSearches(connection: TimedConnection, milliseconds: number, setting?: string): SearchConnection {
  return searchConnection(async (statement) => {
    try {
      return await connection.allWithin(milliseconds, statement)
    } catch (error) {
      throw error instanceof OutOfTime
        ? queryTimedOut({ milliseconds, ...(setting !== undefined && { setting }) }, { cause: error })
        : error
    }
  }, milliseconds)
}
