import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import pg from 'pg'
import { builtinIndexing } from '../../../test/support/builtin-indexing.ts'
import { freshPostgresSchema } from '../../../test/support/postgres.ts'
import { insertRoot } from '../../../test/support/stored-document.ts'
import { silentLog } from '../../base/log.ts'
import { databaseUnreachable, storageConflict } from '../problems.ts'
import type { Store } from '../store.ts'
import { openPostgresStore } from './postgres-store.ts'

describe('a store on PostgreSQL', () => {
  const open: Store[] = []
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close()
  })
  const openStore = async (given: object = {}) => {
    const place = await freshPostgresSchema()
    const store = await openPostgresStore({
      ...place,
      repository: 'default',
      indexedProperties: [],
      indexing: builtinIndexing,
      log: silentLog,
      ...given,
    })
    open.push(store)
    return { ...place, store }
  }

  test('says where it looked when there is no server, and not the password', async () => {
    const url = 'postgres://someone:secret@127.0.0.1:9/quire'
    await assert.rejects(openStore({ url }), (error) => {
      assert.ok(databaseUnreachable.is(error))
      assert.match(error.message, /127\.0\.0\.1:9\/quire/)
      assert.doesNotMatch(error.message, /secret/)
      return error.cause instanceof Error
    })
  })

  test('reports a connection that breaks in a transaction, and works again on the next', async () => {
    const { store, url, schema } = await openStore()
    await insertRoot(store)
    const broken = store.transact(async (tx) => {
      await tx.documents.findByPath('/')
      await breakConnections(url, schema)
      await tx.documents.findByPath('/')
    })
    await assert.rejects(broken, databaseUnreachable.is)
    assert.equal(await store.isAlive(), true)
    assert.equal((await store.transact((tx) => tx.documents.findByPath('/')))?.path, '/')
  })

  test('fails a transaction whose failed statement its body overlooked', async () => {
    const { store } = await openStore()
    const root = await insertRoot(store)
    const overlooking = store.transact(async (tx) => {
      await tx.documents.insertMany([root]).catch(() => {})
    })
    await assert.rejects(overlooking)
  })

  test('runs a transaction again when a name was taken between its look and its write', async () => {
    const { store } = await openStore()
    const root = await insertRoot(store)
    let runs = 0
    const clash = store.transact(async (tx) => {
      runs += 1
      await tx.documents.insertMany([{ ...root, id: `other${runs}` }])
    })
    await assert.rejects(clash, storageConflict.is)
    assert.ok(runs > 1)
  })

  test('keeps repositories in schemas apart', async () => {
    const [first, second] = [await openStore(), await openStore()]
    await insertRoot(first.store)
    assert.equal(await second.store.reader.documents.findByPath('/'), undefined)
  })
})

/** As an administrator would: ends all connections that use the schema, whatever they are doing. */
async function breakConnections(url: string, schema: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(locks.pid) FROM pg_locks AS locks
      WHERE locks.relation = '${schema}.documents'::regclass AND locks.pid <> pg_backend_pid()`,
  )
  await client.end()
}
