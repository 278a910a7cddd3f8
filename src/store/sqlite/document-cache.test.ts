import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aStoredChild, aStoredDocument } from '../../../test/support/stored-document.ts'
import { attachedCache, type Document } from '../../model/document.ts'
import type { Query } from '../../nxql/query.ts'
import type { AcpReader } from '../acps.ts'
import type { DocumentReader, DocumentWriter } from '../documents.ts'
import { documentsTooLarge } from '../problems.ts'
import type { SearchReader, SearchScope, SearchWindow } from '../search.ts'
import { searchThroughCache } from '../search-through-cache.ts'
import { createDocumentCache, rememberLatestAcp } from './document-cache.ts'

const root = aStoredDocument({ path: '/' })

/** A store of documents that counts how often it is asked, of which at most two are cached. */
function aStore(...documents: Document[]) {
  const asked: string[] = []
  const stored = new Map(documents.map((document) => [document.id, document]))
  let others: 'any' | ReadonlySet<string> | undefined
  const reader = {
    async find(id: string) {
      asked.push(id)
      return stored.get(id)
    },
    async findByPath(path: string) {
      asked.push(path)
      return [...stored.values()].find((document) => document.path === path)
    },
    async findAll(ids: readonly string[]) {
      asked.push(...ids)
      return ids.flatMap((id) => stored.get(id) ?? [])
    },
    findForShare: async (document: Document) => document,
  } as unknown as DocumentWriter
  const meetOthers = () => {
    if (others !== undefined) cache.invalidate(others)
    others = undefined
  }
  const cache = createDocumentCache(reader, meetOthers, 2)
  return {
    asked,
    documents: cache.documents,
    /** The look-ups of a transaction that has changed these. */
    within: (...changed: Document[]) => cache.within(reader, (id) => changed.some((document) => document.id === id)),
    changes: cache,
    /** As another process does. */
    commitElsewhere(document: Document) {
      others = new Set([document.id])
      stored.set(document.id, document)
    },
    commitAnythingElsewhere() {
      others = 'any'
    },
    commitHere(...changed: Document[]) {
      for (const document of changed) stored.set(document.id, document)
      cache.invalidate(new Set(changed.map(({ id }) => id)))
    },
    commitAnythingHere: () => cache.invalidate('any'),
    /** Looks documents up until they are cached, and forgets having been asked. */
    async keep(...found: Document[]) {
      for (const { id } of [...found, ...found]) await cache.documents.find(id)
      asked.length = 0
    },
  }
}

