import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { onEachEngine } from '../../../test/support/engines.ts'
import { insertRoot } from '../../../test/support/stored-document.ts'
import { postgresDialect } from '../postgres/postgres-dialect.ts'
import { databaseAbsent, databaseOutdated, databaseTooNew } from '../problems.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
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

onEachEngine('opening a database as it is', (engine) => {
  const asItIs = { asItIs: true }

  test('is refused where no server has made one, and makes none', async () => {
    const database = await engine.createDatabase()
    await assert.rejects(database.open(asItIs), databaseAbsent.is)
    await assert.rejects(database.open(asItIs), databaseAbsent.is)
  })

  test('reads and writes what a server keeps there', async () => {
    const database = await engine.createDatabase()
    const server = await database.open()
    const beside = await database.open(asItIs)
    await beside.transact((tx) => tx.directories.insert('shelf', { id: 'a', values: { title: 'A' } }))
    assert.deepEqual((await server.reader.directories.find('shelf', 'a'))?.values, { title: 'A' })
  })

  test('leaves the indexes of the server alone, whatever model it comes with', async () => {
    const database = await engine.createDatabase()
    const indexedProperties = [{ name: 'x:y', kind: 'string' } as const]
    await (await database.open({ indexedProperties })).close()
    const names = async () =>
      (await database.query(engine.name === 'sqlite' ? sqliteDialect.indexNames : postgresDialect.indexNames)).flat().sort()
    const before = await names()
    await (await database.open({ ...asItIs, indexedProperties: [] })).close()
    assert.ok(before.some((name) => String(name).includes('x_y')))
    assert.deepEqual(await names(), before)
  })

  test('is refused when the tables are older or newer than the program', async () => {
    const database = await engine.createDatabase()
    await (await database.open()).close()
    await database.query(sql`DELETE FROM schema_version WHERE version = ${migrations.length}`)
    await assert.rejects(database.open(asItIs), databaseOutdated.is)
    await database.query(sql`INSERT INTO schema_version (version) VALUES (4711)`)
    await assert.rejects(database.open(asItIs), databaseTooNew.is)
  })
})
