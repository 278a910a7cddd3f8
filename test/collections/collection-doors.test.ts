import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { bulkOn } from '../support/bulk.ts'
import { callForFile, callWithFiles } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { aDocument, assertRefused, changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const memberships = 'collectionMember:collectionIds'
const members = 'collection:documentIds'
const refusal = /is not written directly.*Document\.AddToCollection, Collection\.RemoveFromCollection/

onEachServer('what a collection lists and what its members say', (server) => {
  const bench = workbenchOn(server)
  const bulk = bulkOn(server)
  /** Where alice may write; bob may read. */
  let folder: Answered
  /** Of bob alone. */
  let collection: string
  let favorites: string
  before(async () => {
    for (const user of ['alice', 'bob']) await server.addUser(user, ['members'])
    folder = await bench.create('Folder')
    await bench.restrict(folder.uid, grant('alice', 'ReadWrite'), grant('bob', 'Read'))
    collection = (await as('bob', 'Collection.Create', undefined, { name: 'of bob' })).uid
    favorites = (await as('bob', 'Favorite.Fetch')).uid
  })
  const call = (user: string, operation: string, input?: string, params: object = {}) =>
    operationsOn(server, user)(operation, { ...(input !== undefined && { input }), params })
  const as = async (user: string, operation: string, input?: string, params: object = {}): Promise<Answered> =>
    requireStatus(200, await call(user, operation, input, params))
  const aFile = async (): Promise<string> => (await bench.create('File', {}, { parent: folder.path })).uid
  const aMember = async () => {
    const uid = await aFile()
    await as('bob', 'Document.AddToCollection', uid, { collection })
    await as('bob', 'Document.AddToFavorites', uid)
    return uid
  }
  const put = (user: string, uid: string, properties: object) => server.as(user).put(`/id/${uid}`, changesTo({ ...properties }))
  const saysOf = async (uid: string): Promise<readonly string[]> => (await bench.readProperties(uid))[memberships] ?? []
  /** What all doors to the collection tell of the document. */
  const isIn = async (uid: string, id: string) => {
    const found = (page: Answered) => page.entries.some((entry: Answered) => entry.uid === uid)
    const ordered = await server.as('bob').get(`/search/pp/ordered_content_collection/execute?queryParams=${id}&pageSize=1000`)
    return [
      found(await as('bob', 'Collection.GetDocumentsFromCollection', id)),
      found(requireStatus(200, ordered)),
      (await bench.readProperties(id))[members].includes(uid),
      (await saysOf(uid)).includes(id),
    ]
  }
  const assertIn = async (uid: string, expected: boolean) => {
    for (const id of [collection, favorites]) assert.deepEqual(await isIn(uid, id), [expected, expected, expected, expected])
  }

  describe('stay as they are when somebody who may write the document', () => {
    const wanted = () => ({ [memberships]: [collection, favorites] })
    const ways: { readonly [way: string]: (uid: string, sent: object) => Promise<ApiAnswer> } = {
      'puts other ones': (uid, sent) => put('alice', uid, sent),
      'puts them by the path': async (uid, sent) =>
        server.as('alice').put(`/path${(await bench.read(uid)).path}`, changesTo({ ...sent })),
      'puts them in bulk': (uid, sent) => server.as('alice').put(`/bulk;id=${uid}`, changesTo({ ...sent })),
      'updates it': (uid, sent) => call('alice', 'Document.Update', uid, { properties: sent }),
    }
    for (const [way, change] of Object.entries(ways)) {
      test(`${way}, to put it into collections of others`, async () => {
        const uid = await aFile()
        await as('alice', 'Document.AddFacet', uid, { facet: 'CollectionMember' })
        assertRefused(await change(uid, wanted()), 403, refusal)
        await assertIn(uid, false)
      })
      test(`${way}, to take it out of them`, async () => {
        const uid = await aMember()
        for (const left of [[], null, [collection]]) assertRefused(await change(uid, { [memberships]: left }), 403, refusal)
        await assertIn(uid, true)
      })
    }
    test('takes the facet away that they stand in', async () => {
      const uid = await aMember()
      assertRefused(await call('alice', 'Document.RemoveFacet', uid, { facet: 'CollectionMember' }), 403, refusal)
      await assertIn(uid, true)
    })
    test('resets the schema, or an item of the list', async () => {
      const uid = await aMember()
      assertRefused(await call('alice', 'Document.ResetSchema', uid, { schema: 'collectionMember' }), 403, refusal)
      assertRefused(await call('alice', 'Document.RemoveProperty', uid, { xpath: `${memberships}/0` }), 403, refusal)
      await assertIn(uid, true)
    })
    test('sets them by a bulk action', async () => {
      const uid = await aMember()
      const query = `SELECT * FROM Document WHERE ecm:uuid = '${uid}'`
      const parameters = JSON.stringify({ [memberships]: [] })
      const status = await bulk.ended(await bulk.start({ action: 'setProperties', query, parameters }, 'alice'))
      assert.equal(status.errorCount, 1)
      await assertIn(uid, true)
    })
    test('makes it with them', async () => {
      const sent = aDocument({ name: 'spam', facets: ['CollectionMember'], properties: wanted() })
      await assertIn(requireStatus(201, await server.as('alice').post(`/path${folder.path}`, sent)).uid, false)
    })
    test('writes a version, or a proxy, which is in collections of its own', async () => {
      const uid = await aMember()
      const version = await as('alice', 'Document.CreateVersion', uid, { increment: 'Minor' })
      const [{ uid: versionId }] = (await as('alice', 'Document.GetVersions', version.uid)).entries
      const proxy = await bench.createProxy(folder.uid, uid)
      await as('bob', 'Document.AddToCollection', versionId, { collection })
      for (const id of [versionId, proxy]) assertRefused(await put('alice', id, wanted()), 403, refusal)
    })
    test('sends back what was read, with something else changed', async () => {
      const uid = await aMember()
      const read = requireStatus(200, await server.as('alice').get(`/id/${uid}`, { properties: '*' }))
      requireStatus(200, await put('alice', uid, { ...read.properties, 'dc:title': 'changed' }))
      requireStatus(200, await put('alice', uid, { [memberships]: read.properties[memberships].toReversed() }))
      await assertIn(uid, true)
    })
    test('copies it: the copy is in none of them', async () => {
      const uid = await aMember()
      const copy = await as('alice', 'Document.Copy', uid, { target: folder.uid, name: 'copy' })
      assert.deepEqual(await saysOf(copy.uid), [])
      await assertIn(copy.uid, false)
    })
    test('drops an export of it into a folder: what is made is in none of them', async () => {
      const uid = await aMember()
      const { bytes } = await callForFile(server, 'Document.Export', { input: uid, params: { exportAsZip: true } })
      for (const user of ['alice', 'Administrator']) {
        const answer = await callWithFiles(
          server,
          'FileManager.Import',
          [{ name: 'dropped.zip', content: bytes, type: 'application/zip' }],
          { context: { currentDocument: folder.path } },
          { user },
        )
        assert.equal(answer.status, 200, answer.text)
        await assertIn(JSON.parse(answer.text).uid, false)
      }
    })
  })

  describe('agree although whoever may write the collection', () => {
    test('lists something there that is not in it, be it visible to them or not', async () => {
      const [visible, hidden] = [await aFile(), await bench.create('File')]
      await bench.restrict(hidden.uid)
      const before: readonly string[] = (await bench.readProperties(collection))[members]
      for (const uid of [visible, hidden.uid, 'nothing']) {
        assertRefused(await put('bob', collection, { [members]: [...before, uid] }), 403, refusal)
      }
      await assertIn(visible, false)
    })
    test('leaves out what is in it', async () => {
      const uid = await aMember()
      for (const left of [[], null]) assertRefused(await put('bob', collection, { [members]: left }), 403, refusal)
      assertRefused(await call('bob', 'Document.ResetSchema', collection, { schema: 'collection' }), 403, refusal)
      await assertIn(uid, true)
    })
    test('makes a collection with members', async () => {
      const place = requireStatus(200, await server.as('bob').get(`/id/${collection}`)).parentRef
      const sent = aDocument({ type: 'Collection', properties: { [members]: [await aFile()] } })
      assertRefused(await server.as('bob').post(`/id/${place}`, sent), 403, refusal)
    })
    test('puts them in another order, and changes its title', async () => {
      const [one, other] = [await aMember(), await aMember()]
      const before: readonly string[] = (await bench.readProperties(collection))[members]
      requireStatus(200, await put('bob', collection, { [members]: before.toReversed(), 'dc:title': 'reversed' }))
      assert.deepEqual((await bench.readProperties(collection))[members], before.toReversed())
      for (const uid of [one, other]) await assertIn(uid, true)
    })
  })

  test('change together by the operations, for whoever may write the collection alone', async () => {
    const uid = await aMember()
    assert.equal((await call('alice', 'Collection.RemoveFromCollection', uid, { collection })).status, 403)
    await assertIn(uid, true)
    await as('bob', 'Collection.RemoveFromCollection', uid, { collection })
    await as('bob', 'Document.RemoveFromFavorites', uid)
    await untilIdle(server)
    await assertIn(uid, false)
  })
  test('are what administrators write', async () => {
    const uid = await aFile()
    await as('Administrator', 'Document.AddFacet', uid, { facet: 'CollectionMember' })
    requireStatus(200, await put('Administrator', uid, { [memberships]: [collection] }))
    const before: readonly string[] = (await bench.readProperties(collection))[members]
    requireStatus(200, await put('bob', collection, { [members]: [...before, uid] }))
    assert.deepEqual(await isIn(uid, collection), [true, true, true, true])
  })
})
