import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const anAnnotation = (fields: object = {}) => ({ 'entity-type': 'annotation', ...fields })

onEachServer('6 annotations', (server) => {
  const bench = workbenchOn(server)
  const as = (user: string) => server.as(user)
  const annotate = async (id: string, fields: object = {}, user = 'Administrator'): Promise<Answered> =>
    requireStatus(201, await as(user).post(`/id/${id}/@annotation`, anAnnotation({ xpath: 'file:content', ...fields })))
  const reply = async (id: string, text: string, user = 'Administrator'): Promise<Answered> =>
    requireStatus(201, await as(user).post(`/id/${id}/@comment`, { 'entity-type': 'comment', text }))
  before(async () => {
    for (const user of ['ann', 'bob', 'eve']) await server.addUser(user, ['members'])
  })
  const shared = async () => {
    const { uid, path } = await bench.create('File')
    await bench.restrict(uid, grant('ann', 'Read'), grant('bob', 'Read'))
    return { uid, path }
  }

  test('have the fields of comments, the file and the document', async () => {
    const { uid } = await shared()
    const sent = anAnnotation({
      id: 'viewer-1',
      documentId: 'ignored',
      xpath: 'files:files/0/file',
      entity: '<square/>',
      text: 'here',
    })
    const { status, body, headers } = await as('ann').post(`/id/${uid}/@annotation`, sent)
    assert.equal(status, 201)
    assert.equal(headers.get('content-type'), 'application/json; platform-entity=annotation')
    const { id, creationDate, modificationDate, permissions, ...fields } = body
    assert.deepEqual(fields, {
      'entity-type': 'annotation',
      parentId: uid,
      ancestorIds: [uid],
      author: 'ann',
      text: 'here',
      entityId: 'viewer-1',
      origin: null,
      entity: '<square/>',
      xpath: 'files:files/0/file',
      documentId: uid,
    })
    assert.ok(permissions.includes('Read') && creationDate === modificationDate)
    assert.deepEqual((await as('bob').get(`/id/${uid}/@annotation/${id}`)).body, body)
    assert.deepEqual((await as('bob').get(`/id/${uid}/@annotation/external/viewer-1`)).body, body)
    const own = await annotate(uid, { id: 'viewer-2', entityId: 'other' }, 'ann')
    assert.equal(own.entityId, 'other')
  })

  test('are documents of their own type, without a state', async () => {
    const { uid } = await bench.create('File')
    const { id } = await annotate(uid)
    const seen = await bench.read(id, { properties: '*' })
    assert.deepEqual([seen.type, seen.state, seen.properties['annotation:xpath']], ['Annotation', 'undefined', 'file:content'])
  })

  test('are listed by the file, or all of them, without any field of pages', async () => {
    const { uid, path } = await bench.create('File')
    const dated = (number: number) => ({ text: `${number}`, creationDate: `2026-01-0${number}T00:00:00Z` })
    await annotate(uid, { xpath: "it's", ...dated(2) })
    for (const number of [1, 3]) await annotate(uid, dated(number))
    const texts = async (query: string) => {
      const page = requireStatus(200, await as('ann').get(`/path${path}/@annotation${query}`))
      assert.deepEqual(Object.keys(page), ['entity-type', 'entries'])
      assert.equal(page['entity-type'], 'annotations')
      return page.entries.map(({ text }: Answered) => text).join('')
    }
    assert.equal(await texts('?xpath=file:content'), '31')
    assert.equal(await texts(`?xpath=${encodeURIComponent("it's")}`), '2')
    assert.equal(await texts('?xpath=file'), '')
    assert.equal(await texts('?xpath='), '')
    assert.equal(await texts('?xpath=%00%27%5C'), '')
    assert.equal(await texts(''), '321')
    assert.equal(await texts('?pageSize=2&currentPageIndex=1'), '1')
    const empty = await bench.create('File')
    assert.deepEqual((await as('ann').get(`/id/${empty.uid}/@annotation?xpath=file:content`)).body.entries, [])
  })

  test('are changed by id, by what the viewer calls them, and by a body that names them', async () => {
    const { uid } = await shared()
    const { id } = await annotate(uid, { id: 'v-7', entity: 'a', xpath: 'x' }, 'ann')
    const changed = async (path: string, fields: object, user = 'ann') =>
      requireStatus(200, await as(user).put(`/id/${uid}/@annotation${path}`, anAnnotation(fields)))
    const shown = ({ id: shownId, entity, xpath, author, entityId }: Answered) => [shownId, entity, xpath, author, entityId]
    assert.deepEqual(shown(await changed(`/${id}`, { entity: 'b', author: 'bob' })), [id, 'b', 'x', 'ann', 'v-7'])
    assert.deepEqual(shown(await changed('/external/v-7', { entity: 'c', xpath: 'y' })), [id, 'c', 'y', 'ann', 'v-7'])
    assert.deepEqual(shown(await changed('', { id, entity: 'd' })), [id, 'd', 'y', 'ann', 'v-7'])
    assert.deepEqual(shown(await changed('', { id: 'v-7', entity: 'e' })), [id, 'e', 'y', 'ann', 'v-7'])
    assert.deepEqual(shown(await changed('', { entityId: 'v-7', entity: 'f' })), [id, 'f', 'y', 'ann', 'v-7'])
    const nameless = await as('ann').put(`/id/${uid}/@annotation`, anAnnotation({ entity: 'g' }))
    assert.equal(nameless.status, 400)
    assert.match(nameless.body.message, /Send its id/)
    assert.equal((await as('ann').put(`/id/${uid}/@annotation`, anAnnotation({ id: 'none' }))).status, 404)
    assert.equal((await as('bob').put(`/id/${uid}/@annotation`, anAnnotation({ id, entity: 'h' }))).status, 403)
  })

  test('are removed by id and by what the viewer calls them, with replies', async () => {
    const { uid } = await shared()
    const first = await annotate(uid, { id: 'one' }, 'ann')
    const said = await reply(first.id, 'why?', 'bob')
    const second = await annotate(uid, { id: 'two' }, 'ann')
    assert.equal((await as('bob').delete(`/id/${uid}/@annotation/${first.id}`)).status, 403)
    assert.equal((await as('ann').delete(`/id/${uid}/@annotation/${first.id}`)).status, 204)
    assert.equal((await as('ann').delete(`/id/${uid}/@annotation/external/two`)).status, 204)
    for (const id of [first.id, second.id, said.id]) assert.equal((await as('ann').get(`/id/${id}`)).status, 404)
  })

  test('are commented on, at any depth, and those comments found by the annotations', async () => {
    const { uid } = await shared()
    const [one, two, silent] = [await annotate(uid, {}, 'ann'), await annotate(uid, {}, 'ann'), await annotate(uid, {}, 'ann')]
    const said = await reply(one.id, 'a', 'bob')
    assert.deepEqual([said['entity-type'], said.parentId], ['comment', one.id])
    await reply(said.id, 'b', 'ann')
    await reply(two.id, 'c', 'bob')
    const texts = (answer: { body: Answered; status: number; text: string }) => {
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(Object.keys(answer.body), ['entity-type', 'totalSize', 'entries'])
      return answer.body.entries
        .map(({ text }: Answered) => text)
        .sort()
        .join('')
    }
    const ask = (ids: unknown, user = 'ann') => as(user).post(`/id/${uid}/@annotation/comments`, ids)
    assert.equal(texts(await ask([one.id])), 'ab')
    assert.equal(texts(await ask([one.id, two.id, silent.id, 'none', "it's"])), 'abc')
    assert.equal(texts(await ask([silent.id])), '')
    assert.equal(texts(await ask([])), '')
    assert.equal(
      texts(await as('ann').get(`/id/${uid}/@annotation/comments?annotationIds=${one.id}&annotationIds=${two.id}`)),
      'abc',
    )
    const own = await bench.create('File')
    assert.equal(texts(await as('eve').post(`/id/${own.uid}/@annotation/comments`, [one.id, two.id])), '')
    assert.equal((await ask([one.id], 'eve')).status, 403)
    for (const bad of [{}, '"x"', 7, [7], [[one.id]], null]) {
      const { status, body } = await ask(bad)
      assert.deepEqual([status, body.message], [400, 'Unable to read payload'], JSON.stringify(bad))
    }
    assert.equal((await ask(Array.from({ length: 1_001 }, (_, index) => `${index}`))).status, 400)
  })

  test('summarise their replies as comments do', async () => {
    const { uid } = await bench.create('File')
    const { id } = await annotate(uid)
    const said = await reply(id, 'a')
    const page = (await as('ann').get(`/id/${uid}/@annotation?fetch.comment=repliesSummary`)).body
    assert.deepEqual([page.entries[0].numberOfReplies, page.entries[0].lastReplyDate], [1, said.creationDate])
  })

  describe('are refused', () => {
    test('where they are none', async () => {
      const { uid } = await bench.create('File')
      const said = await reply(uid, 'no annotation')
      const { status, body } = await as('ann').get(`/id/${uid}/@annotation/${said.id}`)
      assert.deepEqual([status, body.message], [404, `The comment ${said.id} does not exist.`])
      assert.equal((await as('ann').get(`/id/${uid}/@annotation/${uid}`)).status, 404)
      assert.equal((await as('ann').post(`/id/${uid}/@annotation`, { 'entity-type': 'comment' })).status, 400)
      assert.equal((await as('ann').post(`/id/${uid}/@annotation`, { entity: 'x' })).status, 400)
      assert.equal((await as('ann').post(`/id/${uid}/@annotation`, anAnnotation({ xpath: 7 }))).status, 400)
      assert.equal((await as('ann').post(`/id/${uid}/@annotation`, anAnnotation({ xpath: 'x'.repeat(1_001) }))).status, 400)
    })

    test('to those who may not read the document', async () => {
      const { uid } = await shared()
      const own = await bench.create('File')
      const { id } = await annotate(uid, { id: 'hidden' }, 'ann')
      for (const answer of [
        await as('eve').get(`/id/${uid}/@annotation?xpath=file:content`),
        await as('eve').post(`/id/${uid}/@annotation`, anAnnotation()),
        await as('eve').get(`/id/${own.uid}/@annotation/${id}`),
        await as('eve').put(`/id/${own.uid}/@annotation/${id}`, anAnnotation()),
        await as('eve').put(`/id/${own.uid}/@annotation`, anAnnotation({ id })),
        await as('eve').delete(`/id/${own.uid}/@annotation/${id}`),
      ])
        assert.equal(answer.status, 403, answer.text)
      assert.equal((await as('eve').get(`/id/${own.uid}/@annotation/external/hidden`)).status, 404)
      for (const [name, parameters] of [
        ['GET_ANNOTATION_AS_EXTERNAL_ENTITY', ['hidden']],
        ['GET_ANNOTATIONS_FOR_DOCUMENT', [uid, 'file:content']],
      ] as const) {
        const query = parameters.map((one) => `queryParams=${one}`).join('&')
        assert.equal((await as('eve').get(`/search/pp/${name}/execute?${query}`)).body.entries.length, 0)
        assert.equal((await as('bob').get(`/search/pp/${name}/execute?${query}`)).body.entries[0].uid, id)
      }
    })
  })
})
