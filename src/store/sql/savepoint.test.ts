import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aStoredChild, aStoredDocument, insertRoot } from '../../../test/support/stored-document.ts'
import type { Document } from '../../model/document.ts'
import { grant } from '../../model/rights/acl.ts'
import type { Store, Transaction } from '../store.ts'
import { StaleRead } from './stale-read.ts'

const failure = new Error('refused')

/** Runs the body and fails afterwards; the caller ignores it. */
async function failAfter(tx: Transaction, body: () => Promise<unknown>): Promise<void> {
  const failing = tx.attempt(async () => {
    await body()
    throw failure
  })
  await assert.rejects(failing, failure)
}

async function titleOf(store: Store, { id }: Document) {
  return (await store.reader.documents.find(id))?.properties['dc:title']
}

const titled = (document: Document, title: string): Document => ({
  ...document,
  properties: { ...document.properties, 'dc:title': title },
})

onEachEngine('an attempt', (engine) => {
  test('gives what its body gives, and what it wrote is kept with the rest', async () => {
    const store = await engine.openStore()
    const document = aStoredDocument()
    const given = await store.transact((tx) =>
      tx.attempt(async () => {
        await tx.documents.insert(document)
        return 'done'
      }),
    )
    assert.equal(given, 'done')
    assert.equal((await store.reader.documents.find(document.id))?.id, document.id)
  })

  test('that fails undoes all that it wrote and nothing that was written before or after it', async () => {
    const store = await engine.openStore()
    const root = aStoredDocument()
    const [before, within, after] = ['before', 'within', 'after'].map((name) => aStoredChild(root, name)) as [
      Document,
      Document,
      Document,
    ]
    await store.transact(async (tx) => {
      await tx.documents.insert(root)
      await tx.documents.insert(before)
      await failAfter(tx, async () => {
        await tx.documents.insert(within)
        await tx.documents.update(before, titled(before, 'changed'))
        await tx.jobs.add('work', {})
        await tx.directories.insert('vocabulary', { id: 'x', values: {} })
        await tx.transient.set('key', 1, '2999-01-01T00:00:00.000Z')
        await tx.acps.intern([grant('alice', 'Read')])
      })
      assert.equal(await tx.documents.find(within.id), undefined)
      await tx.documents.insert(after)
    })
    const { documents, jobs, directories, transient, acps } = store.reader
    assert.deepEqual(
      (await documents.listBelow('/', undefined, 10)).map(({ name }) => name),
      ['after', 'before'],
    )
    assert.equal(await titleOf(store, before), before.properties['dc:title'])
    assert.deepEqual(await jobs.list({}, 10), [])
    assert.equal(await directories.hasEntries('vocabulary'), false)
    assert.equal(await transient.find('key', '2024-01-01T00:00:00.000Z'), undefined)
    assert.deepEqual(await acps.listAfter(0), [])
  })

  test('in which a statement fails leaves a transaction that goes on', async () => {
    const store = await engine.openStore()
    const document = aStoredDocument()
    await store.transact(async (tx) => {
      const failing = tx.attempt(async () => {
        await tx.documents.insertMany([document, document])
      })
      await assert.rejects(failing)
      await tx.documents.insert(document)
    })
    assert.equal((await store.reader.documents.find(document.id))?.id, document.id)
  })

  test('inside another one is undone alone, or with the outer one', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [outer, inner, kept] = ['outer', 'inner', 'kept'].map((name) => aStoredChild(root, name)) as [
      Document,
      Document,
      Document,
    ]
    await store.transact(async (tx) => {
      await tx.attempt(async () => {
        await tx.documents.insert(kept)
        await failAfter(tx, () => tx.documents.insert(inner))
      })
      await failAfter(tx, async () => {
        await tx.documents.insert(outer)
        await tx.attempt(() => tx.documents.insert(inner))
      })
    })
    assert.deepEqual(
      (await store.reader.documents.listBelow('/', undefined, 10)).map(({ name }) => name),
      ['kept'],
    )
  })

  test('that fails forgets what was to come after the commit, and only that', async () => {
    const store = await engine.openStore()
    const seen: string[] = []
    await store.transact(async (tx) => {
      tx.afterCommit(() => seen.push('before'))
      await failAfter(tx, async () => tx.afterCommit(() => seen.push('within')))
      tx.afterCommit(() => seen.push('after'))
    })
    assert.deepEqual(seen, ['before', 'after'])
  })

  test('that fails takes what watches the transaction back to how it was', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const seen: string[] = []
    await store.transact(async (tx) => {
      tx.watch({
        documents: (documents) => ({
          ...documents,
          insert(document) {
            seen.push(document.name)
            return documents.insert(document)
          },
        }),
        mark() {
          const { length } = seen
          return () => {
            seen.length = length
          }
        },
      })
      await tx.documents.insert(aStoredChild(root, 'before'))
      await failAfter(tx, () => tx.documents.insert(aStoredChild(root, 'within')))
      await tx.documents.insert(aStoredChild(root, 'after'))
      // It has missed what was written so far.
      assert.throws(() => tx.watch({}), /A watch came after what it was to see/)
    })
    assert.deepEqual(seen, ['before', 'after'])
  })

  test('that fails forgets whose file texts are not read yet, and remembers those of before', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const file = (name: string, key: string) => ({ ...aStoredChild(root, name), type: 'File', properties: fileOf(key) })
    const [before, within] = [file('before', 'k1'), file('within', 'k2')]
    const awaiting = await store.transact(async (tx) => {
      await tx.documents.insert(before)
      await failAfter(tx, async () => {
        await tx.documents.insert(within)
        await tx.documents.update(before, { ...before, properties: {} })
      })
      return tx.listAwaitingTexts()
    })
    assert.deepEqual(
      awaiting.map(({ documentId }) => documentId),
      [before.id],
    )
  })

  test('that fails takes the mark of changed directories back, and a write after it sets the mark again', async () => {
    const store = await engine.openStore()
    const generation = await store.reader.directories.generation()
    const insert = (tx: Transaction, id: string) => tx.directories.insert('vocabulary', { id, values: {} })
    await store.transact((tx) => failAfter(tx, () => insert(tx, 'x')))
    assert.equal(await store.reader.directories.generation(), generation)
    await store.transact(async (tx) => {
      await failAfter(tx, () => insert(tx, 'x'))
      await insert(tx, 'y')
    })
    assert.notEqual(await store.reader.directories.generation(), generation)
  })

  test('that fails is not seen by those who read the document over and over', async () => {
    const store = await engine.openStore()
    const document = await insertRoot(store)
    for (let round = 0; round < 3; round += 1) await titleOf(store, document)
    await store.transact((tx) => failAfter(tx, () => tx.documents.update(document, titled(document, 'undone'))))
    assert.equal(await titleOf(store, document), document.properties['dc:title'])
    await store.transact(async (tx) => {
      await failAfter(tx, () => tx.documents.update(document, titled(document, 'undone')))
      await tx.documents.update(document, titled(document, 'kept'))
    })
    assert.equal(await titleOf(store, document), 'kept')
  })

  test('whose conflict with others is caught makes the whole transaction run again', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    let runs = 0
    await store.transact(async (tx) => {
      runs += 1
      const overtaken = tx.attempt(async () => {
        if (runs === 1) throw new Error('dressed', { cause: new StaleRead('gone') })
      })
      await overtaken.catch(() => undefined)
      await tx.documents.insert(aStoredChild(root, `run-${runs}`))
    })
    assert.deepEqual(
      (await store.reader.documents.listBelow('/', undefined, 10)).map(({ name }) => name),
      ['run-2'],
    )
  })
})

function fileOf(key: string): Document['properties'] {
  const file = { key, name: 'a.txt', 'mime-type': 'text/plain', encoding: null, digest: key, digestAlgorithm: 'MD5', length: 1 }
  return { 'file:content': file }
}
