import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel, minor, namesOf, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder()
const unknownId = '00000000-0000-4000-8000-000000000000'

onEachServer(
  'proxies',
  (server) => {
    const bench = versionBenchOn(server)
    before(async () => {
      for (const user of ['alice', 'bob']) await server.addUser(user)
    })
    const create = (source: string, folder: string, name?: string, user = 'Administrator') =>
      server.inSession(user, (session) => createProxy(session, source, folder, name))
    const createFolder = async () => (await bench.create('Folder')).uid as string
    async function createFile(name?: string) {
      const file = await bench.create('File', { 'dc:title': 'first' }, name === undefined ? {} : { name })
      return { uid: file.uid as string, path: file.path as string }
    }
    async function createVersioned() {
      const { uid } = await createFile()
      const { version } = await bench.checkIn(uid)
      return { uid, versionId: version.id }
    }
    const put = (uid: string, properties: object, others = {}, user = 'Administrator') =>
      server.as(user).put(`/id/${uid}`, changesTo({ ...properties }, others), inFull)

    describe('8.7 creating one', () => {
      test('8.7 of a live document shows that document, at a place of its own', async () => {
        const { uid } = await createFile('shown')
        const folder = await bench.create('Folder')
        const { id } = await create(uid, folder.uid)
        const proxy = await bench.read(id, inFull)
        assert.notEqual(id, uid)
        assert.deepEqual([proxy.path, proxy.parentRef], [`${folder.path}/shown`, folder.uid])
        assert.deepEqual([proxy.isProxy, proxy.isVersion, proxy.proxyTargetId, proxy.versionableId], [true, false, uid, uid])
        assert.deepEqual([proxy.type, proxy.state, proxy.title], ['File', 'project', 'first'])
        assert.ok(!proxy.facets.includes('Immutable'))
      })
      test('8.7 of a version is immutable and belongs to the series of the live document', async () => {
        const { uid, versionId } = await createVersioned()
        const { id } = await create(versionId, await createFolder())
        const proxy = await bench.read(id)
        assert.deepEqual([proxy.proxyTargetId, proxy.versionableId], [versionId, uid])
        assert.ok(proxy.facets.includes('Immutable'))
      })
      test('8.7 of a proxy shows what that proxy shows', async () => {
        const { uid, versionId } = await createVersioned()
        for (const target of [uid, versionId]) {
          const first = await create(target, await createFolder())
          const second = await bench.read((await create(first.id, await createFolder())).id)
          assert.deepEqual([second.proxyTargetId, second.versionableId], [target, uid])
        }
      })
      test('8.7 takes the name of its source, freed by the rule for copies', async () => {
        const { uid } = await createFile('named.123')
        const folder = await bench.create('Folder')
        const pathOf = async (id: string) => (await bench.read(id)).path
        assert.equal(await pathOf((await create(uid, folder.uid)).id), `${folder.path}/named.123`)
        assert.match(await pathOf((await create(uid, folder.uid)).id), new RegExp(`^${folder.path}/named\\.\\d{13}$`))
        assert.equal(await pathOf((await create(uid, folder.uid, 'given')).id), `${folder.path}/given`)
      })
      test('8.7 gets the last position in a folder that keeps an order', async () => {
        const { uid: folder, path } = await bench.create('OrderedFolder')
        await bench.create('File', {}, { parent: path })
        const { uid } = await createFile()
        assert.equal((await create(uid, folder)).position, 1)
      })
      test('8.7 needs Write on a live source and AddChildren on the folder', async () => {
        const { uid } = await createFile()
        const folder = await createFolder()
        await bench.restrict(uid, grant('bob', 'ReadWrite'))
        await bench.restrict(folder, grant('alice', 'AddChildren'))
        await assertRefusal(create(uid, folder, undefined, 'alice'), 403, privilegeMissing('Read', 'alice'))
        await assertRefusal(create(uid, folder, undefined, 'bob'), 403, privilegeMissing('AddChildren', 'bob'))
        await bench.restrict(uid, grant('alice', 'Read'))
        await assertRefusal(create(uid, folder, undefined, 'alice'), 403, privilegeMissing('Write', 'alice'))
        await bench.restrict(uid, grant('alice', 'ReadWrite'))
        assert.equal((await create(uid, folder, undefined, 'alice')).targetId, uid)
      })
      test('8.7 of or in what does not exist is 404, in a version 400', async () => {
        const { uid, versionId } = await createVersioned()
        await assertRefusal(create(unknownId, await createFolder()), 404, unknownId)
        await assertRefusal(create(uid, unknownId), 404, unknownId)
        await assertRefusal(create(uid, versionId), 400, /cannot have children/)
      })
      test('16 is told as a creation, with its destination', async () => {
        const { uid } = await createFile('told')
        const folder = await bench.create('Folder')
        const events = await recorder.eventsOf(() => create(uid, folder.uid))
        assert.deepEqual(namesOf(events), ['documentCreated'])
        const { document, properties } = readEvent(events, 'documentCreated')
        assert.deepEqual([document.isProxy, document.properties['dc:title']], [true, 'first'])
        assert.deepEqual(properties, {
          destinationRef: folder.uid,
          destinationPath: folder.path,
          destinationName: 'told',
          destinationExists: false,
        })
      })
    })

    describe('8.7 reading one', () => {
      test('8.7 gives type, properties, facets and state of the target as they are', async () => {
        const { uid } = await createFile()
        const { id } = await create(uid, await createFolder())
        await bench.change(uid, { state: 'approved', facets: ['Thumbnail'] })
        await bench.retitle(uid, 'now')
        const [proxy, target] = [await bench.read(id, inFull), await bench.read(uid, inFull)]
        assert.deepEqual([proxy.state, proxy.title, proxy.facets], [target.state, 'now', target.facets])
        assert.deepEqual(proxy.lastModified, target.lastModified)
      })
      test('8.7 reports the target’s isCheckedOut, label and latest flags', async () => {
        const { uid, versionId } = await createVersioned()
        const folder = await createFolder()
        const [live, frozen] = [await create(uid, folder), await create(versionId, folder)]
        assert.deepEqual([(await bench.read(live.id)).isCheckedOut, frozen.isLatestVersion], [false, true])
        await bench.retitle(uid, 'opened', minor)
        await bench.retitle(uid, 'opened again')
        assert.equal((await bench.read(live.id)).isCheckedOut, true)
        const shown = await bench.read(frozen.id, fetchLabel)
        assert.deepEqual([shown.isCheckedOut, shown.versionLabel, shown.title], [false, '0.1', 'first'])
        const again = await create(frozen.id, folder)
        assert.equal(again.isLatestVersion, false)
      })
      test('8.7 is decided at the place of the proxy, which its rights come from', async () => {
        const { uid } = await createFile()
        const [open, shut] = [await createFolder(), await createFolder()]
        await bench.restrict(uid)
        await bench.restrict(open, grant('alice', 'Read'))
        await bench.restrict(shut)
        const { id } = await create(uid, open)
        requireStatus(403, await server.as('alice').get(`/id/${uid}`))
        assert.equal(requireStatus(200, await server.as('alice').get(`/id/${id}`)).title, 'first')
        await server.inSession('Administrator', (session) => moveDocument(session, id, { parentId: shut }))
        requireStatus(403, await server.as('alice').get(`/id/${id}`))
      })
    })

    describe('8.7 writing through a live one', () => {
      test('6.1 changes the target, by the rights at the proxy and there', async () => {
        const { uid } = await createFile()
        const folder = await createFolder()
        const { id } = await create(uid, folder)
        await bench.restrict(uid, grant('alice', 'WriteProperties'), grant('bob', 'Everything'))
        await bench.restrict(folder, grant('alice', 'Read'), grant('alice', 'WriteProperties'), grant('bob', 'Read'))
        assertRefused(await put(id, { 'dc:title': 'no' }, {}, 'bob'), 403, privilegeMissing('WriteProperties', 'bob'))
        const saved = requireStatus(200, await put(id, { 'dc:title': 'hers' }, {}, 'alice'))
        assert.deepEqual([saved.uid, saved.isProxy, saved.title], [id, true, 'hers'])
        const target = await bench.read(uid, inFull)
        assert.deepEqual([target.title, target.properties['dc:lastContributor']], ['hers', 'alice'])
      })
      test('6.1 keeps to the policies and options of the target', async () => {
        const { uid } = await bench.create('Note')
        const { id } = await create(uid, await createFolder())
        requireStatus(200, await put(id, { 'dc:title': 'x' }))
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      })
      test('10 is no way around the lock of the target', async () => {
        const { uid } = await createFile()
        const folder = await createFolder()
        const { id } = await create(uid, folder)
        await bench.restrict(folder, grant('alice', 'ReadWrite'))
        await server.inSession('Administrator', (session) => lockDocument(session, uid))
        assert.equal((await bench.read(id, inFull)).lockOwner, 'Administrator')
        assertRefused(await put(id, { 'dc:title': 'no' }, {}, 'alice'), 403, privilegeMissing('WriteProperties', 'alice'))
      })
    })

    describe('8.7 writing to one of a version', () => {
      test('6.1 is refused as on the version', async () => {
        const { versionId } = await createVersioned()
        const { id } = await create(versionId, await createFolder())
        assertRefused(await put(id, { 'dc:title': 'no' }), 400, 'Cannot set property on a version: dc:title')
        requireStatus(200, await put(id, { 'dc:title': 'first' }))
      })
      test('6.1 says of the publication when it was issued, and leaves the version as it is', async () => {
        const { versionId } = await createVersioned()
        const { id } = await create(versionId, await createFolder())
        const issued = '2030-01-01T00:00:00.000Z'
        assert.equal(requireStatus(200, await put(id, { 'dc:issued': issued })).properties['dc:issued'], issued)
        assert.equal((await bench.readProperties(versionId))['dc:issued'], null)
      })
    })

    describe('3 the schemas a proxy keeps itself', () => {
      const own = {
        'collectionMember:collectionIds': ['c1', 'c2'],
        'notif:notifications': [{ name: 'Modification', subscribers: ['alice'] }],
      }
      const targets = [
        ['a live document', async () => (await createVersioned()).uid],
        ['a version', async () => (await createVersioned()).versionId],
      ] as const
      for (const [what, createTarget] of targets) {
        test(`3 are written on the proxy to ${what}, and not on its target`, async () => {
          const target = await createTarget()
          const { id } = await create(target, await createFolder())
          const before = await bench.read(target, inFull)
          const saved = requireStatus(200, await put(id, own))
          for (const [name, value] of Object.entries(own)) assert.deepEqual(saved.properties[name], value)
          assert.deepEqual(await bench.read(id, inFull), saved)
          assert.deepEqual(await bench.read(target, inFull), before)
          assert.equal(saved.changeToken, `1-0/${before.changeToken}`)
          requireStatus(200, await put(id, { 'collectionMember:collectionIds': [] }))
          assert.deepEqual((await bench.readProperties(id))['collectionMember:collectionIds'], [])
        })
      }
      test('3 are the proxy’s own even where the target has values of them', async () => {
        const { uid } = await createFile()
        await bench.change(uid, { facets: ['CollectionMember'] })
        await bench.update(uid, { 'collectionMember:collectionIds': ['of the target'] })
        const { id } = await create(uid, await createFolder())
        assert.deepEqual((await bench.readProperties(id))['collectionMember:collectionIds'], [])
        await put(id, own)
        assert.deepEqual((await bench.readProperties(uid))['collectionMember:collectionIds'], ['of the target'])
      })
      test('3 are written beside a change of the target', async () => {
        const { uid } = await createFile()
        const { id } = await create(uid, await createFolder())
        const saved = requireStatus(200, await put(id, { ...own, 'dc:title': 'both' }))
        assert.deepEqual([saved.title, saved.properties['collectionMember:collectionIds']], ['both', ['c1', 'c2']])
        assert.equal((await bench.read(uid)).title, 'both')
      })
      test('3 survive when the target changes, and need WriteProperties at the proxy', async () => {
        const { uid } = await createFile()
        const folder = await createFolder()
        const { id } = await create(uid, folder)
        await bench.restrict(folder, grant('bob', 'Read'))
        assertRefused(await put(id, own, {}, 'bob'), 403, privilegeMissing('WriteProperties', 'bob'))
        requireStatus(200, await put(id, own))
        await bench.retitle(uid, 'changed')
        assert.deepEqual((await bench.readProperties(id))['collectionMember:collectionIds'], ['c1', 'c2'])
      })
      test('16 are told of as a change of the proxy', async () => {
        const { versionId } = await createVersioned()
        const { id } = await create(versionId, await createFolder())
        const events = await recorder.eventsOf(() => put(id, own))
        assert.deepEqual(namesOf(events), ['beforeDocumentModification', 'documentModified'])
        for (const event of events) if (event.name !== 'sessionSaved') assert.equal(event.document.id, id)
        assert.deepEqual(namesOf(await recorder.eventsOf(() => put(id, own))), ['beforeDocumentModification', 'documentModified'])
      })
      test('3 can be sent back with the whole answer', async () => {
        const { versionId } = await createVersioned()
        const { id } = await create(versionId, await createFolder())
        requireStatus(200, await put(id, own))
        const entity = await bench.read(id, inFull)
        assert.deepEqual(requireStatus(200, await server.as('Administrator').put(`/id/${id}`, entity, inFull)), entity)
      })
    })

    describe('15 the change token of a proxy', () => {
      test('15 is its own and the target’s, and either half outdated is a conflict', async () => {
        const { uid } = await createFile()
        const { id } = await create(uid, await createFolder())
        const token = (await bench.read(id)).changeToken
        assert.equal(token, `0-0/${(await bench.read(uid)).changeToken}`)
        for (const changeToken of ['0-1/0-0', '0-0/0-1', '0-0', '/', 'x/y', '0-0/0-0/0-0']) {
          assertRefused(await put(id, { 'dc:title': 'no' }, { uid: id, changeToken }), 409, id)
        }
        assert.equal((await bench.read(uid)).title, 'first')
        const saved = requireStatus(200, await put(id, { 'dc:title': 'yes' }, { uid: id, changeToken: token }))
        assert.equal(saved.changeToken, '0-0/1-1')
      })
      test('15 is a conflict when the target was changed with a token since', async () => {
        const { uid } = await createFile()
        const { id } = await create(uid, await createFolder())
        const { changeToken } = await bench.read(id)
        requireStatus(200, await put(uid, { 'dc:title': 'meanwhile' }, { uid, changeToken: '0-0' }))
        assertRefused(await put(id, { 'dc:title': 'no' }, { uid: id, changeToken }), 409, id)
      })
      test('15 is a conflict when what the proxy keeps itself was changed with a token since', async () => {
        const { versionId } = await createVersioned()
        const { id } = await create(versionId, await createFolder())
        const { changeToken } = await bench.read(id)
        const join = (collection: string) => put(id, { 'collectionMember:collectionIds': [collection] }, { uid: id, changeToken })
        const saved = requireStatus(200, await join('c1'))
        assert.match(saved.changeToken, /^1-1\//)
        assertRefused(await join('c2'), 409, id)
      })
    })

    describe('8.7 removing what a proxy shows', () => {
      const remove = (uid: string) => server.as('Administrator').delete(`/id/${uid}`)
      test('8.7 is refused with 409 for the target of a live proxy elsewhere, and for a folder above it', async () => {
        const { uid: folder, path } = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: path, name: 'target' })
        const { id } = await create(uid, await createFolder())
        for (const [removed, place] of [
          [uid, `${path}/target`],
          [folder, path],
        ] as const) {
          const reason = `Cannot remove ${removed}, subdocument ${uid} is the target of proxy ${id}`
          assertRefused(await remove(removed), 409, `Failed to delete document ${place}, ${reason}`)
        }
        requireStatus(204, await remove(id))
        requireStatus(204, await remove(folder))
      })
      test('8.7 at the moment when the proxy is made lets one of both win: no proxy shows nothing', async () => {
        const folder = await createFolder()
        for (let round = 0; round < 10; round++) {
          const { uid } = await createFile()
          const [made, removed] = await Promise.allSettled([create(uid, folder), remove(uid)])
          const isRemoved = removed.status === 'fulfilled' && removed.value.status === 204
          assert.notEqual(made.status === 'fulfilled', isRemoved)
          if (made.status === 'fulfilled') assert.equal((await bench.read(made.value.id)).title, 'first')
        }
      })
      test('8.7 is allowed where the proxy is removed with it', async () => {
        const { uid: folder, path } = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: path })
        await create(uid, folder, 'beside')
        requireStatus(204, await remove(folder))
      })
      test('8.7 is refused with 403 for a version that a proxy targets', async () => {
        const { uid, versionId } = await createVersioned()
        await bench.retitle(uid, 'opened')
        await create(versionId, await createFolder())
        requireStatus(403, await remove(versionId))
      })
      test('8.7 removing the proxy leaves the target, and is told of the live document', async () => {
        const { uid, versionId } = await createVersioned()
        const { id } = await create(versionId, await createFolder())
        const events = await recorder.eventsOf(() => remove(id))
        assert.deepEqual(namesOf(events), ['aboutToRemove', 'proxyRemoved', 'documentRemoved'])
        assert.equal(readEvent(events, 'proxyRemoved').document.id, uid)
        requireStatus(200, await server.as('Administrator').get(`/id/${versionId}`))
      })
    })
  },
  { plugins: [recorder.plugin] },
)
