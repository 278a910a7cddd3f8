import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { announce } from '../../src/core/event.ts'
import { addComment } from '../../src/features/comments/comments.ts'
import { forgetChoicesOnRemoved } from '../../src/features/notifications/forget-choices.ts'
import {
  keyOf,
  listOptOuts,
  listRenewals,
  renewSubscriptions,
  storeOptOut,
} from '../../src/features/notifications/subscription-rows.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { type MailServer, mailTo, startMailServer } from '../support/mail-server.ts'
import { operationsOn } from '../support/operations.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { addReader } from './readers.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`7.4 notifications and subscriptions (${engine})`, () => {
    let mail: MailServer
    let server: TestServer
    before(async () => {
      mail = await startMailServer()
      const mailSettings = { smtpUrl: mail.url, mailFrom: 'quire@example.org' }
      server = await startTestServer({ settings: { ...(await databaseSettings(engine)), ...mailSettings } })
      for (const name of ['ann', 'bob', 'eve']) await addReader(server, name)
      const group = { 'entity-type': 'group', groupname: 'staff', memberUsers: ['bob', 'eve'] }
      requireStatus(201, await server.as('Administrator').post('/group', group))
    })
    after(async () => {
      await server?.stop()
      await mail?.stop()
    })
    const bench = () => workbenchOn(server)
    const run = (operation: string, body: object, user = 'ann') => operationsOn(server, user)(operation, body)
    const subscribe = async (uid: string, user: string, notifications?: string | readonly string[]) =>
      requireStatus(200, await run('Document.Subscribe', { input: `doc:${uid}`, params: { notifications } }, user))
    const unsubscribe = async (uid: string, user: string, notifications?: string) =>
      requireStatus(200, await run('Document.Unsubscribe', { input: `doc:${uid}`, params: { notifications } }, user))
    const enriched = async (uid: string, user: string): Promise<readonly string[]> => {
      const headers = { 'enrichers.document': 'subscribedNotifications' }
      const document = requireStatus(200, await server.as(user).get(`/id/${uid}`, headers))
      return document.contextParameters.subscribedNotifications
    }
    const stored = async (uid: string): Promise<Answered> => (await bench().readProperties(uid))['notif:notifications']
    /** A workspace of its own in which a user has subscribed, if told to what. */
    async function aWorkspace(user?: string, notifications?: string): Promise<Answered> {
      const workspace = await bench().create('Workspace', { 'dc:title': 'Desk' })
      if (user !== undefined) await subscribe(workspace.uid, user, notifications)
      await untilIdle(server)
      mail.clear()
      return workspace
    }
    const fileIn = (workspace: Answered, title: string) =>
      bench().create('File', { 'dc:title': title }, { parent: workspace.path })
    const receivers = async () => {
      await untilIdle(server)
      return mail.received.flatMap(({ to }) => to).sort()
    }

    test('the first subscriptions of all may be made in the same moment', async () => {
      for (let round = 0; round < 5; round++) {
        await server.asSystem(({ tx }) => tx.tables.run(sql`DELETE FROM notifications_used`))
        const { uid } = await aWorkspace()
        await Promise.all(['ann', 'bob', 'eve', 'ann', 'bob', 'eve'].map((user) => subscribe(uid, user, 'Creation')))
        const [{ subscribers }] = await stored(uid)
        assert.deepEqual(subscribers.toSorted(), ['user:ann', 'user:bob', 'user:eve'])
      }
    })

    describe('what subscribers were told of', () => {
      const inbox = async (user: string) => {
        await untilIdle(server)
        return requireStatus(200, await server.as(user).get('/me/notifications'))
      }
      const titles = ({ entries }: Answered) => entries.map((one: Answered) => [one.event, one.title, one.isRead])

      test('is listed for each of them, the newest first, and not for who did it', async () => {
        const workspace = await aWorkspace('ann', 'Creation')
        const file = await fileIn(workspace, 'first')
        await fileIn(workspace, 'second')
        const { unreadCount, entries } = await inbox('ann')
        assert.equal(unreadCount, 2)
        const { id, date, ...told } = entries[1]
        assert.ok(Number.isSafeInteger(id) && entries[0].id > id)
        assert.ok(Date.parse(date) <= Date.now())
        assert.deepEqual(told, {
          'entity-type': 'notification',
          event: 'documentCreated',
          documentId: file.uid,
          title: 'first',
          path: file.path,
          type: 'File',
          principal: 'Administrator',
          comment: '',
          isRead: false,
        })
        await subscribe(workspace.uid, 'Administrator', 'Creation')
        await fileIn(workspace, 'third')
        assert.deepEqual(titles(await inbox('Administrator')), [])
        assert.equal((await inbox('ann')).entries.length, 3)
        assert.deepEqual(titles(await inbox('bob')), [])
      })

      test('is read up to one of them, and what came later is still new', async () => {
        const [newest] = (await inbox('ann')).entries
        await fileIn(await aWorkspace('ann', 'Creation'), 'later')
        await untilIdle(server)
        assert.equal((await server.as('ann').put(`/me/notifications/read?until=${newest.id}`)).status, 204)
        const after = await inbox('ann')
        assert.equal(after.unreadCount, 1)
        assert.deepEqual(titles(after).slice(0, 2), [
          ['documentCreated', 'later', false],
          ['documentCreated', newest.title, true],
        ])
        assert.equal((await server.as('bob').put(`/me/notifications/read?until=${Number.MAX_SAFE_INTEGER}`)).status, 204)
        assert.equal((await inbox('ann')).unreadCount, 1)
        for (const query of ['', '?until=', '?until=-1', '?until=x', '?until=1.5']) {
          const { status, body } = await server.as('ann').put(`/me/notifications/read${query}`)
          assert.equal(status, 400, query)
          assert.match(body.message, /Send as until the id/)
        }
      })

      test('is told only of what they may still read, and as it is called now', async () => {
        const workspace = await aWorkspace('eve', 'Creation')
        const [kept, taken] = [await fileIn(workspace, 'kept'), await fileIn(workspace, 'taken')]
        assert.equal((await inbox('eve')).entries.length, 2)
        await bench().update(kept.uid, { 'dc:title': 'called otherwise' })
        await run('Document.BlockPermissionInheritance', { input: `doc:${taken.uid}` }, 'Administrator')
        assert.deepEqual(titles(await inbox('eve')), [['documentCreated', 'called otherwise', false]])
      })

      test('is not pushed out by what they may not read', async () => {
        const workspace = await aWorkspace('eve', 'Modification')
        const [open, hidden] = [await fileIn(workspace, 'open'), await fileIn(workspace, 'hidden')]
        await run('Document.BlockPermissionInheritance', { input: `doc:${hidden.uid}` }, 'Administrator')
        await bench().update(open.uid, { 'dc:description': 'x' })
        await bench().update(hidden.uid, { 'dc:description': 'x' })
        await inbox('eve')
        const rows = await server.asSystem(({ tx: { tables } }) =>
          tables.all(sql`SELECT document_id FROM notifications_inbox WHERE user_name = ${'eve'}`),
        )
        const told = rows.map(([id]) => id)
        assert.deepEqual([told.includes(open.uid), told.includes(hidden.uid)], [true, false])
      })

      test('shows a comment as it is now, and nothing of one that is gone', async () => {
        const workspace = await aWorkspace('ann', 'CommentAdded')
        const say = async (text: string) =>
          requireStatus(201, await server.as('bob').post(`/id/${workspace.uid}/@comment`, { 'entity-type': 'comment', text })).id
        const remarks = async () => {
          const { entries } = await inbox('ann')
          return entries.filter((one: Answered) => one.documentId === workspace.uid).map(({ comment }: Answered) => comment)
        }
        const first = await say('a secret by mistake')
        const second = await say('x'.repeat(600))
        assert.deepEqual(await remarks(), ['x'.repeat(500), 'a secret by mistake'])
        const changed = { 'entity-type': 'comment', text: 'nothing' }
        requireStatus(200, await server.as('bob').put(`/id/${workspace.uid}/@comment/${first}`, changed))
        assert.deepEqual(await remarks(), ['x'.repeat(500), 'nothing'])
        assert.equal((await server.as('bob').delete(`/id/${workspace.uid}/@comment/${second}`)).status, 204)
        assert.deepEqual(await remarks(), ['nothing'])
      })

      test('has each of several comments of one moment', async () => {
        const workspace = await aWorkspace('ann', 'CommentAdded')
        await server.inSession('bob', async (session) => {
          const target = await readDocument(session, workspace.uid)
          for (const comment_text of ['one', 'two'])
            await addComment(session, target, 'Comment', { properties: { 'comment:text': comment_text }, external: {} })
        })
        const { entries } = await inbox('ann')
        const said = entries.filter((one: Answered) => one.documentId === workspace.uid)
        assert.deepEqual(said.map(({ comment }: Answered) => comment).toSorted(), ['one', 'two'])
      })

      test('is as much as a person looks through, and goes with its user', async () => {
        await server.addUser('guest', ['members'])
        const workspace = await aWorkspace('guest', 'Creation')
        for (let number = 0; number < 3; number += 1) await fileIn(workspace, `${number}`)
        assert.equal((await inbox('guest')).entries.length, 3)
        await server.as('Administrator').delete('/user/guest')
        await server.addUser('guest', ['members'])
        assert.deepEqual(titles(await inbox('guest')), [])
      })
    })

    describe('Document.Subscribe', () => {
      test('without names subscribes to all that the types of the document and of those above offer', async () => {
        const workspace = await aWorkspace()
        const { uid } = await fileIn(workspace, 'inside')
        const { uid: outside } = await bench().create('Folder', {}, { parent: '/default-domain' })
        const { version } = await server.inSession('Administrator', (session) => checkInDocument(session, uid))
        for (const one of [uid, outside, version.id]) await subscribe(one, 'ann')
        const all = [
          'Modification',
          'Creation',
          'Workflow Change',
          'Approbation review started',
          'CommentAdded',
          'CommentUpdated',
        ]
        assert.deepEqual(await enriched(uid, 'ann'), all)
        assert.deepEqual(await enriched(version.id, 'ann'), all, 'a version is where its live document is')
        assert.deepEqual(await enriched(outside, 'ann'), ['CommentAdded', 'CommentUpdated'])
        const { uid: section } = await bench().create('Section', {}, { parent: '/default-domain/sections' })
        await subscribe(section, 'ann')
        assert.deepEqual(await enriched(section, 'ann'), ['PublicationOnClient', 'CommentAdded', 'CommentUpdated'])
      })

      test('with names subscribes to those, once, and answers with the document', async () => {
        const { uid } = await aWorkspace()
        await subscribe(uid, 'ann', 'Creation,Modification')
        const answer = await subscribe(uid, 'ann', ['Creation'])
        await subscribe(uid, 'bob', 'Creation')
        assert.deepEqual([answer['entity-type'], answer.uid], ['document', uid])
        assert.deepEqual(await stored(uid), [
          { name: 'Creation', subscribers: ['user:ann', 'user:bob'] },
          { name: 'Modification', subscribers: ['user:ann'] },
        ])
        assert.ok((await bench().read(uid)).facets.includes('Notifiable'))
        assert.deepEqual(await enriched(uid, 'bob'), ['Creation'])
        assert.deepEqual(await enriched(uid, 'eve'), [])
      })

      test('takes a list of documents', async () => {
        const [one, other] = [await aWorkspace(), await aWorkspace()]
        const input = `docs:${one.uid},${other.uid}`
        const answer = requireStatus(200, await run('Document.Subscribe', { input, params: { notifications: 'Creation' } }))
        assert.deepEqual([answer['entity-type'], answer.entries.length], ['documents', 2])
        for (const { uid } of [one, other]) assert.deepEqual(await enriched(uid, 'ann'), ['Creation'])
      })

      test('changes no date, no version, no contributor, and no row of the log', async () => {
        const { uid } = await bench().create('File', { 'dc:title': 'quiet' })
        const about = ({ properties, versionLabel, isCheckedOut }: Answered) => {
          const { 'dc:modified': modified, 'dc:contributors': contributors, 'dc:lastContributor': last } = properties
          return { modified, contributors, last, versionLabel, isCheckedOut }
        }
        const seen = async () => about(await bench().read(uid, { properties: '*', 'fetch.document': 'versionLabel' }))
        const before = await seen()
        await subscribe(uid, 'ann')
        assert.deepEqual(await seen(), before)
        const history = await server.as('Administrator').get(`/id/${uid}/@audit`)
        assert.deepEqual(
          history.body.entries.map(({ eventId }: Answered) => eventId),
          ['documentCreated'],
        )
      })

      test('is for those who may read it, on versions and proxies as well, and while others have it locked', async () => {
        const { uid } = await bench().create('File', { 'dc:title': 'of all kinds' })
        requireStatus(200, await run('Document.Lock', { input: `doc:${uid}` }, 'Administrator'))
        await subscribe(uid, 'ann', 'CommentAdded')
        const version = requireStatus(200, await run('Document.CreateVersion', { input: `doc:${uid}` }, 'Administrator'))
        await subscribe(version.uid, 'bob', 'CommentAdded')
        const { uid: section } = await bench().create('Section', {}, { parent: '/default-domain/sections' })
        const proxy = await bench().createProxy(section, uid)
        await subscribe(proxy, 'eve', 'CommentAdded')
        assert.deepEqual(await enriched(proxy, 'eve'), ['CommentAdded'])
        assert.deepEqual(await enriched(uid, 'eve'), [])
        await bench().restrict(uid, grant('bob', 'Read'))
        const refused = await run('Document.Subscribe', { input: `doc:${uid}` }, 'eve')
        assert.ok([403, 404].includes(refused.status), refused.text)
        await subscribe(uid, 'bob')
      })

      test('refuses what there is not', async () => {
        const { uid } = await aWorkspace()
        const { status, body } = await run('Document.Subscribe', {
          input: `doc:${uid}`,
          params: { notifications: 'Publication' },
        })
        assert.deepEqual([status, /no notification Publication/.test(body.message)], [400, true])
        assert.equal((await run('Document.Subscribe', { input: 'doc:/nowhere' })).status, 404)
        assert.equal((await run('Document.Subscribe', {})).status, 400)
      })

      test('keeps all of many who subscribe at once', async () => {
        const { uid } = await aWorkspace()
        await Promise.all(['ann', 'bob', 'eve', 'Administrator'].map((user) => subscribe(uid, user, 'Creation')))
        assert.deepEqual((await stored(uid))[0].subscribers.toSorted(), [
          'user:Administrator',
          'user:ann',
          'user:bob',
          'user:eve',
        ])
      })
    })

    describe('Document.Unsubscribe', () => {
      test('ends what is named, or all of the caller, and of nobody else', async () => {
        const { uid } = await aWorkspace()
        await subscribe(uid, 'ann', 'Creation,Modification,CommentAdded')
        await subscribe(uid, 'bob', 'Creation')
        await unsubscribe(uid, 'ann', 'Creation')
        assert.deepEqual(await enriched(uid, 'ann'), ['Modification', 'CommentAdded'])
        await unsubscribe(uid, 'ann')
        assert.deepEqual(await enriched(uid, 'ann'), [])
        assert.deepEqual(await stored(uid), [{ name: 'Creation', subscribers: ['user:bob'] }])
        await unsubscribe(uid, 'eve')
      })
    })

    describe('of what is made of a document', () => {
      test('copies and versions have no subscribers, and restoring a version leaves those there are', async () => {
        const { uid, path } = await aWorkspace('ann', 'Creation')
        await bench().setAcls(uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite'), grant('members', 'Read')] }])
        const file = await fileIn({ path }, 'watched')
        await subscribe(file.uid, 'ann', 'CommentAdded,CommentUpdated')
        requireStatus(200, await run('Document.CheckIn', { input: file.uid, params: { version: 'minor' } }, 'bob'))
        const { uid: version } = requireStatus(200, await run('Document.GetLastVersion', { input: file.uid }, 'bob'))
        assert.deepEqual(await enriched(version, 'ann'), [])
        await unsubscribe(file.uid, 'ann', 'CommentAdded')
        await subscribe(file.uid, 'eve', 'CommentAdded')
        requireStatus(200, await run('Document.RestoreVersion', { input: version }, 'bob'))
        assert.deepEqual(await enriched(file.uid, 'ann'), ['CommentUpdated'])
        assert.deepEqual(await enriched(file.uid, 'eve'), ['CommentAdded'])
        const copying = { input: file.uid, params: { target: uid, name: 'copied' } }
        const { uid: copy, facets } = requireStatus(200, await run('Document.Copy', copying, 'bob'))
        assert.deepEqual([await enriched(copy, 'ann'), facets.includes('Notifiable')], [[], false])
      })
    })

    describe('who may subscribe others', () => {
      const put = (user: string, uid: string, subscribers: readonly string[]) =>
        server.as(user).put(`/id/${uid}`, {
          'entity-type': 'document',
          properties: { 'notif:notifications': [{ name: 'Creation', subscribers }] },
        })
      test('those who manage the rights of the document, and not those who only write it', async () => {
        const { uid } = await aWorkspace('ann', 'Creation')
        await bench().setAcls(uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite'), grant('eve', 'Everything')] }])
        assert.equal((await put('bob', uid, ['user:ann', 'group:staff'])).status, 403)
        assert.equal((await put('bob', uid, [])).status, 403)
        assert.equal((await put('bob', uid, ['user:ann', 'user:bob'])).status, 200)
        assert.equal((await put('eve', uid, ['user:ann', 'group:staff'])).status, 200)
        assert.equal((await put('eve', uid, ['ann'])).status, 400)
        const { uid: own } = await fileIn({ path: (await bench().read(uid)).path }, 'trap')
        requireStatus(200, await run('Document.AddFacet', { input: `doc:${own}`, params: { facet: 'Notifiable' } }, 'bob'))
        assert.equal((await put('bob', own, ['group:members'])).status, 403)
      })
    })

    describe('what happens', () => {
      test('below a place is told to those who subscribed there, with a title that could be markup', async () => {
        const workspace = await aWorkspace('ann', 'Creation')
        const title = `<script>alert('é')</script>\r\nBcc: eve@example.org ${'long '.repeat(60)}`
        const { uid } = await fileIn(workspace, title)
        const { parsed, to, raw } = await mailTo(mail, 'ann@example.org')
        assert.deepEqual(to, ['ann@example.org'])
        const { subject = '', html = '' } = parsed
        assert.ok(
          subject.startsWith("[Platform] Document created: <script>alert('é')</script> Bcc: eve@example.org long"),
          subject,
        )
        assert.ok(subject.length <= 501)
        assert.equal(parsed.bcc, undefined)
        assert.ok(!/^bcc:/im.test(raw.split('\r\n\r\n')[0] ?? ''))
        assert.ok(raw.split('\r\n').every((line) => line.length <= 998))
        assert.ok(!html.includes('<script'), html)
        assert.ok(html.includes('&lt;script&gt;alert(&#39;é&#39;)&lt;/script&gt;'), html)
        assert.ok(parsed.text?.includes(uid))
        assert.deepEqual(await receivers(), ['ann@example.org'])
      })

      test('is told once to whoever is subscribed here, above and through groups', async () => {
        const workspace = await aWorkspace('bob', 'Creation,Modification')
        await bench().update(workspace.uid, {
          'notif:notifications': [{ name: 'Modification', subscribers: ['user:bob', 'group:staff', 'user:nobody'] }],
        })
        const { uid } = await fileIn(workspace, 'shared')
        await subscribe(uid, 'bob', 'Modification')
        await receivers()
        mail.clear()
        await bench().update(uid, { 'dc:title': 'changed' })
        assert.deepEqual(await receivers(), ['bob@example.org', 'eve@example.org'])
        await bench().update(uid, { 'dc:title': 'changed' })
        assert.equal((await receivers()).length, 2, 'a save that changes nothing is nothing to tell of')
      })

      test('is told of a comment with its text, and not as a document', async () => {
        const workspace = await aWorkspace('ann')
        const { uid } = await fileIn(workspace, 'commented')
        await receivers()
        mail.clear()
        const properties = { comment_text: 'Well <b>done</b>' }
        await server.inSession('bob', async (session) => {
          const document = await session.tx.documents.find(uid)
          assert.ok(document)
          await announce(session, 'commentAdded', document, { properties })
        })
        const { parsed } = await mailTo(mail, 'ann@example.org')
        assert.equal(parsed.subject, '[Platform] New comment on commented')
        assert.match(parsed.html ?? '', /Well &lt;b&gt;done&lt;\/b&gt;/)
        assert.equal((await receivers()).length, 1)
      })

      test('is told to explicit recipients of automatic notifications alone', async () => {
        const workspace = await aWorkspace('ann')
        await server.inSession('bob', async (session) => {
          const document = await session.tx.documents.find(workspace.uid)
          assert.ok(document)
          await announce(session, 'emailDocumentSend', document, { properties: { recipients: ['user:eve'] }, comment: 'see' })
          await announce(session, 'emailDocumentSend', document)
        })
        assert.deepEqual(await receivers(), ['eve@example.org'])
      })

      test('is not told to somebody who lost the right, has no address, or is gone', async () => {
        const workspace = await aWorkspace('ann', 'Creation')
        await server.addUser(`silent-${engine}`, ['members'])
        await subscribe(workspace.uid, `silent-${engine}`, 'Creation')
        await bench().restrict(workspace.uid, grant('bob', 'Read'))
        await subscribe(workspace.uid, 'bob', 'Creation')
        await fileIn(workspace, 'hidden')
        assert.deepEqual(await receivers(), ['bob@example.org'])
      })
    })

    describe('5.4 a comment', () => {
      const say = async (uid: string, user: string, text = 'Well done') => {
        const body = { 'entity-type': 'comment', text }
        return requireStatus(201, await server.as(user).post(`/id/${uid}/@comment`, body)).id as string
      }
      /** A file by a user, in a place where several may. */
      const aFileBy = async (author: string) => {
        const workspace = await aWorkspace()
        await bench().setAcls(workspace.uid, [
          { name: 'local', aces: ['ann', 'bob', 'eve'].map((name) => grant(name, 'ReadWrite')) },
        ])
        const draft = { 'entity-type': 'document', type: 'File', name: 'draft', properties: { 'dc:title': 'Draft' } }
        return requireStatus(201, await server.as(author).post(`/id/${workspace.uid}`, draft)).uid as string
      }
      const everything = [
        'Modification',
        'Creation',
        'Workflow Change',
        'Approbation review started',
        'CommentAdded',
        'CommentUpdated',
      ]

      test('the first one subscribes the author of the document, and everybody’s own first one them', async () => {
        const uid = await aFileBy('ann')
        assert.deepEqual(await enriched(uid, 'ann'), [])
        const first = await say(uid, 'bob')
        assert.deepEqual(await enriched(uid, 'ann'), everything)
        assert.deepEqual(await enriched(uid, 'bob'), everything)
        assert.deepEqual(await enriched(uid, 'eve'), [])
        await say(first, 'eve', 'a reply is one, too')
        assert.deepEqual(await enriched(uid, 'eve'), everything)
        assert.deepEqual(await enriched(first, 'eve'), [], 'what is told of is the document')
      })

      test('subscribes nobody again who has unsubscribed', async () => {
        const uid = await aFileBy('ann')
        await say(uid, 'bob')
        await unsubscribe(uid, 'ann')
        await unsubscribe(uid, 'bob', 'Modification')
        await say(uid, 'bob', 'once more')
        await say(uid, 'eve')
        assert.deepEqual(await enriched(uid, 'ann'), [])
        assert.deepEqual(await enriched(uid, 'bob'), everything.slice(1))
      })

      test('is told to the author and those who commented before, and not to whoever wrote it', async () => {
        const uid = await aFileBy('ann')
        await receivers()
        mail.clear()
        await say(uid, 'bob')
        assert.deepEqual(await receivers(), ['ann@example.org'])
        await say(uid, 'ann')
        assert.deepEqual(await receivers(), ['ann@example.org', 'bob@example.org'])
      })

      test('subscribes nobody whom somebody else has named as the author, but for an administrator', async () => {
        const workspace = await aWorkspace()
        const aces = ['ann', 'bob', 'eve'].map((name) => grant(name, 'ReadWrite'))
        await bench().setAcls(workspace.uid, [{ name: 'local', aces }])
        const subscribed: [string, readonly string[]][] = []
        for (const maker of ['bob', 'Administrator']) {
          const properties = { 'dc:creator': 'ann' }
          const draft = { 'entity-type': 'document', type: 'File', name: 'named', properties }
          const { uid } = requireStatus(201, await server.as(maker).post(`/id/${workspace.uid}`, draft))
          assert.equal((await bench().readProperties(uid))['dc:creator'], 'ann')
          await say(uid, 'bob')
          subscribed.push([maker, await enriched(uid, 'ann')])
        }
        assert.deepEqual(subscribed, [
          ['bob', []],
          ['Administrator', everything],
        ])
      })

      test('subscribes no author who may not read the document any more, and changes nothing else of it', async () => {
        const uid = await aFileBy('ann')
        await bench().restrict(uid, grant('bob', 'Read'))
        const seen = async () => {
          const { properties, isCheckedOut } = await bench().read(uid, { properties: 'dublincore' })
          return { properties, isCheckedOut }
        }
        const before = await seen()
        await say(uid, 'bob')
        assert.deepEqual(
          (await stored(uid)).flatMap(({ subscribers }: Answered) => subscribers),
          everything.map(() => 'user:bob'),
        )
        assert.deepEqual(await seen(), before)
      })
    })

    describe('how often users want to be mailed', () => {
      const choose = (user: string, digest: unknown) => server.as(user).put('/me/notifications/preferences', { digest })

      /** How many mails ann has got when the digests are sent so many hours from now. */
      const digestsAfter = async (hours: number) => {
        const repository = server.services.repositories.get('default')
        assert.ok(repository)
        const clock = repository as { now: () => string }
        const { now } = clock
        await untilIdle(server)
        clock.now = () => new Date(Date.now() + hours * 3_600_000).toISOString()
        await repository.store.transact((tx) => tx.jobs.add('sendDigests', {}))
        const all = await receivers()
        clock.now = now
        return all.filter((address) => address === 'ann@example.org').length
      }

      test('is theirs to choose: some hear of each thing at once, others of all in one mail', async () => {
        assert.deepEqual(requireStatus(200, await server.as('ann').get('/me/notifications/preferences')), {
          'entity-type': 'notificationPreferences',
          digest: 'default',
          digestSeconds: 0,
        })
        assert.equal(requireStatus(200, await choose('ann', 'daily')).digestSeconds, 86_400)
        assert.equal(requireStatus(200, await server.as('bob').get('/me/notifications/preferences')).digest, 'default')
        const workspace = await aWorkspace('ann', 'Creation')
        await subscribe(workspace.uid, 'bob', 'Creation')
        for (const title of ['one', 'two']) await fileIn(workspace, title)
        assert.deepEqual(await receivers(), ['bob@example.org', 'bob@example.org'])
        assert.equal(await digestsAfter(23), 0)
        assert.equal(await digestsAfter(25), 1)
        const { parsed } = await mailTo(mail, 'ann@example.org')
        assert.match(parsed.text ?? '', /one: created[\s\S]*two: created/)
        assert.equal(await digestsAfter(50), 1)
        requireStatus(200, await choose('ann', 'default'))
        mail.clear()
        await fileIn(workspace, 'three')
        assert.deepEqual(await receivers(), ['ann@example.org', 'bob@example.org'])
      })

      test('and then of comments as they are when the mail is made', async () => {
        requireStatus(200, await choose('ann', 'daily'))
        const workspace = await aWorkspace('ann', 'CommentAdded')
        const comments = `/id/${workspace.uid}/@comment`
        const said: string[] = []
        for (const text of ['taken back', 'first words', 'as it was']) {
          const comment = { 'entity-type': 'comment', text }
          said.push(requireStatus(201, await server.as('bob').post(comments, comment)).id)
        }
        requireStatus(200, await server.as('bob').put(`${comments}/${said[1]}`, { 'entity-type': 'comment', text: 'last words' }))
        assert.equal((await server.as('bob').delete(`${comments}/${said[0]}`)).status, 204)
        assert.equal(await digestsAfter(25), 1)
        const later = (await mailTo(mail, 'ann@example.org')).parsed.text ?? ''
        assert.match(later, /last words[\s\S]*as it was/)
        assert.doesNotMatch(later, /taken back|first words/)
        requireStatus(200, await choose('ann', 'default'))
      })

      test('is one of a few words, and no choice of nobody', async () => {
        for (const digest of ['sometimes', 7, null, undefined]) assert.equal((await choose('ann', digest)).status, 400)
        assert.equal((await server.as('ann').get('/me/notifications/preferences')).body.digest, 'default')
      })
    })

    describe('the link in a mail', () => {
      const linkIn = (raw: { readonly parsed: { readonly headers: readonly { key: string; value: string }[] } }) => {
        const header = raw.parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
        const url = new URL(/^<(.*)>$/.exec(header)?.[1] ?? '')
        return new URL(`${url.pathname.slice(1)}${url.search}`, server.url)
      }
      const oneClick = (link: URL) =>
        fetch(link, {
          method: 'POST',
          body: 'List-Unsubscribe=One-Click',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })

      test('ends the subscription with one click, without a sign-in, and not by being looked at', async () => {
        const workspace = await aWorkspace('ann', 'Creation,Modification')
        await fileIn(workspace, 'a')
        const received = await mailTo(mail, 'ann@example.org')
        const headers = new Map(received.parsed.headers.map(({ key, value }) => [key, value]))
        assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
        const link = linkIn(received)
        const page = await fetch(link)
        assert.equal(page.status, 200)
        assert.match(await page.text(), /<button>Unsubscribe<\/button>/)
        assert.deepEqual(await enriched(workspace.uid, 'ann'), ['Creation', 'Modification'])
        assert.equal((await oneClick(link)).status, 200)
        assert.deepEqual(await enriched(workspace.uid, 'ann'), ['Modification'])
        assert.equal((await oneClick(link)).status, 200)
        mail.clear()
        await fileIn(workspace, 'b')
        assert.deepEqual(await receivers(), [])
        await subscribe(workspace.uid, 'ann', 'Creation')
        await fileIn(workspace, 'c')
        assert.deepEqual(await receivers(), ['ann@example.org'])
      })

      test('ends for one member what a group subscribed to', async () => {
        const workspace = await aWorkspace('ann', 'Creation')
        await bench().update(workspace.uid, { 'notif:notifications': [{ name: 'Creation', subscribers: ['group:staff'] }] })
        await fileIn(workspace, 'a')
        assert.equal((await oneClick(linkIn(await mailTo(mail, 'eve@example.org')))).status, 200)
        await receivers()
        mail.clear()
        await fileIn(workspace, 'b')
        assert.deepEqual(await receivers(), ['bob@example.org'])
      })

      test('is forgotten with its document, and with who asked for it', async () => {
        await addReader(server, 'leaver')
        const [kept, gone] = [await aWorkspace(), await aWorkspace()]
        await server.asSystem(async (session) => {
          for (const documentId of [kept.uid, gone.uid])
            for (const user of ['leaver', 'bob']) {
              await storeOptOut(session, { documentId, notification: 'Creation', user })
              await renewSubscriptions(session, user, documentId, ['Creation'])
            }
        })
        requireStatus(204, await server.as('Administrator').delete(`/id/${gone.uid}`))
        requireStatus(204, await server.as('Administrator').delete('/user/leaver'))
        const left = await server.asSystem(async (session) => {
          await forgetChoicesOnRemoved.run(session, { since: session.now })
          const ids = [kept.uid, gone.uid]
          return [await listOptOuts(session.reader, ids), await listRenewals(session.reader, ids)].map((rows) => [...rows.keys()])
        })
        const only = [keyOf({ documentId: kept.uid, notification: 'Creation', user: 'bob' })]
        assert.deepEqual(left, [only, only])
      })

      test('works only as it was sent', async () => {
        const workspace = await aWorkspace('ann', 'Creation')
        await fileIn(workspace, 'a')
        const link = linkIn(await mailTo(mail, 'ann@example.org'))
        const token = link.searchParams.get('token') ?? ''
        const other = Buffer.from(JSON.stringify(['default', workspace.uid, 'Creation', 'bob'])).toString('base64url')
        const forged = ['', 'x', token.slice(1), `${token}x`, `${other}.${token.split('.')[1]}`, `${other}.`, 'x'.repeat(5_000)]
        for (const text of forged) {
          link.searchParams.set('token', text)
          assert.equal((await oneClick(link)).status, 404, text.slice(0, 50))
          assert.equal((await fetch(link)).status, 404)
        }
        assert.deepEqual(await enriched(workspace.uid, 'ann'), ['Creation'])
      })
    })
  })
}
