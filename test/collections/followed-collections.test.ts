import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'
import { collectionBenchOn } from './collection-bench.ts'

onEachServer('7.2 what becomes of collections and members', (server) => {
  const bench = collectionBenchOn(server)
  const remove = (uid: string) => server.as('Administrator').delete(`/id/${uid}`)
  const copy = async (uid: string): Promise<string> => (await bench.run('Document.Copy', uid, { target: bench.shared.path })).uid

  const lastVersion = async (uid: string): Promise<string> => (await bench.run('Document.GetLastVersion', uid)).uid

  describe('those who subscribed to a document', () => {
    const told = async () => {
      await untilIdle(server)
      const { entries } = requireStatus(200, await server.as('owner').get('/me/notifications'))
      return entries.map(({ event, title, principal }: Answered) => [event, title, principal])
    }
    const watch = (...uids: readonly string[]) =>
      bench.run('Document.Subscribe', uids, { notifications: ['Modification'] }, { as: 'owner' })

    test('are not told that somebody likes or collects it, nor that this is over', async () => {
      const file = await bench.file('watched')
      await watch(file)
      await bench.run('Document.AddToFavorites', file, {}, { as: 'reader' })
      await bench.run('Document.RemoveFromFavorites', file, {}, { as: 'reader' })
      const [left, removed] = [await bench.collection(file), await bench.collection(file)]
      await bench.run('Collection.RemoveFromCollection', file, { collection: left })
      await copy(removed)
      await untilIdle(server)
      await remove(removed)
      assert.deepEqual(await told(), [])
      await bench.update(file, { 'dc:description': 'changed' })
      assert.deepEqual(await told(), [['documentModified', 'watched', 'Administrator']])
    })
    test('are told of a collection when somebody adds to it, and not when a member is gone for good', async () => {
      const [file, collection] = [await bench.file(), await bench.collection()]
      const before = await told()
      await watch(collection)
      await bench.add(file, collection)
      const added = await told()
      assert.deepEqual(added, [['documentModified', 'gathered', 'Administrator'], ...before])
      await remove(file)
      assert.deepEqual(await told(), added)
      assert.deepEqual(await bench.listed(collection), [])
    })
  })

  describe('removing', () => {
    test('a collection leaves its members in the others', async () => {
      const file = await bench.file()
      const [gone, other] = [await bench.collection(file), await bench.collection(file)]
      await bench.checkIn(gone)
      await untilIdle(server)
      assert.equal((await bench.memberships(file)).length, 3)
      await remove(gone)
      await untilIdle(server)
      assert.deepEqual(await bench.memberships(file), [other])
    })
    test('a member takes it out of all collections', async () => {
      const [file, other] = [await bench.file(), await bench.file()]
      const collections = [await bench.collection(file, other), await bench.collection(other, file)]
      await remove(file)
      await untilIdle(server)
      assert.deepEqual([await bench.listed(collections[0] ?? ''), await bench.listed(collections[1] ?? '')], [[other], [other]])
    })
    test('a folder does the same for all below it', async () => {
      const folder = await bench.make('Folder')
      const inside = await bench.make('File', {}, { parent: folder.path })
      const own = await bench.run('Collection.Create', folder.uid, { name: 'inside' })
      const [outside, collection] = [await bench.file(), await bench.collection(inside.uid)]
      await bench.add(outside, own.uid)
      await remove(folder.uid)
      await untilIdle(server)
      assert.deepEqual([await bench.listed(collection), await bench.memberships(outside)], [[], []])
    })
    test('a document that is no folder does so too', async () => {
      const above = await bench.make('File')
      const inside = await bench.make('File', {}, { parent: above.path })
      const collection = await bench.collection(inside.uid)
      assert.deepEqual(await bench.listed(collection), [inside.uid])
      await remove(above.uid)
      await untilIdle(server)
      assert.deepEqual(await bench.listed(collection), [])
    })
    test('a version that is a member does so too', async () => {
      const file = await bench.file()
      const version = (await bench.checkIn(file)).version.id
      await bench.update(file, { 'dc:title': 'opened' })
      const collection = await bench.collection(version)
      assert.equal((await remove(version)).status, 204)
      await untilIdle(server)
      assert.deepEqual(await bench.listed(collection), [])
    })
    test('a document takes its versions out of all collections, once they go', async () => {
      const [file, other] = [await bench.file(), await bench.file()]
      const version = (await bench.checkIn(file)).version.id
      const collections = [await bench.collection(version, other), await bench.collection(version)]
      await remove(file)
      await untilIdle(server)
      assert.deepEqual([await bench.listed(collections[0] ?? ''), await bench.listed(collections[1] ?? '')], [[other], []])
    })
    test('a document leaves a version that is published in its collections, and its members in that', async () => {
      const [file, collected] = [await bench.file(), await bench.file()]
      const gathered = await bench.collection(collected)
      await bench.checkIn(file)
      const versions = [(await bench.checkIn(gathered)).version.id, await lastVersion(file)]
      const collection = await bench.collection(versions[1] ?? '')
      const section = await bench.make('Folder')
      const proxies: string[] = []
      for (const uid of [file, gathered])
        proxies.push((await bench.run('Document.PublishToSection', uid, { target: section.uid })).uid)
      for (const uid of [file, gathered]) await remove(uid)
      await untilIdle(server)
      assert.deepEqual([await bench.listed(collection), await bench.memberships(collected)], [[versions[1]], [versions[0]]])
      for (const uid of proxies) await remove(uid)
      await untilIdle(server)
      assert.deepEqual([await bench.listed(collection), await bench.memberships(collected)], [[], []])
    })
  })

  describe('trashing', () => {
    test('changes no list, and hides what is trashed', async () => {
      const [file, other] = [await bench.file('a'), await bench.file('b')]
      const collection = await bench.collection(file, other)
      await bench.run('Document.Trash', file)
      assert.deepEqual(
        [await bench.listed(collection), await bench.members(collection)],
        [[file, other], [file, other].toSorted()],
      )
      assert.deepEqual(await bench.page('default_content_collection', collection), [other])
      await bench.run('Document.Untrash', file)
      assert.deepEqual(await bench.page('default_content_collection', collection), [file, other])
    })
    test('a collection leaves its members in it, which no longer show it', async () => {
      const file = await bench.file()
      const collection = await bench.collection(file)
      await bench.run('Document.Trash', collection)
      assert.deepEqual([await bench.memberships(file), await bench.enriched(file, 'collections')], [[collection], []])
    })
  })

  describe('copying', () => {
    test('a collection makes its members those of the copy as well', async () => {
      const files = [await bench.file(), await bench.file()]
      const made = await copy(await bench.collection(...files))
      assert.deepEqual([await bench.listed(made), await bench.members(made)], [files, files.toSorted()])
    })
    test('a folder does so for the collections in it', async () => {
      const [folder, file] = [await bench.make('Folder'), await bench.file()]
      const own = await bench.run('Collection.Create', folder.uid, { name: 'inside' })
      await bench.add(file, own.uid)
      const made = await copy(folder.uid)
      const [inside = ''] = await bench.listChildren(made)
      assert.deepEqual(await bench.members(inside), [file])
    })
    test('a member makes a document that is in no collection', async () => {
      const [file, folder] = [await bench.file(), await bench.make('Folder')]
      const inside = await bench.make('File', {}, { parent: folder.path })
      const collection = await bench.collection(file, inside.uid)
      const made = await copy(file)
      const [below = ''] = await bench.listChildren(await copy(folder.uid))
      for (const uid of [made, below]) {
        const { facets, properties } = await bench.row(uid)
        assert.ok(!facets.includes('CollectionMember') && !('collectionMember:collectionIds' in properties))
      }
      assert.deepEqual(await bench.members(collection), [file, inside.uid].toSorted())
    })
    test('does not make members of what the list names and the collection does not have', async () => {
      const file = await bench.file()
      const collection = await bench.collection()
      await bench.update(collection, { 'collection:documentIds': [file] })
      const made = await copy(collection)
      assert.deepEqual([await bench.listed(made), await bench.members(made)], [[file], []])
    })
  })

  describe('checking in', () => {
    test('a collection makes its members those of the version as well, which is not shown as a collection', async () => {
      const file = await bench.file()
      const collection = await bench.collection(file)
      const version = (await bench.checkIn(collection)).version.id
      assert.deepEqual(await bench.members(version), [file])
      const shown: readonly { uid: string }[] = await bench.enriched(file, 'collections')
      assert.deepEqual(
        shown.map(({ uid }) => uid),
        [collection],
      )
    })
    test('a member makes a version that is in no collection, and restoring it takes it out of none', async () => {
      const file = await bench.file()
      const before = (await bench.checkIn(file)).version.id
      const collection = await bench.collection(file)
      await bench.update(file, { 'dc:title': 'changed' })
      const version = (await bench.checkIn(file)).version.id
      assert.deepEqual(await bench.members(collection), [file])
      assert.deepEqual(await bench.memberships(version), [])
      for (const restored of [version, before]) {
        await bench.run('Document.RestoreVersion', restored)
        assert.deepEqual([await bench.memberships(file), await bench.members(collection)], [[collection], [file]])
      }
    })
    test('and restoring a collection brings back who was in it', async () => {
      const [first, second, third] = [await bench.file(), await bench.file(), await bench.file()]
      const collection = await bench.collection(first, second)
      const version = (await bench.checkIn(collection)).version.id
      await untilIdle(server)
      await bench.run('Collection.RemoveFromCollection', first, { collection })
      await bench.add(third, collection)
      assert.deepEqual(await bench.members(collection), [second, third].toSorted())
      await bench.run('Document.RestoreVersion', version)
      assert.deepEqual(
        [await bench.listed(collection), await bench.members(collection)],
        [[first, second], [first, second].toSorted()],
      )
    })
  })
})
