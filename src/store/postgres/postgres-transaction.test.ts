import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DatabaseError, type Pool } from 'pg'
import { raw } from 'sql-template-tag'
import { databaseLocked } from '../problems.ts'

import { type Deadline, deadlineIn } from '../sql/transact.ts'
import { beginTransaction } from './postgres-transaction.ts'
import { createSharedConnections } from './shared-connections.ts'

const lockNotAvailable = '55P03'
const inFailedTransaction = '25P02'

/** A server that refuses statements by these codes in turn, all in one packet, after the transaction has begun. */
function serverRefusing(...codes: readonly string[]) {
  const left = [...codes]
  const packet = Promise.withResolvers<void>()
  const client = {
    async query(asked: string | { readonly text: string }) {
      const text = typeof asked === 'string' ? asked : asked.text
      if (text.startsWith('BEGIN') || text === 'ROLLBACK') return { rows: [], command: 'BEGIN' }
      const code = left.shift() ?? inFailedTransaction
      await packet.promise
      throw Object.assign(new DatabaseError(code, 0, 'error'), { code })
    },
    release() {},
  }
  const watch = { awaitAnswer: <Result>(_: unknown, work: () => Promise<Result>) => work(), end() {} }
  return {
    answer: packet.resolve,
    writing: {
      pool: { connect: async () => client } as unknown as Pool,
      server: { address: 'nowhere', watch, sharing: createSharedConnections(false) },
      searchMilliseconds: 1_000,
      lockWaits: () => ({ firstMilliseconds: 10, withinMilliseconds: 10 }),
    },
  }
}

const never: Deadline = deadlineIn(undefined)

describe('a transaction on PostgreSQL', () => {
  test('fails with what failed first, of all statements that were sent without waiting', async () => {
    const { writing, answer } = serverRefusing(lockNotAvailable)
    const open = await beginTransaction(writing, never)
    for (const text of ['INSERT 1', 'INSERT 2', 'INSERT 3']) await open.send?.(raw(text))
    const committed = open.commit()
    answer()
    await assert.rejects(committed, databaseLocked.is)
  })

  test('fails with it also where a later statement is waited for', async () => {
    const { writing, answer } = serverRefusing(lockNotAvailable)
    const open = await beginTransaction(writing, never)
    await open.send?.(raw('INSERT 1'))
    await open.send?.(raw('INSERT 2'))
    const asked = open.get(raw('SELECT 1'))
    answer()
    await assert.rejects(asked, databaseLocked.is)
  })
})
