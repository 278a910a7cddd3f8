import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, aStoredProxy, aStoredVersion, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'

onEachEngine('the order of children', (engine) => {
  test('is by position, those without one last and by name', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const placed = [2, 0, 1].map((position) => aStoredChild(root, `p${position}`, { position }))
    const unplaced = ['b', '💡', 'a', 'B'].map((name) => aStoredChild(root, name))
    await insertAll(store, ...unplaced, ...placed, aStoredChild(placed[0] as Document, 'below'))
    const names = new Map([...placed, ...unplaced].map(({ id, name }) => [id, name]))
    const ids = await store.reader.documents.listChildIds(root.id)
    assert.deepEqual(
      ids.map((id) => names.get(id)),
      ['p0', 'p1', 'p2', 'B', 'a', 'b', '💡'],
    )
    assert.deepEqual(await store.reader.documents.listChildIds('nowhere'), [])
  })

  test('is the one they are given, counted from 0, and only what moves is written', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const children = ['a', 'b', 'c', 'd'].map((name, position) => aStoredChild(root, name, { position }))
    const [a, b, c, d] = children.map(({ id }) => id) as [string, string, string, string]
    const outside = aStoredChild(root, 'outside', { position: 9 })
    await insertAll(store, ...children, outside)
    await store.transact((tx) => tx.documents.setPositions([a, d, c, b]))
    assert.deepEqual(await store.reader.documents.listChildIds(root.id), [a, d, c, b, outside.id])
    const found = await store.reader.documents.findAll([a, d, c, b, outside.id])
    assert.deepEqual(
      found.map(({ position, changeToken }) => [position, changeToken.system]),
      [
        [0, 0],
        [1, 1],
        [2, 0],
        [3, 1],
        [9, 0],
      ],
    )
    await store.transact((tx) => tx.documents.setPositions([]))
  })

  test('is kept when a document that was read before is written back', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const children = ['a', 'b'].map((name, position) => aStoredChild(root, name, { position })) as [Document, Document]
    await insertAll(store, ...children)
    const [a, b] = children
    await store.transact(async (tx) => {
      await tx.documents.setPositions([b.id, a.id])
      const now = (await tx.documents.find(a.id)) as Document
      await tx.documents.update(now, { ...now, position: a.position, state: 'approved' })
    })
    assert.deepEqual(await store.reader.documents.listChildIds(root.id), [b.id, a.id])
  })

  test('of 5,000 children is given in a moment', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const children = Array.from({ length: 5_000 }, (_, position) => aStoredChild(root, `n${position}`, { position }))
    await insertAll(store, ...children)
    const reversed = children.map(({ id }) => id).toReversed()
    const started = performance.now()
    await store.transact((tx) => tx.documents.setPositions(reversed))
    assert.ok(performance.now() - started < 5_000)
    assert.deepEqual(await store.reader.documents.listChildIds(root.id), reversed)
  })
})

onEachEngine('proxies of a series', (engine) => {
  test('are found wherever they are, or among the children of a folder', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [live, other] = [aStoredChild(root, 'live'), aStoredChild(root, 'other')]
    const [one, two] = [aStoredChild(root, 'one'), aStoredChild(root, 'two')]
    const version = aStoredVersion(live)
    const proxies = [aStoredProxy(one, 'p', live), aStoredProxy(one, 'q', version), aStoredProxy(two, 'p', version)]
    await insertAll(store, live, other, one, two, version, ...proxies, aStoredProxy(one, 'r', other))
    const { documents } = store.reader
    assert.deepEqual(await documents.listProxies(live.id), proxies)
    assert.deepEqual(await documents.listProxies(live.id, one.id), proxies.slice(0, 2))
    assert.deepEqual(await documents.listProxies(live.id, root.id), [])
    assert.deepEqual(await documents.listProxies('nobody'), [])
  })

  test('that were removed with a folder are named once each', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [live, folder] = [aStoredChild(root, 'live'), aStoredChild(root, 'folder')]
    const inner = aStoredChild(folder, 'inner')
    const proxies = [aStoredProxy(folder, 'p', live), aStoredProxy(inner, 'q', live), aStoredProxy(inner, 'r', root)]
    await insertAll(store, live, folder, inner, ...proxies)
    const removed = await store.transact((tx) => tx.documents.removeSubtree(folder))
    assert.deepEqual(removed.liveIds.toSorted(), [folder.id, inner.id].toSorted())
    assert.deepEqual(removed.proxiedSeriesIds.toSorted(), [live.id, root.id].toSorted())
  })
})
