import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mailPrincipals, requireMailRate } from '../../src/features/mail/index.ts'
import { getOrCreateUserProfile } from '../../src/features/user-profile/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { type MailServer, mailTo, startMailServer } from '../support/mail-server.ts'
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
