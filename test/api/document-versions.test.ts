import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const minor = { 'X-Versioning-Option': 'MINOR' }
const major = { 'X-Versioning-Option': 'MAJOR' }
const fetchLabel = { 'fetch-document': 'versionLabel' }

onEachServer(
  'the entity of a version or proxy',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))

    /** A file, and the version made of it by saving with the option. */
    async function createVersioned(option = minor) {
      const file = await bench.create('File', { 'dc:title': 'first' })
      const version = await bench.update(file.uid, { 'dc:title': 'second' }, { ...option, ...fetchLabel })
      return { file, version }
    }

    test('shows a version as one of its live document, with an id of its own', async () => {
      const { file, version } = await createVersioned()
      assert.notEqual(version.uid, file.uid)
      assert.deepEqual(
        [version.isVersion, version.isProxy, version.isCheckedOut, version.versionableId, version.versionLabel],
        [true, false, false, file.uid, '0.1'],
      )
      assert.ok(!('proxyTargetId' in version))
      assert.ok(version.facets.includes('Immutable'))
      assert.deepEqual(await bench.read(version.uid, fetchLabel), version)
    })

    test('shows a version at the place of its live document', async () => {
      const { file, version } = await createVersioned()
      assert.deepEqual([version.path, version.parentRef], [file.path, file.parentRef])
    })

    test('shows a version nowhere once its live document is gone', async () => {
      const { file, version } = await createVersioned()
      const { uid: folder } = await bench.create('Folder')
      await bench.createProxy(folder, version.uid)
      requireStatus(204, await server.as('Administrator').delete(`/id/${file.uid}`))
      const { path, parentRef, versionableId } = await bench.read(version.uid)
      assert.deepEqual([path, parentRef, versionableId], [null, null, file.uid])
    })

    test('names target and series between isProxy and changeToken', async () => {
      const { version } = await createVersioned()
      const names = Object.keys(version)
      assert.deepEqual(names.slice(names.indexOf('isProxy'), names.indexOf('changeToken')), ['isProxy', 'versionableId'])
      const { uid: folder } = await bench.create('Folder')
      const proxy = Object.keys(await bench.read(await bench.createProxy(folder, version.uid)))
      assert.deepEqual(proxy.slice(proxy.indexOf('isProxy'), proxy.indexOf('changeToken')), [
        'isProxy',
        'proxyTargetId',
        'versionableId',
      ])
    })

    test('labels a live document by its numbers, with a + once it has changed since its version', async () => {
      const { uid } = await bench.create('File')
      const label = async () => (await bench.read(uid, fetchLabel)).versionLabel
      const isCheckedOut = async () => (await bench.read(uid)).isCheckedOut
      assert.deepEqual([await label(), await isCheckedOut()], ['0.0', true])
      await bench.update(uid, { 'dc:title': 'a' })
      assert.deepEqual([await label(), await isCheckedOut()], ['0.0', true])
      await bench.update(uid, { 'dc:title': 'b' }, minor)
      assert.deepEqual([await label(), await isCheckedOut()], ['0.1', false])
      await bench.update(uid, { 'dc:title': 'c' })
      assert.deepEqual([await label(), await isCheckedOut()], ['0.1+', true])
      await bench.update(uid, { 'dc:title': 'd' }, major)
      assert.deepEqual([await label(), await isCheckedOut()], ['1.0', false])
    })

    test('has an empty label where the type keeps no version numbers, and none where it is not fetched', async () => {
      const { uid } = await bench.create('Folder')
      assert.equal((await bench.read(uid, fetchLabel)).versionLabel, '')
      assert.ok(!('versionLabel' in (await bench.read(uid))))
      assert.equal((await bench.read(uid)).isCheckedOut, true)
    })

    test('answers a MAJOR save of a note labelled 0.1 with its version 1.0', async () => {
      const note = await bench.create('Note', {}, { headers: { 'X-NXfetch.document': 'versionLabel' } })
      assert.equal(note.versionLabel, '0.1')
      const saved = await bench.update(note.uid, { 'note:note': 'x' }, { ...major, 'X-NXfetch.document': 'versionLabel' })
      assert.deepEqual([saved.isVersion, saved.versionLabel, saved.versionableId], [true, '1.0', note.uid])
    })

    test('shows the properties of a version as they were', async () => {
      const { file, version } = await createVersioned()
      await bench.update(file.uid, { 'dc:title': 'third' })
      const properties = await bench.readProperties(version.uid)
      assert.equal(properties['dc:title'], 'second')
      assert.deepEqual([properties['uid:major_version'], properties['uid:minor_version']], [0, 1])
    })

    test('shows a proxy to a version at its own place, with what the version holds', async () => {
      const { file, version } = await createVersioned()
      const section = await bench.create('Folder')
      const proxy = await bench.read(await bench.createProxy(section.uid, version.uid, 'shown'), {
        properties: 'dublincore',
        ...fetchLabel,
      })
      assert.deepEqual([proxy.path, proxy.parentRef, proxy.type], [`${section.path}/shown`, section.uid, 'File'])
      assert.deepEqual([proxy.isProxy, proxy.isVersion, proxy.isCheckedOut], [true, false, false])
      assert.deepEqual([proxy.proxyTargetId, proxy.versionableId], [version.uid, file.uid])
      assert.deepEqual([proxy.title, proxy.properties['dc:title'], proxy.versionLabel], ['second', 'second', '0.1'])
      assert.ok(proxy.facets.includes('Immutable'))
    })

    test('shows a proxy to a live document as that document is now', async () => {
      const file = await bench.create('File', { 'dc:title': 'first' })
      const { uid: folder } = await bench.create('Folder')
      const proxyId = await bench.createProxy(folder, file.uid)
      await bench.update(file.uid, { 'dc:title': 'now' })
      const proxy = await bench.read(proxyId)
      assert.deepEqual([proxy.proxyTargetId, proxy.versionableId, proxy.title], [file.uid, file.uid, 'now'])
      assert.equal(proxy.isCheckedOut, true)
      assert.ok(!proxy.facets.includes('Immutable'))
    })

    test('shows the schemas that every proxy keeps values of beside those of its target', async () => {
      const file = await bench.create('File')
      const { uid: folder } = await bench.create('Folder')
      const { schemas } = await bench.read(await bench.createProxy(folder, file.uid))
      assert.deepEqual(schemas.slice(0, -2), file.schemas)
      assert.deepEqual(schemas.slice(-2), [
        { name: 'collectionMember', prefix: 'collectionMember' },
        { name: 'notification', prefix: 'notif' },
      ])
    })

    test('tokens a proxy by its own token and its target’s', async () => {
      const file = await bench.create('File')
      const { uid: folder } = await bench.create('Folder')
      const proxyId = await bench.createProxy(folder, file.uid)
      await bench.update(file.uid, { 'dc:title': 'changed' })
      assert.equal((await bench.read(proxyId)).changeToken, `0-0/${(await bench.read(file.uid)).changeToken}`)
    })

    test('of a live proxy can be sent back, and conflicts when either half of its token is outdated', async () => {
      const file = await bench.create('File', { 'dc:title': 'first' })
      const { uid: folder } = await bench.create('Folder')
      const proxyId = await bench.createProxy(folder, file.uid)
      const proxy = await bench.read(proxyId, { properties: 'dublincore' })
      const put = (changeToken: string) => {
        const properties = { ...proxy.properties, 'dc:title': `with ${changeToken}` }
        return server.as('Administrator').put(`/id/${proxyId}`, { ...proxy, changeToken, properties })
      }
      for (const outdated of ['0-0/0-9', '0-9/0-0', '0-0', 'nonsense']) {
        const { message } = requireStatus(409, await put(outdated))
        assert.equal(message, proxyId)
      }
      assert.equal((await bench.read(file.uid)).title, 'first')
      requireStatus(200, await put(proxy.changeToken))
      assert.equal((await bench.read(file.uid)).title, `with ${proxy.changeToken}`)
    })

    test('of a version is for those who may read its live document', async () => {
      const { file, version } = await createVersioned()
      requireStatus(200, await server.as('alice').get(`/id/${version.uid}`))
      await bench.restrict(file.uid, grant('alice', 'Browse'))
      requireStatus(403, await server.as('alice').get(`/id/${version.uid}`))
    })

    test('of a version is for administrators alone once its live document is gone', async () => {
      const { file, version } = await createVersioned()
      const { uid: folder } = await bench.create('Folder')
      await bench.createProxy(folder, version.uid)
      requireStatus(200, await server.as('alice').get(`/id/${version.uid}`))
      requireStatus(204, await server.as('Administrator').delete(`/id/${file.uid}`))
      requireStatus(403, await server.as('alice').get(`/id/${version.uid}`))
    })

    test('of a proxy is for those who may read it at its own place', async () => {
      const { version, file } = await createVersioned()
      const { uid: open } = await bench.create('Folder')
      const proxyId = await bench.createProxy(open, version.uid)
      await bench.restrict(file.uid)
      assert.equal(requireStatus(200, await server.as('alice').get(`/id/${proxyId}`)).title, 'second')
      await bench.restrict(open)
      requireStatus(403, await server.as('alice').get(`/id/${proxyId}`))
    })

    test('is listed in a folder like any other', async () => {
      const { version } = await createVersioned()
      const { uid: folder, path } = await bench.create('Folder', {}, { parent: workspaces })
      const proxyId = await bench.createProxy(folder, version.uid)
      const { entries } = requireStatus(200, await server.as('Administrator').get(`/path${path}/@children`))
      assert.deepEqual(entries, [await bench.read(proxyId)])
    })
  },
  { plugins: [specimens] },
)
