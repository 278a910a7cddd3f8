import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { onEachEngine } from '../../../test/support/engines.ts'
import { insertRoot } from '../../../test/support/stored-document.ts'
import { databaseTooNew } from '../problems.ts'
import { migrations } from './migrations.ts'

describe('migrations', () => {
  test('are numbered without a gap', () => {
    assert.deepEqual(
      migrations.map(({ version }) => version),
      migrations.map((_, index) => index + 1),
    )
  })
})

onEachEngine('opening a database', (engine) => {
  test('keeps what is in it', async () => {
    const database = await engine.createDatabase()
    const first = await database.open()
    const root = await insertRoot(first)
    await first.close()
    const again = await database.open()
    assert.equal((await again.reader.documents.findByPath('/'))?.id, root.id)
  })

  test('creates the tables once when several processes come at the same time', async () => {
    const database = await engine.createDatabase()
    const stores = await Promise.all([database.open(), database.open(), database.open()])
    for (const store of stores) assert.equal(await store.isAlive(), true)
    const versions = await database.query(sql`SELECT version FROM schema_version ORDER BY version`)
    assert.equal(versions.length, migrations.length)
  })

  test('is refused when a newer program has been there, and nothing is changed', async () => {
    const database = await engine.createDatabase()
    const store = await database.open()
    await store.close()
    await database.query(sql`INSERT INTO schema_version (version) VALUES (4711)`)
    await assert.rejects(database.open(), databaseTooNew.is)
    assert.deepEqual(
      await database.query(sql`SELECT max(version) + 0.0 FROM schema_version`).then(([row]) => Number(row?.[0])),
      4711,
    )
  })
})
