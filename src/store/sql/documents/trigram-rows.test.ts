import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { type Engine, onEachEngine } from '../../../../test/support/engines.ts'
import { builtinModel } from '../../../../test/support/model/builtin-model.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import { createQueryCompiler } from '../../../nxql/query-compiler.ts'
import { defaultQuerySettings } from '../../../nxql/query-settings.ts'
import type { Store } from '../../store.ts'

const compile = createQueryCompiler(builtinModel, defaultQuerySettings)
const indexedProperties = ['dc:title', 'dc:creator'].map((name) => ({ name, kind: 'string' as const }))

async function find(store: Store, condition: string): Promise<string> {
  const query = compile(`SELECT * FROM Document WHERE ${condition} ORDER BY ecm:name`)
  const scope = { now: '2024-01-01T00:00:00.000Z' } as const
  const ids = await store.reader.search.listIds(query, scope, { offset: 0, limit: 10 })
  assert.equal(await store.reader.search.count(query, scope, 'documents', undefined), ids.length)
  return ids.join(' ')
}

async function aShelf(engine: Engine) {
  const database = await engine.createDatabase()
  const store = await database.open({ indexedProperties })
  const root = await insertRoot(store)
  const titles = { one: 'Annual Report', two: 'annual rapport', three: 'İstanbul 😀😀 ΣΊΣ', four: 'ſtraße' }
  const documents = Object.entries(titles).map(([id, title]) =>
    aStoredChild(root, id, { id, properties: { 'dc:title': title, 'dc:creator': `${id}-report` } }),
  )
  await insertAll(store, ...documents)
  return { database, store, documents }
}

onEachEngine('a part of an indexed text', (engine) => {
  test('is found in any case, and in its case where that is asked for', async () => {
    const { store } = await aShelf(engine)
    assert.equal(await find(store, "dc:title ILIKE '%REPORT%'"), 'one')
    assert.equal(await find(store, "dc:title ILIKE '%nual r%'"), 'one two')
    assert.equal(await find(store, "dc:title LIKE '%nual r%'"), 'two')
    assert.equal(await find(store, "dc:title ILIKE '%i̇st%' AND dc:title ILIKE '% 😀😀 %' AND dc:title LIKE '%ΣΊΣ%'"), 'three')
    assert.equal(await find(store, "dc:title ILIKE '%straß%'"), '')
    assert.equal(await find(store, "dc:title NOT ILIKE '%annual%'"), 'four three')
    assert.equal(await find(store, "dc:creator ILIKE '%E-REP%'"), 'one three')
  })

  test('is found where it came and no longer where it was', async () => {
    const { store, documents } = await aShelf(engine)
    const [one, two] = documents
    assert.ok(one !== undefined && two !== undefined)
    await store.transact(async (tx) => {
      const after = { ...one, properties: { ...one.properties, 'dc:title': 'A budget' } }
      assert.ok(await tx.documents.update(one, after))
      await tx.documents.remove(two.id)
    })
    assert.equal(await find(store, "dc:title ILIKE '%budget%'"), 'one')
    assert.equal(await find(store, "dc:title ILIKE '%annual%'"), '')
    assert.equal(await find(store, "dc:creator ILIKE '%one-report%'"), 'one')
  })

  test('is found in the documents of an older database, and by what another model declares', async () => {
    const { database, store } = await aShelf(engine)
    await store.close()
    if (engine.name === 'sqlite') await database.query(sql`DROP TABLE trigrams`)
    await database.query(sql`DELETE FROM kept_indexes WHERE name LIKE 'ecm:trigrams %'`)
    const filled = await database.open({ indexedProperties })
    assert.equal(await find(filled, "dc:title ILIKE '%annual%'"), 'one two')
    await filled.close()
    const other = await database.open({ indexedProperties: [{ name: 'dc:creator', kind: 'string' }] })
    assert.equal(await find(other, "dc:title ILIKE '%annual%' AND dc:creator ILIKE '%TWO%'"), 'two')
  })

  test('is found without an index, too', async () => {
    const { database, store } = await aShelf(engine)
    await store.close()
    const without = await database.open({ indexedProperties: [] })
    assert.equal(await find(without, "dc:title ILIKE '%annual%'"), 'one two')
  })
})
