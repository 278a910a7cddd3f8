import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, aStoredProxy, aStoredVersion, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'
import { joinPath } from '../../../model/path-segment.ts'
import { pathTooLong, storageConflict } from '../../problems.ts'
import type { Store } from '../../store.ts'

/** Names in whose order, length or wildcards a statement could go wrong. */
const names = ['b', 'bc', 'b c', 'b-c', 'b.c', 'b0', 'b%', 'b_', '%', '_', '💡', 'b💡', 'é', 'B', "b'c", 'b"c', 'b\\c'] as const

onEachEngine('moving a document', (engine) => {
  test('takes along all that is below it and nothing beside it, whatever the names', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [a, target] = [aStoredChild(root, 'a'), aStoredChild(root, 'target 💡')]
    const siblings = names.map((name) => aStoredChild(a, name))
    const children = siblings.flatMap((sibling) => names.map((name) => aStoredChild(sibling, name)))
    await insertAll(store, a, target, ...siblings, ...children)
    for (const moved of siblings) {
      const before = await pathsBelow(store, '/a')
      assert.equal(await move(store, moved, target, moved.name), true)
      const gone = before.filter((path) => path === moved.path || path.startsWith(`${moved.path}/`))
      assert.equal(gone.length, names.length + 1)
      const stayed = await pathsBelow(store, '/a')
      assert.deepEqual(
        stayed,
        before.filter((path) => !gone.includes(path)),
      )
      const arrived = await pathsBelow(store, `/target 💡/${moved.name}`)
      assert.deepEqual(arrived.length, names.length)
      for (const child of children.filter(({ parentId }) => parentId === moved.id)) {
        const found = await store.reader.documents.find(child.id)
        assert.deepEqual([found?.path, found?.name], [`/target 💡/${moved.name}/${child.name}`, child.name])
      }
    }
  })

  test('gives it its new place, raises its token for the system, and leaves all else of it and of those below', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [a, b] = [aStoredChild(root, 'a', { changeToken: { system: 3, user: 2 } }), aStoredChild(root, 'b')]
    const [child, version] = [aStoredChild(a, 'child', { changeToken: { system: 5, user: 1 } }), aStoredVersion(a)]
    await insertAll(store, a, b, child, version)
    assert.equal(
      await store.transact((tx) => tx.documents.move(a, { parentId: b.id, name: 'new', path: '/b/new', position: 4 })),
      true,
    )
    assert.deepEqual(await store.reader.documents.find(a.id), {
      ...a,
      parentId: b.id,
      name: 'new',
      path: '/b/new',
      position: 4,
      changeToken: { system: 4, user: 2 },
    })
    assert.deepEqual(await store.reader.documents.find(child.id), { ...child, path: '/b/new/child' })
    assert.deepEqual(await store.reader.documents.find(version.id), version)
    assert.equal(await store.reader.documents.findByPath('/a'), undefined)
  })

  test('renames in place, to a name that begins as the old one or that the old one begins with', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const a = aStoredChild(root, 'a')
    await insertAll(store, a, aStoredChild(a, 'a'))
    for (const name of ['ab', 'a', 'a 💡', '💡', 'a']) {
      const current = (await store.reader.documents.find(a.id)) as Document
      assert.equal(await move(store, current, root, name), true)
      assert.deepEqual(await pathsBelow(store, '/'), [`/${name}`, `/${name}/a`])
    }
  })

  test('answers false and writes nothing when another child has the name; its own is free to it', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [a, b] = [aStoredChild(root, 'a'), aStoredChild(root, 'b')]
    const [inA, inB] = [aStoredChild(a, 'same'), aStoredChild(b, 'same')]
    await insertAll(store, a, b, inA, inB, aStoredChild(inA, 'below'))
    const before = await pathsBelow(store, '/')
    assert.equal(await move(store, inA, b, 'same'), false)
    assert.deepEqual(await pathsBelow(store, '/'), before)
    assert.deepEqual(await store.reader.documents.find(inA.id), inA)
    assert.equal(await move(store, inA, a, 'same'), true)
    assert.deepEqual(await pathsBelow(store, '/'), before)
    assert.equal(await move(store, inA, b, 'same.1'), true)
  })

  test('reaches any depth', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const chain = [aStoredChild(root, '0')]
    for (let depth = 1; depth < 200; depth += 1) chain.push(aStoredChild(chain.at(-1) as Document, String(depth % 10)))
    const [half, last] = [chain[100], chain.at(-1)] as [Document, Document]
    const target = aStoredChild(root, 'to')
    await insertAll(store, ...chain, target)
    await move(store, half, target, 'half')
    assert.equal((await pathsBelow(store, '/to/half')).length, 99)
    assert.equal((await pathsBelow(store, '/0')).length, 99)
    const moved = await store.reader.documents.find(last.id)
    assert.equal(moved?.path, `/to/half${last.path?.slice(half.path?.length)}`)
  })

  test('is refused when something in it would get too long a path, counted in bytes, and nothing is written', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const a = aStoredChild(root, 'a')
    // The longest in bytes is not the longest in characters.
    const deep = aStoredChild(aStoredChild(a, '💡'.repeat(245)), '💡'.repeat(245))
    const between = { ...aStoredChild(a, '💡'.repeat(245)), id: deep.parentId as string }
    const wordy = aStoredChild(a, 'x'.repeat(255))
    assert.equal(Buffer.byteLength(deep.path as string), 1_964)
    const [fits, long] = [aStoredChild(root, 'x'.repeat(35)), aStoredChild(root, 'x'.repeat(36))]
    await insertAll(store, a, between, deep, wordy, fits, long)
    const before = await pathsBelow(store, '/')
    await assert.rejects(
      move(store, a, long, 'a'),
      (error: Error) => pathTooLong.is(error) && !error.message.includes('💡') && error.message.startsWith('What is in /a '),
    )
    assert.deepEqual(await pathsBelow(store, '/'), before)
    assert.equal(await move(store, a, fits, 'a'), true)
    assert.equal(Buffer.byteLength((await store.reader.documents.find(deep.id))?.path as string), 2_000)
  })

  test('runs the transaction again when the new parent is no longer there, and gives up when it stays so', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [a, b] = [aStoredChild(root, 'a'), aStoredChild(root, 'b')]
    await insertAll(store, a, b)
    const paths = ['/elsewhere/a', '/elsewhere/a', '/b/a']
    let runs = 0
    const moved = store.transact((tx) =>
      tx.documents.move(a, { parentId: b.id, name: 'a', path: paths[runs++] as string, position: null }),
    )
    assert.equal(await moved, true)
    assert.equal(runs, 3)
    const lost = store.transact((tx) =>
      tx.documents.move(a, { parentId: 'nobody', name: 'a', path: '/nobody/a', position: null }),
    )
    await assert.rejects(lost, storageConflict.is)
  })

  test('leaves every path its parent’s and its name, whatever is moved where', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    await fc.assert(
      fc.asyncProperty(aTree, fc.array(fc.tuple(fc.nat(), fc.nat(), aName), { maxLength: 8 }), async (tree, moves) => {
        const documents = growTree(root, tree)
        await store.transact(async (tx) => {
          await tx.documents.removeSubtree(root)
          await tx.documents.insertMany(documents)
        })
        const model = new Map(documents.map(({ id, parentId, name }) => [id, { parentId, name }]))
        for (const [which, where, name] of moves) {
          const [id, parentId] = [which, where].map((at) => documents[at % documents.length]?.id) as [string, string]
          if (id === root.id || isAtOrBelow(model, parentId, id)) continue
          const isTaken = [...model].some(([other, at]) => other !== id && at.parentId === parentId && at.name === name)
          const [document, parent] = (await store.reader.documents.findAll([id, parentId])) as [Document, Document]
          assert.equal(await move(store, document, parent, name), !isTaken)
          if (!isTaken) model.set(id, { parentId, name })
        }
        const found = await store.reader.documents.findAll([...model.keys()])
        assert.deepEqual(
          found.map(({ id, path }) => [id, path]),
          [...model.keys()].map((id) => [id, pathIn(model, id)]),
        )
      }),
      { numRuns: 40 },
    )
  })
})

