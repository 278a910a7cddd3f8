import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, aStoredVersion, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { Document } from '../../../model/document.ts'
import { joinPath } from '../../../model/path-segment.ts'
import { type Ace, type Acl, deny, effectiveAces, grant } from '../../../model/rights/acl.ts'
import type { Store, Transaction } from '../../store.ts'

const block = deny('Everyone', 'Everything')
const local = (...aces: Ace[]): Acl[] => [{ name: 'local', aces }]

onEachEngine('what a document inherits after a move', (engine) => {
  test('is what the new parent has, for all below it and for their versions, down to where nothing is inherited', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    const [from, to] = [aStoredChild(root, 'from'), aStoredChild(root, 'to')]
    const top = aStoredChild(from, 'top')
    const [plain, own, blocked] = ['plain', 'own', 'blocked'].map((name) => aStoredChild(top, name)) as [
      Document,
      Document,
      Document,
    ]
    const inside = [plain, own, blocked].map((folder) => aStoredChild(folder, 'in'))
    const versions = [top, ...inside].map((live) => aStoredVersion(live))
    await insertAll(store, from, to, top, plain, own, blocked, ...inside, ...versions)
    await store.transact(async (tx) => {
      await tx.acps.replaceAcls(from, local(grant('fiona', 'Read')))
      await tx.acps.replaceAcls(to, local(grant('tom', 'Read')))
      await tx.acps.replaceAcls(own, local(grant('olga', 'Read')))
      await tx.acps.replaceAcls(blocked, local(grant('bert', 'Read'), block))
      await moveTo(tx, top.id, to.id, 'moved')
    })
    const expected = {
      '': 'tom members',
      '/plain/in': 'tom members',
      '/own/in': 'olga tom members',
      '/blocked/in': 'bert Everyone',
    }
    for (const [path, names] of Object.entries(expected)) assert.equal(await namesAt(store, `/to/moved${path}`), names)
    await assertVersionsFollow(store, versions)
    assert.equal(await namesAt(store, '/from'), 'fiona members')
  })

  test('needs nothing more to be replaced', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    const [to, top] = [aStoredChild(root, 'to'), aStoredChild(root, 'top')]
    await insertAll(store, to, top, aStoredChild(top, 'in'))
    await store.transact((tx) => tx.acps.replaceAcls(to, local(grant('tom', 'Read'))))
    await store.transact((tx) => moveTo(tx, top.id, to.id, 'top'))
    const moved = await store.reader.documents.listBelow('/', undefined, 10)
    await store.transact((tx) => tx.acps.replaceAcls(moved.find(({ id }) => id === top.id) as Document, top.acls))
    assert.deepEqual(await store.reader.documents.listBelow('/', undefined, 10), moved)
  })

  test('is right where one list has two successors and where lists are many', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read'), block])
    const [to, top] = [aStoredChild(root, 'to'), aStoredChild(root, 'top')]
    const users = Array.from({ length: 300 }, (_, index) => `user${index}`)
    const folders = users.map((user) => aStoredChild(top, user))
    // Its own entries are the ones it would inherit, so that it has the list of its parent, until that one moves.
    const alike = aStoredChild(top, 'alike')
    await insertAll(store, to, top, alike, ...folders, ...folders.map((folder) => aStoredChild(folder, 'in')))
    await store.transact(async (tx) => {
      await tx.acps.replaceAcls(to, local(grant('tom', 'Read')))
      for (const folder of folders) await tx.acps.replaceAcls(folder, local(grant(folder.name, 'Write')))
    })
    await store.transact((tx) => moveTo(tx, top.id, to.id, 'once'))
    assert.equal(await namesAt(store, '/to/once/user7/in'), 'user7 tom members Everyone')
    await store.transact(async (tx) => {
      await tx.acps.replaceAcls((await tx.documents.find(alike.id)) as Document, local(grant('members', 'Read'), block))
      await moveTo(tx, top.id, root.id, 'twice')
    })
    assert.equal((await store.reader.documents.find(alike.id))?.acpId, (await store.reader.documents.find(top.id))?.acpId)
    await store.transact((tx) => moveTo(tx, top.id, to.id, 'thrice'))
    assert.equal(await namesAt(store, '/to/thrice'), 'tom members Everyone')
    assert.equal(await namesAt(store, '/to/thrice/alike'), 'members Everyone')
    assert.equal(await namesAt(store, '/to/thrice/user299/in'), 'user299 tom members Everyone')
  })

  test('is what walking up gives, whatever is moved where', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store, [grant('members', 'Read')])
    await fc.assert(
      fc.asyncProperty(aTree, someMoves, async (tree, moves) => {
        const documents = growTree(root, tree)
        const versions = documents.slice(1).map((live) => aStoredVersion(live))
        const parents = new Map(documents.map(({ id, parentId }) => [id, parentId]))
        await store.transact(async (tx) => {
          for (const { id } of versions) await tx.documents.remove(id)
          await tx.documents.removeSubtree(root)
          await tx.documents.insertMany([...documents, ...versions])
          for (const [index, [, acls]] of tree.entries()) await tx.acps.replaceAcls(documents[index + 1] as Document, acls)
          for (const [which, where] of moves) {
            const [id, parentId] = [which, where].map((at) => documents[at % documents.length]?.id) as [string, string]
            if (id === root.id || ancestry(parents, parentId).includes(id)) continue
            await moveTo(tx, id, parentId, id)
            parents.set(id, parentId)
          }
        })
        const acls = new Map(tree.map(([, own], index) => [documents[index + 1]?.id as string, own]))
        for (const { id } of documents) {
          const expected = ancestry(parents, id).reduceRight<readonly Ace[]>(
            (inherited, each) => effectiveAces(acls.get(each) ?? [], inherited),
            [grant('members', 'Read')],
          )
          assert.deepEqual(await acesOf(store, id), expected)
        }
        await assertVersionsFollow(store, versions)
        await store.transact(async (tx) => {
          for (const { id } of versions) await tx.documents.remove(id)
        })
      }),
      { numRuns: 40 },
    )
  })
})

