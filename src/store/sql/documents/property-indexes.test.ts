import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { onEachEngine, type TestDatabase } from '../../../../test/support/engines.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import { type LogFields, silentLog } from '../../../base/log.ts'
import { postgresDialect } from '../../postgres/postgres-dialect.ts'
import { sqliteDialect } from '../../sqlite/sqlite-dialect.ts'
import type { IndexedProperty } from './property-indexes.ts'
import { propertyKey } from './property-key.ts'

const count = (names: unknown) => (Array.isArray(names) ? names.length : undefined)

onEachEngine('indexes on properties', (engine) => {
  const dialect = engine.name === 'sqlite' ? sqliteDialect : postgresDialect
  const list = async (database: TestDatabase) => {
    const names = (await database.query(dialect.indexNames)).map(([name]) => String(name))
    return names.flatMap((name) => /^documents_property_(.*)_[0-9a-f]{10}$/.exec(name)?.[1] ?? []).sort()
  }

  test('are there for what is declared, and go when it no longer is', async () => {
    const database = await engine.createDatabase()
    const open = async (...indexedProperties: IndexedProperty[]) => {
      const store = await database.open({ indexedProperties })
      await store.close()
      return list(database)
    }
    const source = { name: 'dc:source', kind: 'string' } as const
    const size = { name: 'x:size', kind: 'long' } as const
    const flag = { name: 'x:flag', kind: 'boolean' } as const
    assert.deepEqual(await open(source, size, flag), ['dc_source', 'x_flag', 'x_size'])
    assert.deepEqual(await open(source, size, flag), ['dc_source', 'x_flag', 'x_size'])
    assert.deepEqual(await open(size, { name: 'dc:created', kind: 'date' }), ['dc_created', 'x_size'])
    assert.deepEqual(await open({ ...size, kind: 'string' }), ['x_size'])
    assert.deepEqual(await open({ ...size, kind: 'string', isSparse: true }), ['x_size'])
    assert.deepEqual(await open(), [])
  })

  test('of what few documents have hold those documents alone', async () => {
    const database = await engine.createDatabase()
    const source = { name: 'dc:source', kind: 'string', isSparse: true } as const
    const store = await database.open({ indexedProperties: [source] })
    const root = await insertRoot(store)
    await insertAll(store, aStoredChild(root, 'without'), aStoredChild(root, 'with', { properties: { 'dc:source': 'here' } }))
    await store.close()
    const definition =
      engine.name === 'sqlite'
        ? sql`SELECT sql FROM sqlite_schema WHERE name LIKE ${'documents_property_dc_source%'}`
        : sql`SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND indexname LIKE ${'documents_property_dc_source%'}`
    const [row] = await database.query(definition)
    assert.match(String(row?.[0]), / WHERE .*IS NOT NULL/)
    const key = propertyKey(dialect, 'dc:source', 'string')
    assert.equal((await database.query(sql`SELECT name FROM documents WHERE ${key} = ${'here'}`)).length, 1)
    assert.equal((await database.query(sql`SELECT name FROM documents WHERE ${key} IS NULL`)).length, 2)
  })

  test('are told of in one line, and where there is no document yet only to developers', async () => {
    const told: (readonly [level: string, created: unknown, dropped: unknown])[] = []
    const keep = (level: string) => (fields: LogFields) => {
      if (fields.event === 'store.indexes') told.push([level, count(fields['created']), count(fields['dropped'])])
    }
    const log = { ...silentLog, debug: keep('debug'), info: keep('info') }
    const database = await engine.createDatabase()
    const indexes = (...names: string[]) => names.map((name) => ({ name, kind: 'string' }) as const)
    const store = await database.open({ indexedProperties: indexes('dc:source', 'dc:title', 'dc:format'), log })
    await insertRoot(store)
    await store.close()
    for (const names of [
      ['dc:format', 'dc:coverage'],
      ['dc:format', 'dc:coverage'],
    ]) {
      await (await database.open({ indexedProperties: indexes(...names), log })).close()
    }
    assert.deepEqual(told, [
      ['debug', 3, 0],
      ['info', 1, 2],
    ])
  })

  test('accept values of any length and of the wrong kind', async () => {
    const store = await engine.openStore({
      indexedProperties: [
        { name: 'dc:title', kind: 'string' },
        { name: 'x:size', kind: 'long' },
        { name: 'x:flag', kind: 'boolean' },
      ],
    })
    const root = await insertRoot(store)
    const long = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x1f300 + ((index * 7919) % 700))).join('')
    const title = aStoredChild(root, 'long', { properties: { 'dc:title': long, 'x:size': 'no number', 'x:flag': 'neither' } })
    const list = aStoredChild(root, 'list', { properties: { 'dc:title': ['a', 'b'], 'x:size': { a: 1 }, 'x:flag': 2 } })
    await insertAll(store, title, list)
    assert.equal((await store.reader.documents.find(title.id))?.properties['dc:title'], long)
  })
})
