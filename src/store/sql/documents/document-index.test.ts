import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from 'sql-template-tag'
import { type Engine, onEachEngine } from '../../../../test/support/engines.ts'
import { indexTablesOf } from '../../../../test/support/index-tables.ts'
import { aStoredChild, aStoredVersion, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'
import type { Properties } from '../../../model/properties/property.ts'
import type { Store } from '../../store.ts'

async function prepare(engine: Engine) {
  const database = await engine.createDatabase()
  const store = await database.open()
  const root = await insertRoot(store)
  const aFile = (name: string, properties: Properties, given: Partial<Document> = {}) =>
    aStoredChild(root, name, { id: name, type: 'File', properties, ...given })
  const rename = (table: string, name: string) => database.query(raw(`ALTER TABLE ${table} RENAME TO ${name}`))
  const released = async () => (await database.query(raw('SELECT file_key FROM released_files ORDER BY file_key'))).flat()
  return { store, root, tables: indexTablesOf(engine, database), rename, aFile, released }
}

const insert = (store: Store, document: Document) => store.transact((tx) => tx.documents.insert(document))
const update = (store: Store, before: Document, after: Document) => store.transact((tx) => tx.documents.update(before, after))

const aBlob = (key: string, name: string, mimeType = 'text/plain') => ({
  key,
  name,
  'mime-type': mimeType,
  encoding: null,
  digest: key,
  digestAlgorithm: 'MD5',
  length: 3,
})

onEachEngine('what queries search of a document', (engine) => {
  test('is there once it is inserted, by itself or with others', async () => {
    const { store, tables, aFile } = await prepare(engine)
    await insert(store, aFile('a', { 'dc:title': 'Sales report', 'dc:subjects': ['art', 'art', 'law'] }))
    await insertAll(store, aFile('b', { 'dc:title': 'Other report', 'dc:contributors': ['ann'] }), aFile('c', {}))
    assert.deepEqual(await tables.idsWith('report'), ['a', 'b'])
    assert.deepEqual(await tables.idsWith('sales', 'title'), ['a'])
    assert.deepEqual(await tables.idsWith('art'), ['a'])
    assert.deepEqual(await tables.idsWith('art', 'title'), [])
    assert.deepEqual(await tables.valuesOf('a'), ['dc:subjects art', 'dc:subjects law'])
    assert.deepEqual(await tables.valuesOf('b'), ['dc:contributors ann'])
  })

  test('is there for each of many that are inserted together', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const many = Array.from({ length: 230 }, (_, index) =>
      aFile(`f${index}`, { 'dc:title': `word${index}`, 'dc:subjects': [`s${index}`] }),
    )
    await insertAll(store, ...many)
    for (const index of [0, 99, 100, 199, 200, 229]) {
      assert.deepEqual(await tables.idsWith(`word${index}`), [`f${index}`])
      assert.deepEqual(await tables.valuesOf(`f${index}`), [`dc:subjects s${index}`])
    }
    assert.equal(await tables.countWords(), 230)
  })

  test('takes no row as long as it has no words', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const [silent, hidden] = [aFile('silent', {}), aFile('hidden', { 'dc:title': 'word' }, { facets: ['NotFulltextIndexable'] })]
    await insertAll(store, silent, hidden)
    assert.equal(await tables.countWords(), 0)
    await update(store, silent, { ...silent, properties: { 'dc:title': 'word' } })
    assert.deepEqual(await tables.idsWith('word'), ['silent'])
    assert.equal(await tables.countStrays(), 0)
  })

  test('is not there when the name was taken and nothing was inserted', async () => {
    const { store, tables, aFile } = await prepare(engine)
    await insert(store, aFile('a', { 'dc:title': 'first' }))
    assert.equal(await insert(store, aFile('b', { 'dc:title': 'second', 'dc:subjects': ['x'] }, { name: 'a' })), false)
    assert.deepEqual(await tables.idsWith('second'), [])
    assert.equal(await tables.countWords(), 1)
  })

  test('is what it became when the document changed, and nothing else', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const before = aFile('a', { 'dc:title': 'old title', 'dc:description': 'stays', 'dc:subjects': ['art', 'law'] })
    await insert(store, before)
    const properties = { 'dc:title': 'new title', 'dc:description': 'stays', 'dc:subjects': ['law', 'war'] }
    await update(store, before, { ...before, properties })
    assert.deepEqual([await tables.idsWith('old'), await tables.idsWith('art')], [[], []])
    assert.deepEqual(
      [await tables.idsWith('new'), await tables.idsWith('stays'), await tables.idsWith('war')],
      [['a'], ['a'], ['a']],
    )
    assert.deepEqual(await tables.valuesOf('a'), ['dc:subjects law', 'dc:subjects war'])
    await update(store, { ...before, properties }, { ...before, properties: {} })
    assert.deepEqual([await tables.idsWith('new'), await tables.idsWith('stays'), await tables.valuesOf('a')], [[], [], []])
  })

  test('changes by what comes and goes, and a file is let go of only when it goes', async () => {
    const { store, tables, aFile, released } = await prepare(engine)
    const file = (key: string) => ({ 'file:content': aBlob(key, `${key}.txt`) })
    const many = Array.from({ length: 30 }, (_, index) => `s${index}`)
    const steps: readonly Properties[] = [
      { 'dc:subjects': ['art'], ...file('k1') },
      { 'dc:subjects': ['art', 'law'], ...file('k1') },
      { 'dc:subjects': ['law', 'art', ...many], ...file('k1') },
      { 'dc:subjects': ['law', ...many.slice(3)], ...file('k1') },
      { 'dc:subjects': ['tax'], ...file('k1') },
      { 'dc:subjects': ['tax'], ...file('k2') },
    ]
    let before = aFile('a', steps[0] ?? {})
    await insert(store, before)
    for (const properties of steps) {
      const after = { ...before, properties }
      assert.ok(await update(store, before, after))
      before = after
      const subjects = (await tables.valuesOf('a')).filter((value) => value.startsWith('dc:subjects'))
      assert.deepEqual(subjects, (properties['dc:subjects'] as string[]).map((value) => `dc:subjects ${value}`).toSorted())
      assert.deepEqual(await released(), properties === steps.at(-1) ? ['k1'] : [])
    }
  })

  test('stays when another transaction was faster and nothing was written', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const before = aFile('a', { 'dc:title': 'old' })
    await insert(store, before)
    const outdated = { ...before, changeToken: { system: 7, user: 0 } }
    assert.equal(await update(store, outdated, { ...before, properties: { 'dc:title': 'new' } }), undefined)
    assert.deepEqual([await tables.idsWith('old'), await tables.idsWith('new')], [['a'], []])
  })

  test('goes with the facet that forbids it', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const before = aFile('a', { 'dc:title': 'word' })
    await insert(store, before)
    const hidden = { ...before, facets: ['NotFulltextIndexable'] }
    await update(store, before, hidden)
    assert.deepEqual(await tables.idsWith('word'), [])
    await update(store, hidden, before)
    assert.deepEqual(await tables.idsWith('word'), ['a'])
  })

  test('is gone with the document, however that is removed', async () => {
    const { store, root, tables, aFile } = await prepare(engine)
    const properties = { 'dc:title': 'word', 'dc:subjects': ['x'] }
    const folder = aFile('folder', properties)
    const below = aStoredChild(folder, 'below', { id: 'below', properties })
    const placeless = aFile('placeless', properties, { parentId: null, path: null })
    const version = aStoredVersion(folder, { id: 'version', versionCreated: '2024-01-01T00:00:00.000Z' })
    const other = aStoredVersion(folder, { id: 'other', versionCreated: '2024-01-02T00:00:00.000Z' })
    await insertAll(store, folder, below, placeless, version, other)
    await store.transact((tx) => tx.documents.remove('version'))
    assert.deepEqual(await tables.idsWith('word'), ['below', 'folder', 'other', 'placeless'])
    await store.transact((tx) => tx.documents.removeSubtree(placeless))
    await store.transact((tx) => tx.documents.removeSubtree(folder))
    await store.transact((tx) => tx.documents.removeVersions(['other']))
    assert.deepEqual(await tables.idsWith('word'), [])
    assert.equal(await tables.countStrays(), 0)
    assert.equal(await tables.countWords(), 0)
    assert.deepEqual(await tables.valuesOf(root.id), [])
  })

  test('is nothing of a transaction that was rolled back', async () => {
    const { store, tables, aFile } = await prepare(engine)
    await insert(store, aFile('a', { 'dc:title': 'kept' }))
    await assert.rejects(
      store.transact(async (tx) => {
        await tx.documents.insert(aFile('b', { 'dc:title': 'lost', 'dc:subjects': ['x'] }))
        await tx.documents.remove('a')
        throw new Error('no')
      }),
    )
    await insert(store, aFile('c', { 'dc:title': 'later' }))
    assert.deepEqual(
      [await tables.idsWith('kept'), await tables.idsWith('lost'), await tables.idsWith('later')],
      [['a'], [], ['c']],
    )
    assert.equal(await tables.countStrays(), 0)
  })

  test('is whole or the document is not there: its failure is that of the transaction, which says why', async () => {
    const { store, tables, rename, aFile } = await prepare(engine)
    await rename('word_counts', 'put_away')
    await assert.rejects(
      insert(store, aFile('a', { 'dc:title': 'lost', 'dc:subjects': ['x'] })),
      /word_counts|a table is missing/,
    )
    await rename('put_away', 'word_counts')
    assert.equal(await store.reader.documents.find('a'), undefined)
    await insert(store, aFile('b', { 'dc:title': 'kept' }))
    assert.deepEqual([await tables.idsWith('lost'), await tables.idsWith('kept')], [[], ['b']])
    assert.equal(await tables.countStrays(), 0)
  })

  test('has of a long value the beginning, once', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const long = '𝒳'.repeat(600)
    await insert(store, aFile('a', { 'dc:subjects': [`${long}1`, `${long}2`, 'short'] }))
    assert.deepEqual(await tables.valuesOf('a'), ['dc:subjects short', `dc:subjects ${'𝒳'.repeat(500)}`])
  })

  test('has letters of every script as words', async () => {
    const { store, tables, aFile } = await prepare(engine)
    await insert(store, aFile('a', { 'dc:title': 'Café ΣΊΣΥΦΟΣ Москва 東京 한국어 हिन्दी “quoted”' }))
    for (const word of ['cafe', 'σισυφοσ', 'москва', '東京', '한국어', 'हिन्दी', 'quoted']) {
      assert.deepEqual(await tables.idsWith(word), ['a'], word)
    }
  })

  test('bears a text of more words than an engine keeps', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const note = Array.from({ length: 15_000 }, (_, index) => `w${index}`).join(' ')
    await insert(store, aFile('a', { 'note:note': note, 'dc:description': 'x'.repeat(5_000) }))
    assert.deepEqual(await tables.idsWith('w14999'), ['a'])
    assert.deepEqual(await tables.idsWith('x'.repeat(255), 'description'), ['a'])
  })
})

