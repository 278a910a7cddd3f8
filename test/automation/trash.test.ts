import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('2.2 trash', (server) => {
  const bench = operationBenchOn(server)
  const file = async (parent?: string) => bench.make('File', {}, parent === undefined ? {} : { parent })
  const makeTree = async () => {
    const folder = await bench.make('Folder')
    return { folder, leaf: await file(folder.path) }
  }
  const trash = (input: unknown) => bench.run('Document.Trash', input, {}, { as: 'writer' })
  const isTrashed = async (uid: string) => (await bench.read(uid)).isTrashed

  describe('Document.Trash', () => {
    test('puts the document and all below it into the trash and frees its name', async () => {
      const { folder, leaf } = await makeTree()
      const trashed = await trash(folder.uid)
      assert.deepEqual([trashed.uid, trashed.isTrashed, trashed.state], [folder.uid, true, 'project'])
      assert.match(trashed.path, new RegExp(`^${RegExp.escape(folder.path)}\\._\\d{13,}_\\.trashed$`))
      assert.equal(await isTrashed(leaf.uid), true)
      assert.equal((await bench.make('Folder', {}, { name: folder.path.split('/').at(-1) })).path, folder.path)
    })
    test('of what is there already changes nothing', async () => {
      const { uid } = await file()
      const { path } = await trash(uid)
      assert.equal((await trash(uid)).path, path)
    })
    test('removes a proxy for good and gives nothing', async () => {
      const { uid } = await file()
      const proxy = await bench.createProxy(bench.shared.uid, uid)
      const answer = await bench.call('Document.Trash', proxy, {}, { as: 'writer' })
      assert.deepEqual([answer.status, await bench.exists(proxy), await isTrashed(uid)], [204, false, false])
    })
    test('of several gives those that still exist', async () => {
      const [{ uid: one }, { folder, leaf }] = [await file(), await makeTree()]
      const proxy = await bench.createProxy(bench.shared.uid, one)
      assert.deepEqual(uidsOf(await trash([proxy, leaf.uid, one, folder.uid])), [leaf.uid, one, folder.uid])
      for (const uid of [leaf.uid, one, folder.uid]) assert.equal(await isTrashed(uid), true)
      assert.equal((await bench.row(leaf.uid)).name, leaf.path.split('/').at(-1))
    })
    test('of several trashes none when one is refused', async () => {
      const [free, held] = [await file(), await file()]
      await bench.run('Document.Hold', held.uid)
      assert.equal((await bench.call('Document.Trash', [free.uid, held.uid])).status, 409)
      assert.equal(await isTrashed(free.uid), false)
    })
    refusalsOf(bench, 'Document.Trash', {
      'to who can only read': async () => ({
        as: 'reader',
        input: (await file()).uid,
        status: 403,
        message: privilegeMissing('Remove', 'reader'),
      }),
      'to who cannot take anything out of the folder': async () => {
        const { folder, leaf } = await makeTree()
        await bench.setAcls(leaf.uid, [{ name: 'local', aces: [grant('writer', 'ReadWrite')] }])
        await bench.restrict(folder.uid, grant('writer', 'Read'))
        return { as: 'writer', input: leaf.uid, status: 403, message: privilegeMissing('RemoveChildren', 'writer') }
      },
      'to who does not hold the lock': async () => {
        const { uid } = await file()
        await bench.run('Document.Lock', uid, {}, { as: 'owner' })
        return { as: 'writer', input: uid, status: 403, message: privilegeMissing('Remove', 'writer') }
      },
      'for what is held': async () => {
        const { uid } = await file()
        await bench.run('Document.Hold', uid)
        return { input: uid, status: 409, message: `Cannot remove ${uid}, it is under retention / hold` }
      },
      'for what has something held below it': async () => {
        const { folder, leaf } = await makeTree()
        await bench.run('Document.Hold', leaf.uid)
        const message = `Cannot remove ${folder.uid}, subdocument ${leaf.uid} is under retention / hold`
        return { input: folder.uid, status: 409, message }
      },
      'for an unknown document': { input: unknownId, status: 404, message: unknownId },
    })
  })

  describe('Document.Untrash', () => {
    const untrash = (input: unknown) => bench.run('Document.Untrash', input, {}, { as: 'writer' })
    test('takes the document and all below it out of the trash, under its name', async () => {
      const { folder, leaf } = await makeTree()
      await trash(folder.uid)
      const back = await untrash(folder.uid)
      assert.deepEqual([back.uid, back.isTrashed, back.path], [folder.uid, false, folder.path])
      assert.equal(await isTrashed(leaf.uid), false)
    })
    test('brings the folders it is in along, without what else is in them', async () => {
      const { folder, leaf } = await makeTree()
      const other = await file(folder.path)
      await trash(folder.uid)
      const back = await untrash(leaf.uid)
      assert.equal(back.path, leaf.path)
      assert.deepEqual([await isTrashed(folder.uid), await isTrashed(other.uid)], [false, true])
    })
    test('under a name that was taken meanwhile adds a number to it', async () => {
      const gone = await file()
      await trash(gone.uid)
      await bench.make('File', {}, { name: gone.path.split('/').at(-1) })
      assert.match((await untrash(gone.uid)).path, new RegExp(`^${RegExp.escape(gone.path)}\\.\\d{13}$`))
    })
    test('takes lists, in their order', async () => {
      const [one, other] = [await file(), await file()]
      await trash([one.uid, other.uid])
      assert.deepEqual(uidsOf(await untrash([other.uid, one.uid])), [other.uid, one.uid])
      assert.deepEqual(uidsOf(await untrash('docs:')), [])
    })
    const message = 'Cannot untrash these documents'
    refusalsOf(bench, 'Document.Untrash', {
      'to who can only read': async () => {
        const { uid } = await file()
        await trash(uid)
        return { as: 'reader', input: uid, status: 403, message }
      },
      'to who does not hold the lock': async () => {
        const { uid } = await file()
        await trash(uid)
        await bench.run('Document.Lock', uid, {}, { as: 'owner' })
        return { as: 'writer', input: uid, status: 403, message }
      },
      'for what is not in the trash': async () => ({ input: (await file()).uid, status: 403, message }),
      'for a list of which one is not in the trash': async () => {
        const [one, other] = [await file(), await file()]
        await trash(one.uid)
        return { input: [one.uid, other.uid], status: 403, message }
      },
      'for an unknown document': { input: unknownId, status: 404, message: unknownId },
    })
  })

  describe('Document.EmptyTrash', () => {
    const empty = async (parent: string, as: 'owner' | 'writer' | 'reader' = 'writer') => {
      const answer = await bench.call('Document.EmptyTrash', undefined, { parent }, { as })
      assert.deepEqual([answer.status, answer.text], [204, ''])
    }
    test('removes what is in the trash of the folder, each with all below it, and nothing else', async () => {
      const { folder, leaf: kept } = await makeTree()
      const [gone, inner] = [await file(folder.path), await bench.make('Folder', {}, { parent: folder.path })]
      const [below, elsewhere] = [await file(inner.path), await file()]
      await trash([gone.uid, inner.uid, elsewhere.uid])
      await empty(folder.path)
      for (const { uid } of [gone, inner, below]) assert.equal(await bench.exists(uid), false)
      for (const { uid } of [folder, kept, elsewhere]) assert.equal(await bench.exists(uid), true)
    })
    test('is done for each of many who empty it at the same time', async () => {
      const { folder } = await makeTree()
      const gone = await Promise.all(Array.from({ length: 6 }, () => file(folder.path)))
      await trash(gone.map(({ uid }) => uid))
      await Promise.all(Array.from({ length: 6 }, () => empty(folder.uid)))
      for (const { uid } of gone) assert.equal(await bench.exists(uid), false)
    })
    test('leaves what somebody takes out of the trash at the same time', async () => {
      const { folder } = await makeTree()
      const files = await Promise.all(Array.from({ length: 6 }, () => file(folder.path)))
      await trash(files.map(({ uid }) => uid))
      const takeOut = ({ uid }: { uid: string }) => bench.call('Document.Untrash', uid, {}, { as: 'writer' })
      const [answers] = await Promise.all([Promise.all(files.map(takeOut)), empty(folder.uid)])
      for (const [index, { status }] of answers.entries()) assert.equal(await bench.exists(files[index]?.uid), status === 200)
    })
    test('leaves what is deeper in folders that are not in the trash', async () => {
      const { folder } = await makeTree()
      const inner = await bench.make('Folder', {}, { parent: folder.path })
      const deeper = await file(inner.path)
      await trash(deeper.uid)
      await empty(folder.uid)
      assert.equal(await bench.exists(deeper.uid), true)
    })
    test('leaves what the caller may not remove, or somebody else has locked', async () => {
      const { folder } = await makeTree()
      const [guarded, locked] = [await file(folder.path), await file(folder.path)]
      await trash([guarded.uid, locked.uid])
      await bench.restrict(guarded.uid, grant('writer', 'Read'))
      await bench.run('Document.Lock', locked.uid, {}, { as: 'owner' })
      await empty(folder.uid)
      assert.deepEqual([await bench.exists(guarded.uid), await bench.exists(locked.uid)], [true, true])
      await empty(folder.uid, 'owner')
      assert.deepEqual([await bench.exists(guarded.uid), await bench.exists(locked.uid)], [true, false])
    })
    test('does nothing for who can only read', async () => {
      const { folder, leaf } = await makeTree()
      await trash(leaf.uid)
      await empty(folder.uid, 'reader')
      assert.equal(await bench.exists(leaf.uid), true)
    })
    test('passes its input on', async () => {
      const { folder } = await makeTree()
      const { uid } = await file()
      assert.equal((await bench.run('Document.EmptyTrash', `doc:${uid}`, { parent: folder.uid })).uid, uid)
    })
    refusalsOf(bench, 'Document.EmptyTrash', {
      'without a folder': { status: 400, message: /Failed to inject parameter 'parent'/ },
      'for what is no folder': async () => {
        const { uid } = await file()
        const message = `${uid} is a File, which is not Folderish and has no trash to empty`
        return { params: { parent: uid }, status: 400, message }
      },
      'for an unknown folder': { params: { parent: unknownId }, status: 404, message: unknownId },
      'to a stranger': () => ({
        as: 'stranger',
        params: { parent: bench.shared.uid },
        status: 403,
        message: privilegeMissing('Read', 'stranger'),
      }),
    })
    test('removes nothing for good that a hold keeps', async () => {
      const { folder, leaf } = await makeTree()
      await trash(leaf.uid)
      await bench.run('Document.Hold', leaf.uid)
      await empty(folder.uid)
      assert.equal(await bench.exists(leaf.uid), true)
      assertRefused(await bench.call('Document.Delete', leaf.uid), 409, /under retention \/ hold$/)
    })
  })
})