async function moveTo(tx: Transaction, id: string, parentId: string, name: string): Promise<void> {
  const [document, parent] = (await tx.documents.findAll([id, parentId])) as [Document, Document]
  const path = joinPath(parent.path as string, name)
  assert.equal(await tx.documents.move(document, { parentId, name, path, position: null }), true)
}

async function acesOf(store: Store, id: string): Promise<readonly Ace[] | undefined> {
  const document = await store.reader.documents.find(id)
  return (await store.reader.acps.find(document?.acpId as number))?.aces
}

async function namesAt(store: Store, path: string): Promise<string | undefined> {
  const document = await store.reader.documents.findByPath(path)
  return (await acesOf(store, document?.id as string))?.map(({ username }) => username).join(' ')
}

async function assertVersionsFollow(store: Store, versions: readonly Document[]): Promise<void> {
  for (const { id, seriesId } of versions) {
    const [version, live] = (await store.reader.documents.findAll([id, seriesId as string])) as [Document, Document]
    assert.equal(version.acpId, live.acpId, `a version of ${live.path}`)
  }
}

/** The document and all above it, the root last. */
function ancestry(parents: ReadonlyMap<string, string | null>, id: string): readonly string[] {
  const parentId = parents.get(id)
  return parentId == null ? [id] : [id, ...ancestry(parents, parentId)]
}

const someAcls = fc
  .subarray([grant('alice', 'Read'), grant('members', 'Read'), block])
  .map((aces): Acl[] => (aces.length === 0 ? [] : local(...aces)))
const aTree = fc.array(fc.tuple(fc.nat(), someAcls), { minLength: 3, maxLength: 12 })
const someMoves = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 6 })

function growTree(root: Document, tree: readonly (readonly [number, Acl[]])[]): Document[] {
  const documents = [root]
  for (const [index, [at]] of tree.entries()) {
    documents.push(aStoredChild(documents[at % documents.length] as Document, `n${index}`))
  }
  return documents
}
