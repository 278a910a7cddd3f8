import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { builtinIndexing } from '../../../test/support/builtin-indexing.ts'
import { aStoredChild, insertRoot } from '../../../test/support/stored-document.ts'
import { silentLog } from '../../base/log.ts'
import type { Store } from '../store.ts'
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
    assert.ok(size < 40_000_000, `${size} bytes`)
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
})

/** Two stores on one file, as two processes have. */
async function openTwice(context: TestContext): Promise<readonly [Store, Store]> {
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
  return stores
}
