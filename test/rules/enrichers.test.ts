import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { unpublishDocument } from '../../src/core/documents/proxies/unpublish-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer('what is told beside a document', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('bob', ['members']))
  const create = (type: string, parent?: Answered) => bench.create(type, {}, parent && { parent: parent.path })
  const act = <Result>(body: (session: WriteSession) => Promise<Result>) => server.inSession('Administrator', body)
  const ask = async (name: string, uid: string, user = 'Administrator') => {
    const answer = await server.as(user).get(`/id/${uid}`, { 'enrichers-document': name })
    return requireStatus(200, answer).contextParameters[name]
  }
  const pathsIn = (list: Answered) => list.entries.map(({ path }: Answered) => path)

  describe('8.1 hasContent and hasFolderishChild', () => {
    test('do not count what is in the trash, and count it again when it comes back', async () => {
      const folder = await create('Folder')
      const child = await create('Folder', folder)
      const both = async () => [await ask('hasContent', folder.uid), await ask('hasFolderishChild', folder.uid)]
      assert.deepEqual(await both(), [true, true])
      await act((session) => trashDocument(session, child.uid))
      assert.deepEqual(await both(), [false, false])
      await act((session) => untrashDocument(session, child.uid))
      assert.deepEqual(await both(), [true, true])
    })
    test('count a proxy as what it shows', async () => {
      const [folder, file, shown] = [await create('Folder'), await create('File'), await create('Folder')]
      await act((session) => createProxy(session, file.uid, folder.uid))
      assert.deepEqual([await ask('hasContent', folder.uid), await ask('hasFolderishChild', folder.uid)], [true, false])
      await act((session) => createProxy(session, shown.uid, folder.uid))
      assert.equal(await ask('hasFolderishChild', folder.uid), true)
    })
  })

  test('8.1 children lists what is in the trash too, under its new name', async () => {
    const folder = await create('Folder')
    const [kept, trashed] = [await create('File', folder), await create('File', folder)]
    await act((session) => trashDocument(session, trashed.uid))
    const { entries } = await ask('children', folder.uid)
    assert.deepEqual(new Set(entries.map(({ uid }: Answered) => uid)), new Set([kept.uid, trashed.uid]))
    const shown = entries.find(({ uid }: Answered) => uid === trashed.uid)
    assert.equal(shown.isTrashed, true)
    assert.match(shown.path, /\._\d{13,}_\.trashed$/)
  })

  describe('8.1 breadcrumb and firstAccessibleAncestor', () => {
    test('follow a move at once, also below what was moved', async () => {
      const [from, to] = [await create('Folder'), await create('Folder')]
      const moved = await create('Folder', from)
      const { uid } = await create('File', moved)
      await act((session) => moveDocument(session, moved.uid, { parentId: to.uid, name: 'moved' }))
      assert.deepEqual(pathsIn(await ask('breadcrumb', uid)).slice(2, 4), [to.path, `${to.path}/moved`])
      assert.equal((await ask('firstAccessibleAncestor', moved.uid)).uid, to.uid)
    })
    test('of a proxy are those of its own place', async () => {
      const [folder, { uid }] = [await create('Folder'), await create('File')]
      const proxy = await act((session) => createProxy(session, uid, folder.uid, 'shown'))
      assert.deepEqual(pathsIn(await ask('breadcrumb', proxy.id)).slice(-2), [folder.path, `${folder.path}/shown`])
      assert.equal((await ask('firstAccessibleAncestor', proxy.id)).uid, folder.uid)
    })
    test('pass over what the caller may no longer read', async () => {
      const folder = await create('Folder')
      const { uid } = await create('File', folder)
      await bench.restrict(folder.uid)
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
      assert.deepEqual(pathsIn(await ask('breadcrumb', uid, 'bob')).length, 1)
      assert.equal((await ask('firstAccessibleAncestor', uid, 'bob')).path, '/default-domain/workspaces')
    })
  })

  describe('8.1 permissions', () => {
    test('of a proxy are what its place and its target both give, and of a version those of its live document', async () => {
      const [folder, { uid }] = [await create('Folder'), await create('File')]
      const proxy = await act((session) => createProxy(session, uid, folder.uid))
      const version = await bench.update(uid, { 'dc:title': 'v' }, { 'X-Versioning-Option': 'MINOR' })
      const may = (permission: string) =>
        Promise.all([proxy.id, uid, version.uid].map(async (id) => (await ask('permissions', id, 'bob')).includes(permission)))
      const writers = [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }]
      await bench.setAcls(folder.uid, writers)
      assert.deepEqual(await may('WriteProperties'), [false, false, false])
      assert.deepEqual(await may('Remove'), [true, false, false])
      await bench.setAcls(uid, writers)
      assert.deepEqual(await may('WriteProperties'), [true, true, true])
      await bench.setAcls(folder.uid, [])
      assert.deepEqual(await may('WriteProperties'), [false, true, true])
    })
  })

  test('8.1 publications counts what was published, until it is taken back', async () => {
    const { uid } = await create('File')
    const section = await bench.create('Section', {}, { parent: '/default-domain/sections' })
    const count = async () => (await ask('publications', uid)).resultsCount
    assert.equal(await count(), 0)
    await act((session) => publishDocument(session, uid, section.uid))
    await act((session) => publishDocument(session, uid, section.uid))
    assert.equal(await count(), 1)
    await act((session) => unpublishDocument(session, uid))
    assert.equal(await count(), 0)
  })
})
