import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { builtinIndexing } from '../../../../test/support/builtin-indexing.ts'
import { type Engine, onEachEngine } from '../../../../test/support/engines.ts'
import { indexTablesOf } from '../../../../test/support/index-tables.ts'
import { builtinModel } from '../../../../test/support/model/builtin-model.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import { createDocumentIndexing, type DocumentIndexing } from '../../../nxql/document-indexing.ts'
import { defaultTextRules } from '../../../nxql/query-settings.ts'

const aBlob = { key: 'k1', name: 'x', 'mime-type': 'text/plain', encoding: null, digest: 'k1', digestAlgorithm: 'MD5', length: 3 }

/** A database with some documents and nothing to search them by, as an older program leaves it. */
async function anOldDatabase(engine: Engine, documents = 3) {
  const database = await engine.createDatabase()
  const store = await database.open()
  const root = await insertRoot(store)
  const files = Array.from({ length: documents }, (_, index) =>
    aStoredChild(root, `f${index}`, {
      id: `f${index}`,
      type: 'File',
      properties: { 'dc:title': `word${index}`, 'dc:subjects': ['art'], ...(index === 0 && { 'file:content': aBlob }) },
    }),
  )
  await insertAll(store, ...files)
  await store.close()
  await database.query(
    engine.name === 'sqlite' ? sql`INSERT INTO fulltext (fulltext) VALUES ('delete-all')` : sql`DELETE FROM fulltext`,
  )
  await database.query(sql`DELETE FROM word_counts`)
  await database.query(sql`DELETE FROM document_values`)
  await database.query(sql`DELETE FROM kept_indexes`)
  return { database, tables: indexTablesOf(engine, database) }
}

const indexing = (given: Partial<DocumentIndexing>): DocumentIndexing => ({ ...builtinIndexing, ...given })

onEachEngine('opening a store', (engine) => {
  test('indexes the documents of an older database', async () => {
    const { database, tables } = await anOldDatabase(engine, 2_100)
    await database.open()
    assert.equal(await tables.countWords(), 2_100)
    for (const index of [0, 998, 999, 1_000, 2_099]) {
      assert.deepEqual(await tables.idsWith(`word${index}`, 'title'), [`f${index}`])
    }
    assert.deepEqual(await tables.valuesOf('f2099'), ['dc:subjects art'])
  })

  test('adds a job for files that were never read', async () => {
    const { database } = await anOldDatabase(engine)
    const store = await database.open()
    const jobs = await store.reader.jobs.list({}, 10)
    assert.deepEqual(
      jobs.map(({ kind, payload }) => ({ kind, payload })),
      [{ kind: 'extractText', payload: { documentIds: ['f0'] } }],
    )
  })

  test('does so once', async () => {
    const { database, tables } = await anOldDatabase(engine)
    await (await database.open()).close()
    await database.query(sql`DELETE FROM document_values`)
    const store = await database.open()
    assert.deepEqual(await tables.valuesOf('f0'), [])
    assert.equal((await store.reader.jobs.list({}, 10)).length, 1)
  })

  test('indexes a list that is declared from now on, and forgets one that is no longer', async () => {
    const { database, tables } = await anOldDatabase(engine)
    const names = new Set(builtinIndexing.names)
    names.delete('dc:subjects')
    await (await database.open({ indexing: indexing({ names }) })).close()
    assert.deepEqual(await tables.valuesOf('f1'), [])
    await (await database.open()).close()
    assert.deepEqual(await tables.valuesOf('f1'), ['dc:subjects art'])
    await database.open({ indexing: indexing({ names }) })
    assert.deepEqual(await tables.valuesOf('f1'), [])
    assert.deepEqual(await tables.valuesOf('f0'), ['ecm:blobDigests k1', 'ecm:blobKeys k1'])
  })

  test('makes other words of all documents when the rules have changed', async () => {
    const { database, tables } = await anOldDatabase(engine)
    await (await database.open()).close()
    const rules = { ...defaultTextRules, excludedTypes: ['File'] }
    await (await database.open({ indexing: createDocumentIndexing(builtinModel, rules) })).close()
    assert.deepEqual(await tables.idsWith('word1'), [])
    const store = await database.open()
    assert.deepEqual(await tables.idsWith('word1'), ['f1'])
    assert.equal(await tables.countWords(), 3)
    await store.transact((tx) => tx.documents.remove('f1'))
    assert.deepEqual(await tables.idsWith('word1'), [])
  })

  test('in several processes at once indexes every document once', async () => {
    const { database, tables } = await anOldDatabase(engine)
    await Promise.all([database.open(), database.open(), database.open()])
    assert.deepEqual([await tables.countWords(), await tables.valuesOf('f2')], [3, ['dc:subjects art']])
  })
})
