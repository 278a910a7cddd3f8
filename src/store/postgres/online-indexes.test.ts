import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { builtinIndexing } from '../../../test/support/builtin-indexing.ts'
import { freshPostgresSchema } from '../../../test/support/postgres.ts'
import { insertRoot } from '../../../test/support/stored-document.ts'
import { silentLog } from '../../base/log.ts'
import { openPostgresStore } from './postgres-store.ts'

const title = { name: 'dc:title', kind: 'string' } as const

async function aDatabase() {
  const place = await freshPostgresSchema()
  const open = (indexedProperties: readonly (typeof title)[]) =>
    openPostgresStore({ ...place, repository: 'default', indexedProperties, indexing: builtinIndexing, log: silentLog })
  const connect = async () => {
    const client = new pg.Client({ connectionString: place.url, options: `-c search_path=${place.schema}` })
    await client.connect()
    return client
  }
  const first = await open([])
  await insertRoot(first)
  await first.close()
  return { open, connect }
}

const validity = `SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = current_schema()::regnamespace AND relname ~ '^documents_(property|trigrams)_' ORDER BY relname`

test('an index that a model wants is built while others write', async () => {
  const { open, connect } = await aDatabase()
  const [slow, other] = [await connect(), await connect()]
  await slow.query('BEGIN; UPDATE documents SET pos = pos')
  const opening = open([title])
  let isOpen = false
  const opened = opening.then((store) => {
    isOpen = true
    return store
  })
  // It waits for who was there before, and a usual one would have everybody else wait behind it.
  const building = "SELECT 1 FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%'"
  while ((await other.query(building)).rowCount === 0) assert.equal(isOpen, false)
  await other.query(`SET lock_timeout = '2s'`)
  await other.query(
    'UPDATE jobs SET kind = kind; DELETE FROM documents WHERE false; INSERT INTO documents SELECT * FROM documents WHERE false',
  )
  assert.equal(isOpen, false)
  await slow.query('COMMIT')
  await (await opened).close()
  const { rows } = await other.query(validity)
  assert.ok(rows.length >= 1)
  assert.ok(rows.every(({ indisvalid }) => indisvalid))
  for (const client of [slow, other]) await client.end()
})

test('an index whose building was killed is built anew, and one that nobody wants any more goes', async () => {
  const { open, connect } = await aDatabase()
  const client = await connect()
  await (await open([title])).close()
  const built = (await client.query(validity)).rows
  await client.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid IN
    (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname ~ '^documents_(property|trigrams)_')`)
  await (await open([title])).close()
  assert.deepEqual((await client.query(validity)).rows, built)
  const several = await Promise.all([open([]), open([]), open([])])
  for (const store of several) await store.close()
  assert.deepEqual((await client.query(validity)).rows, [])
  await client.end()
})
