import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredChild } from '../support/stored-document.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const references = 'http://purl.org/dc/terms/References'

onEachServer('2.4 relations', (server) => {
  const bench = workbenchOn(server)
  before(async () => {
    await server.addUser('bob', ['members'])
    await server.addUser('eve', ['members'])
  })
  const aFile = async (parent = workspaces): Promise<string> => (await bench.create('File', {}, { parent })).uid
  const change =
    (operation: string) =>
    (input: unknown, object: string, more: object = {}, user?: string) =>
      operationsOn(server, user)(operation, { input, params: { object, predicate: references, ...more } })
  const relate = change('Document.AddRelation')
  const unrelate = change('Document.DeleteRelation')
  const linked = async (input: string, more: object = {}, user?: string) => {
    const answer = await operationsOn(server, user)('Document.GetLinkedDocuments', {
      input,
      params: { predicate: references, ...more },
    })
    return requireStatus(200, answer).entries.map(({ uid }: Answered) => uid)
  }
  const incoming = (input: string, user?: string) => linked(input, { outgoing: false }, user)
  const countRelations = async () => {
    const list = await server.as('Administrator').get('/search/execute?query=SELECT%20*%20FROM%20DefaultRelation')
    return requireStatus(200, list).resultsCount
  }

  describe('Document.AddRelation', () => {
    test('relates the document to the object, and gives it', async () => {
      const [from, to] = [await aFile(), await aFile()]
      assert.equal(requireStatus(200, await relate(from, to)).uid, from)
      assert.deepEqual([await linked(from), await incoming(from)], [[to], []])
      assert.deepEqual([await linked(to), await incoming(to)], [[], [from]])
    })
    test('relates the object to the document where it is outgoing', async () => {
      const [from, to] = [await aFile(), await aFile()]
      requireStatus(200, await relate(from, to, { outgoing: true }))
      assert.deepEqual([await linked(to), await linked(from)], [[from], []])
    })
    test('relates each document of a list, under its alias, too', async () => {
      const [one, other, to] = [await aFile(), await aFile(), await aFile()]
      const answer = await change('Relations.CreateRelation')([one, other], to)
      assert.equal(requireStatus(200, answer).entries.length, 2)
      assert.deepEqual(await incoming(to), [one, other])
    })
    test('takes any text for what the relation is', async () => {
      const [from, to] = [await aFile(), await aFile()]
      const predicate = 'it\'s "like" \\ this'
      requireStatus(200, await relate(from, to, { predicate }))
      assert.deepEqual([await linked(from, { predicate }), await linked(from)], [[to], []])
    })
    test('relates once, however often it is told and by how many at once', async () => {
      const [from, to] = [await aFile(), await aFile()]
      const before = await countRelations()
      await Promise.all(Array.from({ length: 5 }, async () => requireStatus(200, await relate(from, to))))
      assert.deepEqual([await linked(from), await countRelations()], [[to], before + 1])
    })
    test('relates two documents both ways at the same time', async () => {
      const [one, other] = [await aFile(), await aFile()]
      const answers = await Promise.all([relate(one, other), relate(other, one), relate(one, other), relate(other, one)])
      for (const answer of answers) requireStatus(200, answer)
      assert.deepEqual([await linked(one), await linked(other)], [[other], [one]])
    })
    test('leaves the documents as they are', async () => {
      const [from, to] = [await aFile(), await aFile()]
      const { changeToken } = await bench.read(from)
      await relate(from, to)
      assert.equal((await bench.read(from)).changeToken, changeToken)
    })
    test('is noted as of whoever told it, where only administrators see it', async () => {
      const [from, to] = [await aFile(), await aFile()]
      await bench.setAcls(from, [{ name: 'local', aces: [grant('bob', 'Write')] }])
      requireStatus(200, await relate(from, to, {}, 'bob'))
      const ofFrom = encodeURIComponent(`SELECT * FROM Relation WHERE relation:source = '${from}'`)
      const address = `/search/execute?query=${ofFrom}`
      const [relation] = (await server.as('Administrator').get(address, { properties: '*' })).body.entries
      assert.deepEqual(
        [relation.type, relation.properties['dc:creator'], relation.properties['relation:target']],
        ['DefaultRelation', 'bob', to],
      )
      assert.equal((await server.as('bob').get(address)).body.resultsCount, 0)
      assert.equal((await server.as('bob').get(`/id/${relation.uid}`)).status, 403)
      const documents = `/search/execute?query=${encodeURIComponent(`SELECT * FROM Document WHERE ecm:uuid = '${relation.uid}'`)}`
      assert.equal((await server.as('Administrator').get(documents)).body.resultsCount, 0)
    })
  })

  describe('Document.DeleteRelation', () => {
    test('takes that relation back and no other, and gives the document', async () => {
      const [from, to, third] = [await aFile(), await aFile(), await aFile()]
      await relate(from, to)
      await relate(from, third)
      await relate(from, to, { predicate: 'likes' })
      assert.equal(requireStatus(200, await unrelate(from, to)).uid, from)
      assert.deepEqual([await linked(from), await linked(from, { predicate: 'likes' })], [[third], [to]])
    })
    test('takes it back for each of many who ask for it at the same time', async () => {
      const [from, to] = [await aFile(), await aFile()]
      await relate(from, to)
      await Promise.all(Array.from({ length: 5 }, async () => requireStatus(200, await unrelate(from, to))))
      assert.deepEqual(await linked(from), [])
    })
    test('takes the one that leads to the document where it is outgoing', async () => {
      const [from, to] = [await aFile(), await aFile()]
      await relate(from, to)
      requireStatus(200, await unrelate(to, from))
      assert.deepEqual(await linked(from), [to], 'that one leads the other way')
      requireStatus(200, await unrelate(to, from, { outgoing: true }))
      assert.deepEqual(await linked(from), [])
    })
    test('is content where there is none, on each document of a list, under its alias', async () => {
      const [one, other, to] = [await aFile(), await aFile(), await aFile()]
      await relate(one, to)
      const answer = await change('Relations.DeleteRelation')([one, other], to)
      assert.equal(requireStatus(200, answer).entries.length, 2)
      assert.deepEqual(await incoming(to), [])
    })
  })

  describe('Document.GetLinkedDocuments', () => {
    test('gives them in the order in which they were related, under its alias, too', async () => {
      const [from, one, two, three] = [await aFile(), await aFile(), await aFile(), await aFile()]
      for (const to of [two, three, one]) await relate(from, to)
      assert.deepEqual(await linked(from), [two, three, one])
      const body = { input: from, params: { predicate: references, graphName: 'default' } }
      const list = requireStatus(200, await operationsOn(server)('Relations.GetRelations', body))
      assert.deepEqual([list['entity-type'], list.entries.length], ['documents', 3])
    })
    test('gives only what the caller may read', async () => {
      const [from, open, closed] = [await aFile(), await aFile(), await aFile()]
      await bench.restrict(closed)
      for (const to of [open, closed]) await relate(from, to)
      assert.deepEqual([await linked(from, {}, 'bob'), await linked(from)], [[open], [open, closed]])
    })
    test('gives a proxy with what it shows', async () => {
      const from = await aFile()
      const target = await bench.create('File', { 'dc:title': 'shown' })
      const section = await bench.create('Folder')
      const proxy = await bench.createProxy(section.uid, target.uid)
      await relate(from, proxy)
      const body = { input: from, params: { predicate: references } }
      const [entry] = requireStatus(200, await operationsOn(server)('Document.GetLinkedDocuments', body)).entries
      assert.deepEqual([entry.uid, entry.title, entry.isProxy], [proxy, 'shown', true])
    })
    test('knows one graph', async () => {
      const body = { input: await aFile(), params: { predicate: references, graphName: 'other' } }
      assertRefused(await operationsOn(server)('Document.GetLinkedDocuments', body), 404, /There is no graph other/)
    })
  })

  describe('a document that is removed', () => {
    test('takes its relations along, from either end', async () => {
      const [gone, from, to] = [await aFile(), await aFile(), await aFile()]
      const before = await countRelations()
      await relate(gone, to)
      await relate(from, gone)
      await relate(from, to)
      assert.equal((await server.as('Administrator').delete(`/id/${gone}`)).status, 204)
      assert.deepEqual([await countRelations(), await linked(from), await incoming(to)], [before + 1, [to], [from]])
    })
    test('takes the relations of everything below it along', async () => {
      const folder = await bench.create('Folder')
      const inner = await bench.create('Folder', {}, { parent: folder.path })
      const [deep, other, outside] = [await aFile(inner.path), await aFile(folder.path), await aFile()]
      const before = await countRelations()
      for (const [from, to] of [
        [deep, outside],
        [outside, other],
        [deep, other],
      ] as const) {
        await relate(from, to)
      }
      assert.equal((await server.as('Administrator').delete(`/id/${folder.uid}`)).status, 204)
      assert.deepEqual([await countRelations(), await linked(outside)], [before, []])
    })
    test('takes the relations of its versions along, each with its version', async () => {
      const [live, from] = [await aFile(), await aFile()]
      for (const title of ['one', 'two']) await bench.update(live, { 'dc:title': title }, { 'X-Versioning-Option': 'MINOR' })
      const ofLive = encodeURIComponent(`SELECT * FROM File WHERE ecm:versionVersionableId = '${live}' ORDER BY dc:title`)
      const [first] = (await server.as('Administrator').get(`/search/execute?query=${ofLive}`)).body.entries
      const before = await countRelations()
      await relate(from, first.uid)
      await relate(from, live)
      assert.equal((await server.as('Administrator').delete(`/id/${first.uid}`)).status, 204)
      assert.deepEqual([await linked(from), await countRelations()], [[live], before + 1])
    })
    test('takes the relations of its versions along when these go after it', async () => {
      const [live, from] = [await aFile(), await aFile()]
      const before = await countRelations()
      await bench.update(live, { 'dc:title': 'one' }, { 'X-Versioning-Option': 'MINOR' })
      const { uid: version } = requireStatus(200, await operationsOn(server)('Document.GetLastVersion', { input: live }))
      await relate(from, version)
      await relate(version, from)
      assert.equal(await countRelations(), before + 2)
      assert.equal((await server.as('Administrator').delete(`/id/${live}`)).status, 204)
      await untilIdle(server)
      assert.equal(await countRelations(), before)
    })
    test('keeps them while it is in the trash', async () => {
      const [from, to] = [await aFile(), await aFile()]
      await relate(from, to)
      requireStatus(200, await operationsOn(server)('Document.Trash', { input: to }))
      assert.deepEqual(await linked(from), [to])
    })
  })

  describe('the enricher relations', () => {
    const shown = async (uid: string, user = 'Administrator') => {
      const { contextParameters } = requireStatus(
        200,
        await server.as(user).get(`/id/${uid}`, { 'enrichers-document': 'relations' }),
      )
      type Shown = { predicate: string; outgoing: boolean; document: Answered }
      return contextParameters.relations.map(({ predicate, outgoing, document }: Shown) => [predicate, outgoing, document.uid])
    }
    test('shows every relation of a document, whatever it is and from either end', async () => {
      const [from, to, other] = [await aFile(), await aFile(), await aFile()]
      assert.deepEqual(await shown(from), [])
      await relate(from, to)
      await relate(from, to, { predicate: 'likes' })
      await relate(other, from)
      assert.deepEqual(await shown(from), [
        [references, true, to],
        ['likes', true, to],
        [references, false, other],
      ])
    })
    test('leaves out what the caller may not read, and what is in the trash', async () => {
      const [from, hidden, gone] = [await aFile(), await aFile(), await aFile()]
      await relate(from, hidden)
      await relate(gone, from)
      await bench.restrict(hidden)
      requireStatus(200, await operationsOn(server)('Document.Trash', { input: gone }))
      assert.deepEqual(await shown(from), [[references, true, hidden]])
      assert.deepEqual(await shown(from, 'eve'), [])
    })
    test('shows no more than a hundred', async () => {
      const to = await aFile()
      const { uid: folder } = await bench.create('Folder')
      const ids = await server.asSystem(async ({ tx }) => {
        const parent = await tx.documents.find(folder)
        assert.ok(parent)
        const many = Array.from({ length: 101 }, (_, index) => aStoredChild(parent, `from${index}`, { type: 'File' }))
        await tx.documents.insertMany(many)
        return many.map(({ id }) => id)
      })
      requireStatus(200, await relate(ids, to))
      assert.equal((await shown(to)).length, 100)
    })
  })

  describe('refuses', () => {
    for (const [operation, call] of [
      ['Document.AddRelation', relate],
      ['Document.DeleteRelation', unrelate],
    ] as const) {
      test(`${operation} to whoever may not change the document`, async () => {
        const [from, to] = [await aFile(), await aFile()]
        await relate(from, to, { predicate: 'likes' })
        assertRefused(await call(from, to, { predicate: 'likes' }, 'eve'), 403, /'WriteProperties'/)
        assertRefused(await call(from, to, {}, 'eve'), 403, /'WriteProperties'/)
        assert.deepEqual([await linked(from), await linked(from, { predicate: 'likes' })], [[], [to]])
      })
      test(`${operation} to whoever may not read the object`, async () => {
        const [from, to] = [await aFile(), await aFile()]
        await bench.setAcls(from, [{ name: 'local', aces: [grant('bob', 'Write')] }])
        await bench.restrict(to)
        assertRefused(await call(from, to, {}, 'bob'), 403, /'Read'/)
      })
      test(`${operation} without an object, without a predicate, and with a blank one`, async () => {
        const [from, to] = [await aFile(), await aFile()]
        const run = (params: object) => operationsOn(server)(operation, { input: from, params })
        assertRefused(await run({ predicate: references }), 400, /parameter 'object'/)
        assertRefused(await run({ object: to }), 400, /parameter 'predicate'/)
        assertRefused(await run({ object: to, predicate: ' ' }), 400, /predicate must say what the relation is/)
      })
      test(`${operation} for documents that are not there`, async () => {
        const from = await aFile()
        assertRefused(await call(from, '/nowhere'), 404, /\/nowhere$/)
        assertRefused(await call('/nowhere', from), 404, /\/nowhere$/)
      })
    }
    test('Document.GetLinkedDocuments without a predicate, and to whoever may not read the document', async () => {
      const from = await aFile()
      await bench.restrict(from)
      const run = (params: object, user?: string) =>
        operationsOn(server, user)('Document.GetLinkedDocuments', { input: from, params })
      assertRefused(await run({}), 400, /parameter 'predicate'/)
      assertRefused(await run({ predicate: references }, 'eve'), 403, /'Read'/)
    })
  })
})
