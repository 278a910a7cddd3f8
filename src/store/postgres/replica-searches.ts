import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import { queryTimedOut, tooManySearches } from '../problems.ts'
import { type SearchConnection, type SqlConnection, searchConnection } from '../sql/connection.ts'
import type { BatchedLookups } from './batched-lookups.ts'

/** Who can answer searches, and who knows what they must have seen. */
export interface ReplicaSearchOptions {
  /** Searches on the server itself, for when the replica cannot. */
  readonly onServer: SearchConnection
  readonly onReplica: SearchConnection
  /** The server itself. */
  readonly server: Pick<SqlConnection, 'get'>
  readonly replica: Pick<SqlConnection, 'get'>
  readonly lookups: Pick<BatchedLookups, 'forget' | 'readState'>
  readonly log: Log
}

// A replica that follows well is some milliseconds behind; a search waits so often, each time longer, and then goes to the server.
const waitsMilliseconds: readonly number[] = [2, 4, 8, 16, 32, 64]
/** A replica that is gone, or far behind, is left alone for so long: who searches meanwhile does not wait for it. */
const restMilliseconds = 2_000

// What is visible to anybody was flushed before.
const flushedPosition = sql`SELECT CAST(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS bigint)`
// A replica that was made a server of its own goes another way from there: it is none any more.
const replayedPosition = sql`
  SELECT CASE WHEN pg_is_in_recovery() THEN CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS bigint) END`

/**
 * Searches on a replica, which give what they would on the server: each waits until the replica has all that was committed, by anybody,
 * before it was asked for. Where that takes too long, or the replica fails, the server itself is searched.
 */
export function searchesOnReplica(options: ReplicaSearchOptions): SearchConnection {
  const { onServer, onReplica, server, replica, lookups, log } = options
  let restsUntil = 0
  let isResting = false
  let replayed = -1

  function rest(why: string, err?: unknown): void {
    restsUntil = performance.now() + restMilliseconds
    if (isResting) return
    isResting = true
    log.warn({ event: 'store.replicaLeft', err }, `the server itself is searched: the replica ${why}`)
  }

  function resume(): void {
    if (!isResting) return
    isResting = false
    // A search that was under way when another found the replica behind: what the log says has to be what is done.
    restsUntil = 0
    log.info({ event: 'store.replicaBack' }, 'the replica is searched again')
  }

  async function hasReplayed(needed: number): Promise<boolean> {
    // It only ever goes on; as long as nothing is written, it need not be asked again.
    if (replayed >= needed) return true
    for (const wait of [0, ...waitsMilliseconds]) {
      if (wait > 0) await delay(wait)
      const position = positionIn(await replica.get(replayedPosition))
      if (position === undefined) break
      replayed = position
      if (replayed >= needed) return true
    }
    return false
  }

  async function findOnReplica(statement: Parameters<SqlConnection['all']>[0]) {
    const needed = positionIn(await server.get(flushedPosition)) ?? Number.POSITIVE_INFINITY
    try {
      if (!(await hasReplayed(needed))) {
        rest('is behind, or none')
        return undefined
      }
      const rows = await onReplica.all(statement)
      resume()
      return rows
    } catch (error) {
      if (queryTimedOut.is(error) || tooManySearches.is(error)) throw error
      // It may come back as another one, which has not seen as much.
      replayed = -1
      rest('fails', error)
      return undefined
    }
  }

  return searchConnection(async (statement) => {
    const rows = performance.now() < restsUntil ? undefined : await findOnReplica(statement)
    if (rows === undefined) return onServer.all(statement)
    // As searches on the server do, it brings a state that came after it.
    lookups.forget()
    await lookups.readState()
    return rows
  }, onServer.timeLimitMilliseconds)
}

function positionIn(row: Awaited<ReturnType<SqlConnection['get']>>): number | undefined {
  const position = row?.[0]
  return typeof position === 'number' ? position : undefined
}
