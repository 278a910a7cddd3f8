import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCachedStore } from '../../../test/support/cached-store.ts'
import { aStoredChild, aStoredDocument } from '../../../test/support/stored-document.ts'
import { attachedCache, type Document } from '../../model/document.ts'
import type { AcpReader } from '../acps.ts'
import type { DocumentReader } from '../documents.ts'
import { documentsTooLarge } from '../problems.ts'
import { createDocumentCache, rememberLatestAcp } from './document-cache.ts'

const root = aStoredDocument({ path: '/' })

describe('a document that was looked up twice', () => {
  const document = aStoredChild(root, 'a')
  const changed = { ...document, state: 'approved' }

  test('is at hand, by id and by path, until another process has changed it', async () => {
    const store = aCachedStore(document)
    await store.keep(document)
    assert.equal(await store.documents.find(document.id), document)
    assert.equal(await store.documents.findByPath('/a'), document)
    assert.deepEqual(store.asked, [])
    store.commitElsewhere(changed)
    assert.equal(await store.documents.findByPath('/a'), changed)
    assert.deepEqual(store.asked, ['/a'])
  })

  test('stays at hand when another process has changed another', async () => {
    const store = aCachedStore(document)
    await store.keep(document)
    store.commitElsewhere(aStoredChild(root, 'b'))
    assert.equal(await store.documents.find(document.id), document)
    assert.deepEqual(store.asked, [])
  })

  test('has room for what is made of it, and was not worth it before', async () => {
    const fresh = aStoredChild(root, 'fresh')
    const store = aCachedStore(fresh)
    assert.equal(attachedCache((await store.documents.find(fresh.id)) ?? root), undefined)
    assert.deepEqual(attachedCache((await store.documents.find(fresh.id)) ?? root)?.values, [])
    assert.equal(attachedCache({ ...fresh }), undefined)
  })

  test('is read again once this process has changed it, by id and by path', async () => {
    const store = aCachedStore(document)
    await store.keep(document)
    store.commitHere(changed)
    assert.equal(await store.documents.findByPath('/a'), changed)
    assert.equal(await store.documents.find(document.id), changed)
  })

  test('stays at hand when this process changed another', async () => {
    const other = aStoredChild(root, 'b')
    const store = aCachedStore(document, other)
    await store.keep(document)
    store.commitHere(other)
    assert.equal(await store.documents.find(document.id), document)
    assert.deepEqual(store.asked, [])
  })

  test('is read again once this process has changed any number of them', async () => {
    const store = aCachedStore(document)
    await store.keep(document)
    store.commitAnythingHere()
    await store.documents.find(document.id)
    assert.deepEqual(store.asked, [document.id])
  })

  test('is not kept when something was committed while it was on its way', async () => {
    for (const commit of ['commitAnythingElsewhere', 'commitAnythingHere'] as const) {
      const store = aCachedStore(document)
      await store.documents.find(document.id)
      const found = store.documents.find(document.id)
      store[commit]()
      await store.documents.findByPath('/none')
      await found
      await store.documents.find(document.id)
      assert.deepEqual(store.asked, [document.id, document.id, '/none', document.id])
    }
  })

  test('that is not there is looked for again', async () => {
    const store = aCachedStore()
    assert.equal(await store.documents.find('x'), undefined)
    assert.equal(await store.documents.find('x'), undefined)
    assert.deepEqual(store.asked, ['x', 'x'])
  })
})

describe('several documents', () => {
  const [first, second] = ['a', 'b'].map((name) => aStoredChild(root, name)) as [Document, Document]
  const ids = [second.id, 'gone', first.id]

  test('are looked up but for those at hand, and given in the order asked for', async () => {
    const store = aCachedStore(first, second)
    await store.keep(first)
    assert.deepEqual(await store.documents.findAll(ids), [second, first])
    assert.deepEqual(store.asked, [second.id, 'gone'])
  })

  test('are at hand once they were looked up twice, until one changes', async () => {
    const store = aCachedStore(first, second)
    for (let times = 0; times < 3; times++) await store.documents.findAll([first.id, second.id])
    assert.deepEqual(store.asked, [first.id, second.id, first.id, second.id])
    const changed = { ...second, state: 'approved' }
    store.commitHere(changed)
    assert.deepEqual(await store.documents.findAll([first.id, second.id]), [first, changed])
  })

  test('are refused together when they hold more than is allowed, also when they are at hand', async () => {
    const large = { ...first, properties: { 'note:note': 'x'.repeat(2_000) } }
    const store = aCachedStore(large)
    await store.keep(large)
    assert.deepEqual(await store.documents.findAll([large.id], 3_000), [large])
    await assert.rejects(store.documents.findAll([large.id], 1_000), documentsTooLarge.is)
  })
})

test('the document used least recently makes room for one more', async () => {
  const [first, second, third] = ['a', 'b', 'c'].map((name) => aStoredChild(root, name)) as [Document, Document, Document]
  const store = aCachedStore(first, second, third)
  await store.keep(first, second, third)
  for (const { id } of [third, second, first]) await store.documents.find(id)
  await store.documents.findByPath('/a')
  assert.deepEqual(store.asked, [first.id])
})

test('nothing is cached where nothing is to be', async () => {
  const document = aStoredChild(root, 'a')
  let asked = 0
  const find = async () => {
    asked += 1
    return document
  }
  const reader = { find } as unknown as DocumentReader
  const { documents } = createDocumentCache(reader, () => {}, 0)
  for (let times = 0; times < 3; times++) await documents.find(document.id)
  assert.equal(asked, 3)
})

