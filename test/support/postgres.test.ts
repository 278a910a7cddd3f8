import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshPostgresSchema, testPostgresUrl } from './postgres.ts'

test('a schema name is given out once, and does not exist before the test creates it', async () => {
  const first = await freshPostgresSchema()
  const second = await freshPostgresSchema()
  assert.notEqual(first.schema, second.schema)
  assert.equal(first.url, await testPostgresUrl())
  await withClient(first.url, (client) => client.query(`CREATE SCHEMA ${first.schema}`))
})

test('the server sorts as people do, so that a forgotten COLLATE "C" shows', async () => {
  const sorted = await withClient(await testPostgresUrl(), (client) =>
    client.query(`SELECT word FROM unnest(ARRAY['b', 'C', 'a']) AS word ORDER BY word`),
  )
  assert.deepEqual(
    sorted.rows.map((row) => row.word),
    ['a', 'b', 'C'],
  )
})

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
