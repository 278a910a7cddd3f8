import type { Pool, PoolClient } from 'pg'
import type { SqlConnection } from '../sql/connection.ts'
import type { Deadline } from '../sql/deadline.ts'
import type { OpenTransaction } from '../sql/transact.ts'
import { connectionOver, reaching } from './postgres-connection.ts'
import { searchesWithin } from './search-connection.ts'

/** Begins a transaction on a connection of the pool, which gets it back at the end. */
export async function beginTransaction(
  pool: Pool,
  address: string,
  deadline: Deadline,
  searchMilliseconds: number,
): Promise<OpenTransaction> {
  const client = await reaching(address, () => pool.connect())
  try {
    await reaching(address, () => client.query(beginStatement(deadline)))
  } catch (error) {
    client.release(true)
    throw error
  }
  return openTransaction(client, address, searchesWithin(client, address, deadline, searchMilliseconds))
}

// The server gives up a statement that nobody waits for any longer.
function beginStatement(deadline: Deadline): string {
  const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED'
  const remaining = deadline.remainingMilliseconds()
  return remaining === undefined ? begin : `${begin}; SET LOCAL statement_timeout = ${remaining}`
}

function openTransaction(client: PoolClient, address: string, searching: SqlConnection): OpenTransaction {
  let isReleased = false
  const release = (isBroken: boolean) => {
    if (!isReleased) client.release(isBroken)
    isReleased = true
  }
  return {
    ...connectionOver(client, address),
    searching,
    async commit() {
      const { command } = await reaching(address, () => client.query('COMMIT'))
      release(false)
      // What a transaction with a failed statement gets for an answer to COMMIT, without an error.
      if (command === 'ROLLBACK') throw new Error('A statement failed and its transaction was committed nevertheless')
    },
    async rollback() {
      if (isReleased) return
      try {
        await client.query('ROLLBACK')
        release(false)
      } catch {
        release(true)
      }
    },
  }
}
