import type { Pool, PoolClient } from 'pg'
import type { SearchConnection, SqlStatement } from '../sql/connection.ts'
import type { Deadline, OpenTransaction } from '../sql/transact.ts'
import { asking, connectionOver, type PostgresServer, takeClient } from './postgres-connection.ts'
import { searchesWithin } from './search-connection.ts'

/**
 * How long a statement waits for a lock. Both are shorter than the time after which PostgreSQL looks for deadlocks, so that it never
 * finds one: a transaction without a lock may wait for long, and one with a lock soon gives it back and begins anew.
 */
export interface LockWaits {
  readonly firstMilliseconds: number
  readonly withinMilliseconds: number
}

export interface TransactionPool {
  readonly pool: Pool
  readonly server: PostgresServer
  readonly searchMilliseconds: number
  /** Of the connections that the pool has made. */
  readonly lockWaits: () => LockWaits
}

/** @param deadlockMilliseconds after which the server looks whether one is waited for by whom it waits for. */
export function lockWaitsFor(deadlockMilliseconds: number): LockWaits {
  const within = (share: number, max: number) => Math.max(1, Math.min(max, Math.floor(deadlockMilliseconds * share)))
  return { firstMilliseconds: within(0.8, 2_000), withinMilliseconds: within(0.1, 30) }
}

/** Begins a transaction on a connection of the pool, which gets it back at the end. */
export async function beginTransaction(writing: TransactionPool, deadline: Deadline): Promise<OpenTransaction> {
  const { pool, server } = writing
  const client = await takeClient(pool, server)
  try {
    await asking(server, client, () => client.query(beginStatement(deadline)))
  } catch (error) {
    client.release(true)
    throw error
  }
  return openTransaction(client, writing, searchesWithin(client, server, deadline, writing.searchMilliseconds))
}

// The server cancels a statement whose caller does not wait any longer.
function beginStatement(deadline: Deadline): string {
  const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED'
  const remaining = deadline.remainingMilliseconds()
  return remaining === undefined ? begin : `${begin}; SET LOCAL statement_timeout = ${remaining}`
}

function openTransaction(
  client: PoolClient,
  { server, lockWaits }: TransactionPool,
  searching: SearchConnection,
): OpenTransaction {
  const statements = connectionOver(client, server)
  let isReleased = false
  let hasLocks = false
  const release = (isBroken: boolean) => {
    if (!isReleased) client.release(isBroken)
    isReleased = true
  }
  const setLockTimeout = (milliseconds: number) =>
    asking(server, client, () => client.query(`SET LOCAL lock_timeout = ${milliseconds}`))
  return {
    ...statements,
    async runLater(statement) {
      await statements.run(statement)
    },
    mark: () => () => {},
    searching,
    async lock(statement: SqlStatement) {
      if (hasLocks) return statements.all(statement)
      hasLocks = true
      // Both at once, to wait for one answer only. When the lock fails, so does what comes after it.
      const [locked] = await Promise.allSettled([statements.all(statement), setLockTimeout(lockWaits().withinMilliseconds)])
      if (locked.status === 'rejected') throw locked.reason
      return locked.value
    },
    async commit() {
      const { command } = await asking(server, client, () => client.query('COMMIT'))
      release(false)
      // What a transaction with a failed statement gets for an answer to COMMIT, without an error.
      if (command === 'ROLLBACK') throw new Error('A statement failed and its transaction was committed nevertheless')
    },
    async rollback() {
      if (isReleased) return
      try {
        await asking(server, client, () => client.query('ROLLBACK'))
        release(false)
      } catch {
        release(true)
      }
    },
  }
}