test('a document as large as several takes the place of several', async () => {
  const [small, other] = ['a', 'b'].map((name) => aStoredChild(root, name)) as [Document, Document]
  const large = { ...aStoredChild(root, 'c'), properties: { 'note:note': 'x'.repeat(4_000) } }
  const store = aCachedStore(small, other, large)
  await store.keep(small, other, large)
  for (const { id } of [large, other, small]) await store.documents.find(id)
  assert.deepEqual(store.asked, [other.id, small.id])
})

test('what is attached to a document counts as it does itself', async () => {
  const [shown, other] = ['a', 'b'].map((name) => aStoredChild(root, name)) as [Document, Document]
  const store = aCachedStore(shown, other)
  await store.keep(shown, other)
  attachedCache((await store.documents.find(shown.id)) as Document)?.add('an answer', 6_000)
  await store.documents.findByPath(shown.path ?? '')
  await store.documents.find(other.id)
  assert.deepEqual(store.asked, [other.id])
})

test('what is attached to a document that has left the cache does not bring it back', async () => {
  const document = aStoredChild(root, 'a')
  const store = aCachedStore(document)
  await store.keep(document)
  const attached = attachedCache((await store.documents.find(document.id)) as Document)
  store.commitHere(document)
  attached?.add('an answer', 10)
  await store.documents.find(document.id)
  assert.deepEqual(store.asked, [document.id])
})

describe('the look-ups of a transaction', () => {
  const child = aStoredChild(root, 'child')

  test('find what is cached, by id and by path, as long as nobody has changed it', async () => {
    const { asked, keep, within, commitElsewhere } = aCachedStore(root, child)
    await keep(child)
    const { find, findByPath } = within()
    assert.deepEqual([await find(child.id), await findByPath('/child')], [child, child])
    assert.deepEqual(asked, [])
    commitElsewhere({ ...child, state: 'approved' })
    assert.equal((await findByPath('/child'))?.state, 'approved')
  })

  test('read what the transaction has changed, and cache none of it', async () => {
    const { asked, keep, within, documents } = aCachedStore(root, child)
    await keep(child)
    const { find, findByPath } = within(child)
    for (let turn = 0; turn < 3; turn++) await Promise.all([find(child.id), findByPath('/child')])
    assert.equal(asked.length, 6)
    asked.length = 0
    assert.equal(await documents.find(child.id), child)
    assert.deepEqual(asked, [])
  })

  test('cache a folder that something was put into twice, for everybody', async () => {
    const { asked, within, documents } = aCachedStore(root, child)
    const putInto = async ({ findByPath, findForShare } = within()) => findForShare((await findByPath('/child')) as Document)
    await putInto()
    await putInto()
    assert.equal(asked.length, 2)
    assert.deepEqual([await within().find(child.id), await documents.find(child.id)], [child, child])
  })

  test('cache no other document than the one that is stored, and none that the transaction has changed', async () => {
    const { asked, within, documents } = aCachedStore(root, child)
    for (let turn = 0; turn < 3; turn++) {
      const { findByPath, findForShare } = within()
      const found = (await findByPath('/child')) as Document
      await findForShare({ ...found, state: 'as a proxy shows it' })
      const changing = within(child)
      await changing.findForShare((await changing.find(child.id)) as Document)
    }
    asked.length = 0
    assert.equal(await documents.find(child.id), child)
    assert.deepEqual(asked, [child.id])
  })

  test('ask once for each of a few documents that they look up by turns', async () => {
    const { asked, within } = aCachedStore(root, child)
    const { find } = within()
    for (let turn = 0; turn < 3; turn++) for (const { id } of [root, child]) await find(id)
    assert.deepEqual(asked, [root.id, child.id])
  })

  test('ask again for a document that was changed after they had found it', async () => {
    const { within, write } = aCachedStore(root, child)
    const { find } = within()
    assert.equal(await find(child.id), child)
    write({ ...child, state: 'approved' })
    assert.equal((await find(child.id))?.state, 'approved')
  })
})

describe('lists of entries that were added', () => {
  test('are asked for again after each commit, and not before', async () => {
    let version = 1
    let asked = 0
    let stored = [1, 2]
    const listAfter = async (id: number) => {
      asked += 1
      return stored.filter((one) => one > id).map((one) => ({ id: one, aces: [] }))
    }
    const acps = rememberLatestAcp({ listAfter } as unknown as AcpReader, () => version)
    const idsAfter = async (id: number) => (await acps.listAfter(id)).map((acp) => acp.id)

    assert.deepEqual([await idsAfter(0), await idsAfter(2), await idsAfter(2)], [[1, 2], [], []])
    assert.equal(asked, 1)
    assert.deepEqual(await idsAfter(1), [2], 'whoever knows fewer is told')
    stored = [1, 2, 3]
    version = 2
    assert.deepEqual([await idsAfter(2), await idsAfter(3)], [[3], []])
    assert.equal(asked, 3)
  })

  test('are asked for again when something was committed while they were on their way', async () => {
    let version = 1
    let stored: number[] = []
    const listAfter = async (id: number) => {
      const found = stored.filter((one) => one > id).map((one) => ({ id: one, aces: [] }))
      stored = [1]
      version = 2
      return found
    }
    const acps = rememberLatestAcp({ listAfter } as unknown as AcpReader, () => version)
    assert.deepEqual(await acps.listAfter(0), [])
    assert.equal((await acps.listAfter(0)).length, 1)
  })
})
