import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'
import { raw } from 'sql-template-tag'
import { databaseLocked } from '../problems.ts'
import { type Deadline, deadlineIn } from '../sql/transact.ts'
import { beginTransaction, type TransactionPool } from './postgres-transaction.ts'
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
    connection: { stream: new Writable() },
    release() {},
  }
  return { answer: packet.resolve, writing: poolOf(client) }
}

function poolOf(client: object): TransactionPool {
  const watch = { awaitAnswer: <Result>(_: unknown, work: () => Promise<Result>) => work(), end() {} }
  return {
    pool: { connect: async () => client } as unknown as Pool,
    server: { address: 'nowhere', watch, sharing: createSharedConnections(false) },
    searchMilliseconds: 1_000,
    lockWaits: () => ({ firstMilliseconds: 10, withinMilliseconds: 10 }),
  }
}

/** A server that does all it is asked, and notes what comes in one packet. */
function serverNotingPackets() {
  const packets: string[][] = []
  const stream = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      packets.push([text])
      done()
    },
    writev(texts, done) {
      packets.push(texts.map(({ chunk }) => String(chunk)))
      done()
    },
  })
  const client = {
    async query(asked: string | { readonly text: string }) {
      const text = typeof asked === 'string' ? asked : asked.text
      stream.write(text)
      await nextTurn()
      return { rows: [], rowCount: 0, command: text }
    },
    connection: { stream },
    release() {},
  }
  return { packets, writing: poolOf(client) }
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

  const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED'

  test('sends in one packet, and in their order, what is asked for before anything is waited for', async () => {
    const { writing, packets } = serverNotingPackets()
    const open = await beginTransaction(writing, never)
    await Promise.all([open.get(raw('SELECT 1')), open.all(raw('SELECT 2'))])
    await Promise.all([
      open.send(raw('INSERT 1')),
      open.send(raw('INSERT 2')),
      open.get(raw('UPDATE 1')),
      open.get(raw('SELECT 3')),
    ])
    await open.send(raw('INSERT 3'))
    await open.commit()
    assert.deepEqual(packets, [
      [begin, 'SELECT 1', 'SELECT 2'],
      ['INSERT 1', 'INSERT 2', 'UPDATE 1', 'SELECT 3'],
      ['INSERT 3', 'COMMIT'],
    ])
  })

  test('sends no look before a write that was asked for earlier, and no write before it has begun', async () => {
    const { writing, packets } = serverNotingPackets()
    const open = await beginTransaction(writing, never)
    await Promise.all([open.get(raw('UPDATE 1')), open.get(raw('SELECT 1'))])
    assert.deepEqual(packets, [[begin], ['UPDATE 1', 'SELECT 1']])
  })
})
