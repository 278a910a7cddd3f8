import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { comparable, type DesktopClient, desktopClientOn } from '../support/desktop-client.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const rootOf = (uid: string) => `defaultSyncRootFolderItemFactory#default#${uid}`
const itemOf = (uid: string) => `defaultFileSystemItemFactory#default#${uid}`

onEachServer('what a user synchronises', (server) => {
  const bench = workbenchOn(server)
  let made = 0
  let user = ''
  let client: DesktopClient
  /** A user of their own for each test, and three folders inside of each other. */
  const begin = async () => {
    made += 1
    user = `user${made}`
    await server.addUser(user, ['members'])
    client = desktopClientOn(server, user)
    const outer = await bench.create('Folder', { 'dc:title': 'outer' })
    const middle = await bench.create('Folder', { 'dc:title': 'middle' }, { parent: outer.path })
    const inner = await bench.create('Folder', { 'dc:title': 'inner' }, { parent: middle.path })
    return { outer, middle, inner }
  }
  const roots = async (name = user): Promise<readonly string[]> =>
    requireStatus(200, await operationsOn(server, name)('AcmeDrive.GetRoots')).entries.map(({ uid }: Answered) => uid)
  const set = (input: string, enable: unknown, name = user) =>
    operationsOn(server, name)('AcmeDrive.SetSynchronization', { input, params: { enable } })

  test('is answered as the button of the web client expects', async () => {
    const { outer } = await begin()
    const { status, text } = await set(outer.uid, true)
    assert.deepEqual([status, text], [204, ''])
    const listed = requireStatus(200, await operationsOn(server, user)('AcmeDrive.GetRoots', {}, { properties: '*' }))
    assert.deepEqual([listed['entity-type'], listed.entries.map(({ uid }: Answered) => uid)], ['documents', [outer.uid]])
    assert.ok(listed.entries[0].facets.includes('DriveSynchronized'))
    assert.deepEqual(
      listed.entries[0].properties['drv:subscriptions'].map(({ lastChangeDate: _, ...rest }: Answered) => rest),
      [{ username: user, enabled: true }],
    )
    assert.equal((await set(outer.uid, false)).status, 204)
    assert.deepEqual(await roots(), [])
    assert.ok(!(await bench.read(outer.uid)).facets.includes('DriveSynchronized'))
    assert.equal((await set(outer.uid, false)).status, 204, 'a second time, too')
  })

  test('is told of a folder by the enricher synchronization, also of those in it', async () => {
    const { outer, middle } = await begin()
    const { uid: note } = await bench.create('Note', {}, { parent: middle.path })
    const told = async (uid: string) =>
      requireStatus(200, await server.as(user).get(`/id/${uid}`, { 'enrichers.document': 'synchronization' })).contextParameters
        .synchronization
    assert.deepEqual(await told(middle.uid), { root: null })
    await set(outer.uid, true)
    for (const uid of [outer.uid, middle.uid]) assert.deepEqual(await told(uid), { root: { id: outer.uid, title: 'outer' } })
    assert.equal(await told(note), undefined, 'a document that is no folder')
    await bench.restrict(outer.uid)
    await bench.setAcls(middle.uid, [{ name: 'local', aces: [grant(user, 'Read')] }])
    assert.deepEqual(await told(middle.uid), { root: { id: outer.uid, title: null } })
  })

  test('takes the right to read, and changes nothing of the document that its readers would notice', async () => {
    const { outer } = await begin()
    await bench.restrict(outer.uid, grant(user, 'Read'))
    const before = await bench.readProperties(outer.uid)
    await client.register(outer.uid)
    assert.deepEqual(await roots(), [outer.uid])
    const after = await bench.readProperties(outer.uid)
    for (const name of ['dc:modified', 'dc:lastContributor', 'dc:contributors']) assert.deepEqual(after[name], before[name])
    await bench.restrict(outer.uid)
    assertRefused(await set(outer.uid, true), 403, /./)
  })

  test('is what it was where several users have the same folder', async () => {
    const { outer } = await begin()
    const first = user
    await client.register(outer.uid)
    await begin()
    await client.register(outer.uid)
    assert.deepEqual([await roots(first), await roots()], [[outer.uid], [outer.uid]])
    await client.unregister(outer.uid)
    assert.deepEqual([await roots(first), await roots()], [[outer.uid], []])
    assert.ok((await bench.read(outer.uid)).facets.includes('DriveSynchronized'))
  })

  test('stays as it is with what is in it already', async () => {
    const { outer, inner } = await begin()
    await client.register(outer.uid)
    await client.register(inner.uid)
    assert.deepEqual(await roots(), [outer.uid])
  })

  test('gives way to a folder above it, whose client then has it there', async () => {
    const { outer, inner } = await begin()
    await client.register(inner.uid)
    await client.start()
    await client.register(outer.uid)
    assert.deepEqual(await roots(), [outer.uid])
    await client.poll()
    assert.deepEqual(client.names(), ['outer', 'outer/middle', 'outer/middle/inner'])
    await client.unregister(outer.uid)
    await client.register(inner.uid)
    await client.poll()
    assert.deepEqual(client.names(), ['inner'])
    assert.deepEqual(comparable(client.items), comparable(await client.listed()))
  })

  test('stays beside a folder above it where one between them is hidden', async () => {
    const { outer, middle, inner } = await begin()
    await bench.setAcls(middle.uid, [{ name: 'local', aces: [deny('Everyone', 'Everything')] }])
    await bench.setAcls(inner.uid, [{ name: 'local', aces: [grant(user, 'Read')] }])
    await client.register(inner.uid)
    await client.register(outer.uid)
    await client.start()
    assert.deepEqual(new Set(await roots()), new Set([outer.uid, inner.uid]))
    assert.deepEqual(client.names(), ['inner', 'outer'])
    await bench.setAcls(middle.uid, [])
    await client.poll()
    assert.deepEqual(client.names(), ['inner', 'outer', 'outer/middle'], 'and is shown once')
    assert.deepEqual(comparable(client.items), comparable(await client.listed()))
    assert.equal(await client.call('GetFileSystemItem', { id: itemOf(inner.uid) }), null)
    await client.unregister(inner.uid)
    await client.poll()
    assert.deepEqual(client.names(), ['outer', 'outer/middle', 'outer/middle/inner'])
  })

  test('is seen once where one folder is moved into another', async () => {
    const { outer } = await begin()
    const other = await bench.create('Folder', { 'dc:title': 'other' })
    const note = await bench.create('Note', { 'dc:title': 'note', 'note:note': 'x' }, { parent: other.path })
    for (const { uid } of [outer, other]) await client.register(uid)
    await client.start()
    requireStatus(200, await operationsOn(server)('Document.Move', { input: other.uid, params: { target: outer.uid } }))
    await bench.update(note.uid, { 'dc:title': 'still told of' })
    await client.poll()
    assert.deepEqual(client.names(), ['other', 'other/still told of.txt', 'outer', 'outer/middle', 'outer/middle/inner'])
    assert.deepEqual(comparable(client.items), comparable(await client.listed()))
  })

  test('does not come along with a copy, or with a version', async () => {
    const { outer } = await begin()
    await client.register(outer.uid)
    const parent = (await bench.create('Folder', {})).uid
    const copy = requireStatus(200, await operationsOn(server)('Document.Copy', { input: outer.uid, params: { target: parent } }))
    assert.deepEqual(await roots(), [outer.uid])
    assert.deepEqual((await bench.readProperties(copy.uid))['drv:subscriptions'] ?? [], [])
  })

  test('is gone with the document, and with its right, and comes back with that', async () => {
    const { outer } = await begin()
    await client.register(outer.uid)
    await bench.restrict(outer.uid)
    assert.deepEqual(await roots(), [])
    assert.equal(await client.call('GetFileSystemItem', { id: rootOf(outer.uid) }), null)
    await bench.restrict(outer.uid, grant(user, 'Read'))
    assert.deepEqual(await roots(), [outer.uid])
    await operationsOn(server)('Document.Trash', { input: outer.uid })
    assert.deepEqual(await roots(), [])
  })

  test('is none of the next user of the name', async () => {
    const { outer } = await begin()
    await client.register(outer.uid)
    await server.as('Administrator').delete(`/user/${user}`)
    const body = { 'entity-type': 'user', id: user, properties: { username: user, password: user, groups: ['members'] } }
    requireStatus(201, await server.as('Administrator').post('/user', body))
    assert.deepEqual(await roots(), [])
    await client.register(outer.uid)
    assert.deepEqual(await roots(), [outer.uid])
  })

  describe('is refused', () => {
    const inputs: { readonly [what: string]: () => Promise<string> } = {
      'to be a file': async () => (await bench.create('File', {})).uid,
      'to be a version': async () => {
        const { uid } = await bench.create('Folder', {})
        return (await bench.publish(uid, (await bench.create('Section', {}, { parent: '/default-domain/sections' })).uid)).version
      },
      'to be a proxy': async () => {
        const { uid } = await bench.create('Folder', {})
        return bench.createProxy((await bench.create('Folder', {})).uid, uid)
      },
      'to be in the trash': async () => {
        const { uid } = await bench.create('Folder', {})
        await operationsOn(server)('Document.Trash', { input: uid })
        return uid
      },
    }
    for (const [what, make] of Object.entries(inputs)) {
      test(what, async () => {
        await begin()
        assertRefused(await set(await make(), true), 400, /cannot be synchronised/)
        assert.deepEqual(await roots(), [])
      })
    }

    test('to be put down by hand in the document', async () => {
      const { outer } = await begin()
      await bench.restrict(outer.uid, grant(user, 'Everything'))
      await client.register(outer.uid)
      const properties = { 'drv:subscriptions': [{ username: 'Administrator', enabled: true, lastChangeDate: null }] }
      const { status } = await server.as(user).put(`/id/${outer.uid}`, { 'entity-type': 'document', properties })
      assert.ok(status >= 400 && status < 500, `${status}`)
      assert.deepEqual(await roots('Administrator'), [])
    })
  })

  test('may be folders that are collections as well, which do not hide what is in a real one', async () => {
    await begin()
    const asUser = operationsOn(server, user)
    const outside = await bench.create('Note', { 'dc:title': 'outside', 'note:note': 'words' })
    const folder = await bench.create('Folder', { 'dc:title': 'a folder' })
    for (const { uid } of [outside, folder]) await bench.restrict(uid, grant(user, 'ReadWrite'))
    requireStatus(200, await asUser('Document.AddFacet', { input: folder.uid, params: { facet: 'Collection' } }))
    const collection = requireStatus(200, await asUser('Collection.Create', { params: { name: 'the collection' } }))
    for (const { uid } of [folder, collection]) {
      requireStatus(200, await asUser('Document.AddToCollection', { input: outside.uid, params: { collection: uid } }))
      await client.register(uid)
    }
    const item = await client.call('GetFileSystemItem', { id: itemOf(outside.uid) })
    assert.equal(item?.parentId, `collectionSyncRootFolderItemFactory#default#${collection.uid}`)
  })

  test('may be a collection, with its members in it, and folders among them with all that is in these', async () => {
    const { outer, inner } = await begin()
    const note = await bench.create('Note', { 'dc:title': 'note', 'note:note': 'x' }, { parent: outer.path })
    const asUser = operationsOn(server, user)
    const collection = requireStatus(200, await asUser('Collection.Create', { params: { name: 'gathered' } }))
    const add = async (input: string) =>
      requireStatus(200, await asUser('Document.AddToCollection', { input, params: { collection: collection.uid } }))
    await client.register(collection.uid)
    await client.start()
    assert.deepEqual(client.names(), ['gathered'])
    await add(note.uid)
    await client.poll()
    assert.deepEqual(client.names(), ['gathered', 'gathered/note.txt'])
    await add(inner.uid)
    await bench.create('Note', { 'dc:title': 'deep', 'note:note': 'x' }, { parent: inner.path })
    await client.poll()
    assert.deepEqual(client.names(), ['gathered', 'gathered/inner', 'gathered/inner/deep.txt', 'gathered/note.txt'])
    await bench.create('Note', { 'dc:title': 'later', 'note:note': 'x' }, { parent: inner.path })
    await bench.update(note.uid, { 'dc:title': 'renamed' })
    await client.poll()
    assert.deepEqual(comparable(client.items), comparable(await client.listed()))
    assert.ok(client.names().includes('gathered/inner/later.txt'))
    const collectionId = `collectionSyncRootFolderItemFactory#default#${collection.uid}`
    const item = client.items.get(collectionId)
    assert.deepEqual([item.folder, item.canCreateChild, item.canScrollDescendants, item.canDelete], [true, false, false, true])
    assertRefused(await asUser('AcmeDrive.CreateFolder', { params: { parentId: collectionId, name: 'x' } }), 403, /added to/)
    assertRefused(await asUser('AcmeDrive.ScrollDescendants', { params: { id: collectionId, batchSize: 5 } }), 403, /scrolled/)
    await client.call('Delete', { id: itemOf(note.uid), parentId: collectionId })
    assert.equal((await bench.read(note.uid)).isTrashed, false)
    await client.poll()
    assert.deepEqual(client.names(), ['gathered', 'gathered/inner', 'gathered/inner/deep.txt', 'gathered/inner/later.txt'])
  })

  test('may be what they edit on their own machine', async () => {
    const { outer } = await begin()
    const note = await bench.create('Note', { 'dc:title': 'note', 'note:note': 'x' }, { parent: outer.path })
    const asUser = operationsOn(server, user)
    for (let time = 0; time < 2; time += 1)
      assert.equal(requireStatus(200, await asUser('AcmeDrive.AddToLocallyEditedCollection', { input: note.uid })).uid, note.uid)
    await client.start()
    assert.deepEqual(client.names(), ['Locally Edited', 'Locally Edited/note.txt'])
    await client.register(outer.uid)
    const id = itemOf(note.uid)
    const [collection] = [...client.items.values()].filter(({ name }) => name === 'Locally Edited')
    assert.equal((await client.call('GetFileSystemItem', { id })).parentId, rootOf(outer.uid))
    assert.equal((await client.call('GetFileSystemItem', { id, parentId: collection.id })).parentId, collection.id)
  })
})
