import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Document } from '../../src/model/document.ts'
import { createQueryCompiler } from '../../src/nxql/query-compiler.ts'
import { defaultQuerySettings } from '../../src/nxql/query-settings.ts'
import { queryTimedOut, tooManySearches } from '../../src/store/problems.ts'
import type { SearchReader, SearchScope } from '../../src/store/search.ts'
import type { SearchLimits } from '../../src/store/search-limits.ts'
import type { Store, Transaction } from '../../src/store/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { builtinModel } from '../support/model/builtin-model.ts'
import { aStoredChild, insertAll, insertRoot } from '../support/stored-document.ts'
import { heavyText } from './heavy-query/heavy-text.ts'

const compile = createQueryCompiler(builtinModel, defaultQuerySettings)
const scope: SearchScope = { now: '2024-01-01T00:00:00.000Z' }
const everything = { offset: 0 }

const ids = (search: SearchReader, text: string) => search.listIds(compile(text), scope, everything)

/** So many that a look at every one of them, with a pattern that is hard to match, takes longer than a brief search may. */
const manySources = Array.from({ length: 3_000 }, (_, index) => `${'ab '.repeat(60)}${index}`)
const longText = "SELECT * FROM Document WHERE dc:source ILIKE '%a%b%a%b%a%b%wanted%'"

async function insertSources(store: Store, root: Document): Promise<void> {
  const documents = manySources.map((source, index) => aStoredChild(root, `s${index}`, { properties: { 'dc:source': source } }))
  await insertAll(store, ...documents)
}

const wanted = (root: Document, name: string) =>
  aStoredChild(root, name, { properties: { 'dc:source': `${name} abababab wanted` } })