onEachEngine('trashing what is below a path', (engine) => {
  test('flags all but proxies, gives what changed, raises tokens for the system, and leaves the top and its siblings', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const tops = names.map((name) => aStoredChild(root, name))
    const children = tops.map((top) => aStoredChild(top, '_'))
    const grandchildren = children.map((child) => aStoredChild(child, '💡', { changeToken: { system: 1, user: 1 } }))
    const proxies = tops.map((top) => aStoredProxy(top, 'proxy', root))
    const already = aStoredChild(tops[0] as Document, 'already', { isTrashed: true })
    const version = aStoredVersion(children[0] as Document)
    await insertAll(store, ...tops, ...children, ...grandchildren, ...proxies, already, version)
    const setBelow = (path: string, isTrashed: boolean) =>
      store.transact(async (tx) => new Set(await tx.documents.setTrashedBelow(path, isTrashed)))
    const changed = new Set([children[0]?.id, grandchildren[0]?.id])
    assert.deepEqual(await setBelow('/b', true), changed)
    assert.deepEqual(await trashed(store), ['/b/_', '/b/_/💡', '/b/already'])
    const grandchild = await store.reader.documents.find(grandchildren[0]?.id as string)
    assert.deepEqual(grandchild?.changeToken, { system: 2, user: 1 })
    assert.deepEqual(await store.reader.documents.find(already.id), already)
    assert.deepEqual(await store.reader.documents.find(version.id), version)
    assert.deepEqual(await setBelow('/b', true), new Set())
    assert.deepEqual(await setBelow('/', false), new Set([...changed, already.id]))
    assert.deepEqual(await trashed(store), [])
  })

  test('can be asked for by the names that the trash gave: trashed ones alone, without proxies and what is beside', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const folder = aStoredChild(root, 'folder')
    const inner = aStoredChild(folder, 'inner._1_.trashed', { isTrashed: true })
    const leaf = aStoredChild(inner, 'leaf.trashed', { isTrashed: true })
    const others = [
      aStoredChild(folder, 'living.trashed'),
      aStoredChild(folder, 'trashed', { isTrashed: true }),
      aStoredChild(folder, 'x.trashed.y', { isTrashed: true }),
      aStoredChild(root, 'folder.trashed', { isTrashed: true }),
      aStoredProxy(folder, 'proxy.trashed', root, { isTrashed: true }),
    ]
    await insertAll(store, folder, inner, leaf, ...others)
    assert.deepEqual(await store.reader.documents.listRenamedByTrash('/folder'), [inner, leaf])
  })

  test('is not undone by writing back a document that was read before', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const a = aStoredChild(root, 'a')
    await insertAll(store, a)
    await store.transact((tx) => tx.documents.setTrashedBelow('/', true))
    const stale = { ...a, changeToken: { system: 1, user: 0 } }
    assert.equal(await store.transact((tx) => tx.documents.update(a, stale)), undefined)
  })

  async function trashed(store: Store): Promise<readonly (string | null)[]> {
    const documents = await store.reader.documents.listBelow('/', undefined, 1_000)
    return documents.filter(({ isTrashed }) => isTrashed).map(({ path }) => path)
  }
})

