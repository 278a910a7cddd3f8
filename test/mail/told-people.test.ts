import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runIfDue } from '../../src/core/jobs/schedule.ts'
import { endGuests } from '../../src/features/guests/guest-token.ts'
import { mailPrincipals, requireMailRate } from '../../src/features/mail/index.ts'
import { acquireToken } from '../../src/features/tokens/index.ts'
import { getOrCreateUserProfile } from '../../src/features/user-profile/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { assertRefused } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { type MailServer, mailTo, startMailServer } from '../support/mail-server.ts'
import { callAs, storeBearerToken, storedTokens } from '../support/oauth2.ts'
import { operationsOn } from '../support/operations.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { addReader } from './readers.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`mail to people (${engine})`, () => {
    let mail: MailServer
    let server: TestServer
    before(async () => {
      mail = await startMailServer()
      server = await startTestServer({
        settings: {
          ...(await databaseSettings(engine)),
          smtpUrl: mail.url,
          mailFrom: 'Quire <quire@example.org>',
          mailUrl: 'https://docs.example.org/quire',
        },
      })
      await addReader(server, 'ann', { firstName: 'Ann', lastName: 'Lée' })
      await addReader(server, 'bob')
      await addReader(server, 'cécile', { email: 'cecile@example.org' })
    })
    after(async () => {
      await server?.stop()
      await mail?.stop()
    })
    const run = (operation: string, body: object, user = 'Administrator') => operationsOn(server, user)(operation, body)
    const grantTo = (uid: string, params: object, user?: string) =>
      run('Document.AddPermission', { input: `doc:${uid}`, params: { permission: 'Read', notify: true, ...params } }, user)

    describe('a permission that was given with notify', () => {
      test('is told to the user, with the comment, by a text and as HTML', async () => {
        mail.clear()
        const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'Budget' })
        const end = '2099-05-01T10:00:00.000Z'
        requireStatus(200, await grantTo(uid, { users: ['ann'], comment: 'Have a look, été', end }))
        const { parsed, from } = await mailTo(mail, 'ann@example.org')
        assert.equal(parsed.subject, '[Platform] You have been given access to Budget')
        assert.deepEqual([from, parsed.from?.address, parsed.from?.name], ['quire@example.org', 'quire@example.org', 'Quire'])
        assert.deepEqual(
          parsed.to?.map(({ name, address }) => [name, address]),
          [['Ann Lée', 'ann@example.org']],
        )
        for (const shown of [parsed.text ?? '', parsed.html ?? '']) {
          assert.match(shown, /Have a look, été/)
          assert.match(shown, /permission Read/)
          assert.match(shown, /May 1, 2099/)
          assert.ok(shown.includes(`https://docs.example.org/quire/nxdoc/default/${uid}`), shown)
        }
        const headers = new Map(parsed.headers.map(({ key, value }) => [key, value]))
        assert.equal(headers.get('auto-submitted'), 'auto-generated')
        assert.equal(headers.has('list-unsubscribe'), false)
      })

      test('is told in the language of the profile', async () => {
        mail.clear()
        const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'Reçu' })
        await speak('bob', 'fr_CA')
        requireStatus(200, await grantTo(uid, { users: ['bob'] }))
        const { parsed } = await mailTo(mail, 'bob@example.org')
        assert.equal(parsed.subject, '[Platform] Accès accordé à Reçu')
        assert.match(parsed.text ?? '', /Bonjour bob,/)
      })

      test('is told to nobody without notify, to the members of a group with it, and once more when asked', async () => {
        mail.clear()
        const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'Group' })
        const group = { 'entity-type': 'group', groupname: 'readers', memberUsers: ['ann', 'cécile'] }
        requireStatus(201, await server.as('Administrator').post('/group', group))
        requireStatus(200, await grantTo(uid, { users: ['bob'], notify: false }))
        requireStatus(200, await grantTo(uid, { users: ['readers'] }))
        await mailTo(mail, 'ann@example.org')
        await mailTo(mail, 'cecile@example.org')
        const id = 'readers:Read:true:Administrator::'
        requireStatus(200, await run('Document.SendNotificationEmailForPermission', { input: `doc:${uid}`, params: { id } }))
        await mail.mailsTo('ann@example.org', 2)
        await untilIdle(server)
        assert.equal(mail.received.filter(({ to }) => to.includes('bob@example.org')).length, 0)
      })

      test('is not told to somebody who has lost it by the time of sending', async () => {
        mail.clear()
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File', { 'dc:title': 'Secret' })
        await bench.restrict(uid)
        await server.asSystem((session) =>
          mailPrincipals(session, {
            template: 'aceGranted',
            to: ['ann'],
            document: { id: uid },
            words: { texts: { permission: 'Read' } },
          }),
        )
        await untilIdle(server)
        assert.deepEqual(mail.received, [])
      })

      test('is no way to bury others under mail', async () => {
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File', { 'dc:title': 'Bomb' })
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('ann', 'Everything')] }])
        const statuses: number[] = []
        for (let count = 0; count < 201; count++) {
          const counted = server.inSession('ann', (session) => requireMailRate(session, server.services.valuesOf))
          statuses.push(
            await counted.then(
              () => 200,
              (error) => error.code,
            ),
          )
        }
        assert.deepEqual([statuses[199], statuses[200]], [200, 'tooMuchMail'])
        const { status, body } = await grantTo(uid, { users: ['bob'] }, 'ann')
        assert.deepEqual([status, /200 mails in this hour/.test(body.message)], [429, true])
        requireStatus(200, await grantTo(uid, { users: ['bob'], notify: false }, 'ann'))
      })

      test('counts a group as many times as it has members', async () => {
        const group = { 'entity-type': 'group', groupname: 'quartet', memberUsers: [] as string[] }
        for (const member of ['q1', 'q2', 'q3', 'q4']) {
          await server.addUser(member, ['members'])
          group.memberUsers.push(member)
        }
        requireStatus(201, await server.as('Administrator').post('/group', group))
        await server.addUser('gus', ['members'])
        const { uid } = await workbenchOn(server).create('File')
        await workbenchOn(server).setAcls(uid, [{ name: 'local', aces: [grant('gus', 'Everything')] }])
        await server.inSession('gus', (session) => requireMailRate(session, server.services.valuesOf, 197))
        assert.equal((await grantTo(uid, { users: ['quartet'] }, 'gus')).status, 429)
        requireStatus(200, await grantTo(uid, { users: ['q1'] }, 'gus'))
      })
    })

    describe('3.3 a guest who has no account', () => {
      const tokens = async (guest: string): Promise<number> =>
        server.services.directories.store.reader.directories
          .search({ directory: 'authTokens', equal: { userName: guest }, order: [], offset: 0, limit: 10 })
          .then(({ total }) => total)
      const invite = async (uid: string, email: string, params: object = {}) =>
        requireStatus(200, await grantTo(uid, { email, end: '2099-05-01T10:00:00.000Z', ...params }))
      const linkIn = async (email: string) => {
        const { parsed } = await mailTo(mail, email)
        const link = new URL(/https:\/\/docs\.example\.org\/quire\/\S+/.exec(parsed.text ?? '')?.[0] ?? '')
        return { link, token: link.searchParams.get('token') ?? '' }
      }
      const asGuest = (uid: string, token: string) => fetch(new URL(`api/v1/id/${uid}?token=${token}`, server.url))

      test('is let in by the link in the mail, to what was given and to nothing else', async () => {
        mail.clear()
        const bench = workbenchOn(server)
        const [given, other] = [await bench.create('File', { 'dc:title': 'Offer' }), await bench.create('File')]
        await invite(given.uid, 'guest@example.com')
        const { link, token } = await linkIn('guest@example.com')
        assert.equal(link.pathname, `/quire/nxdoc/default/${given.uid}`)
        const answer = await asGuest(given.uid, token)
        assert.equal(answer.status, 200)
        assert.equal(((await answer.json()) as { title: string }).title, 'Offer')
        assert.equal((await asGuest(other.uid, token)).status, 403)
        assert.equal(
          (
            await asGuest(
              given.uid,
              token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
            )
          ).status,
          401,
        )
        const me = await fetch(new URL(`api/v1/me?token=${token}`, server.url))
        assert.equal(((await me.json()) as { id: string }).id, 'transient/guest@example.com')
      })

      test('has the token until the last right is gone, be it taken, with its document, or over', async () => {
        mail.clear()
        const bench = workbenchOn(server)
        const guest = 'transient/twice@example.com'
        const folder = await bench.create('Folder')
        const files = [await bench.create('File'), await bench.create('File', {}, { parent: folder.path })] as const
        for (const { uid } of files) await invite(uid, 'twice@example.com')
        const { token } = await linkIn('twice@example.com')
        const take = { input: `doc:${files[0].uid}`, params: { user: guest } }
        requireStatus(200, await run('Document.RemovePermission', take))
        await untilIdle(server)
        assert.equal((await asGuest(files[1].uid, token)).status, 200)
        requireStatus(204, await server.as('Administrator').delete(`/id/${folder.uid}`))
        await untilIdle(server)
        assert.equal(await tokens(guest), 0)
        assert.equal((await asGuest(files[0].uid, token)).status, 401)
      })

      test('loses the token when the time of the last right is over', async () => {
        mail.clear()
        const { uid } = await workbenchOn(server).create('File')
        await invite(uid, 'brief@example.com', { end: new Date(Date.now() + 3_600_000).toISOString() })
        await linkIn('brief@example.com')
        assert.equal(await tokens('transient/brief@example.com'), 1)
        const repository = server.services.repositories.get('default')
        assert.ok(repository)
        const clock = repository as { now: () => string }
        const { now } = clock
        clock.now = () => new Date(Date.now() + 2 * 3_600_000).toISOString()
        await runIfDue(repository, endGuests)
        await untilIdle(server)
        clock.now = now
        assert.equal(await tokens('transient/brief@example.com'), 0)
      })

      test('makes no tokens, lets no program act, and leaves nothing of the kind behind', async () => {
        mail.clear()
        const guest = 'transient/keen@example.com'
        const { uid } = await workbenchOn(server).create('File')
        await invite(uid, 'keen@example.com')
        const { token } = await linkIn('keen@example.com')
        const headers = { 'x-authentication-token': token }
        const asked = 'client_id=platform-mobile&response_type=code&grant_access=1'
        for (const [method, path] of [
          ['POST', 'api/v1/token?application=a&deviceId=d&permission=rw'],
          ['GET', 'authentication/token?applicationName=a&deviceId=d&permission=rw'],
          ['GET', `oauth2/authorize?${asked}`],
          ['POST', `oauth2/authorize_submit?${asked}`],
        ] as const) {
          const answer = await fetch(new URL(path, server.url), { method, headers, redirect: 'manual' })
          assert.equal(answer.status, 403, path)
          assert.match(await answer.text(), /Guests come in by the link in their mail alone/)
        }
        // What an older server let a guest make.
        const older = await server.asSystem((session) =>
          acquireToken(session, server.services, {
            userName: guest,
            applicationName: 'a',
            deviceId: 'd',
            deviceDescription: null,
            permission: 'rw',
          }),
        )
        const bearer = await storeBearerToken(server, guest)
        const byBearer = () => callAs(server, bearer).then(({ status }) => status)
        assert.deepEqual([(await asGuest(uid, older)).status, await byBearer()], [200, 200])
        requireStatus(200, await run('Document.RemovePermission', { input: `doc:${uid}`, params: { user: guest } }))
        await untilIdle(server)
        for (const left of [token, older]) assert.equal((await asGuest(uid, left)).status, 401)
        assert.equal(await byBearer(), 401)
        assert.deepEqual([await tokens(guest), await storedTokens(server)], [0, []])
      })

      test('has a token without a mail as well, and needs an address', async () => {
        mail.clear()
        const { uid } = await workbenchOn(server).create('File')
        await invite(uid, 'silent@example.com', { notify: false })
        const without = await grantTo(uid, { email: 'no address', end: '2099-05-01T10:00:00.000Z', notify: false })
        assertRefused(without, 400, /"no address" is no mail address/)
        await untilIdle(server)
        assert.deepEqual([await tokens('transient/silent@example.com'), await tokens('transient/no address')], [1, 0])
        assert.deepEqual(mail.received, [])
      })
    })

    describe('somebody who is invited', () => {
      test('gets the link, with which a password can be chosen', async () => {
        mail.clear()
        const properties = { username: 'zoe', firstName: 'Zoé', email: 'zoe@example.org', groups: ['members'] }
        const invited = { 'entity-type': 'user', id: 'zoe', properties }
        requireStatus(200, await run('User.Invite', { input: invited, params: { comment: 'Welcome' } }))
        const { parsed, raw } = await mailTo(mail, 'zoe@example.org')
        assert.equal(parsed.subject, '[Platform] You are invited')
        assert.match(parsed.text ?? '', /Hello Zoé,[\s\S]*as “zoe”[\s\S]*Welcome/)
        const path = /https:\/\/docs\.example\.org\/quire\/(site\/userInvitation\/enterpassword\/\S+)/.exec(
          parsed.text ?? '',
        )?.[1]
        assert.ok(path, raw)
        const page = await fetch(new URL(path, server.url), { headers: { accept: 'text/html' } })
        assert.equal(page.status, 200)
      })
    })

    async function speak(user: string, locale: string): Promise<void> {
      const profile = await server.inSession(user, (session) => getOrCreateUserProfile(session, server.services))
      await workbenchOn(server).update(profile.id, { 'userprofile:locale': locale })
    }
  })
}
