import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orderMail } from '../../src/features/mail/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { engines } from '../support/database-place.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { type MailServer, mailTo, startMailServer } from '../support/mail-server.ts'
import { operationsOn } from '../support/operations.ts'
import { type Answered, requireStatus, type Workbench, workbenchOn } from '../support/workbench.ts'
import { addReader } from './readers.ts'

function subscribersOn(server: TestServer, mail: MailServer) {
  const administrator = () => server.as('Administrator')
  const bench: Workbench = workbenchOn(server)
  const run = async (operation: string, uid: string, user: string, notifications = 'Creation') =>
    requireStatus(200, await operationsOn(server, user)(operation, { input: uid, params: { notifications } }))
  return {
    bench,
    /** Somebody else has the name afterwards, with the same address. */
    async replace(name: string): Promise<void> {
      requireStatus(204, await administrator().delete(`/user/${name}`))
      await untilIdle(server)
      await addReader(server, name)
    },
    subscribe: (uid: string, user: string) => run('Document.Subscribe', uid, user),
    unsubscribe: (uid: string, user: string) => run('Document.Unsubscribe', uid, user),
    shown: async (uid: string, user: string): Promise<readonly string[]> => {
      const headers = { 'enrichers.document': 'subscribedNotifications' }
      return requireStatus(200, await server.as(user).get(`/id/${uid}`, headers)).contextParameters.subscribedNotifications
    },
    /** Who is mailed of a file that is made there. */
    async told({ path }: Answered): Promise<readonly string[]> {
      await untilIdle(server)
      mail.clear()
      await bench.create('File', {}, { parent: path })
      await untilIdle(server)
      return mail.received.flatMap(({ to }) => to.map((address) => address.split('@')[0] ?? '')).sort()
    },
  }
}