onEachEngine('listing what is below a path', (engine) => {
  test('goes page by page, parents before children, without the document itself and its siblings', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const tops = names.map((name) => aStoredChild(root, name))
    const all = tops.flatMap((top) => [top, ...names.flatMap((name) => nested(aStoredChild(top, name)))])
    await insertAll(store, ...all)
    const { documents } = store.reader
    for (const [path, expected] of [
      ['/', all],
      ...tops.map((top) => [top.path as string, all.filter((each) => each.path?.startsWith(`${top.path}/`))] as const),
    ] as const) {
      const listed: string[] = []
      for (;;) {
        const page = await documents.listBelow(path, listed.at(-1), 7)
        listed.push(...page.map((document) => document.path as string))
        if (page.length < 7) break
      }
      assert.deepEqual(listed, expected.map((document) => document.path as string).toSorted(byCodePoint))
    }
    assert.deepEqual(await documents.listBelow('/nowhere', undefined, 7), [])
  })

  test('can be confined to proxies', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [a, ab] = [aStoredChild(root, 'a'), aStoredChild(root, 'a b')]
    const inner = aStoredChild(a, 'inner')
    const proxies = [aStoredProxy(inner, 'p', root), aStoredProxy(a, 'q', root)]
    await insertAll(store, a, ab, inner, ...proxies, aStoredProxy(ab, 'other', root))
    const { documents } = store.reader
    assert.deepEqual(await documents.listProxiesBelow('/a'), proxies)
    assert.equal((await documents.listProxiesBelow('/')).length, 3)
    assert.deepEqual(await documents.listProxiesBelow('/a/q'), [])
  })

  function nested(child: Document): Document[] {
    return [child, aStoredChild(child, 'x'), aStoredChild(child, '!')]
  }
})

async function move(store: Store, document: Document, parent: Document, name: string): Promise<boolean> {
  const path = joinPath(parent.path as string, name)
  return store.transact((tx) => tx.documents.move(document, { parentId: parent.id, name, path, position: null }))
}

async function pathsBelow(store: Store, path: string): Promise<readonly string[]> {
  return (await store.reader.documents.listBelow(path, undefined, 10_000)).map((document) => document.path as string)
}

function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

type Places = ReadonlyMap<string, { readonly parentId: string | null; readonly name: string }>

function pathIn(places: Places, id: string): string {
  const { parentId, name } = places.get(id) as { parentId: string | null; name: string }
  return parentId === null ? '/' : joinPath(pathIn(places, parentId), name)
}

function isAtOrBelow(places: Places, id: string, ancestor: string): boolean {
  if (id === ancestor) return true
  const parentId = places.get(id)?.parentId
  return parentId != null && isAtOrBelow(places, parentId, ancestor)
}

const aName = fc.constantFrom(...names)
const aTree = fc.array(fc.tuple(fc.nat(), aName), { minLength: 2, maxLength: 16 })

function growTree(root: Document, tree: readonly (readonly [number, string])[]): Document[] {
  const documents = [root]
  for (const [at, name] of tree) {
    const child = aStoredChild(documents[at % documents.length] as Document, name)
    if (!documents.some(({ path }) => path === child.path)) documents.push(child)
  }
  return documents
}
