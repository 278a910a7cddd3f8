import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type sql from 'sql-template-tag'
import { testPostgresUrl } from '../../../test/support/postgres.ts'
import { makeSchema } from './make-schema.ts'

let clients: readonly [pg.Client, pg.Client]
before(async () => {
  const url = await testPostgresUrl()
  clients = [new pg.Client(url), new pg.Client(url)]
  for (const client of clients) await client.connect()
})
after(() => Promise.all(clients.map((client) => client.end())))

const connectionOver = (client: pg.Client) => ({
  get: async ({ text, values }: ReturnType<typeof sql>) =>
    (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows[0] as [] | undefined,
  run: async ({ text, values }: ReturnType<typeof sql>) => (await client.query(text, values)).rowCount ?? 0,
})

test('a schema that another connection has made while this one waited is taken as it is, whatever this one remembers', async () => {
  const schema = `quire_at_once_${process.pid}`
  const [one, other] = clients
  for (const client of clients) {
    await client.query('BEGIN')
    // From here on it remembers that there is no such schema.
    await client.query(`SET LOCAL search_path = ${schema}`)
    await client.query('CREATE SCHEMA IF NOT EXISTS public')
  }
  await one.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [schema])
  const waiting = other.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [schema])
  await pause(20)
  await makeSchema(connectionOver(one), schema)
  await one.query('COMMIT')
  await waiting
  await makeSchema(connectionOver(other), schema)
  await other.query('COMMIT')
  assert.equal((await one.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).rowCount, 1)
  await one.query(`DROP SCHEMA ${schema}`)
})