onEachEngine('a search', (engine) => {
  test('sees what was committed before it was asked, at once and each time', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    for (let round = 0; round < 20; round++) {
      const document = aStoredChild(root, `n${round}`, { properties: { 'dc:title': `title ${round}` } })
      await insertAll(store, document)
      assert.deepEqual(await ids(store.reader.search, `SELECT * FROM Document WHERE dc:title = 'title ${round}'`), [document.id])
    }
  })

  test('that takes long sees it likewise, also what another process has committed', async () => {
    const database = await engine.createDatabase()
    const [store, other] = [await database.open(), await database.open()]
    const root = await insertRoot(store)
    await insertSources(store, root)
    assert.deepEqual(await ids(store.reader.search, longText), [])
    const found: string[] = []
    for (let round = 0; round < 5; round++) {
      const document = wanted(root, `w${round}`)
      await insertAll(round % 2 === 0 ? store : other, document)
      found.push(document.id)
      assert.deepEqual(await ids(store.reader.search, longText), found)
    }
  })

  test('gives documents that are the same whether it takes long or not', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const document = wanted(root, 'ⅷ 𝔘nicode "quoted" \\ and \u2028')
    await insertAll(store, document)
    const { documents: brief } = await store.reader.search.listDocuments(compile(longText), scope, everything)
    await insertSources(store, root)
    for (let round = 0; round < 2; round++) {
      assert.deepEqual((await store.reader.search.listDocuments(compile(longText), scope, everything)).documents, brief)
    }
    assert.deepEqual(brief, [await store.reader.documents.find(document.id)])
  })

  test('in a transaction sees what that has written, and nobody else does before it commits', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const text = "SELECT * FROM Document WHERE dc:title = 'new'"
    const document = aStoredChild(root, 'new', { properties: { 'dc:title': 'new' } })
    await store.transact(async (tx) => {
      await tx.documents.insert(document)
      assert.deepEqual(await ids(tx.search, text), [document.id])
      assert.equal(await tx.search.count(compile(text), scope, 'documents', undefined), 1)
      assert.deepEqual(await ids(store.reader.search, text), [])
    })
    assert.deepEqual(await ids(store.reader.search, text), [document.id])
  })

  test('of what a transaction took back finds nothing', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const failure = new Error('thought better of it')
    const taking = store.transact(async (tx) => {
      await tx.documents.insert(aStoredChild(root, 'new', { properties: { 'dc:title': 'new' } }))
      assert.equal((await ids(tx.search, "SELECT * FROM Document WHERE ecm:fulltext = 'new'")).length, 1)
      throw failure
    })
    await assert.rejects(taking, failure)
    assert.deepEqual(await ids(store.reader.search, "SELECT * FROM Document WHERE ecm:fulltext = 'new'"), [])
  })

  test('leaves words where they are, whatever is taken back after it: a part of its transaction, or all of it', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const titled = (name: string) => aStoredChild(root, name, { id: name, properties: { 'dc:title': `word ${name}` } })
    const failure = new Error('thought better of it')
    const words = "SELECT * FROM Document WHERE ecm:fulltext = 'word' ORDER BY ecm:uuid"
    const searchAndFail = async (tx: Transaction, name: string) => {
      await tx.documents.insert(titled(name))
      const found = await ids(tx.search, words)
      assert.ok(found.includes('a') && found.includes(name))
      throw failure
    }
    await store.transact(async (tx) => {
      await tx.documents.insert(titled('a'))
      await assert.rejects(
        tx.attempt(() => searchAndFail(tx, 'b')),
        failure,
      )
      await tx.documents.insert(titled('c'))
    })
    assert.deepEqual(await ids(store.reader.search, words), ['a', 'c'])
    await Promise.all([
      insertAll(store, titled('d')),
      assert.rejects(
        store.transact((tx) => searchAndFail(tx, 'e')),
        failure,
      ),
      insertAll(store, titled('f')),
    ])
    assert.deepEqual(await ids(store.reader.search, words), ['a', 'c', 'd', 'f'])
  })

  test('over its time limit is stopped, and the next one runs as if nothing had been', async () => {
    const { store, root } = await openWithHeavyDocuments({
      timeLimitMilliseconds: 150,
      whileWritingMilliseconds: 100,
      processes: 1,
    })
    const started = performance.now()
    await assert.rejects(ids(store.reader.search, heavyText), (error: Error) => {
      assert.ok(queryTimedOut.is(error))
      assert.match(error.message, /0\.15 seconds .* searchTimeLimit/)
      return true
    })
    assert.ok(performance.now() - started < 3_000)
    assert.deepEqual(
      await ids(store.reader.search, `SELECT * FROM Document WHERE ecm:parentId = '${root.id}' AND ecm:name = 'd1'`),
      [(await store.reader.documents.findByPath('/d1'))?.id],
    )
  })

  test('counts its time together with others of the same request, and is not begun when that is over', async () => {
    const { store } = await openWithHeavyDocuments({ timeLimitMilliseconds: 150, whileWritingMilliseconds: 100, processes: 1 })
    const stopwatch = { spent: 0 }
    const find = (text: string) => store.reader.search.listIds(compile(text), { ...scope, stopwatch }, everything)
    await assert.rejects(find(heavyText), queryTimedOut.is)
    assert.ok(stopwatch.spent >= 150, `${stopwatch.spent} ms`)
    await assert.rejects(find("SELECT * FROM Document WHERE ecm:uuid = 'x'"), queryTimedOut.is)
  })

  test('over its time limit fails its transaction, which leaves nothing behind', async () => {
    const { store, root } = await openWithHeavyDocuments({
      timeLimitMilliseconds: 150,
      whileWritingMilliseconds: 100,
      processes: 1,
    })
    const document = aStoredChild(root, 'new')
    const searching = store.transact(async (tx) => {
      await tx.documents.insert(document)
      return ids(tx.search, heavyText)
    })
    await assert.rejects(searching, queryTimedOut.is)
    assert.equal(await store.reader.documents.find(document.id), undefined)
  })

  test('in a transaction that has written nothing holds up nobody', async () => {
    const limits = { timeLimitMilliseconds: 1_000, whileWritingMilliseconds: 100, processes: 1 }
    const { store } = await openWithHeavyDocuments(limits)
    let rounds = 0
    const counting = setInterval(() => rounds++, 5)
    await assert.rejects(
      store.transact((tx) => ids(tx.search, heavyText)),
      queryTimedOut.is,
    )
    clearInterval(counting)
    assert.ok(rounds > 20, `${rounds} rounds of the event loop`)
  })

  if (engine.name === 'sqlite') {
    test('behind a change of its transaction is stopped soon, with the setting to raise', async () => {
      const limits = { timeLimitMilliseconds: 30_000, whileWritingMilliseconds: 100, processes: 1 }
      const { store, root } = await openWithHeavyDocuments(limits)
      const started = performance.now()
      const searching = store.transact(async (tx) => {
        await tx.documents.insert(aStoredChild(root, 'new'))
        return ids(tx.search, heavyText)
      })
      await assert.rejects(searching, /0\.1 seconds .* searchTimeLimitWhileWriting/)
      assert.ok(performance.now() - started < 5_000)
    })
  }

  test('in a transaction has a time limit that what comes after it does not have', async () => {
    const store = await engine.openStore({
      searchLimits: { timeLimitMilliseconds: 200, whileWritingMilliseconds: 100, processes: 1 },
    })
    const root = await insertRoot(store)
    for (let part = 0; part < 4; part++) await insertSources(store, aStoredChild(root, `part${part}`))
    await store.transact(
      async (tx) => {
        assert.deepEqual(await ids(tx.search, `SELECT * FROM Document WHERE ecm:uuid = '${root.id}'`), [])
        await tx.documents.setTrashedBelow('/', true)
      },
      { timeoutSeconds: 60 },
    )
  })

  test('waits while others take long, and not for ever', async () => {
    const { store } = await openWithHeavyDocuments({ timeLimitMilliseconds: 400, whileWritingMilliseconds: 100, processes: 1 })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => ids(store.reader.search, heavyText)))
    const reasons = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'found',
    )
    assert.deepEqual([...new Set(reasons)].sort(), [queryTimedOut.code, tooManySearches.code])
  })

  async function openWithHeavyDocuments(searchLimits: SearchLimits) {
    const store = await engine.openStore({ searchLimits })
    const root = await insertRoot(store)
    const subjects = Array.from({ length: 12 }, (_, index) => `subject ${index}`)
    const documents = Array.from({ length: 3 }, (_, index) =>
      aStoredChild(root, `d${index}`, { properties: { 'dc:subjects': subjects } }),
    )
    await insertAll(store, ...documents)
    return { store, root }
  }
})
