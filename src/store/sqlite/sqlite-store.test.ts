import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { builtinIndexing } from '../../../test/support/builtin-indexing.ts'
import { aStoredChild, insertRoot } from '../../../test/support/stored-document.ts'
import { silentLog } from '../../base/log.ts'
import type { Document } from '../../model/document.ts'
import type { Store, Transaction } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

describe('the write-ahead log', () => {
  test('does not grow for ever while requests read and write in every round of the event loop', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-log-'))
    const file = join(folder, 'test.sqlite')
    const store = await openSqliteStore({
      file,
      repository: 'default',
      cachedDocuments: 0,
      indexedProperties: [],
      indexing: builtinIndexing,
      log: silentLog,
    })
    context.after(async () => {
      await store.close()
      await rm(folder, { recursive: true })
    })
    const root = await insertRoot(store)
    const request = async (name: string) => {
      await store.reader.documents.find(root.id)
      await store.transact((tx) =>
        tx.documents.insert(aStoredChild(root, name, { properties: { 'dc:title': 'x'.repeat(3_000) } })),
      )
    }
    // There is always a reader in the middle of a read when a commit comes.
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        await store.reader.documents.find(root.id)
        await new Promise((resolve) => setTimeout(resolve))
      }
    })()
    for (let round = 0; round < 600; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => request(`${round}-${index}`)))
    }
    isOver = true
    await others
    const { size } = await stat(`${file}-wal`)
    // On a busy machine the thread that writes it back may come late; then commits do that from 64 MB on.
    assert.ok(size < 80_000_000, `${size} bytes`)
  })
})

describe('what one process keeps at hand', () => {
  test('is what another has just committed: documents and the generation of directories', async (context) => {
    const [one, other] = await openTwice(context)
    const root = await insertRoot(one)
    await other.reader.documents.find(root.id)
    const generation = await other.reader.directories.generation()
    await one.transact((tx) => tx.documents.update(root, { ...root, state: 'approved', changeToken: { system: 1, user: 0 } }))
    assert.equal((await other.reader.documents.find(root.id))?.state, 'approved')
    assert.equal(await other.reader.directories.generation(), generation)
    await one.transact((tx) => tx.directories.insert('user', { id: 'u', values: {} }))
    assert.equal(await other.reader.directories.generation(), generation + 1)
  })

  test('stays at hand when another has changed other documents alone', async (context) => {
    const [one, other] = await openTwice(context)
    const root = await insertRoot(one)
    const [first, second] = ['a', 'b'].map((name) => aStoredChild(root, name)) as [Document, Document]
    await one.transact((tx) => tx.documents.insertMany([first, second]))
    const find = (id: string) => other.reader.documents.find(id)
    for (let times = 0; times < 3; times++) await Promise.all([find(first.id), find(second.id)])
    const [cached] = [await find(first.id), await find(second.id)]
    await one.transact((tx) => tx.documents.update(second, { ...second, state: 'approved', changeToken: { system: 1, user: 0 } }))
    assert.equal((await find(second.id))?.state, 'approved')
    assert.equal(await find(first.id), cached)
    await one.transact((tx) => tx.documents.removeSubtree(second))
    assert.equal(await find(second.id), undefined)
    assert.equal(await find(first.id), cached)
    await one.transact((tx) => tx.acps.replaceAcls(root, []))
    assert.notEqual(await find(first.id), cached)
  })

  test('is read from a snapshot that is no older than what was forgotten', async (context) => {
    const [store, , file] = await openTwice(context)
    const root = await insertRoot(store)
    for (let times = 0; times < 3; times++) await store.reader.documents.find(root.id)
    await new Promise(setImmediate)
    // All in one round of the event loop: something opens a snapshot, another process commits, and what it changed is looked up.
    const opening = store.check()
    const elsewhere = new DatabaseSync(file)
    elsewhere.exec("UPDATE documents SET state = 'approved'")
    elsewhere.close()
    for (let times = 0; times < 3; times++) assert.equal((await store.reader.documents.find(root.id))?.state, 'approved')
    await opening
  })

  test('is what it has itself committed, and not what it rolled back', async (context) => {
    const [store] = await openTwice(context)
    const root = await insertRoot(store)
    const state = async () => (await store.reader.documents.find(root.id))?.state
    const changed = { ...root, state: 'approved', changeToken: { system: 1, user: 0 } }
    await assert.rejects(
      store.transact(async (tx) => {
        await tx.documents.update(root, changed)
        assert.equal(await state(), 'project')
        throw new Error('thought better of it')
      }),
    )
    assert.equal(await state(), 'project')
    await store.transact((tx) => tx.documents.update(root, changed))
    assert.equal(await state(), 'approved')
    const generation = await store.reader.directories.generation()
    await store.transact((tx) => tx.directories.insert('user', { id: 'u', values: {} }))
    assert.equal(await store.reader.directories.generation(), generation + 1)
  })

  test('is at hand in a transaction too, but for what that has changed or another process before it', async (context) => {
    const [one, other] = await openTwice(context)
    const root = await insertRoot(one)
    const states = async (tx: Transaction) => {
      const { find, findByPath } = tx.documents
      return [(await find(root.id))?.state, (await findByPath('/'))?.state]
    }
    const change = (state: string, system: number) => (tx: Transaction) =>
      tx.documents.update(
        { ...root, changeToken: { system, user: 0 } },
        { ...root, state, changeToken: { system: system + 1, user: 0 } },
      )
    for (let times = 0; times < 3; times++) assert.deepEqual(await one.transact(states), ['project', 'project'])
    await assert.rejects(
      one.transact(async (tx) => {
        await change('draft', 0)(tx)
        assert.deepEqual(await states(tx), ['draft', 'draft'])
        throw new Error('thought better of it')
      }),
    )
    assert.deepEqual(await one.transact(states), ['project', 'project'])
    // They share a commit: what the first has written the second finds.
    const [, found] = await Promise.all([one.transact(change('approved', 0)), one.transact(states)])
    assert.deepEqual(found, ['approved', 'approved'])
    for (let times = 0; times < 3; times++) assert.deepEqual(await one.transact(states), ['approved', 'approved'])
    await other.transact(change('obsolete', 1))
    assert.deepEqual(await one.transact(states), ['obsolete', 'obsolete'])
  })
})

/** Two stores on one file, as two processes have. */
async function openTwice(context: TestContext): Promise<readonly [Store, Store, file: string]> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-kept-'))
  const options = {
    file: join(folder, 'test.sqlite'),
    repository: 'default',
    cachedDocuments: 10,
    indexedProperties: [],
    indexing: builtinIndexing,
    log: silentLog,
  }
  const stores = [await openSqliteStore(options), await openSqliteStore(options)] as const
  context.after(async () => {
    for (const store of stores) await store.close()
    await rm(folder, { recursive: true })
  })
  return [...stores, options.file]
}
