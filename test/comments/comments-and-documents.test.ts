import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { removeChildren } from '../../src/core/documents/remove-children.ts'
import type { DocumentEvent } from '../../src/core/session.ts'
import { addComment } from '../../src/features/comments/comments.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const told: DocumentEvent[] = []
const recorder = definePlugin({
  name: 'recorder',
  requires: ['comments'],
  listeners: [
    {
      name: 'recorder',
      when: 'inline',
      events: ['commentAdded', 'commentUpdated', 'commentRemoved', 'comments_moderation'],
      handle: (event) => {
        told.push(event)
      },
    },
  ],
})

onEachServer(
  '5.4 comments and what happens to documents',
  (server) => {
    const bench = workbenchOn(server)
    const as = (user: string) => server.as(user)
    const add = async (id: string, text: string, user = 'Administrator'): Promise<Answered> =>
      requireStatus(201, await as(user).post(`/id/${id}/@comment`, { 'entity-type': 'comment', text }))
    const texts = async (id: string, user = 'Administrator'): Promise<readonly string[]> =>
      requireStatus(200, await as(user).get(`/id/${id}/@comment`))
        .entries.map(({ text }: Answered) => text)
        .sort()
    const run = async (operation: string, input: string, params: object = {}, user = 'Administrator'): Promise<Answered> => {
      const answer = await as(user).post(`/automation/${operation}`, { input: `doc:${input}`, params })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    const versionOf = async (uid: string): Promise<string> => (await run('Document.GetLastVersion', uid)).uid
    const isThere = async (id: string) => (await as('Administrator').get(`/id/${id}`)).status === 200
    before(async () => {
      for (const user of ['ann', 'bob', 'eve']) await server.addUser(user, ['members'])
    })

    describe('with a document', () => {
      test('they are moved, renamed, trashed and brought back', async () => {
        const { uid } = await bench.create('File')
        const { id } = await add(uid, 'along')
        const folder = await bench.create('Folder')
        await run('Document.Move', uid, { target: folder.uid, name: 'other' })
        assert.deepEqual(await texts(uid), ['along'])
        await run('Document.Trash', uid)
        assert.deepEqual(await texts(uid), ['along'])
        await add(uid, 'in the trash')
        await run('Document.Untrash', uid)
        assert.deepEqual(await texts(uid), ['along', 'in the trash'])
        assert.equal((await bench.read(id)).isTrashed, false)
      })

      test('they are removed, and with the folder that it is in', async () => {
        const folder = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: folder.path })
        const first = await add(uid, 'a')
        const reply = await add(first.id, 'b')
        assert.equal((await as('Administrator').delete(`/id/${folder.uid}`)).status, 204)
        for (const id of [first.id, reply.id]) assert.ok(!(await isThere(id)))
        const query = encodeURIComponent(`SELECT * FROM Document WHERE comment:ancestorIds = '${uid}'`)
        assert.equal((await as('Administrator').get(`/search/lang/NXQL/execute?query=${query}`)).body.resultsCount, 0)
      })

      test('they are not copied, nor those on what is in a folder', async () => {
        const folder = await bench.create('Folder')
        const inside = await bench.create('File', {}, { parent: folder.path, name: 'inside' })
        await add(folder.uid, 'outer')
        await add(inside.uid, 'inner')
        const copy = await run('Document.Copy', folder.uid, { target: '/default-domain/workspaces', name: `copy-${folder.uid}` })
        const copied = requireStatus(200, await as('Administrator').get(`/path${copy.path}/inside`))
        assert.deepEqual([await texts(copy.uid), await texts(copied.uid)], [[], []])
        assert.deepEqual([await texts(folder.uid), await texts(inside.uid)], [['outer'], ['inner']])
      })

      test('they stay when its folder is emptied of what is in it', async () => {
        const folder = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: folder.path })
        await add(folder.uid, 'stays')
        await server.asSystem((session) => removeChildren(session, folder.uid))
        assert.ok(!(await isThere(uid)))
        assert.deepEqual(await texts(folder.uid), ['stays'])
      })

      test('they lose their readers with the next request', async () => {
        const { uid } = await bench.create('File')
        const { id } = await add(uid, 'secret')
        assert.deepEqual(await texts(uid, 'ann'), ['secret'])
        await bench.restrict(uid, grant('bob', 'Read'))
        assert.equal((await as('ann').get(`/id/${id}`)).status, 403)
        assert.deepEqual(await texts(uid, 'bob'), ['secret'])
      })

      test('that another user has locked, that is a record or on hold, they are added all the same', async () => {
        const { uid } = await bench.create('File')
        await run('Document.Lock', uid)
        const { id } = await add(uid, 'locked', 'ann')
        await bench.change(uid, { isRecord: true, hasLegalHold: true })
        await add(uid, 'held', 'ann')
        assert.equal((await as('Administrator').delete(`/id/${uid}`)).status, 409)
        assert.equal((await as('ann').delete(`/id/${uid}/@comment/${id}`)).status, 204)
        assert.deepEqual(await texts(uid), ['held'])
      })

      test('they change nothing about it', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'Same' })
        const was = await bench.read(uid, { properties: '*' })
        await add(uid, 'said', 'ann')
        assert.deepEqual(await bench.read(uid, { properties: '*' }), was)
      })

      test('without a place in the tree there is none for them either', async () => {
        const id = await server.asSystem(async (session) => {
          return (await createDocument(session, { parent: null, type: 'File', name: 'placeless', properties: {} })).id
        })
        assert.deepEqual(await texts(id), [])
        const { status, body } = await as('Administrator').post(`/id/${id}/@comment`, { 'entity-type': 'comment', text: 'x' })
        assert.equal(status, 400)
        assert.match(body.message, /Move it into a folder first/)
      })

      test('what holds them is not commented itself', async () => {
        const { uid } = await bench.create('File')
        const { id } = await add(uid, 'said')
        const { parentRef } = await bench.read(id)
        const { status, body } = await as('ann').post(`/id/${parentRef}/@comment`, { 'entity-type': 'comment', text: 'x' })
        assert.equal(status, 400)
        assert.match(body.message, /Address the document/)
      })
    })

    describe('a version', () => {
      test('keeps what was said by then, threads and annotations too, and what is said later stays apart', async () => {
        const { uid } = await bench.create('File')
        const first = await add(uid, 'before', 'ann')
        await add(first.id, 'reply', 'bob')
        requireStatus(
          201,
          await as('ann').post(`/id/${uid}/@annotation`, { 'entity-type': 'annotation', xpath: 'x', text: 'mark' }),
        )
        await run('Document.CheckIn', uid, { version: 'minor' })
        const version = await versionOf(uid)
        await add(uid, 'after')
        requireStatus(200, await as('ann').put(`/id/${uid}/@comment/${first.id}`, { 'entity-type': 'comment', text: 'changed' }))
        assert.deepEqual(await texts(version), ['before', 'mark'])
        assert.deepEqual(await texts(uid), ['after', 'changed', 'mark'])
        const [copy] = (await as('bob').get(`/id/${version}/@comment`)).body.entries.filter(
          ({ text }: Answered) => text === 'before',
        )
        assert.deepEqual([copy.author, copy.parentId, copy.ancestorIds], ['ann', version, [version]])
        assert.equal(copy.creationDate, first.creationDate)
        assert.notEqual(copy.id, first.id)
        const [reply] = (await as('bob').get(`/id/${copy.id}/@comment`)).body.entries
        assert.deepEqual([reply.text, [...reply.ancestorIds].sort()], ['reply', [copy.id, version].sort()])
        assert.equal((await as('bob').get(`/id/${version}/@annotation?xpath=x`)).body.entries.length, 1)
      })

      test('is commented on itself by whoever may read it', async () => {
        const { uid } = await bench.create('File')
        await run('Document.CheckIn', uid, { version: 'minor' })
        const version = await versionOf(uid)
        const { id, parentId } = await add(version, 'on 0.1', 'ann')
        assert.equal(parentId, version)
        assert.deepEqual([await texts(version), await texts(uid)], [['on 0.1'], []])
        await bench.restrict(uid, grant('bob', 'Read'))
        for (const path of [`/id/${version}/@comment`, `/id/${id}`, `/id/${id}/@comment`])
          assert.equal((await as('ann').get(path)).status, 403, path)
        assert.deepEqual(await texts(version, 'bob'), ['on 0.1'])
        assert.equal((await as('bob').delete(`/id/${id}`)).status, 403)
      })

      test('takes its comments along when it is removed, and leaves those of others', async () => {
        const { uid } = await bench.create('File')
        await add(uid, 'live')
        await run('Document.CheckIn', uid, { version: 'minor' })
        const version = await versionOf(uid)
        const [copy] = (await as('bob').get(`/id/${version}/@comment`)).body.entries
        await bench.update(uid, { 'dc:title': 'checked out again' })
        assert.equal((await as('Administrator').delete(`/id/${version}`)).status, 204)
        assert.ok(!(await isThere(copy.id)))
        assert.deepEqual(await texts(uid), ['live'])
      })

      test('has all of a long thread, once the rest is copied', async () => {
        const { uid } = await bench.create('File')
        await server.asSystem(async (session) => {
          const target = (await session.tx.documents.find(uid)) as Document
          const draft = (number: number) => ({ properties: { 'comment:text': `${number}` }, external: {} })
          for (let number = 0; number < 230; number++) {
            const { comment } = await addComment(session, target, 'Comment', draft(number))
            if (number % 2 === 0) await addComment(session, comment, 'Comment', draft(number))
          }
        })
        await run('Document.CheckIn', uid, { version: 'minor' })
        await untilIdle(server)
        const version = await versionOf(uid)
        const page = (await as('ann').get(`/id/${version}/@comment?fetch.comment=repliesSummary`)).body
        assert.equal(page.totalSize, 230)
        assert.equal(page.entries.filter(({ numberOfReplies }: Answered) => numberOfReplies === 1).length, 115)
      })

      test('has none of those whose rights are their own', async () => {
        const { uid } = await bench.create('File')
        const hidden = await add(uid, 'hidden')
        await add(hidden.id, 'below')
        await add(uid, 'open')
        await bench.restrict(hidden.id)
        assert.deepEqual(await texts(uid, 'ann'), ['open'])
        await run('Document.CheckIn', uid, { version: 'minor' })
        assert.deepEqual(await texts(await versionOf(uid), 'ann'), ['open'])
      })
    })

    describe('a proxy', () => {
      test('has its own, for those who may read it there', async () => {
        const folder = await bench.create('Folder')
        const { uid } = await bench.create('File')
        await add(uid, 'of the live one')
        const proxy = await bench.createProxy(folder.uid, uid)
        const { id } = await add(proxy, 'of the publication', 'ann')
        assert.deepEqual([await texts(proxy), await texts(uid)], [['of the publication'], ['of the live one']])
        await bench.restrict(folder.uid, grant('bob', 'Read'))
        assert.equal((await as('ann').get(`/id/${proxy}/@comment`)).status, 403)
        assert.equal((await as('ann').get(`/id/${id}`)).status, 403)
        assert.deepEqual(await texts(uid, 'ann'), ['of the live one'])
        assert.equal((await as('Administrator').delete(`/id/${proxy}`)).status, 204)
        assert.ok(!(await isThere(id)))
      })
    })

    describe('events', () => {
      const eventsOf = async (act: () => Promise<unknown>): Promise<readonly DocumentEvent[]> => {
        told.length = 0
        await act()
        return [...told]
      }
      test('tell of what was said on the document that it is about', async () => {
        const { uid } = await bench.create('File')
        const first = await add(uid, 'first', 'ann')
        let reply: Answered
        const [added, ...others] = await eventsOf(async () => {
          reply = await add(first.id, 'reply', 'bob')
        })
        assert.ok(added)
        assert.equal(others.length, 0)
        assert.deepEqual(
          [added.name, added.document.id, added.category, added.principal.name],
          ['commentAdded', uid, 'commentCategory', 'bob'],
        )
        const { properties } = added
        const idOf = (name: string) => (properties[name] as Document).id
        assert.deepEqual([idOf('topLevelDocument'), idOf('parentComment'), idOf('comment_document')], [uid, first.id, reply.id])
        assert.deepEqual([properties['comment'], properties['comment_text']], ['reply', 'reply'])
        const address = `/id/${uid}/@comment/${reply.id}`
        const [updated] = await eventsOf(() => as('bob').put(address, { 'entity-type': 'comment', text: 'new' }))
        assert.deepEqual([updated?.name, updated?.document.id, updated?.properties['comment']], ['commentUpdated', uid, 'new'])
        const [removed, ...more] = await eventsOf(() => as('ann').delete(`/id/${first.id}`))
        assert.deepEqual([removed?.name, removed?.document.id, more.length], ['commentRemoved', uid, 0])
      })

      test('are silent where nothing was done, and when the document goes', async () => {
        const { uid } = await bench.create('File')
        const { id } = await add(uid, 'said', 'ann')
        const events = await eventsOf(async () => {
          await as('bob').put(`/id/${uid}/@comment/${id}`, { 'entity-type': 'comment', text: 'no' })
          await as('bob').delete(`/id/${uid}/@comment/${id}`)
          await as('bob').post(`/id/${uid}/@comment`, { text: 'no entity' })
          await as('Administrator').delete(`/id/${uid}`)
        })
        assert.deepEqual(events, [])
      })
    })

    describe('Comment.Moderate', () => {
      const stateOf = async (id: string): Promise<string> => (await bench.read(id)).state
      test('publishes or rejects, with a row in the log', async () => {
        const { uid } = await bench.create('File')
        const [one, two] = [await add(uid, 'one', 'ann'), await add(uid, 'two', 'ann')]
        const accepted = await run('Comment.Moderate', one.id, { accept: true })
        assert.deepEqual([accepted.uid, accepted.state], [one.id, 'moderation_published'])
        await run('rejectComment', two.id)
        assert.equal(await stateOf(two.id), 'moderation_rejected')
        const three = await add(uid, 'three')
        await run('acceptComment', three.id)
        assert.equal(await stateOf(three.id), 'moderation_published')
        const rows = (await as('Administrator').get(`/id/${one.id}/@audit?eventId=comments_moderation`)).body.entries
        assert.deepEqual(
          rows.map(({ category, comment, principalName }: Answered) => [category, comment, principalName]),
          [['commentCategory', 'moderation_publish', 'Administrator']],
        )
      })

      test('is for those who may moderate, not for authors', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('ann', 'Read'), grant('bob', 'Read'), grant('bob', 'Moderate'), grant('eve', 'ReadWrite'))
        const [one, two] = [await add(uid, 'one', 'ann'), await add(uid, 'two', 'ann')]
        const refused = await as('ann').post('/automation/Comment.Moderate', { input: `doc:${one.id}`, params: { accept: true } })
        assert.equal(refused.status, 403)
        await run('Comment.Moderate', one.id, { accept: true }, 'bob')
        await run('Comment.Moderate', two.id, { accept: false }, 'eve')
        assert.deepEqual([await stateOf(one.id), await stateOf(two.id)], ['moderation_published', 'moderation_rejected'])
      })

      test('refuses what is no comment, and a second decision', async () => {
        const { uid } = await bench.create('File')
        const ask = async (id: string, params: object = { accept: true }) =>
          (await as('Administrator').post('/automation/Comment.Moderate', { input: `doc:${id}`, params })).status
        const { id } = await add(uid, 'said')
        assert.equal(await ask(uid), 400)
        assert.equal(await ask(id, {}), 400)
        assert.equal(await ask(id), 200)
        assert.equal(await ask(id), 409)
      })
    })

    test('two who comment, and reply, at once are both heard', async () => {
      const { uid } = await bench.create('File')
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, index) => add(uid, `${index}`, index % 2 === 0 ? 'ann' : 'bob')),
      )
      assert.equal((await texts(uid)).length, 10)
      const parents = await Promise.all(made.map(async ({ id }) => (await bench.read(id)).parentRef))
      assert.equal(new Set(parents).size, 1)
      const [first] = made
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, (_, index) => add(first.id, `reply ${index}`)),
        ...Array.from({ length: 5 }, (_, index) =>
          as('ann').put(`/id/${uid}/@comment/${first.id}`, { 'entity-type': 'comment', text: `${index}` }),
        ),
      ])
      assert.equal(answers.length, 10)
      assert.equal((await texts(first.id)).length, 5)
    })

    test('who replies while the comment is removed is told so, or is removed with it', async () => {
      const { uid } = await bench.create('File')
      const { id } = await add(uid, 'short-lived', 'ann')
      const reply = () => as('bob').post(`/id/${id}/@comment`, { 'entity-type': 'comment', text: 'too late?' })
      const [removed, ...replies] = await Promise.all([as('ann').delete(`/id/${id}`), reply(), reply(), reply()])
      assert.equal(removed.status, 204)
      for (const { status, text } of replies) assert.ok([201, 404].includes(status), text)
      assert.equal((await reply()).status, 404)
      assert.deepEqual(await texts(uid), [])
    })
  },
  { plugins: [recorder], settings: { commentAutoSubscribe: false } },
)
