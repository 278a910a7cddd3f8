import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCachedStore, type CachedStore } from '../../test/support/cached-store.ts'
import { aStoredChild, aStoredDocument } from '../../test/support/stored-document.ts'
import type { Document } from '../model/document.ts'
import type { Query } from '../nxql/query.ts'
import type { SearchReader, SearchScope, SearchWindow } from './search.ts'
import { searchThroughCache } from './search-through-cache.ts'

type Change = (store: CachedStore) => void

const root = aStoredDocument({ path: '/' })

describe('a search', () => {
  const children = ['a', 'b', 'c'].map((name) => aStoredChild(root, name, { acpId: 1 }))
  const [first] = children as [Document]
  const changed = { ...first, state: 'approved' }
  const changes: readonly Change[] = [
    (store) => store.commitHere(changed),
    (store) => store.commitElsewhere(changed),
    (store) => store.commitAnythingHere(),
  ]
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
    const store = aCachedStore(...children)
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
    const ways: Change[] = [
      ...changes,
      (store) => store.commitHere({ ...first, acpId: 2 }),
      (store) => {
        for (let commit = 0; commit < 200; commit++) store.commitHere(aStoredChild(root, 'another'))
      },
    ]
    for (const change of ways) {
      const store = aCachedStore(...children)
      await store.keep(first)
      const { asked, search } = searching(children, () => change(store))
      await searchThroughCache(search, store.documents, store.changes).listDocuments(query, scope, { offset: 0, limit: 3 })
      assert.deepEqual(asked, ['ids 3', 'rows 3'])
    }
  })

  test('minds neither what was changed before it nor what it did not find', async () => {
    const store = aCachedStore(...children)
    store.commitHere(...children)
    const { asked, search } = searching(children, () => store.commitHere(aStoredChild(root, 'another')))
    const through = searchThroughCache(search, store.documents, store.changes)
    assert.equal((await through.listDocuments(query, scope, { offset: 0, limit: 3 })).documents.length, 3)
    assert.deepEqual(asked, ['ids 3'])
  })

  test('has one statement tell all where rights or documents are no longer those that it found', async () => {
    const others = children.slice(1)
    for (const left of [others, [{ ...first, acpId: 2 }, ...others]]) {
      const { asked, search } = searching(children)
      const store = aCachedStore(...left)
      await searchThroughCache(search, store.documents, store.changes).listDocuments(query, scope, { offset: 0, limit: 3 })
      assert.deepEqual(asked, ['ids 3', 'rows 3'])
    }
  })

  describe('that gives the very same ids again', () => {
    const ids = children.map(({ id }) => id)
    const search = { listPageOfIds: async () => ({ ids, hasMore: false }) } as unknown as SearchReader
    const window = { offset: 0, limit: 3 }

    test('leads to the very same list from the third time on, without a look at the documents', async () => {
      const store = aCachedStore(...children)
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
      const lists = Array.from({ length: 40 }, () => many.map(({ id }) => id))
      let turn = 0
      const turning = {
        listPageOfIds: async () => ({ ids: lists[turn++ % lists.length], hasMore: false }),
      } as unknown as SearchReader
      const store = aCachedStore(...many)
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
      for (const change of [...changes, (store: CachedStore) => store.commitAnythingElsewhere()]) {
        const store = aCachedStore(...children)
        const through = searchThroughCache(search, store.documents, store.changes)
        for (const _ of [1, 2, 3]) await through.listDocuments(query, scope, window)
        change(store)
        store.asked.length = 0
        const { documents } = await through.listDocuments(query, scope, window)
        assert.ok(store.asked.includes(first.id))
        assert.deepEqual(documents[0], await store.documents.find(first.id))
      }
      const store = aCachedStore(...children)
      const through = searchThroughCache(search, store.documents, store.changes)
      for (const _ of [1, 2]) await through.listDocuments(query, scope, window)
      const { documents } = await through.listDocuments(query, scope, window)
      assert.notEqual((await through.listDocuments(query, scope, { ...window, maxBytes: 1_000_000 })).documents, documents)
    })
  })

  test('for more than a page reads rows and leaves the cache to others', async () => {
    for (const limit of [undefined, 5_000]) {
      const { asked, search } = searching(children)
      const store = aCachedStore()
      const through = searchThroughCache(search, store.documents, store.changes)
      await through.listDocuments(query, scope, { offset: 0, ...(limit !== undefined && { limit }) })
      assert.deepEqual(asked, [`rows ${limit}`])
    }
  })
})
