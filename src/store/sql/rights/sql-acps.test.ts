import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, aStoredProxy, aStoredVersion, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'
import { type Ace, type Acl, deny, effectiveAces, grant } from '../../../model/rights/acl.ts'
import type { Store } from '../../store.ts'

const block = deny('Everyone', 'Everything')
const local = (...aces: Ace[]): Acl[] => [{ name: 'local', aces }]

onEachEngine('interned lists of entries', (engine) => {
  test('are stored once for all callers, and come back as they were', async () => {
    const store = await engine.openStore()
    const aces = [grant('älice', 'Read', { creator: 'bob', begin: '2024-01-01T00:00:00.000Z' }), block]
    const reordered = aces.map(({ username, ...others }) => ({ ...others, username }))
    const [first, second, other] = await store.transact(async (tx) => [
      await tx.acps.intern(aces),
      await tx.acps.intern(reordered),
      await tx.acps.intern(aces.toReversed()),
    ])
    assert.equal(first, second)
    assert.notEqual(first, other)
    assert.deepEqual((await store.reader.acps.find(first as number))?.aces, aces)
    assert.equal(await store.reader.acps.find(4711), undefined)
  })

  test('are listed by what came after, in ascending order', async () => {
    const store = await engine.openStore()
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) ids.push(await store.transact((tx) => tx.acps.intern([grant(name, 'Read')])))
    const after = await store.reader.acps.listAfter(ids[0] as number)
    assert.deepEqual(
      after.map(({ id, aces }) => [id, aces[0]?.username]),
      [
        [ids[1], 'b'],
        [ids[2], 'c'],
      ],
    )
    assert.deepEqual(await store.reader.acps.listAfter(ids[2] as number), [])
  })

  test('are told of the documents that they decide about', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const [own, heir] = [aStoredChild(root, 'own'), aStoredChild(root, 'heir')]
    await insertAll(store, own, heir)
    await store.transact((tx) => tx.acps.replaceAcls(own, local(grant('alice', 'Read'))))
    const deciding = await store.reader.acps.listDeciding([own.id, heir.id, 'no such document'])
    const stored = async ({ id }: Document) => (await store.reader.documents.find(id))?.acpId
    assert.deepEqual(
      [...deciding].toSorted(),
      [
        [own.id, await stored(own)],
        [heir.id, await stored(heir)],
      ].toSorted(),
    )
    assert.notEqual(deciding.get(own.id), deciding.get(heir.id))
    assert.equal((await store.reader.acps.listDeciding([])).size, 0)
  })

  test('get one id when many ask at once from several processes', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()] as const
    const intern = (index: number) =>
      (stores[index % 2] as Store).transact((tx) => tx.acps.intern([grant(`user${index % 5}`, 'Read')]))
    const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => intern(index)))
    for (let user = 0; user < 5; user += 1) {
      assert.equal(new Set(ids.filter((_, index) => index % 5 === user)).size, 1)
    }
    assert.equal((await stores[0].reader.acps.listAfter(0)).length, 5)
  })

  test('become visible in the order of their ids', async () => {
    const database = await engine.createDatabase()
    const [store, watcher] = [await database.open(), await database.open()]
    const interning = Promise.all(
      Array.from({ length: 20 }, (_, index) => store.transact((tx) => tx.acps.intern([grant(`u${index}`, 'Read')]))),
    )
    const seen: number[] = []
    while (seen.length < 20) {
      for (const { id } of await watcher.reader.acps.listAfter(seen.at(-1) ?? 0)) seen.push(id)
      await nextRound()
    }
    await interning
    assert.deepEqual(
      seen,
      seen.toSorted((left, right) => left - right),
    )
    assert.equal((await watcher.reader.acps.listAfter(0)).length, 20)
  })
})

