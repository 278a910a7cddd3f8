import type { Pool, PoolClient } from 'pg'
import type { SearchConnection, SqlStatement } from '../sql/connection.ts'
import type { Deadline, OpenTransaction } from '../sql/transact.ts'
import { asking, connectionOver, isLookUp, type PostgresServer, takeClient } from './postgres-connection.ts'
import { searchesWithin } from './search-connection.ts'
import type { SharedConnection } from './shared-connections.ts'

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
  const begun = asking(server, client, () => client.query(beginStatement(deadline, server.sharing.find(client))))
  // The first statement tells.
  begun.catch(() => {})
  return openTransaction(client, writing, begun, searchesWithin(client, server, deadline, writing.searchMilliseconds))
}

// The server cancels a statement whose caller does not wait any longer.
function beginStatement(deadline: Deadline, shared: SharedConnection | undefined): string {
  const remaining = deadline.remainingMilliseconds()
  return [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    ...(shared === undefined ? [] : [shared.preamble]),
    ...(remaining === undefined ? [] : [`SET LOCAL statement_timeout = ${remaining}`]),
  ].join('; ')
}

function openTransaction(
  client: PoolClient,
  { server, lockWaits }: TransactionPool,
  begun: Promise<unknown>,
  searching: SearchConnection,
): OpenTransaction {
  const { all, get, run } = connectionOver(client, server)
  let isReleased = false
  let hasLocks = false
  let hasBegun = false
  let doesWriteWait = false
  const noteBeginning = () => {
    hasBegun = true
  }
  begun.then(noteBeginning, noteBeginning)
  // Whatever was sent and not waited for.
  let sent: Promise<unknown> = begun
  const release = (isBroken: boolean) => {
    if (!isReleased) client.release(isBroken)
    isReleased = true
  }
  const setLockTimeout = (milliseconds: number) =>
    asking(server, client, () => client.query(`SET LOCAL lock_timeout = ${milliseconds}`))
  /** What was asked, once it is known that the transaction has begun. After a failure all is refused: what failed first says why. */
  const answerTo = async <Result>(asked: Promise<Result>): Promise<Result> => {
    const [answer] = await Promise.allSettled([asked, begun])
    await (answer.status === 'rejected' ? sent : begun)
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }
  /**
   * A look may go out with the beginning, in one round trip; a write waits, as without a transaction it would be kept at once, and so does
   * what was asked for after it: statements that are asked for at once run in the order in which they were.
   */
  const following =
    <Result>(execute: (statement: SqlStatement) => Promise<Result>) =>
    async (statement: SqlStatement): Promise<Result> => {
      if (!hasBegun && (doesWriteWait || !isLookUp(statement))) {
        doesWriteWait = true
        await begun
      }
      return answerTo(execute(statement))
    }
  const send = async (statement: SqlStatement) => {
    if (!hasBegun) await begun
    sent = bothInOrder(sent, run(statement))
    sent.catch(() => {})
  }
  return {
    all: following(all),
    get: following(get),
    run: following(run),
    send,
    runLater: send,
    // What failed in a part that is undone is undone with it.
    mark() {
      const before = sent
      return () => {
        sent = before
      }
    },
    searching: {
      timeLimitMilliseconds: searching.timeLimitMilliseconds,
      all: following(searching.all),
      get: following(searching.get),
      run: following(searching.run),
    },
    async lock(statement: SqlStatement) {
      const locking = all(statement)
      if (!hasLocks) {
        hasLocks = true
        // Both at once, to wait for one answer only. When the lock fails, so does what comes after it.
        await Promise.allSettled([locking, setLockTimeout(lockWaits().withinMilliseconds)])
      }
      return answerTo(locking)
    },
    async commit() {
      const committing = asking(server, client, () => client.query('COMMIT'))
      const [committed] = await Promise.allSettled([committing, sent])
      await sent
      if (committed.status === 'rejected') throw committed.reason
      const { command } = committed.value
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

/** Fails with what failed first: all that follows it is refused for that alone, and their answers may come in one packet. */
async function bothInOrder(first: Promise<unknown>, second: Promise<unknown>): Promise<void> {
  await Promise.allSettled([first, second])
  await first
  await second
}
