import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefusal } from '../support/refusal.ts'
import { aDocument, assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const withTemplates = ['Root', 'TaskRoot']
/** They bring the facet SystemDocument, by which nothing that happens to them is audited. */
const unaudited = [
  'ManagementRoot',
  'AdministrativeStatus',
  'AdministrativeStatusContainer',
  'DocumentRouteInstancesRoot',
  'DocumentRouteModelsRoot',
]
const foundByType = ['Favorites', 'Collections', 'UserProfile']
const reserved = [...withTemplates, ...unaudited, ...foundByType]

onEachServer('4 a type that is for the server itself', (server) => {
  const bench = workbenchOn(server)
  const call = (operation: string, input: string, params: object = {}) =>
    operationsOn(server, 'carol')(operation, { input, params })
  const isTheServers = (type: string) => new RegExp(`type ${type} are the server's own.* 'carol' is none`)
  let folder: Answered
  before(async () => {
    await server.addUser('carol')
    folder = await bench.create('Workspace')
    await bench.restrict(folder.uid, grant('carol', 'Everything'))
  })
  const childrenOf = (uid: string): Promise<readonly string[]> =>
    server.asSystem(async ({ tx }) => (await tx.documents.findAll(await tx.documents.listChildIds(uid))).map(({ name }) => name))

  describe('is made by administrators alone:', () => {
    for (const type of reserved) {
      test(type, async () => {
        const kept = await childrenOf(folder.uid)
        const sent = aDocument({ type, name: 'planted' })
        for (const address of [`/id/${folder.uid}`, `/path${folder.path}`])
          assertRefused(await server.as('carol').post(address, sent), 403, isTheServers(type))
        assertRefused(await call('Document.Create', folder.uid, { type, name: 'planted' }), 403, isTheServers(type))
        assert.deepEqual(await childrenOf(folder.uid), kept)
        requireStatus(201, await server.as('Administrator').post(`/id/${folder.uid}`, aDocument({ type })))
      })
    }
  })

  describe('is by nobody else brought to another place, whatever they may do with it:', () => {
    for (const type of reserved) {
      test(type, async () => {
        const { uid } = await bench.create(type, {}, { parent: folder.path })
        await bench.restrict(uid, grant('carol', 'Everything'))
        const other = await bench.create('Folder', {}, { parent: folder.path })
        for (const operation of ['Document.Copy', 'Document.Move'])
          assertRefused(await call(operation, uid, { target: other.uid, name: 'planted' }), 403, isTheServers(type))
        for (const show of [createProxy, publishDocument])
          await assertRefusal(
            server.inSession('carol', (session) => show(session, uid, other.uid)),
            403,
            isTheServers(type),
          )
        assert.deepEqual(await childrenOf(other.uid), [])
        requireStatus(200, await call('Document.Move', uid, { target: folder.uid, name: `renamed ${type}` }))
      })
    }
    test('a copied folder comes without what nobody audits', async () => {
      const source = await bench.create('Folder', {}, { parent: folder.path })
      const inside = await bench.create('ManagementRoot', {}, { parent: source.path })
      await bench.restrict(inside.uid, grant('carol', 'Everything'))
      await bench.create('Note', {}, { parent: inside.path })
      await bench.create('Note', {}, { parent: source.path, name: 'note' })
      const copied = (user: string) =>
        server.inSession(user, (session) => copyDocument(session, source.uid, { parentId: folder.uid }))
      assert.deepEqual(await childrenOf((await copied('carol')).id), ['note'])
      assert.equal((await childrenOf((await copied('Administrator')).id)).length, 2)
    })
  })
})