onEachEngine('the text of a file', (engine) => {
  const properties = { 'dc:title': 'Letter', 'file:content': aBlob('k1', 'letter.txt') }
  const source = { key: 'k1', mimeType: 'text/plain' }

  test('is awaited by a document that has the file, until it was read', async () => {
    const { store, tables, aFile } = await prepare(engine)
    const awaiting = await store.transact(async (tx) => {
      await tx.documents.insertMany([aFile('a', properties), aFile('b', { 'dc:title': 'no file' })])
      return tx.listAwaitingTexts()
    })
    assert.deepEqual(awaiting, [{ documentId: 'a', sources: [source] }])
    assert.deepEqual(await store.reader.fileTexts.listUnread([source, source]), [source])
    await store.transact(async (tx) => {
      await tx.fileTexts.save(source, 'Dear Ann')
      await tx.fileTexts.index('a')
      await tx.fileTexts.index('gone')
    })
    assert.deepEqual(await store.reader.fileTexts.listUnread([source]), [])
    assert.deepEqual([await tables.idsWith('dear'), await tables.idsWith('letter')], [['a'], ['a']])
    assert.deepEqual(
      [await tables.idsWith('dear', 'title'), await tables.valuesOf('a')],
      [[], ['ecm:blobDigests k1', 'ecm:blobKeys k1']],
    )
  })

  test('is there at once for a document that has the same file later, and stays when other properties change', async () => {
    const { store, tables, aFile } = await prepare(engine)
    await store.transact((tx) => tx.fileTexts.save(source, 'Dear Ann'))
    const copy = aFile('copy', properties)
    const awaiting = await store.transact(async (tx) => {
      await tx.documents.insert(copy)
      await tx.documents.update(copy, { ...copy, properties: { ...properties, 'dc:title': 'Note' } })
      return tx.listAwaitingTexts()
    })
    assert.deepEqual(awaiting, [])
    assert.deepEqual([await tables.idsWith('dear'), await tables.idsWith('note')], [['copy'], ['copy']])
  })

  test('depends on what the file is said to be', async () => {
    const { store, aFile } = await prepare(engine)
    await store.transact((tx) => tx.fileTexts.save(source, 'Dear Ann'))
    const awaiting = await store.transact(async (tx) => {
      await tx.documents.insert(aFile('a', { 'file:content': aBlob('k1', 'letter.html', 'text/html') }))
      return tx.listAwaitingTexts()
    })
    assert.deepEqual(awaiting, [{ documentId: 'a', sources: [{ key: 'k1', mimeType: 'text/html' }] }])
  })

  test('goes with the file', async () => {
    const { store, tables, aFile } = await prepare(engine)
    await store.transact((tx) => tx.fileTexts.save(source, 'Dear Ann'))
    const before = aFile('a', properties)
    await insert(store, before)
    await update(store, before, { ...before, properties: { ...properties, 'file:content': aBlob('k2', 'letter.txt') } })
    assert.deepEqual([await tables.idsWith('dear'), await tables.valuesOf('a')], [[], ['ecm:blobDigests k2', 'ecm:blobKeys k2']])
  })

  test('may hold what cannot be stored', async () => {
    const { store, tables, aFile } = await prepare(engine)
    await store.transact((tx) => tx.fileTexts.save(source, 'zero\0half\ud800end'))
    await insert(store, aFile('a', properties))
    assert.deepEqual(
      [await tables.idsWith('zero'), await tables.idsWith('half'), await tables.idsWith('end')],
      [['a'], ['a'], ['a']],
    )
  })
})
