import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addComment } from '../../src/features/comments/comments.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const aComment = (fields: object = {}) => ({ 'entity-type': 'comment', ...fields })

onEachServer('5 comments', (server) => {
  const bench = workbenchOn(server)
  const as = (user: string) => server.as(user)
  const add = async (id: string, fields: object = {}, user = 'Administrator'): Promise<Answered> =>
    requireStatus(201, await as(user).post(`/id/${id}/@comment`, aComment({ text: 'said', ...fields })))
  const list = async (id: string, query = '', user = 'Administrator', headers = {}): Promise<Answered> =>
    requireStatus(200, await as(user).get(`/id/${id}/@comment${query}`, headers))
  const texts = (page: Answered): readonly string[] => page.entries.map(({ text }: Answered) => text)
  before(async () => {
    for (const user of ['ann', 'bob', 'eve']) await server.addUser(user, ['members'])
  })
  /** A file that ann and bob may read, and nobody else. */
  const shared = async (...aces: Parameters<typeof bench.restrict>[1][]) => {
    const { uid, path } = await bench.create('File')
    await bench.restrict(uid, grant('ann', 'Read'), grant('bob', 'Read'), ...aces)
    return { uid, path }
  }

  describe('5.1, 5.2 are written and read', () => {
    test('with exactly their fields', async () => {
      const { uid } = await shared()
      const { status, body, headers } = await as('ann').post(`/id/${uid}/@comment`, aComment({ text: 'Please check page 3' }))
      assert.equal(status, 201)
      assert.equal(headers.get('content-type'), 'application/json; platform-entity=comment')
      const { id, creationDate, modificationDate, ...fields } = body
      assert.deepEqual(fields, {
        'entity-type': 'comment',
        parentId: uid,
        ancestorIds: [uid],
        author: 'ann',
        text: 'Please check page 3',
        entityId: null,
        origin: null,
        entity: null,
        permissions: fields.permissions,
      })
      assert.match(creationDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.equal(modificationDate, creationDate)
      for (const name of ['Browse', 'Read', 'ReadProperties']) assert.ok(fields.permissions.includes(name), name)
      for (const name of ['WriteProperties', 'Everything']) assert.ok(!fields.permissions.includes(name), name)
      assert.deepEqual((await as('ann').get(`/id/${uid}/@comment/${id}`)).body, body)
    })

    test('by path as by id, and by whatever document stands before the id', async () => {
      const { uid, path } = await bench.create('File')
      const other = await bench.create('File')
      const made = requireStatus(201, await as('ann').post(`/path${path}/@comment`, aComment({ text: 'here' })))
      assert.deepEqual(texts(requireStatus(200, await as('ann').get(`/path${path}/@comment`))), ['here'])
      const elsewhere = requireStatus(200, await as('ann').get(`/id/${other.uid}/@comment/${made.id}`))
      assert.deepEqual([elsewhere.id, elsewhere.parentId], [made.id, uid])
    })

    test('with the author, the id and the parent that the server says, whatever the client does', async () => {
      const [{ uid }, other] = [await bench.create('File'), await bench.create('File')]
      const fields = { id: 'mine', parentId: other.uid, ancestorIds: [other.uid], author: 'bob', permissions: ['Everything'] }
      const made = await add(uid, fields, 'ann')
      assert.deepEqual([made.author, made.parentId, made.ancestorIds], ['ann', uid, [uid]])
      assert.notEqual(made.id, 'mine')
      const changed = requireStatus(200, await as('ann').put(`/id/${uid}/@comment/${made.id}`, aComment(fields)))
      assert.deepEqual([changed.id, changed.author, changed.parentId, changed.ancestorIds], [made.id, 'ann', uid, [uid]])
      assert.equal((await list(other.uid)).totalSize, 0)
    })

    test('with dates that the client gives, to the millisecond and in UTC', async () => {
      const { uid } = await bench.create('File')
      const made = await add(uid, { creationDate: '2026-02-01T11:15:30.123+01:00', modificationDate: '2026-02-02T00:00:00Z' })
      assert.deepEqual([made.creationDate, made.modificationDate], ['2026-02-01T10:15:30.123Z', '2026-02-02T00:00:00.000Z'])
      const changed = requireStatus(200, await as('Administrator').put(`/id/${uid}/@comment/${made.id}`, aComment({ text: 'b' })))
      assert.equal(changed.creationDate, '2026-02-01T10:15:30.123Z')
      assert.ok(changed.modificationDate > '2026-03')
    })

    test('without a text, and with one of any length and script', async () => {
      const { uid } = await bench.create('File')
      assert.equal((await add(uid, { text: null })).text, null)
      assert.equal((await add(uid, { text: undefined })).text, null)
      const long = 'Ünïcödé 🙂 '.repeat(20_000)
      const { id } = await add(uid, { text: long })
      assert.equal((await as('ann').get(`/id/${uid}/@comment/${id}`)).body.text, long)
    })

    test('cleaned of what a browser would run', async () => {
      const { uid } = await bench.create('File')
      const made = await add(uid, { text: '<b>ok</b><script>alert(1)</script><img src=x onerror=alert(2)>' })
      assert.match(made.text, /<b>ok<\/b>/)
      assert.doesNotMatch(made.text, /script|onerror/)
      const changed = await as('Administrator').put(`/id/${uid}/@comment/${made.id}`, aComment({ text: '<iframe src=x>' }))
      assert.doesNotMatch(changed.body.text, /iframe/)
    })

    test('a change leaves alone what it does not name, the external part too', async () => {
      const { uid } = await bench.create('File')
      const made = await add(uid, { entityId: 'e1', origin: 'viewer', entity: '<xml/>' })
      const changed = requireStatus(
        200,
        await as('Administrator').put(`/id/${uid}/@comment/${made.id}`, aComment({ text: 'new' })),
      )
      const { text, modificationDate, ...rest } = changed
      const { text: _, modificationDate: __, ...before } = made
      assert.deepEqual(rest, before)
      assert.equal(text, 'new')
      assert.ok(modificationDate >= made.modificationDate)
      const plain = await add(uid)
      const named = requireStatus(
        200,
        await as('Administrator').put(`/id/${uid}/@comment/${plain.id}`, aComment({ origin: 'late' })),
      )
      assert.deepEqual([named.origin, named.entityId, named.text], ['late', null, 'said'])
    })

    test('a null clears the field it is sent for, and no other', async () => {
      const { uid } = await bench.create('File')
      const external = { entityId: 'e1', origin: 'viewer', entity: '<xml/>' }
      const change = async (id: string, fields: object) =>
        requireStatus(200, await as('Administrator').put(`/id/${uid}/@comment/${id}`, { 'entity-type': 'comment', ...fields }))
      for (const field of ['entityId', 'origin', 'entity'] as const) {
        const made = await add(uid, external)
        const { text, entityId, origin, entity } = await change(made.id, { [field]: null })
        assert.deepEqual({ text, entityId, origin, entity }, { text: 'said', ...external, [field]: null })
      }
      const { id } = await add(uid, external)
      const cleared = await change(id, { entityId: null, origin: null, entity: null })
      assert.deepEqual([cleared.entityId, cleared.origin, cleared.entity], [null, null, null])
      assert.equal((await as('Administrator').get(`/id/${uid}/@comment/external/e1`)).body.id === id, false)
      assert.equal((await change(id, { text: null })).text, null)
    })
    test('a null begins no external part where there was none', async () => {
      const { uid } = await bench.create('File')
      const nothing = { entityId: null, origin: null, entity: null }
      const made = await add(uid, nothing)
      requireStatus(200, await as('Administrator').put(`/id/${uid}/@comment/${made.id}`, aComment({ text: 'new', ...nothing })))
      assert.ok(!(await bench.read(made.id)).facets.includes('ExternalEntity'))
    })

    test('are gone for good with all replies to them', async () => {
      const { uid } = await shared()
      const first = await add(uid, {}, 'ann')
      const reply = await add(first.id, {}, 'bob')
      const { status, text } = await as('ann').delete(`/id/${uid}/@comment/${first.id}`)
      assert.deepEqual([status, text], [204, ''])
      for (const id of [first.id, reply.id]) {
        assert.equal((await as('ann').get(`/id/${id}`)).status, 404)
        const { status: gone, body } = await as('ann').get(`/id/${uid}/@comment/${id}`)
        assert.deepEqual([gone, body.message], [404, `The comment ${id} does not exist.`])
      }
      assert.equal((await list(uid)).totalSize, 0)
    })
  })

  describe('5.2 are listed', () => {
    test('the newest first, without replies, and with nothing else in the list', async () => {
      const { uid } = await bench.create('File')
      const day = (number: number) => ({ text: `${number}`, creationDate: `2026-01-0${number}T00:00:00.000Z` })
      const two = await add(uid, day(2))
      for (const number of [1, 3]) await add(uid, day(number))
      await add(two.id, { text: 'reply' })
      const page = await list(uid)
      assert.deepEqual(Object.keys(page), ['entity-type', 'totalSize', 'entries'])
      assert.deepEqual([page['entity-type'], page.totalSize, texts(page)], ['comments', 3, ['3', '2', '1']])
      assert.deepEqual(texts(await list(two.id)), ['reply'])
    })

    test('all of them, or by pages', async () => {
      const { uid } = await bench.create('File')
      for (const number of [1, 2, 3, 4, 5]) await add(uid, { text: `${number}`, creationDate: `2026-01-0${number}T00:00:00Z` })
      const paged = async (query: string) => {
        const page = await list(uid, query)
        return [page.totalSize, texts(page).join('')]
      }
      assert.deepEqual(await paged('?pageSize=2'), [5, '54'])
      assert.deepEqual(await paged('?pageSize=2&currentPageIndex=1'), [5, '32'])
      assert.deepEqual(await paged('?pageSize=2&currentPageIndex=2'), [5, '1'])
      assert.deepEqual(await paged('?pageSize=2&currentPageIndex=3'), [5, ''])
      assert.deepEqual(await paged('?pageSize=0'), [5, '54321'])
      assert.deepEqual(await paged('?pageSize=-1&currentPageIndex=0'), [5, '54321'])
      assert.deepEqual(await paged('?pageSize=9007199254740991&currentPageIndex=9007199254740991'), [5, ''])
      for (const query of ['?pageSize=two', '?currentPageIndex=1.5', '?pageSize=99999999999999999999'])
        assert.equal((await as('ann').get(`/id/${uid}/@comment${query}`)).status, 400, query)
    })

    test('with a summary of their direct replies, however that is asked for', async () => {
      const { uid } = await bench.create('File')
      const [lonely, answered] = [await add(uid, { text: 'lonely' }), await add(uid, { text: 'answered' })]
      const last = await add(answered.id, { creationDate: '2026-05-05T05:05:05.555Z' })
      await add(answered.id, { creationDate: '2026-04-04T04:04:04Z' })
      await add(last.id, { creationDate: '2026-06-06T06:06:06Z' })
      for (const [query, headers] of [
        ['?fetch.comment=repliesSummary', {}],
        ['?fetch-comment=repliesSummary', {}],
        ['', { 'fetch-comment': 'repliesSummary' }],
        ['', { 'fetch.comment': 'repliesSummary' }],
      ] as const) {
        const page = await list(uid, query, 'ann', headers)
        const one = (text: string) => page.entries.find((entry: Answered) => entry.text === text)
        assert.deepEqual([one('answered').numberOfReplies, one('answered').lastReplyDate], [2, last.creationDate])
        assert.deepEqual([one('lonely').numberOfReplies, 'lastReplyDate' in one('lonely')], [0, false])
        const single = (await as('ann').get(`/id/${uid}/@comment/${answered.id}${query}`, headers)).body
        assert.deepEqual([single.numberOfReplies, single.lastReplyDate], [2, last.creationDate])
      }
      assert.ok(!('numberOfReplies' in (await list(uid)).entries[0]))
      assert.equal((await as('ann').get(`/id/${uid}/@comment/${lonely.id}`)).body.numberOfReplies, undefined)
    })
  })

  describe('replies', () => {
    test('know all that they are about', async () => {
      const { uid } = await bench.create('File')
      const first = await add(uid)
      const reply = await add(first.id, {}, 'ann')
      const second = await add(reply.id, {}, 'bob')
      assert.deepEqual([reply.parentId, [...reply.ancestorIds].sort()], [first.id, [first.id, uid].sort()])
      assert.deepEqual([second.parentId, [...second.ancestorIds].sort()], [reply.id, [first.id, reply.id, uid].sort()])
      assert.deepEqual(second.permissions, reply.permissions)
    })

    test('go a hundred deep and then say what to do', async () => {
      const { uid } = await bench.create('File')
      const id = await server.asSystem(async (session) => {
        let about = await session.tx.documents.find(uid)
        for (let depth = 1; depth <= 100; depth++) {
          assert.ok(about)
          about = (await addComment(session, about, 'Comment', { properties: {}, external: {} })).comment
        }
        return about?.id
      })
      const { status, body } = await as('ann').post(`/id/${id}/@comment`, aComment({ text: 'deeper' }))
      assert.equal(status, 400)
      assert.match(body.message, /Reply to an earlier one/)
      assert.equal((await as('Administrator').delete(`/id/${uid}`)).status, 204)
      assert.equal((await as('Administrator').get(`/id/${id}`)).status, 404)
    })
  })

  describe('of other systems', () => {
    test('are found, changed and removed by what those call them, anywhere in the threads', async () => {
      const { uid } = await shared()
      const first = await add(uid, {}, 'ann')
      const made = await add(first.id, { entityId: "it's http://x//1?ünï;", origin: 'viewer', entity: '<xfdf/>' }, 'ann')
      assert.deepEqual([made.entityId, made.origin, made.entity], ["it's http://x//1?ünï;", 'viewer', '<xfdf/>'])
      const address = `/id/${uid}/@comment/external/${encodeURIComponent("it's http://x//1?ünï;")}`
      assert.deepEqual((await as('bob').get(address)).body.id, made.id)
      assert.equal((await as('bob').put(address, aComment({ text: 'no' }))).status, 403)
      const changed = requireStatus(200, await as('ann').put(address, aComment({ text: 'yes' })))
      assert.deepEqual([changed.id, changed.text, changed.entity], [made.id, 'yes', '<xfdf/>'])
      assert.equal((await as('bob').delete(address)).status, 403)
      assert.equal((await as('ann').delete(address)).status, 204)
      const { status, body } = await as('ann').get(address)
      assert.deepEqual([status, body.message], [404, "The external comment it's http://x//1?ünï; does not exist."])
    })

    test('are looked for in the threads of one document alone', async () => {
      const [{ uid }, other] = [await bench.create('File'), await bench.create('File')]
      const made = await add(uid, { entityId: 'same' })
      await add(other.uid, { entityId: 'same' })
      assert.equal((await as('ann').get(`/id/${uid}/@comment/external/same`)).body.id, made.id)
      const folder = await bench.create('Folder')
      assert.equal((await as('ann').get(`/id/${folder.uid}/@comment/external/same`)).status, 404)
    })

    test('may say as much as they like', async () => {
      const { uid } = await bench.create('File')
      const entity = `<xfdf>${'<square page="1"/>'.repeat(20_000)}</xfdf>`
      const { id } = await add(uid, { entityId: 'large', entity })
      assert.equal((await as('ann').get(`/id/${uid}/@comment/${id}`)).body.entity, entity)
    })
  })

  describe('5.3 are refused', () => {
    test('with a body that is none, or of another kind', async () => {
      const { uid } = await bench.create('File')
      const { id } = await add(uid)
      const bad: readonly [string, unknown][] = [
        ['no entity type', { text: 'x' }],
        ['another entity type', { 'entity-type': 'annotation', text: 'x' }],
        ['a document', { 'entity-type': 'document' }],
        ['a list', [aComment()]],
        ['a text', 'x'],
        ['null', null],
        ['a text that is none', aComment({ text: 7 })],
        ['a text that is a list', aComment({ text: ['x'] })],
        ['an entity that is an object', aComment({ entity: {} })],
        ['a date that is none', aComment({ creationDate: 'yesterday' })],
        ['a day', aComment({ creationDate: '2026-02-01' })],
        ['a day that there is not', aComment({ modificationDate: '2026-02-30T00:00:00Z' })],
        ['a number for a date', aComment({ creationDate: 1_770_000_000 })],
        ['an id that is too long', aComment({ entityId: 'x'.repeat(1_001) })],
      ]
      for (const [what, body] of bad) {
        for (const answer of [
          await as('ann').post(`/id/${uid}/@comment`, body),
          await as('Administrator').put(`/id/${uid}/@comment/${id}`, body),
        ]) {
          assert.equal(answer.status, 400, `${what}: ${answer.text}`)
          assert.equal(answer.body['entity-type'], 'exception')
        }
      }
      assert.deepEqual(texts(await list(uid)), ['said'])
    })

    test('where there is no such document or comment', async () => {
      const { uid } = await bench.create('File')
      const none = '00000000-0000-4000-8000-000000000000'
      const missing = [
        await as('ann').get(`/id/${none}/@comment`),
        await as('ann').post(`/id/${none}/@comment`, aComment()),
        await as('ann').get(`/id/${uid}/@comment/${none}`),
        await as('ann').put(`/id/${uid}/@comment/${none}`, aComment()),
        await as('ann').delete(`/id/${uid}/@comment/${none}`),
        // A document that is no comment.
        await as('ann').get(`/id/${uid}/@comment/${uid}`),
        await as('Administrator').delete(`/id/${uid}/@comment/${uid}`),
        await as('ann').get(`/id/${uid}/@comment/external`),
        await as('ann').get(`/id/${uid}/@comment/external/${none}`),
        await as('ann').get(`/id/${uid}/@comment/a/b/c`),
      ]
      assert.deepEqual(new Set(missing.map(({ status }) => status)), new Set([404]))
      assert.equal((await bench.read(uid)).uid, uid)
    })

    test('with a method that there is not at the address, which is told', async () => {
      const { uid } = await bench.create('File')
      const { id } = await add(uid)
      const put = await as('ann').put(`/id/${uid}/@comment`, aComment())
      assert.deepEqual([put.status, put.headers.get('allow')], [405, 'HEAD, GET, POST, OPTIONS'])
      const post = await as('ann').post(`/id/${uid}/@comment/${id}`, aComment())
      assert.deepEqual([post.status, post.headers.get('allow')], [405, 'HEAD, GET, PUT, DELETE, OPTIONS'])
      assert.equal((await as('ann').get(`/user/ann/@comment`)).status, 400)
    })

    test('to those who may not read the document, on every way', async () => {
      const { uid } = await shared()
      const own = await bench.create('File')
      const { id } = await add(uid, { entityId: 'secret' }, 'ann')
      for (const answer of [
        await as('eve').get(`/id/${uid}/@comment`),
        await as('eve').post(`/id/${uid}/@comment`, aComment()),
        await as('eve').get(`/id/${own.uid}/@comment/${id}`),
        await as('eve').put(`/id/${own.uid}/@comment/${id}`, aComment({ text: 'mine now' })),
        await as('eve').delete(`/id/${own.uid}/@comment/${id}`),
        await as('eve').get(`/id/${id}/@comment`),
        await as('eve').post(`/id/${id}/@comment`, aComment()),
        await as('eve').get(`/id/${id}`),
        await as('eve').delete(`/id/${id}`),
      ])
        assert.equal(answer.status, 403, answer.text)
      assert.equal((await as('eve').get(`/id/${own.uid}/@comment/external/secret`)).status, 404)
      const query = encodeURIComponent(`SELECT * FROM Comment WHERE ecm:uuid = '${id}'`)
      assert.equal((await as('eve').get(`/search/lang/NXQL/execute?query=${query}`)).body.resultsCount, 0)
      assert.equal((await as('bob').get(`/search/lang/NXQL/execute?query=${query}`)).body.resultsCount, 1)
    })

    test('to a writer who did not write them, on every way, but not to who has all rights', async () => {
      const { uid } = await shared(grant('eve', 'ReadWrite'))
      const { id } = await add(uid, {}, 'ann')
      const asDocument = { 'entity-type': 'document', properties: { 'comment:text': 'forged' } }
      for (const user of ['bob', 'eve']) {
        for (const answer of [
          await as(user).put(`/id/${uid}/@comment/${id}`, aComment({ text: 'forged' })),
          await as(user).delete(`/id/${uid}/@comment/${id}`),
          await as(user).put(`/id/${id}`, asDocument),
          await as(user).delete(`/id/${id}`),
        ])
          assert.equal(answer.status, 403, `${user}: ${answer.text}`)
      }
      await bench.restrict(uid, grant('ann', 'Read'), grant('eve', 'Everything'))
      assert.equal((await as('eve').put(`/id/${uid}/@comment/${id}`, aComment({ text: 'moderated' }))).body.text, 'moderated')
      assert.equal((await as('ann').get(`/id/${uid}/@comment/${id}`)).body.author, 'ann')
      assert.equal((await as('eve').delete(`/id/${uid}/@comment/${id}`)).status, 204)
    })

    test('to their authors too, once these may no longer read the document', async () => {
      const { uid } = await shared()
      const { id } = await add(uid, {}, 'ann')
      await bench.restrict(uid, grant('bob', 'Read'))
      for (const answer of [
        await as('ann').get(`/id/${id}`),
        await as('ann').put(`/id/${id}`, { 'entity-type': 'document', properties: { 'comment:text': 'late' } }),
        await as('ann').delete(`/id/${id}`),
        await as('ann').delete(`/id/${uid}/@comment/${id}`),
      ])
        assert.equal(answer.status, 403)
      assert.equal((await list(uid)).totalSize, 1)
    })
  })

  describe('5.4 are documents', () => {
    test('that their authors, who may only read the commented one, change and remove by their ids', async () => {
      const { uid } = await shared()
      const { id } = await add(uid, {}, 'ann')
      const reply = await add(id, {}, 'bob')
      const seen = requireStatus(200, await as('bob').get(`/id/${id}`, { properties: '*' }))
      assert.deepEqual([seen.type, seen.state, seen.facets], ['Comment', 'moderation_pending', ['HiddenInNavigation']])
      const { properties } = seen
      assert.deepEqual(
        [
          properties['comment:author'],
          properties['comment:text'],
          properties['comment:parentId'],
          properties['comment:ancestorIds'],
        ],
        ['ann', 'said', uid, [uid]],
      )
      assert.equal(properties['dc:creator'], 'ann')
      const changes = { 'comment:text': 'new', 'comment:author': 'bob', 'comment:parentId': id, 'comment:ancestorIds': [id] }
      requireStatus(200, await as('ann').put(`/id/${id}`, { 'entity-type': 'document', properties: changes }))
      const after = (await as('bob').get(`/id/${uid}/@comment/${id}`)).body
      assert.deepEqual([after.text, after.author, after.parentId, after.ancestorIds], ['new', 'ann', uid, [uid]])
      assert.equal((await as('bob').delete(`/id/${reply.id}`)).status, 204)
      assert.equal((await as('ann').delete(`/id/${id}`)).status, 204)
      assert.equal((await list(uid)).totalSize, 0)
    })

    test('that nobody but the server makes, copies or moves', async () => {
      const { uid } = await shared(grant('eve', 'ReadWrite'))
      const folder = await bench.create('Folder')
      await bench.restrict(folder.uid, grant('eve', 'Everything'), grant('ann', 'Everything'))
      const { id } = await add(uid, {}, 'ann')
      const { parentRef } = (await as('ann').get(`/id/${id}`)).body
      const document = (type: string, properties: object = {}) => ({ 'entity-type': 'document', type, name: 'x', properties })
      const forged = { 'comment:author': 'bob', 'comment:parentId': uid, 'comment:ancestorIds': [uid] }
      for (const answer of [
        await as('eve').post(`/id/${folder.uid}`, document('Comment', forged)),
        await as('eve').post(`/id/${folder.uid}`, document('Annotation', forged)),
        await as('eve').post(`/id/${folder.uid}`, document('CommentRoot')),
        await as('eve').post(`/id/${parentRef}`, document('Comment', forged)),
        await as('eve').post(`/id/${parentRef}`, document('File')),
        await as('ann').post(`/id/${id}`, document('Comment', forged)),
        await as('ann').post('/automation/Document.Copy', { input: `doc:${id}`, params: { target: folder.uid, name: 'y' } }),
        await as('ann').post('/automation/Document.Move', { input: `doc:${id}`, params: { target: folder.uid, name: 'y' } }),
        await as('eve').post('/automation/Document.Move', {
          input: `doc:${parentRef}`,
          params: { target: folder.uid, name: 'y' },
        }),
      ])
        assert.equal(answer.status, 403, answer.text)
      assert.equal((await list(uid)).totalSize, 1)
    })

    test('that stay out of lists of children, of navigation and of default searches', async () => {
      const word = `zebra${Date.now()}`
      const folder = await bench.create('Folder')
      const inside = await bench.create('File', {}, { parent: folder.path })
      await add(folder.uid, { text: word })
      await add(inside.uid, { text: word })
      const ids = async (path: string) => (await as('ann').get(path)).body.entries.map(({ uid }: Answered) => uid)
      assert.deepEqual(await ids(`/id/${folder.uid}/@children`), [inside.uid])
      assert.deepEqual(await ids(`/search/pp/default_search/execute?ecm_fulltext=${word}`), [])
      const children = await as('ann').post('/automation/Document.GetChildren', { input: `doc:${folder.uid}` })
      assert.deepEqual(
        children.body.entries.map(({ uid }: Answered) => uid),
        [inside.uid],
      )
      const enriched = await as('ann').get(`/id/${inside.uid}`, {
        'enrichers.document': 'children, hasContent, hasFolderishChild',
      })
      const { children: shown, ...flags } = enriched.body.contextParameters
      assert.deepEqual([shown.entries, flags], [[], { hasContent: false, hasFolderishChild: false }])
      const found = await ids(
        `/search/lang/NXQL/execute?query=${encodeURIComponent(`SELECT * FROM Comment WHERE ecm:fulltext = '${word}'`)}`,
      )
      assert.equal(found.length, 2)
    })

    test('that page providers give by what they are about', async () => {
      const { uid } = await shared()
      const { id } = await add(uid, { entityId: 'by-provider' }, 'ann')
      const reply = await add(id, {}, 'bob')
      const { parentRef } = (await as('ann').get(`/id/${id}`)).body
      const provided = async (name: string, parameters: readonly string[], user = 'ann') => {
        const query = parameters.map((one) => `queryParams=${encodeURIComponent(one)}`).join('&')
        return requireStatus(200, await as(user).get(`/search/pp/${name}/execute?${query}`)).entries.map(
          (one: Answered) => one.uid,
        )
      }
      const calls: readonly [string, readonly string[], readonly string[]][] = [
        ['GET_COMMENTS_FOR_DOCUMENT', [uid], [id]],
        ['GET_COMMENTS_FOR_DOCUMENT', [id], [reply.id]],
        ['GET_COMMENTS_FOR_DOCUMENT_BY_ECM_PARENT', [parentRef], [id]],
        ['GET_COMMENTS_FOR_DOCUMENT_BY_ECM_PARENT', [id], [reply.id]],
        ['GET_COMMENTS_FOR_DOCUMENTS_BY_COMMENT_ANCESTOR', [uid], [id, reply.id].sort()],
        ['GET_COMMENT_AS_EXTERNAL_ENTITY', ['by-provider'], [id]],
        ['GET_EXTERNAL_COMMENT_BY_COMMENT_ANCESTOR', [uid, 'by-provider'], [id]],
        ['GET_EXTERNAL_COMMENT_BY_ECM_ANCESTOR', [uid, 'by-provider'], [id]],
      ]
      for (const [name, parameters, expected] of calls) {
        assert.deepEqual([...(await provided(name, parameters))].sort(), expected, name)
        assert.deepEqual(await provided(name, parameters, 'eve'), [], name)
      }
    })

    test('of which the log has rows, but of none about the commented document', async () => {
      const { uid } = await shared()
      const { id } = await add(uid, {}, 'ann')
      requireStatus(200, await as('ann').put(`/id/${uid}/@comment/${id}`, aComment({ text: 'new' })))
      const rows = requireStatus(200, await as('bob').get(`/id/${id}/@audit`)).entries
      assert.deepEqual(
        rows.map(({ eventId, principalName }: Answered) => [eventId, principalName]),
        [
          ['documentModified', 'ann'],
          ['documentCreated', 'ann'],
        ],
      )
      assert.equal((await as('eve').get(`/id/${id}/@audit`)).status, 403)
      const ofDocument = requireStatus(200, await as('bob').get(`/id/${uid}/@audit`)).entries
      assert.ok(ofDocument.every(({ eventId }: Answered) => !eventId.startsWith('comment')))
    })

    test('that a document named Comments does not stand in the way of', async () => {
      const folder = await bench.create('Folder')
      const taken = await bench.create('Folder', {}, { parent: folder.path, name: 'Comments' })
      const { id } = await add(folder.uid, { text: 'there' })
      assert.deepEqual(texts(await list(folder.uid)), ['there'])
      assert.equal((await as('Administrator').delete(`/id/${taken.uid}`)).status, 204)
      await add(folder.uid, { text: 'again', creationDate: '2020-01-01T00:00:00Z' })
      assert.deepEqual(texts(await list(folder.uid)), ['there', 'again'])
      assert.equal((await as('ann').get(`/id/${folder.uid}/@comment/${id}`)).status, 200)
    })
  })
})
