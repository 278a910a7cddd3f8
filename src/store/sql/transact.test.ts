import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aStoredChild, aStoredDocument, insertAll, insertRoot } from '../../../test/support/stored-document.ts'
import type { Document } from '../../model/document.ts'
import { transactionTimedOut } from '../problems.ts'
import type { Store, Transaction } from '../store.ts'

onEachEngine('a transaction', (engine) => {
  test('gives the result of its body and is seen by others when it has committed', async () => {
    const store = await engine.openStore()
    const document = aStoredDocument()
    const result = await store.transact(async (tx) => {
      await tx.documents.insert(document)
      assert.equal((await tx.documents.find(document.id))?.id, document.id)
      assert.equal(await store.reader.documents.find(document.id), undefined)
      return 'done'
    })
    assert.equal(result, 'done')
    assert.equal((await store.reader.documents.find(document.id))?.id, document.id)
  })

  test('leaves nothing behind when its body fails, and the error is the caller’s', async () => {
    const store = await engine.openStore()
    const document = aStoredDocument()
    const failure = new Error('refused')
    await assert.rejects(
      store.transact(async (tx) => {
        await tx.documents.insert(document)
        await tx.jobs.add('work', {})
        await tx.directories.insert('vocabulary', { id: 'x', values: {} })
        await tx.transient.set('key', 1, '2999-01-01T00:00:00.000Z')
        await tx.acps.intern([])
        throw failure
      }),
      failure,
    )
    const { documents, jobs, directories, transient, acps } = store.reader
    assert.equal(await documents.find(document.id), undefined)
    assert.deepEqual(await jobs.list({}, 10), [])
    assert.equal(await directories.hasEntries('vocabulary'), false)
    assert.equal(await transient.find('key', '2024-01-01T00:00:00.000Z'), undefined)
    assert.deepEqual(await acps.listAfter(0), [])
  })

  test('that fails after it wrote harms none of those that run beside it: each that was told so is there, once', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const counted: number[] = []
    const create = (name: string, isRefused: boolean) =>
      store.transact(async (tx) => {
        await tx.documents.insert(aStoredChild(root, name))
        await tx.transient.set(name, 1, '2999-01-01T00:00:00.000Z')
        if (isRefused) throw new Error('refused')
        tx.afterCommit(() => counted.push(1))
        return name
      })
    const names = Array.from({ length: 120 }, (_, index) => ({ name: `child-${index}`, isRefused: index % 5 === 4 }))
    const outcomes = await Promise.allSettled(names.map(({ name, isRefused }) => create(name, isRefused)))
    const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    assert.deepEqual(
      done,
      names.flatMap(({ name, isRefused }) => (isRefused ? [] : name)),
    )
    assert.equal(counted.length, done.length)
    for (const { name, isRefused } of names) {
      assert.equal(await store.reader.documents.hasChild(root.id, name), !isRefused, name)
      assert.equal((await store.reader.transient.find(name, '2024-01-01T00:00:00.000Z')) !== undefined, !isRefused, name)
    }
  })

  test('runs what was to come after it once it has committed, and never otherwise', async () => {
    const store = await engine.openStore()
    const document = aStoredDocument()
    const seen: string[] = []
    await store.transact(async (tx) => {
      tx.afterCommit(() => seen.push('committed'))
      tx.afterCommit(() => {
        throw new Error('must not matter')
      })
      tx.afterCommit(() => seen.push('second'))
      await tx.documents.insert(document)
      assert.deepEqual(seen, [])
    })
    await assert.rejects(
      store.transact(async (tx) => {
        tx.afterCommit(() => seen.push('rolled back'))
        throw new Error()
      }),
    )
    assert.deepEqual(seen, ['committed', 'second'])
  })

  test('is rolled back when its time is up, and what its body does then comes to nothing', async () => {
    const store = await engine.openStore()
    const document = aStoredDocument()
    let late: Promise<unknown> | undefined
    const slow = store.transact(
      async (tx) => {
        await tx.documents.insert(document)
        const release = delay(150)
        late = release.then(() => tx.documents.insert(aStoredDocument({ path: '/late' })))
        late.catch(() => {})
        await release
        await delay(100)
      },
      { timeoutSeconds: 0.05 },
    )
    await assert.rejects(slow, transactionTimedOut.is)
    await assert.rejects(late as Promise<unknown>)
    assert.equal(await store.reader.documents.find(document.id), undefined)
    await insertAll(store, document)
  })

  test('that finishes within its time commits', async () => {
    const store = await engine.openStore()
    assert.equal(await store.transact(async () => 'in time', { timeoutSeconds: 5 }), 'in time')
  })

  test('accepts no statement after its end', async () => {
    const store = await engine.openStore()
    let kept: Transaction | undefined
    await store.transact(async (tx) => {
      kept = tx
    })
    await assert.rejects(async () => kept?.documents.insert(aStoredDocument()), /after the end/)
  })

  test('may ask for several things at once', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const names = ['a', 'b', 'c', 'd']
    const inserted = await store.transact((tx) => Promise.all(names.map((name) => tx.documents.insert(aStoredChild(root, name)))))
    assert.deepEqual(inserted, [true, true, true, true])
  })
})