for (const engine of engines) {
  describe(`what a removed user has subscribed to (${engine}),`, () => {
    let mail: MailServer
    let server: TestServer
    let users: ReturnType<typeof subscribersOn>
    before(async () => {
      mail = await startMailServer()
      const settings = { smtpUrl: mail.url, mailFrom: 'quire@example.org', ...(await databaseSettings(engine)) }
      server = await startTestServer({ settings })
      users = subscribersOn(server, mail)
      await addReader(server, 'bob')
    })
    after(async () => {
      await server?.stop()
      await mail?.stop()
    })
    const aPlace = async () => {
      const place = await users.bench.create('Workspace')
      const facet = { input: place.uid, params: { facet: 'Notifiable', save: true } }
      requireStatus(200, await operationsOn(server)('Document.AddFacet', facet))
      return place
    }
    const setSubscribers = (uid: string, ...subscribers: readonly string[]) =>
      users.bench.update(uid, { 'notif:notifications': [{ name: 'Creation', subscribers }] })

    test('is neither shown nor mailed to the next one of that name, until they subscribe, and so to none after them', async () => {
      await addReader(server, 'ann')
      const place = await aPlace()
      for (const user of ['ann', 'bob']) await users.subscribe(place.uid, user)
      assert.deepEqual(await users.told(place), ['ann', 'bob'])
      await users.replace('ann')
      assert.deepEqual(await users.shown(place.uid, 'ann'), [])
      assert.deepEqual(await users.told(place), ['bob'])
      await users.subscribe(place.uid, 'ann')
      assert.deepEqual(await users.shown(place.uid, 'ann'), ['Creation'])
      assert.deepEqual(await users.told(place), ['ann', 'bob'])
      await users.unsubscribe(place.uid, 'ann')
      assert.deepEqual(await users.told(place), ['bob'])
      await users.subscribe(place.uid, 'ann')
      await users.replace('ann')
      assert.deepEqual(await users.told(place), ['bob'])
    })

    test('is the next one’s where somebody subscribes that one', async () => {
      await addReader(server, 'meant')
      await users.replace('meant')
      const [place, first] = [await aPlace(), await aPlace()]
      await setSubscribers(place.uid, 'user:bob')
      await setSubscribers(place.uid, 'user:bob', 'user:meant')
      assert.deepEqual(await users.told(place), ['bob', 'meant'])
      await setSubscribers(first.uid, 'user:meant')
      await setSubscribers(first.uid, 'user:meant', 'user:bob')
      assert.deepEqual(await users.told(first), ['bob', 'meant'])
    })

    test('is not the next one’s because somebody subscribes another', async () => {
      await addReader(server, 'unmeant')
      const place = await aPlace()
      await users.subscribe(place.uid, 'unmeant')
      await users.replace('unmeant')
      await setSubscribers(place.uid, 'user:unmeant', 'user:bob')
      assert.deepEqual(await users.told(place), ['bob'])
    })

    test('and did not want to hear of with a group, is told to the next one in it', async () => {
      await addReader(server, 'member')
      const group = { 'entity-type': 'group', groupname: 'staff', memberUsers: ['member'] }
      requireStatus(201, await server.as('Administrator').post('/group', group))
      const place = await aPlace()
      await setSubscribers(place.uid, 'group:staff')
      assert.deepEqual(await users.told(place), ['member'])
      const leave = async () => {
        const { parsed } = await mailTo(mail, 'member@example.org')
        const link = parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
        const { pathname, search } = new URL(link.slice(1, -1))
        assert.equal((await fetch(new URL(pathname + search, server.url), { method: 'POST' })).status, 200)
      }
      await leave()
      assert.deepEqual(await users.told(place), [])
      await users.replace('member')
      requireStatus(201, await server.as('Administrator').post('/user/member/group/staff'))
      assert.deepEqual(await users.told(place), ['member'])
      await leave()
      assert.deepEqual(await users.told(place), [])
    })

    test('in the name of a group that is removed, is mailed to no other group of that name, until that one is subscribed', async () => {
      for (const user of ['former', 'latter']) await addReader(server, user)
      const found = async (memberUsers: readonly string[]) => {
        const group = { 'entity-type': 'group', groupname: 'crew', memberUsers }
        requireStatus(201, await server.as('Administrator').post('/group', group))
      }
      await found(['former'])
      const [place, other] = [await aPlace(), await aPlace()]
      await setSubscribers(place.uid, 'group:crew')
      assert.deepEqual(await users.told(place), ['former'])
      requireStatus(204, await server.as('Administrator').delete('/group/crew'))
      await untilIdle(server)
      await found(['latter'])
      assert.deepEqual(await users.told(place), [])
      await setSubscribers(place.uid, 'group:crew', 'user:bob')
      assert.deepEqual(await users.told(place), ['bob'])
      await setSubscribers(place.uid, 'user:bob')
      await setSubscribers(place.uid, 'user:bob', 'group:crew')
      await setSubscribers(other.uid, 'group:crew')
      assert.deepEqual([await users.told(place), await users.told(other)], [['bob', 'latter'], ['latter']])
    })

    test('and was to be told of in one mail, is mailed to nobody', async () => {
      await addReader(server, 'patient')
      const place = await aPlace()
      await users.subscribe(place.uid, 'patient')
      requireStatus(200, await server.as('patient').put('/me/notifications/preferences', { digest: 'weekly' }))
      assert.deepEqual(await users.told(place), [])
      await users.replace('patient')
      await server.asSystem(({ tx }) => tx.jobs.add('sendDigests', {}))
      await untilIdle(server)
      assert.deepEqual(mail.received, [])
    })

    test('and is told of by a mail that was not sent yet, is mailed to nobody', async () => {
      await addReader(server, 'late')
      const place = await aPlace()
      await untilIdle(server)
      mail.clear()
      const order = (id: string, time: string) =>
        server.asSystem((session) =>
          orderMail(session, {
            kind: 'template',
            id,
            template: 'creation',
            receiver: { user: 'late' },
            documentId: place.uid,
            actor: 'bob',
            time,
            words: { texts: {}, dates: {}, paths: {} },
            subscription: null,
            items: null,
          }),
        )
      const before = new Date().toISOString()
      await users.replace('late')
      await order('old', before)
      await untilIdle(server)
      assert.deepEqual(mail.received, [])
      await order('new', new Date().toISOString())
      await mailTo(mail, 'late@example.org')
    })

    describe('by what they made,', () => {
      const say = async (uid: string, user: string) => {
        const said = { 'entity-type': 'comment', text: 'said' }
        requireStatus(201, await server.as(user).post(`/id/${uid}/@comment`, said))
      }
      test('comes to nobody else with the first comment on it', async () => {
        await addReader(server, 'author')
        const place = await aPlace()
        await users.bench.setAcls(place.uid, [{ name: 'local', aces: [grant('members', 'ReadWrite')] }])
        const makeFile = async () => {
          const draft = { 'entity-type': 'document', type: 'File', name: 'draft', properties: {} }
          return requireStatus(201, await server.as('author').post(`/id/${place.uid}`, draft)).uid as string
        }
        const old = await makeFile()
        await users.replace('author')
        const own = await makeFile()
        for (const uid of [old, own]) await say(uid, 'bob')
        assert.deepEqual(await users.shown(old, 'author'), [])
        assert.ok((await users.shown(own, 'author')).includes('CommentAdded'))
        // Who says something there themselves is told of it.
        await say(old, 'author')
        assert.ok((await users.shown(old, 'author')).includes('CommentAdded'))
      })
    })
  })

  test(`on a server that keeps the rights of those who are removed, subscriptions are kept as well (${engine})`, async (t) => {
    const mail = await startMailServer()
    t.after(() => mail.stop())
    const settings = { smtpUrl: mail.url, mailFrom: 'quire@example.org', removedPeopleRights: 'keep' as const }
    const server = await startTestServer({ settings: { ...settings, ...(await databaseSettings(engine)) } })
    t.after(() => server.stop())
    const users = subscribersOn(server, mail)
    await addReader(server, 'ann')
    const place = await users.bench.create('Workspace')
    await users.subscribe(place.uid, 'ann')
    await users.replace('ann')
    assert.deepEqual(await users.shown(place.uid, 'ann'), ['Creation'])
    assert.deepEqual(await users.told(place), ['ann'])
  })
}