describe('a document that was looked up twice', () => {
  const document = aStoredChild(root, 'a')
  const changed = { ...document, state: 'approved' }

  test('is at hand, by id and by path, until another process has changed it', async () => {
    const store = aStore(document)
    await store.keep(document)
    assert.equal(await store.documents.find(document.id), document)
    assert.equal(await store.documents.findByPath('/a'), document)
    assert.deepEqual(store.asked, [])
    store.commitElsewhere(changed)
    assert.equal(await store.documents.findByPath('/a'), changed)
    assert.deepEqual(store.asked, ['/a'])
  })

  test('stays at hand when another process has changed another', async () => {
    const store = aStore(document)
    await store.keep(document)
    store.commitElsewhere(aStoredChild(root, 'b'))
    assert.equal(await store.documents.find(document.id), document)
    assert.deepEqual(store.asked, [])
  })

  test('has room for what is made of it, and was not worth it before', async () => {
    const fresh = aStoredChild(root, 'fresh')
    const store = aStore(fresh)
    assert.equal(attachedCache((await store.documents.find(fresh.id)) ?? root), undefined)
    assert.deepEqual(attachedCache((await store.documents.find(fresh.id)) ?? root)?.values, [])
    assert.equal(attachedCache({ ...fresh }), undefined)
  })

  test('is read again once this process has changed it, by id and by path', async () => {
    const store = aStore(document)
    await store.keep(document)
    store.commitHere(changed)
    assert.equal(await store.documents.findByPath('/a'), changed)
    assert.equal(await store.documents.find(document.id), changed)
  })

  test('stays at hand when this process changed another', async () => {
    const other = aStoredChild(root, 'b')
    const store = aStore(document, other)
    await store.keep(document)
    store.commitHere(other)
    assert.equal(await store.documents.find(document.id), document)
    assert.deepEqual(store.asked, [])
  })

  test('is read again once this process has changed any number of them', async () => {
    const store = aStore(document)
    await store.keep(document)
    store.commitAnythingHere()
    await store.documents.find(document.id)
    assert.deepEqual(store.asked, [document.id])
  })

  test('is not kept when something was committed while it was on its way', async () => {
    for (const commit of ['commitAnythingElsewhere', 'commitAnythingHere'] as const) {
      const store = aStore(document)
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
    const store = aStore()
    assert.equal(await store.documents.find('x'), undefined)
    assert.equal(await store.documents.find('x'), undefined)
    assert.deepEqual(store.asked, ['x', 'x'])
  })
})

describe('several documents', () => {
  const [first, second] = ['a', 'b'].map((name) => aStoredChild(root, name)) as [Document, Document]
  const ids = [second.id, 'gone', first.id]

  test('are looked up but for those at hand, and given in the order asked for', async () => {
    const store = aStore(first, second)
    await store.keep(first)
    assert.deepEqual(await store.documents.findAll(ids), [second, first])
    assert.deepEqual(store.asked, [second.id, 'gone'])
  })

  test('are at hand once they were looked up twice, until one changes', async () => {
    const store = aStore(first, second)
    for (let times = 0; times < 3; times++) await store.documents.findAll([first.id, second.id])
    assert.deepEqual(store.asked, [first.id, second.id, first.id, second.id])
    const changed = { ...second, state: 'approved' }
    store.commitHere(changed)
    assert.deepEqual(await store.documents.findAll([first.id, second.id]), [first, changed])
  })

  test('are refused together when they hold more than is allowed, also when they are at hand', async () => {
    const large = { ...first, properties: { 'note:note': 'x'.repeat(2_000) } }
    const store = aStore(large)
    await store.keep(large)
    assert.deepEqual(await store.documents.findAll([large.id], 3_000), [large])
    await assert.rejects(store.documents.findAll([large.id], 1_000), documentsTooLarge.is)
  })
})

describe('a search', () => {
  const children = ['a', 'b', 'c'].map((name) => aStoredChild(root, name, { acpId: 1 }))
  const query = {} as Query
  const scope = { now: '2020-01-01T00:00:00.000Z', readableAcps: [1] }

  /** Searches that find all of them, by ids or by rows. */
  function searching(documents: readonly Document[], meanwhile = () => {}) {
    const asked: string[] = []
    const found = (limit = documents.length) => documents.slice(0, limit)
    const search = {
      async listPageOfIds(_query: Query, _scope: SearchScope, { limit = documents.length }: SearchWindow) {
        asked.push(`ids ${limit}`)
        meanwhile()
        return { ids: found(limit).map(({ id }) => id), hasMore: documents.length > limit, total: documents.length }
      },
      async listDocuments(_query: Query, _scope: SearchScope, { limit }: SearchWindow) {
        asked.push(`rows ${limit}`)
        return { documents: found(limit), hasMore: false }
      },
    } as unknown as SearchReader
    return { asked, search }
  }

  test('finds ids, whether there is more, and how many where that is known', async () => {
    const { asked, search } = searching(children)
    const store = aStore(...children)
    const through = searchThroughCache(search, store.documents, store.changes)
    assert.deepEqual(await through.listDocuments(query, scope, { offset: 0, limit: 2 }), {
      documents: children.slice(0, 2),
      hasMore: true,
      total: 3,
    })
    assert.deepEqual(await through.listDocuments(query, scope, { offset: 0, limit: 3 }), {
      documents: children,
      hasMore: false,
      total: 3,
    })
    assert.deepEqual(asked, ['ids 2', 'ids 3'])
  })

  test('has one statement tell all where a document was changed after it began, by whomever', async () => {
    const [first] = children as [Document]
    const renamed = { ...first, state: 'approved' }
    const ways: ((store: ReturnType<typeof aStore>) => void)[] = [
      (store) => store.commitHere(renamed),
      (store) => store.commitElsewhere(renamed),
      (store) => store.commitAnythingHere(),
      (store) => store.commitHere({ ...first, acpId: 2 }),
      (store) => {
        for (let commit = 0; commit < 200; commit++) store.commitHere(aStoredChild(root, 'another'))
      },
    ]
    for (const change of ways) {
      const store = aStore(...children)
      await store.keep(first)
      const { asked, search } = searching(children, () => change(store))
      await searchThroughCache(search, store.documents, store.changes).listDocuments(query, scope, { offset: 0, limit: 3 })
      assert.deepEqual(asked, ['ids 3', 'rows 3'])
    }
  })

  test('minds neither what was changed before it nor what it did not find', async () => {
    const store = aStore(...children)
    store.commitHere(...children)
    const { asked, search } = searching(children, () => store.commitHere(aStoredChild(root, 'another')))
    const through = searchThroughCache(search, store.documents, store.changes)
    assert.equal((await through.listDocuments(query, scope, { offset: 0, limit: 3 })).documents.length, 3)
    assert.deepEqual(asked, ['ids 3'])
  })

  test('has one statement tell all where rights or documents are no longer those that it found', async () => {
    const [first, ...others] = children as [Document, ...Document[]]
    for (const left of [others, [{ ...first, acpId: 2 }, ...others]]) {
      const { asked, search } = searching(children)
      const store = aStore(...left)
      await searchThroughCache(search, store.documents, store.changes).listDocuments(query, scope, { offset: 0, limit: 3 })
      assert.deepEqual(asked, ['ids 3', 'rows 3'])
    }
  })

  describe('that gives the very same ids again', () => {
    const ids = children.map(({ id }) => id)
    const search = { listPageOfIds: async () => ({ ids, hasMore: false }) } as unknown as SearchReader
    const window = { offset: 0, limit: 3 }

    test('leads to the very same list from the third time on, without a look at the documents', async () => {
      const store = aStore(...children)
      const through = searchThroughCache(search, store.documents, store.changes)
      const list = async () => (await through.listDocuments(query, scope, window)).documents
      await list()
      const second = await list()
      store.asked.length = 0
      assert.ok((await list()) === second && (await list()) === second)
      assert.deepEqual(store.asked, [])
    })

    test('keeps some of the pages where more go round than there is room for', async () => {
      const many = Array.from({ length: 1_000 }, (_, index) => aStoredChild(root, `child ${index}`, { acpId: 1 }))
      const lists = Array.from({ length: 10 }, () => many.map(({ id }) => id))
      let turn = 0
      const turning = {
        listPageOfIds: async () => ({ ids: lists[turn++ % lists.length], hasMore: false }),
      } as unknown as SearchReader
      const store = aStore(...many)
      const through = searchThroughCache(turning, store.documents, store.changes)
      const round = async () => {
        const documents: (readonly Document[])[] = []
        for (const _ of lists) documents.push((await through.listDocuments(query, scope, { offset: 0, limit: 1_000 })).documents)
        return documents
      }
      for (const _ of [1, 2, 3]) await round()
      const [before, after] = [await round(), await round()]
      const kept = after.filter((documents, index) => documents === before[index]).length
      assert.ok(kept > 0 && kept < lists.length, `${kept} of ${lists.length} were kept`)
    })

    test('looks again once a document has changed, by whomever, or where other sizes are allowed', async () => {
      const [first] = children as [Document]
      const changed = { ...first, state: 'approved' }
      const ways: ((store: ReturnType<typeof aStore>) => void)[] = [
        (store) => store.commitHere(changed),
        (store) => store.commitElsewhere(changed),
        (store) => store.commitAnythingHere(),
        (store) => store.commitAnythingElsewhere(),
      ]
      for (const change of ways) {
        const store = aStore(...children)
        const through = searchThroughCache(search, store.documents, store.changes)
        for (const _ of [1, 2, 3]) await through.listDocuments(query, scope, window)
        change(store)
        store.asked.length = 0
        const { documents } = await through.listDocuments(query, scope, window)
        assert.ok(store.asked.includes(first.id))
        assert.deepEqual(documents[0], await store.documents.find(first.id))
      }
      const store = aStore(...children)
      const through = searchThroughCache(search, store.documents, store.changes)
      for (const _ of [1, 2]) await through.listDocuments(query, scope, window)
      const { documents } = await through.listDocuments(query, scope, window)
      assert.notEqual((await through.listDocuments(query, scope, { ...window, maxBytes: 1_000_000 })).documents, documents)
    })
  })

  test('for more than a page reads rows and leaves the cache to others', async () => {
    for (const limit of [undefined, 5_000]) {
      const { asked, search } = searching(children)
      const store = aStore()
      const through = searchThroughCache(search, store.documents, store.changes)
      await through.listDocuments(query, scope, { offset: 0, ...(limit !== undefined && { limit }) })
      assert.deepEqual(asked, [`rows ${limit}`])
    }
  })
})

test('the document used least recently makes room for one more', async () => {
  const [first, second, third] = ['a', 'b', 'c'].map((name) => aStoredChild(root, name)) as [Document, Document, Document]
  const store = aStore(first, second, third)
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
  const store = aStore(small, other, large)
  await store.keep(small, other, large)
  for (const { id } of [large, other, small]) await store.documents.find(id)
  assert.deepEqual(store.asked, [other.id, small.id])
})

test('what is attached to a document counts as it does itself', async () => {
  const [shown, other] = ['a', 'b'].map((name) => aStoredChild(root, name)) as [Document, Document]
  const store = aStore(shown, other)
  await store.keep(shown, other)
  attachedCache((await store.documents.find(shown.id)) as Document)?.add('an answer', 6_000)
  await store.documents.findByPath(shown.path ?? '')
  await store.documents.find(other.id)
  assert.deepEqual(store.asked, [other.id])
})

test('what is attached to a document that has left the cache does not bring it back', async () => {
  const document = aStoredChild(root, 'a')
  const store = aStore(document)
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
    const { asked, keep, within, commitElsewhere } = aStore(root, child)
    await keep(child)
    const { find, findByPath } = within()
    assert.deepEqual([await find(child.id), await findByPath('/child')], [child, child])
    assert.deepEqual(asked, [])
    commitElsewhere({ ...child, state: 'approved' })
    assert.equal((await findByPath('/child'))?.state, 'approved')
  })

  test('read what the transaction has changed, and cache none of it', async () => {
    const { asked, keep, within, documents } = aStore(root, child)
    await keep(child)
    const { find, findByPath } = within(child)
    for (let turn = 0; turn < 3; turn++) await Promise.all([find(child.id), findByPath('/child')])
    assert.equal(asked.length, 6)
    asked.length = 0
    assert.equal(await documents.find(child.id), child)
    assert.deepEqual(asked, [])
  })

  test('cache a folder that something was put into twice, for everybody', async () => {
    const { asked, within, documents } = aStore(root, child)
    const putInto = async ({ findByPath, findForShare } = within()) => findForShare((await findByPath('/child')) as Document)
    await putInto()
    await putInto()
    assert.equal(asked.length, 2)
    assert.deepEqual([await within().find(child.id), await documents.find(child.id)], [child, child])
  })

  test('cache no other document than the one that is stored, and none that the transaction has changed', async () => {
    const { asked, within, documents } = aStore(root, child)
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