onEachEngine('transactions at the same time', (engine) => {
  test('give one name to one document, also from several processes', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()]
    const root = await insertRoot(stores[0] as Store)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (stores[index % 2] as Store).transact(async (tx) => {
          await tx.documents.findForShare(root)
          return tx.documents.insert(aStoredChild(root, 'wanted'))
        }),
      ),
    )
    assert.equal(results.filter(Boolean).length, 1)
    assert.equal(await (stores[1] as Store).reader.documents.countChildren({ parentId: root.id }, 100), 1)
  })

  test('lose no update: each goes through or is told of the other', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()]
    const { id } = await insertRoot(stores[0] as Store)
    const raise = (store: Store) =>
      store.transact(async (tx) => {
        const before = (await tx.documents.find(id)) as Document
        const system = before.changeToken.system + 1
        return tx.documents.update(before, { ...before, changeToken: { system, user: 0 } })
      })
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => raise(stores[index % 2] as Store)))
    const document = await (stores[0] as Store).reader.documents.find(id)
    assert.equal(document?.changeToken.system, results.filter(Boolean).length)
  })

  test('wait for a document that another one reads for update', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()]
    const { id } = await insertRoot(stores[0] as Store)
    const raise = (store: Store) =>
      store.transact(async (tx) => {
        const before = (await tx.documents.findForUpdate(id)) as Document
        const system = before.changeToken.system + 1
        assert.ok(await tx.documents.update(before, { ...before, changeToken: { system, user: 0 } }))
      })
    await Promise.all(Array.from({ length: 30 }, (_, index) => raise(stores[index % 2] as Store)))
    assert.equal((await (stores[0] as Store).reader.documents.find(id))?.changeToken.system, 30)
  })

  test('that block each other are run again until both have done their work', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [a, b] = [aStoredChild(root, 'a'), aStoredChild(root, 'b')]
    await insertAll(store, a, b)
    const raiseBoth = (first: Document, second: Document) =>
      store.transact(async (tx) => {
        for (const { id } of [first, second]) {
          const before = (await tx.documents.findForUpdate(id)) as Document
          const system = before.changeToken.system + 1
          await tx.documents.update(before, { ...before, changeToken: { system, user: 0 } })
          if (engine.name === 'postgres') await delay(50)
        }
      })
    await Promise.all([raiseBoth(a, b), raiseBoth(b, a)])
    for (const { id } of [a, b]) assert.equal((await store.reader.documents.find(id))?.changeToken.system, 2)
  })

  test('leave no child behind in a folder that is removed meanwhile', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()] as [Store, Store]
    const root = await insertRoot(stores[0])
    const folder = aStoredChild(root, 'folder')
    await insertAll(stores[0], folder)
    const create = (store: Store, index: number) =>
      store.transact(async (tx) => {
        const found = await tx.documents.find(folder.id)
        const parent = found && (await tx.documents.findForShare(found))
        return parent !== undefined && tx.documents.insert(aStoredChild(parent, `n${index}`))
      })
    const creating = Array.from({ length: 20 }, (_, index) => create(stores[0], index))
    const removing = stores[1].transact((tx) => tx.documents.removeSubtree(folder))
    await Promise.all([...creating, removing])
    assert.equal(await stores[0].reader.documents.countChildren({ parentId: folder.id }, 100), 0)
  })

  test('are answered in a store that is closed by an error and not by silence', async () => {
    const store = await engine.openStore()
    assert.equal(await store.isAlive(), true)
    await store.close()
    assert.equal(await store.isAlive(), false)
    await assert.rejects(store.transact(async () => 1))
  })
})
