import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const reserved = ['SystemDocument', 'ForceAudit', 'Rendition', 'Task', 'RoutingTask', 'DocumentRoute']

onEachServer('3 a facet that steers the server', (server) => {
  const bench = workbenchOn(server)
  const call = (user: string, operation: string, input: string, params: object = {}) =>
    operationsOn(server, user)(operation, { input, params })
  let folder = ''
  before(async () => {
    await server.addUser('bob', ['members'])
    const { uid, path } = await bench.create('Folder')
    await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    folder = path
  })
  const createFile = async (): Promise<string> => (await bench.create('File', {}, { parent: folder })).uid
  const facetsOf = async (uid: string): Promise<readonly string[]> => (await bench.read(uid)).facets
  const auditOf = async (uid: string): Promise<readonly string[]> =>
    requireStatus(200, await server.as('Administrator').get(`/id/${uid}/@audit?pageSize=100`)).entries.map(
      ({ eventId }: { eventId: string }) => eventId,
    )

  describe('is neither added nor removed by who may only write the document:', () => {
    for (const facet of reserved) {
      test(facet, async () => {
        const uid = await createFile()
        assertRefused(await call('bob', 'Document.AddFacet', uid, { facet }), 403, new RegExp(`facet ${facet} .*'bob' is none`))
        assert.ok(!(await facetsOf(uid)).includes(facet))
        requireStatus(200, await call('Administrator', 'Document.AddFacet', uid, { facet }))
        assertRefused(await call('bob', 'Document.RemoveFacet', uid, { facet }), 403, /[Oo]nly administrators/)
        assert.ok((await facetsOf(uid)).includes(facet))
        requireStatus(200, await call('Administrator', 'Document.RemoveFacet', uid, { facet }))
      })
    }
    test('nor through a live proxy', async () => {
      const uid = await createFile()
      const proxy = await bench.createProxy((await bench.create('Folder', {}, { parent: folder })).uid, uid)
      assertRefused(await call('bob', 'Document.AddFacet', proxy, { facet: 'SystemDocument' }), 403, /Only administrators/)
      assert.ok(!(await facetsOf(uid)).includes('SystemDocument'))
    })
  })

  test('that the type gives can be asked for and changes nothing', async () => {
    const { uid } = await bench.create('ManagementRoot', {}, { parent: folder })
    requireStatus(200, await call('bob', 'Document.AddFacet', uid, { facet: 'SystemDocument' }))
    requireStatus(200, await call('bob', 'Document.RemoveFacet', uid, { facet: 'SystemDocument' }))
    assert.ok((await facetsOf(uid)).includes('SystemDocument'))
  })

  test('is left out of copies and versions, with what it brought, and stays when a version is restored', async () => {
    const uid = await createFile()
    requireStatus(200, await call('Administrator', 'Document.AddFacet', uid, { facet: 'SystemDocument' }))
    requireStatus(200, await call('Administrator', 'Document.AddFacet', uid, { facet: 'Rendition' }))
    await bench.update(uid, { 'rend:sourceId': 'another', 'dc:title': 'first' })
    const parent = requireStatus(200, await server.as('Administrator').get(`/path${folder}`)).uid
    const copy = requireStatus(200, await call('bob', 'Document.Copy', uid, { target: parent })).uid
    assert.deepEqual(
      (await facetsOf(copy)).filter((facet) => reserved.includes(facet)),
      [],
    )
    requireStatus(200, await call('bob', 'Document.AddFacet', copy, { facet: 'Thumbnail' }))
    assert.ok((await auditOf(copy)).includes('documentModified'))
    requireStatus(200, await call('Administrator', 'Document.AddFacet', copy, { facet: 'Rendition' }))
    assert.equal((await bench.readProperties(copy))['rend:sourceId'], null)

    requireStatus(200, await call('Administrator', 'Document.CheckIn', uid, { version: 'minor' }))
    const version = requireStatus(200, await call('Administrator', 'Document.GetLastVersion', uid))
    assert.ok(!version.facets.includes('SystemDocument'))
    await bench.update(uid, { 'dc:title': 'second' })
    requireStatus(200, await call('Administrator', 'Document.RestoreVersion', version.uid))
    const restored = await bench.read(uid, { properties: '*' })
    assert.deepEqual([restored.title, restored.properties['rend:sourceId']], ['first', 'another'])
    assert.ok(restored.facets.includes('SystemDocument'))
  })

  test('is audited when it is added, and nothing after it', async () => {
    const uid = await createFile()
    requireStatus(200, await call('Administrator', 'Document.AddFacet', uid, { facet: 'SystemDocument' }))
    assert.deepEqual((await auditOf(uid)).toSorted(), ['documentCreated', 'documentModified'])
    await bench.update(uid, { 'dc:title': 'x' })
    assert.deepEqual((await auditOf(uid)).toSorted(), ['documentCreated', 'documentModified'])
    requireStatus(200, await call('Administrator', 'Document.RemoveFacet', uid, { facet: 'SystemDocument' }))
    assert.equal((await auditOf(uid)).length, 3)
  })

  test('that nobody knows is refused when it is removed as when it is added', async () => {
    const uid = await createFile()
    for (const operation of ['Document.AddFacet', 'Document.RemoveFacet'])
      assertRefused(await call('bob', operation, uid, { facet: 'Immutable' }), 400, /No such facet: Immutable/)
  })
})
