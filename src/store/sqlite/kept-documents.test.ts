import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aStoredChild, aStoredDocument } from '../../../test/support/stored-document.ts'
import type { Document } from '../../model/document.ts'
import type { DocumentReader } from '../documents.ts'
import { keepDocuments } from './kept-documents.ts'

const root = aStoredDocument({ path: '/' })

/** A store of documents that counts how often it is asked. */
function aStore(...documents: Document[]) {
  const asked: string[] = []
  const stored = new Map(documents.map((document) => [document.id, document]))
  let version = 1
  const reader = {
    async find(id: string) {
      asked.push(id)
      return stored.get(id)
    },
    async findByPath(path: string) {
      asked.push(path)
      return [...stored.values()].find((document) => document.path === path)
    },
  } as unknown as DocumentReader
  return {
    asked,
    documents: keepDocuments(reader, { version: () => version }),
    commit(document?: Document) {
      version += 1
      if (document !== undefined) stored.set(document.id, document)
    },
  }
}

describe('a document that was looked up', () => {
  const document = aStoredChild(root, 'a')

  test('is at hand, by id and by path, until something is committed', async () => {
    const store = aStore(document)
    assert.equal(await store.documents.find(document.id), document)
    assert.equal(await store.documents.find(document.id), document)
    assert.equal(await store.documents.findByPath('/a'), document)
    assert.deepEqual(store.asked, [document.id])
    store.commit()
    assert.equal(await store.documents.findByPath('/a'), document)
    assert.deepEqual(store.asked, [document.id, '/a'])
  })

  test('is what was last committed', async () => {
    const store = aStore(document)
    await store.documents.find(document.id)
    const changed = { ...document, state: 'approved' }
    store.commit(changed)
    assert.equal((await store.documents.find(document.id))?.state, 'approved')
  })

  test('is not kept when something was committed while it was on its way', async () => {
    const store = aStore(document)
    const found = store.documents.find(document.id)
    store.commit()
    await store.documents.findByPath('/none')
    await found
    await store.documents.find(document.id)
    assert.deepEqual(store.asked, [document.id, '/none', document.id])
  })

  test('that is not there is looked for again', async () => {
    const store = aStore()
    assert.equal(await store.documents.find('x'), undefined)
    assert.equal(await store.documents.find('x'), undefined)
    assert.deepEqual(store.asked, ['x', 'x'])
  })
})
