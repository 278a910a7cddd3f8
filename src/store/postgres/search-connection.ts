import type { Pool, PoolClient } from 'pg'
import { queryTimedOut, tooManySearches } from '../problems.ts'
import type { SearchLimits } from '../search-limits.ts'
import { type SearchConnection, type SqlConnection, searchConnection } from '../sql/connection.ts'
import { createFairPlaces } from '../sql/fair-places.ts'
import { type Deadline, deadlineIn } from '../sql/transact.ts'
import type { BatchedLookups } from './batched-lookups.ts'
import { databaseState } from './lookup-statements.ts'
import { asking, connectionOver, type PostgresServer, pipelineOverPool } from './postgres-connection.ts'
import { isPostgresTimeout } from './postgres-errors.ts'

/**
 * Searches on a pool of their own, whose connections have the time limit: they take none from those who look something up. Each brings
 * the state of the database right after it, which tells whether what it leads to is still as it was cached, and whether anything
 * was committed meanwhile; but for those on a replica, whose states are none of the database's.
 */
export function searchesOver(
  pool: Pool,
  server: PostgresServer,
  { timeLimitMilliseconds: milliseconds, perUser }: Pick<SearchLimits, 'timeLimitMilliseconds' | 'perUser'>,
  lookups?: Pick<BatchedLookups, 'note'>,
): SearchConnection {
  const sendAll = pipelineOverPool(pool, server)
  const places = createFairPlaces(pool.options.max, perUser)
  return onlySearching(async (statement) => {
    const release = await places.take(
      statement.user,
      deadlineIn(milliseconds / 1_000, () => tooManySearches({})),
    )
    try {
      if (lookups === undefined) return (await sendAll([statement]))[0] ?? []
      const [found = [], state] = await sendAll([statement, databaseState])
      lookups.note(state?.[0])
      return found
    } finally {
      release()
    }
  }, milliseconds)
}

/** Searches in a transaction, which see what it has written. Each has the time limit; what comes after it has the transaction's. */
export function searchesWithin(
  client: PoolClient,
  server: PostgresServer,
  deadline: Deadline,
  milliseconds: number,
): SearchConnection {
  const { all } = connectionOver(client, server)
  const setTimeLimit = (limit: number) => asking(server, client, () => client.query(`SET LOCAL statement_timeout = ${limit}`))
  return onlySearching(async (statement) => {
    const remaining = deadline.remainingMilliseconds() ?? 0
    const limit = remaining === 0 ? milliseconds : Math.min(milliseconds, remaining)
    // All at once, to wait for one answer only. When the search fails, so does what comes after it.
    const [, search] = await Promise.allSettled([setTimeLimit(limit), all(statement), setTimeLimit(remaining)])
    if (search.status === 'rejected') throw search.reason
    return search.value
  }, milliseconds)
}

/** @throws queryTimedOut when the server stopped the statement. */
function onlySearching(find: SqlConnection['all'], milliseconds: number): SearchConnection {
  return searchConnection(async (statement) => {
    try {
      return await find(statement)
    } catch (error) {
      throw isPostgresTimeout(error) ? queryTimedOut({ milliseconds }, { cause: error }) : error
    }
  }, milliseconds)
}
