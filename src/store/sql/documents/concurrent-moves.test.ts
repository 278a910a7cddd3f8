import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'
import { joinPath } from '../../../model/path-segment.ts'
import { grant } from '../../../model/rights/acl.ts'
import type { Store, Transaction } from '../../store.ts'

/** Moves as a session does: reads and locks, checks that the new place is not below, then writes. */
function moving(id: string, parentId: string, meanwhile: () => Promise<unknown> = async () => {}) {
  return async (tx: Transaction): Promise<'moved' | 'refused'> => {
    const document = (await tx.documents.findForUpdate(id)) as Document
    const parent = (await tx.documents.find(parentId)) as Document
    await meanwhile()
    if (`${parent.path}/`.startsWith(`${document.path}/`)) return 'refused'
    const path = joinPath(parent.path as string, document.name)
    assert.equal(await tx.documents.move(document, { parentId, name: document.name, path, position: null }), true)
    const moved = (await tx.documents.find(id)) as Document
    await tx.acps.replaceAcls(moved, moved.acls)
    return 'moved'
  }
}

/** Creates as a session does. */
function creating(parentId: string, name: string, meanwhile: () => Promise<unknown> = async () => {}) {
  return async (tx: Transaction): Promise<Document> => {
    const parent = (await tx.documents.findForShare((await tx.documents.find(parentId)) as Document)) as Document
    const child = aStoredChild(parent, name)
    await tx.documents.insert(child)
    await meanwhile()
    return child
  }
}

const aMoment = () => delay(50)

onEachEngine('transactions that meet while a tree is moved', (engine) => {
  const open = async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()] as const
    const root = await insertRoot(stores[0])
    return { stores, root }
  }

  test('never put two folders below each other', async () => {
    const { stores, root } = await open()
    const [a, b] = [aStoredChild(root, 'a'), aStoredChild(root, 'b')]
    await insertAll(stores[0], a, b)
    const outcomes = await Promise.all([
      stores[0].transact(moving(a.id, b.id, aMoment)),
      stores[1].transact(moving(b.id, a.id, aMoment)),
    ])
    assert.deepEqual(outcomes.toSorted(), ['moved', 'refused'])
    await assertWhole(stores[0], 2)
  })

  test('nor far below each other', async () => {
    const { stores, root } = await open()
    const [a, b] = [aStoredChild(root, 'a'), aStoredChild(root, 'b')]
    const [inA, inB] = [aStoredChild(a, 'inner'), aStoredChild(b, 'inner')]
    const [deepA, deepB] = [aStoredChild(inA, 'deep'), aStoredChild(inB, 'deep')]
    await insertAll(stores[0], a, b, inA, inB, deepA, deepB)
    const outcomes = await Promise.all([
      stores[0].transact(moving(a.id, deepB.id, aMoment)),
      stores[1].transact(moving(b.id, deepA.id, aMoment)),
    ])
    assert.deepEqual(outcomes.toSorted(), ['moved', 'refused'])
    await assertWhole(stores[0], 6)
  })

  test('create below the folder under its new path, whichever comes first', async () => {
    const { stores, root } = await open()
    const [a, to] = [aStoredChild(root, 'a'), aStoredChild(root, 'to')]
    const inner = aStoredChild(a, 'inner')
    await insertAll(stores[0], a, to, inner)
    await Promise.all([
      stores[0].transact(moving(a.id, to.id, aMoment)),
      ...['x', 'y', 'z'].map((name) => stores[1].transact(creating(inner.id, name, aMoment))),
      ...['u', 'v', 'w'].map((name) => delay(25).then(() => stores[1].transact(creating(a.id, name)))),
    ])
    await assertWhole(stores[0], 9)
    assert.equal((await stores[0].reader.documents.listBelow('/to/a', undefined, 100)).length, 7)
  })

  test('put one tree into another that is itself on its way', async () => {
    const { stores, root } = await open()
    const [a, b, to] = [aStoredChild(root, 'a'), aStoredChild(root, 'b'), aStoredChild(root, 'to')]
    const [inA, inB] = [aStoredChild(a, 'inner'), aStoredChild(b, 'inner')]
    await insertAll(stores[0], a, b, to, inA, inB)
    const outcomes = await Promise.all([
      stores[0].transact(moving(a.id, inB.id, aMoment)),
      stores[1].transact(moving(b.id, to.id, aMoment)),
    ])
    assert.deepEqual(outcomes, ['moved', 'moved'])
    await assertWhole(stores[0], 5)
    assert.equal((await stores[0].reader.documents.find(inA.id))?.path, '/to/b/inner/a/inner')
  })

  test('trash and rights reach what is created below at the same time', async () => {
    const { stores, root } = await open()
    const a = aStoredChild(root, 'a')
    const inner = aStoredChild(a, 'inner')
    await insertAll(stores[0], a, inner)
    const inserted = Promise.withResolvers<void>()
    const created = stores[1].transact(
      creating(inner.id, 'x', async () => {
        inserted.resolve()
        await aMoment()
      }),
    )
    await inserted.promise
    await stores[0].transact(async (tx) => {
      await tx.documents.setTrashedBelow('/a', true)
      await tx.acps.replaceAcls(a, [{ name: 'local', aces: [grant('alice', 'Read')] }])
    })
    await created
    const below = await stores[0].reader.documents.listBelow('/a', undefined, 100)
    const { acpId } = (await stores[0].reader.documents.find(a.id)) as Document
    assert.deepEqual(
      below.map((document) => [document.path, document.isTrashed, document.acpId]),
      ['/a/inner', '/a/inner/x'].map((path) => [path, true, acpId]),
    )
  })

  test('make one tree of all their moves and creations', async () => {
    const { stores, root } = await open()
    const folders = ['a', 'b', 'c', 'd'].map((name) => aStoredChild(root, name))
    const inner = folders.map((folder) => aStoredChild(folder, `in-${folder.name}`))
    await insertAll(stores[0], ...folders, ...inner)
    const all = [...folders, ...inner]
    const anyOf = (index: number) => all[index % all.length] as Document
    const acts = Array.from({ length: 24 }, (_, index) => {
      const store = stores[index % 2] as Store
      if (index % 3 === 0) return store.transact(creating(anyOf(index * 5).id, `n${index}`))
      return store.transact(moving(anyOf(index).id, anyOf(index * 3 + 1).id))
    })
    await Promise.all(acts)
    await assertWhole(stores[0], all.length + 8)
  })
})

/** Every document is where its parent and its name say, and all are reached from the root. */
async function assertWhole(store: Store, count: number): Promise<void> {
  const documents = await store.reader.documents.listBelow('/', undefined, 1_000)
  assert.equal(documents.length, count)
  const paths = new Map(
    [...documents, (await store.reader.documents.findByPath('/')) as Document].map(({ id, path }) => [id, path]),
  )
  for (const { path, name, parentId } of documents) {
    assert.equal(path, joinPath(paths.get(parentId as string) as string, name))
  }
}