onEachEngine('changing the rights on a document', (engine) => {
  test('reaches everything below, past nothing that blocks, and the versions', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    const a = aStoredChild(root, 'a')
    const b = aStoredChild(a, 'b')
    const blocked = aStoredChild(a, 'blocked')
    const inBlocked = aStoredChild(blocked, 'in')
    const sibling = aStoredChild(root, 'a-b')
    const version = aStoredVersion(b)
    await insertAll(store, a, b, blocked, inBlocked, sibling, version, aStoredProxy(a, 'proxy', b))
    await replaceAcls(store, blocked, local(grant('carol', 'Read'), block))
    await replaceAcls(store, a, local(grant('alice', 'Write')))
    assert.deepEqual(await names(store, '/a'), ['alice', 'members'])
    assert.deepEqual(await names(store, '/a/b'), ['alice', 'members'])
    assert.deepEqual(await names(store, '/a/proxy'), ['alice', 'members'])
    assert.deepEqual(await names(store, '/a/blocked/in'), ['carol', 'Everyone'])
    assert.deepEqual(await names(store, '/a-b'), ['members'])
    const versionNow = await store.reader.documents.find(version.id)
    assert.equal(versionNow?.acpId, (await store.reader.documents.findByPath('/a/b'))?.acpId)
    assert.deepEqual((await store.reader.documents.findByPath('/a'))?.acls, local(grant('alice', 'Write')))
  })

  test('can leave no rights on the versions of what is gone', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    const [gone, kept] = [aStoredVersion(aStoredChild(root, 'gone')), aStoredVersion(aStoredChild(root, 'kept'))]
    await insertAll(store, gone, kept)
    await store.transact((tx) => tx.acps.clearVersions([gone.seriesId as string]))
    const [goneNow, keptNow] = await store.reader.documents.findAll([gone.id, kept.id])
    assert.deepEqual((await store.reader.acps.find(goneNow?.acpId as number))?.aces, [])
    assert.equal(keptNow?.acpId, root.acpId)
  })

  test('takes them away again when its own ACLs become empty', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    const a = aStoredChild(root, 'a')
    await insertAll(store, a, aStoredChild(a, 'b'))
    await replaceAcls(store, a, local(grant('alice', 'Read')))
    await replaceAcls(store, a, [])
    assert.deepEqual(await names(store, '/a/b'), ['members'])
    assert.deepEqual((await store.reader.documents.findByPath('/a'))?.acls, [])
  })

  test('concerns a document without a place and its versions alone', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    const placeless = { ...aStoredChild(root, 'placeless'), parentId: null, path: null }
    await insertAll(store, placeless)
    await replaceAcls(store, placeless, local(grant('alice', 'Read')))
    const found = await store.reader.documents.find(placeless.id)
    assert.deepEqual(
      (await store.reader.acps.find(found?.acpId as number))?.aces.map(({ username }) => username),
      ['alice'],
    )
    assert.deepEqual(await names(store, '/'), ['members'])
  })

  test('gives every document what walking up from it would', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    await fc.assert(
      fc.asyncProperty(aTree, aChanges, async (tree, changes) => {
        const documents = growTree(root, tree)
        const acls = new Map<string, Acl[]>()
        await store.transact(async (tx) => {
          await tx.documents.removeSubtree(root)
          await tx.documents.insertMany(documents)
          for (const change of changes) {
            const document = documents[change.at % documents.length] as Document
            await tx.acps.replaceAcls(document, change.acls)
            acls.set(document.path as string, change.acls)
          }
        })
        for (const document of documents) {
          const expected = walkUp(document.path as string, acls, [grant('members', 'Read')])
          assert.deepEqual(await acesAt(store, document.path as string), expected)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('is not missed by documents created below at the same time', async () => {
    const database = await engine.createDatabase()
    const [creating, changing] = [await database.open(), await database.open()]
    const root = await insertRoot(creating, [grant('members', 'Read')])
    const folder = aStoredChild(root, 'folder')
    await insertAll(creating, folder)
    const create = (index: number) =>
      creating.transact(async (tx) => {
        const parent = (await tx.documents.findForShare((await tx.documents.find(folder.id)) as Document)) as Document
        return tx.documents.insert(aStoredChild(parent, `n${index}`))
      })
    const created = Array.from({ length: 20 }, (_, index) => create(index))
    const changed = replaceAcls(changing, root, local(grant('alice', 'Read'), block))
    await Promise.all([...created, changed])
    for (let index = 0; index < 20; index += 1)
      assert.deepEqual(await names(creating, `/folder/n${index}`), ['alice', 'Everyone'])
  })

  test('on 5,000 descendants takes a few statements', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    await insertAll(store, ...Array.from({ length: 5_000 }, (_, index) => aStoredChild(root, `n${index}`)))
    const started = performance.now()
    await replaceAcls(store, root, local(grant('alice', 'Read')))
    assert.ok(performance.now() - started < 3_000)
    assert.deepEqual(await names(store, '/n4999'), ['alice'])
  })
})

async function replaceAcls(store: Store, { id }: Document, acls: readonly Acl[]): Promise<void> {
  await store.transact(async (tx) => {
    const document = (await tx.documents.findForUpdate(id)) as Document
    await tx.acps.replaceAcls(document, acls)
  })
}

async function acesAt(store: Store, path: string): Promise<readonly Ace[] | undefined> {
  const document = await store.reader.documents.findByPath(path)
  return (await store.reader.acps.find(document?.acpId as number))?.aces
}

async function names(store: Store, path: string): Promise<readonly string[] | undefined> {
  return (await acesAt(store, path))?.map(({ username }) => username)
}

/** The contract's way: the document's own entries, then its parent's, and so on. The first time the root's are given. */
function walkUp(path: string, acls: ReadonlyMap<string, Acl[]>, atRoot: readonly Ace[]): readonly Ace[] {
  if (path === '/') return acls.has('/') ? effectiveAces(acls.get('/') ?? [], []) : atRoot
  const parent = path.slice(0, path.lastIndexOf('/')) || '/'
  return effectiveAces(acls.get(path) ?? [], walkUp(parent, acls, atRoot))
}

// A tree as the parent of each node, by index into those before; names that sort around the slash.
const aTree = fc.array(fc.tuple(fc.nat(), fc.constantFrom('a', 'a-b', 'a.b', 'b', 'é', '😀', '_', '0')), {
  minLength: 1,
  maxLength: 14,
})
const anAcl = fc
  .subarray([grant('alice', 'Read'), grant('bob', 'Write'), block], { minLength: 0 })
  .map((aces): Acl[] => (aces.length === 0 ? [] : [{ name: 'local', aces }]))
const aChanges = fc.array(fc.record({ at: fc.nat(), acls: anAcl }), { minLength: 1, maxLength: 6 })

function growTree(root: Document, tree: readonly (readonly [number, string])[]): Document[] {
  const documents = [root]
  const paths = new Set<string>()
  for (const [at, name] of tree) {
    const child = aStoredChild(documents[at % documents.length] as Document, name)
    if (paths.has(child.path as string)) continue
    paths.add(child.path as string)
    documents.push(child)
  }
  return documents
}
