import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'
import { grant } from '../../../model/rights/acl.ts'
import type { SortKey } from '../../documents.ts'
import type { Store } from '../../store.ts'

const byTitle: SortKey = { by: { kind: 'property', name: 'dc:title', isNumeric: false }, descending: false }
const bySize: SortKey = { by: { kind: 'property', name: 'x:size', isNumeric: true }, descending: false }
const byColumn = (name: Extract<SortKey['by'], { kind: 'column' }>['name']): SortKey => ({
  by: { kind: 'column', name },
  descending: false,
})
const down = (key: SortKey): SortKey => ({ ...key, descending: true })

onEachEngine('listing children', (engine) => {
  test('orders titles by code point with those that have none first, and turns all of it round', async () => {
    const store = await engine.openStore()
    const titles = [null, '', 'A', 'Z', 'a', 'b', 'z', 'É', 'é', '中', '\uffee', '😀']
    const listed = await listTitled(store, shuffled(titles), [byTitle])
    assert.deepEqual(listed.map(titleOf), titles)
    assert.deepEqual((await listTitled(store, [], [down(byTitle)])).map(titleOf), titles.toReversed())
  })

  test('breaks ties by the order of creation, in the direction of the last key', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    for (const name of ['c', 'a', 'b']) await insertAll(store, aStoredChild(root, name, { properties: { 'dc:title': 'same' } }))
    const list = async (key: SortKey) => names(await store.reader.documents.listChildren({ parentId: root.id }, [key], 10, 0))
    assert.equal(await list(byTitle), 'cab')
    assert.equal(await list(down(byTitle)), 'bac')
  })

  test('orders numbers by size, however large or small, and what is no number before them', async () => {
    const store = await engine.openStore()
    const sizes = ['text', -1e300, -2, 0.5, 10, 9007199254740993n, 9223372036854775807n, 1e21]
    const listed = await listWith(store, 'x:size', shuffled(sizes), [bySize])
    assert.deepEqual(
      listed.map(({ properties }) => properties['x:size']),
      sizes,
    )
  })

  test('orders by columns and by several keys', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const child = (name: string, position: number | null, type: string) => aStoredChild(root, name, { position, type })
    await insertAll(store, child('c', null, 'Note'), child('a', 2, 'File'), child('b', 1, 'Note'), child('d', 1, 'File'))
    const list = async (...sort: SortKey[]) =>
      names(await store.reader.documents.listChildren({ parentId: root.id }, sort, 10, 0))
    assert.equal(await list(byColumn('name')), 'abcd')
    assert.equal(await list(down(byColumn('path'))), 'dcba')
    assert.equal(await list(byColumn('position'), down(byColumn('name'))), 'cdba')
    assert.equal(await list(byColumn('type'), byColumn('name')), 'adbc')
    assert.equal(await list(down(byColumn('position')), byColumn('name')), 'abdc')
  })

  test('gives any page of what the whole list would be', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const children = Array.from({ length: 30 }, (_, index) => aStoredChild(root, `n${index}`, titled(String(index % 7))))
    await insertAll(store, ...children)
    const list = (limit: number, offset: number) =>
      store.reader.documents.listChildren({ parentId: root.id }, [byTitle], limit, offset)
    const whole = await list(100, 0)
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.nat(35), async (limit, offset) => {
        assert.deepEqual(await list(limit, offset), whole.slice(offset, offset + limit))
      }),
      { numRuns: 25 },
    )
  })

  test('leaves out what is hidden, trashed, not readable or of other types, and counts alike', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const other = await store.transact((tx) => tx.acps.intern([]))
    const foreign = await store.transact((tx) =>
      tx.acps.intern([{ username: 'x', permission: 'Read', granted: true, creator: null, begin: null, end: null }]),
    )
    await insertAll(
      store,
      aStoredChild(root, 'plain', { type: 'File' }),
      aStoredChild(root, 'trashed', { type: 'File', isTrashed: true }),
      aStoredChild(root, 'hiddenType', { type: 'HiddenFolder' }),
      aStoredChild(root, 'hiddenTrash', { type: 'HiddenFolder', isTrashed: true }),
      aStoredChild(root, 'ownFacet', { type: 'File', facets: ['HiddenInNavigation'] }),
      aStoredChild(root, 'folderish', { type: 'File', facets: ['Folderish', 'Other'] }),
      aStoredChild(root, 'folder', { type: 'Folder', acpId: foreign }),
    )
    const expectNames = async (filter: object, expected: string[]) => {
      const found = await store.reader.documents.listChildren({ parentId: root.id, ...filter }, [byColumn('name')], 10, 0)
      assert.deepEqual(
        found.map(({ name }) => name),
        expected,
      )
      assert.equal(await store.reader.documents.countChildren({ parentId: root.id, ...filter }, 10), expected.length)
    }
    const visibleOnly = { hiddenTypes: ['HiddenFolder', 'Hidden'] }
    const onlyTypes = { types: ['Folder', 'HiddenFolder'], facet: 'Folderish' }
    await expectNames({ visibleOnly }, ['folder', 'folderish', 'ownFacet', 'plain'])
    await expectNames({ visibleOnly: { ...visibleOnly, inTrash: true } }, ['trashed'])
    await expectNames({ onlyTypes }, ['folder', 'folderish', 'hiddenTrash', 'hiddenType'])
    await expectNames({ readableAcps: [foreign] }, ['folder'])
    await expectNames({ readableAcps: [] }, [])
    await expectNames({ visibleOnly, onlyTypes, readableAcps: [other, root.acpId, 4711] }, ['folderish'])
  })

  test('counts no further than asked', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    await insertAll(store, ...Array.from({ length: 12 }, (_, index) => aStoredChild(root, `n${index}`)))
    assert.equal(await store.reader.documents.countChildren({ parentId: root.id }, 5), 5)
    assert.equal(await store.reader.documents.countChildren({ parentId: root.id }, 100), 12)
  })

  test('are summed up for several parents at once, as far as their lists of entries show them', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const foreign = await store.transact(({ acps }) => acps.intern([grant('alice', 'Read')]))
    const [one, two, none] = ['one', 'two', 'none'].map((name) => aStoredChild(root, name)) as [Document, Document, Document]
    const dated = (parent: Document, name: string, date: string | null, fields: object = {}) =>
      aStoredChild(parent, name, { properties: { 'comment:creationDate': date }, ...fields })
    await insertAll(store, one, two, none)
    await insertAll(
      store,
      dated(one, 'a', '2026-01-02T00:00:00.000Z'),
      dated(one, 'b', '2026-01-10T00:00:00.000Z'),
      dated(one, 'c', '2027-01-01T00:00:00.000Z', { acpId: foreign }),
      dated(two, 'a', null),
    )
    const summarise = async (readableAcps?: readonly number[]) =>
      store.reader.documents.summariseChildren([one.id, two.id, none.id, 'nowhere'], 'comment:creationDate', readableAcps)
    const expected: [string, object][] = [
      [one.id, { count: 2, greatest: '2026-01-10T00:00:00.000Z' }],
      [two.id, { count: 1, greatest: null }],
    ]
    assert.deepEqual(await summarise([root.acpId]), new Map(expected))
    assert.deepEqual((await summarise()).get(one.id), { count: 3, greatest: '2027-01-01T00:00:00.000Z' })
    assert.deepEqual(await summarise([]), new Map())
    assert.deepEqual(await store.reader.documents.summariseChildren([], 'comment:creationDate'), new Map())
  })

  test('knows the last position', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const child = (name: string, position: number | null) => aStoredChild(root, name, { position })
    await insertAll(store, child('a', 0), child('b', 11), child('c', null), child('d', 9))
    assert.equal(await store.reader.documents.lastPosition(root.id), 11)
  })
})

const titled = (title: string | null) => ({ properties: title === null ? {} : { 'dc:title': title } })
const titleOf = ({ properties }: Document) => properties['dc:title'] ?? null

function listTitled(store: Store, titles: readonly (string | null)[], sort: readonly SortKey[]) {
  return listWith(store, 'dc:title', titles, sort)
}

/** Stores children with these values, the first time, and lists them all. */
async function listWith(
  store: Store,
  property: string,
  values: readonly (string | number | bigint | null)[],
  sort: readonly SortKey[],
) {
  const root = (await store.reader.documents.findByPath('/')) ?? (await insertRoot(store))
  const child = (value: string | number | bigint | null, index: number) => ({
    ...aStoredChild(root, `n${index}`),
    properties: { [property]: value },
  })
  await insertAll(store, ...values.map(child))
  return store.reader.documents.listChildren({ parentId: root.id }, sort, 100, 0)
}

function names(documents: readonly Document[]): string {
  return documents.map(({ name }) => name).join('')
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, key: (index * 7919) % 101 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
