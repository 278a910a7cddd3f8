import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { unpublishDocument } from '../../src/core/documents/proxies/unpublish-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import type { WriteSession } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

onEachServer('what is below a proxy', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('bob', ['members']))
  const act = <Result>(body: (session: WriteSession) => Promise<Result>, user = 'Administrator') => server.inSession(user, body)
  const proxyIn = (folder: string, source: string) => act((session) => createProxy(session, source, folder))
  const createBelow = (path: string | null, type = 'File') => bench.create(type, {}, { parent: path ?? '' })
  const statusOf = async (uid: string) => (await server.as('Administrator').get(`/id/${uid}`)).status
  const placeOf = async (uid: string) => (await bench.read(uid)).path

  /** A folder, a proxy in it to another folder, and a file below the proxy. */
  async function createScene(): Promise<{ folder: Answered; shown: Answered; proxy: Document; file: Answered }> {
    const [folder, shown] = [await bench.create('Folder'), await bench.create('Folder')]
    const proxy = await proxyIn(folder.uid, shown.uid)
    return { folder, shown, proxy, file: await createBelow(proxy.path) }
  }

  describe('9 what a proxy shows', () => {
    test('may be moved below that proxy, and the proxy not below itself: 409', async () => {
      const { proxy, shown } = await createScene()
      const inner = await createBelow(shown.path)
      await act((session) => moveDocument(session, shown.uid, { parentId: proxy.id }))
      assert.ok((await placeOf(inner.uid)).startsWith(`${proxy.path}/`))
      await assertRefusal(
        act((session) => moveDocument(session, proxy.id, { parentId: shown.uid })),
        409,
        /^Cannot move a node under itself/,
      )
      await assertRefusal(
        act((session) => copyDocument(session, proxy.id, { parentId: shown.uid })),
        409,
        /^Cannot copy a node under itself/,
      )
    })
    test('8.1 is what the proxy is seen as on the way down to what is below it', async () => {
      const { proxy, file } = await createScene()
      const enrichers = { 'enrichers-document': 'breadcrumb,firstAccessibleAncestor' }
      const { breadcrumb, firstAccessibleAncestor } = (await bench.read(file.uid, enrichers)).contextParameters
      const { changeToken } = await bench.read(proxy.id)
      const entity = breadcrumb.entries.at(-2)
      assert.deepEqual([entity.uid, entity.isProxy, entity.changeToken], [proxy.id, true, changeToken])
      assert.equal(firstAccessibleAncestor.changeToken, changeToken)
    })
  })

  describe('7.8 when the folder of the proxy goes into the trash', () => {
    test('goes there too and comes back: the proxy stays for it', async () => {
      const { folder, proxy, file } = await createScene()
      await act((session) => trashDocument(session, folder.uid))
      assert.deepEqual([await statusOf(proxy.id), (await bench.read(file.uid)).isTrashed], [200, true])
      await act((session) => untrashDocument(session, folder.uid))
      assert.deepEqual([await placeOf(file.uid), (await bench.read(file.uid)).isTrashed], [file.path, false])
    })
    test('is removed where it is nothing but proxies', async () => {
      const [folder, shown] = [await bench.create('Folder'), await bench.create('Folder')]
      const outer = await proxyIn(folder.uid, shown.uid)
      const inner = await proxyIn(outer.id, shown.uid)
      await act((session) => trashDocument(session, folder.uid))
      assert.deepEqual(await Promise.all([outer.id, inner.id, folder.uid, shown.uid].map(statusOf)), [404, 404, 200, 200])
    })
  })

  test('7.5 is no obstacle to unpublishing: proxies of the same document may be below each other', async () => {
    const [folder, shown] = [await bench.create('Folder'), await bench.create('Folder')]
    const outer = await proxyIn(folder.uid, shown.uid)
    const inner = await proxyIn(outer.id, shown.uid)
    assert.equal(await act((session) => unpublishDocument(session, shown.uid)), 2)
    assert.deepEqual(await Promise.all([outer.id, inner.id].map(statusOf)), [404, 404])
  })

  test('8.7 is not removed by publishing anew without the right to remove it', async () => {
    const [section, file] = [await bench.create('Section'), await bench.create('File')]
    await bench.setAcls(section.uid, [{ name: 'local', aces: [grant('bob', 'AddChildren')] }])
    const publish = (user: string, override: boolean) =>
      act((session) => publishDocument(session, file.uid, section.uid, { override }), user)
    const [first] = [await publish('Administrator', false), await publish('Administrator', false)]
    const below = await createBelow(first.path)
    await assertRefusal(publish('bob', true), 403, privilegeMissing('Remove', 'bob'))
    assert.equal(await statusOf(below.uid), 200)
    await publish('Administrator', true)
    assert.deepEqual([await statusOf(below.uid), await statusOf(first.id)], [404, 404])
  })
})
