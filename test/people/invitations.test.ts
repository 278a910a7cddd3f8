import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { acceptInvitation, inviteUser, rejectInvitation } from '../../src/features/user-invitations/index.ts'
import { addGroup, statusOfSignIn } from '../support/accounts.ts'
import { createMailbox, type Invited, invite } from '../support/invitations.ts'
import { onEachServer } from '../support/servers.ts'

const mailbox = createMailbox()
const createRefusal = { code: 'notAPeopleEditor', message: 'Cannot create artifact' }
const editRefusal = { code: 'notAPeopleEditor', message: 'User is not allowed to edit users' }

onEachServer(
  'inviting people',
  (server) => {
    const admin = () => server.as('Administrator')
    const read = async (id: string, user = 'Administrator') => server.as(user).get(`/id/${id}`, { properties: '*' })
    const accept = (user: string, id: string) =>
      server.inSession(user, (session) => acceptInvitation(session, server.services, id))
    const reject = (user: string, id: string, comment?: string) =>
      server.inSession(user, (session) => rejectInvitation(session, server.services, id, comment))
    const stateOf = async (id: string) => (await read(id)).body.state
    const told = () => mailbox.events.map(({ name }) => name)

    before(async () => {
      await server.addUser('power', ['powerusers'])
      await server.addUser('plain', ['members'])
      await server.addUser('mailed')
      await admin().put('/user/mailed', { 'entity-type': 'user', properties: { email: 'Mailed@X.org' } })
      await addGroup(server, 'crew')
      await addGroup(server, 'leads')
      await server.asSystem(({ tx }) => tx.directories.addTarget('subGroups', 'administrators', 'leads'))
    })
    beforeEach(() => {
      mailbox.links.length = 0
      mailbox.events.length = 0
    })

    test('6 keeps a request below /management/invitationRequests, which are made for it', async () => {
      assert.equal((await admin().get('/path/management')).status, 404)
      const id = await invite(server, 'Administrator', {
        name: 'ann',
        groups: ['crew', 'members'],
        properties: { firstName: 'Ann', lastName: 'Lee', company: 'Acme', tenantId: 'north' },
      })
      const { status, body } = await read(id)
      assert.equal(status, 200)
      assert.deepEqual([body.type, body.path], ['UserInvitation', '/management/invitationRequests/ann'])
      assert.ok(body.facets.includes('HiddenInNavigation'))
      const { properties } = body
      assert.deepEqual(
        ['login', 'firstName', 'lastName', 'email', 'company', 'groups', 'tenantId'].map(
          (field) => properties[`userinfo:${field}`],
        ),
        ['ann', 'Ann', 'Lee', 'ann@x.org', 'Acme', ['crew', 'members'], 'north'],
      )
      assert.equal(properties['dc:title'], 'Ann Lee')
      const management = (await admin().get('/path/management', { 'enrichers-document': 'acls' })).body
      assert.deepEqual([management.type, management.state], ['ManagementRoot', 'undefined'])
      const folder = (await admin().get('/path/management/invitationRequests', { properties: '*' })).body
      assert.equal(folder.type, 'UserInvitationContainer')
      assert.equal(folder.properties['registrationconfiguration:name'], 'default_registration')
    })

    test('6 notes how, why and by whom the person is invited', async () => {
      const id = await invite(
        server,
        'power',
        { name: 'bea' },
        { comment: 'A friend', info: { greeting: 'Hi', __proto__x: '1' } },
      )
      const { properties } = (await read(id)).body
      assert.deepEqual(
        ['validationMethod', 'accepted', 'comment', 'originatingUser'].map((field) => properties[`registration:${field}`]),
        ['EMAIL', true, 'A friend', 'power'],
      )
      assert.deepEqual(properties['invitation:info'], [
        { key: 'greeting', value: 'Hi' },
        { key: '__proto__x', value: '1' },
      ])
      assert.equal(properties['dc:creator'], 'power')
    })

    test('6 accepts the request at once, and makes a link for a mail', async () => {
      const id = await invite(
        server,
        'power',
        { name: 'cleo', properties: { firstName: 'Cleo' } },
        { comment: 'Hello', info: { a: 'b' } },
      )
      assert.equal(await stateOf(id), 'accepted')
      assert.deepEqual(told(), ['invitationSubmitted', 'invitationAccepted'])
      const [event, ...more] = mailbox.links
      assert.deepEqual([more, event?.category, event?.principal.name], [[], 'userGroup', 'power'])
      const { path, expires, ...known } = event?.properties ?? {}
      assert.match(String(path), new RegExp(`^site/userInvitation/enterpassword/default_registration/${id}\\.[\\w-]{43}$`))
      const days = (Date.parse(String(expires)) - Date.now()) / 86_400_000
      assert.ok(days > 6.9 && days <= 7, String(expires))
      assert.deepEqual(known, {
        id,
        login: 'cleo',
        firstName: 'Cleo',
        lastName: null,
        company: null,
        email: 'cleo@x.org',
        tenantId: null,
        comment: 'Hello',
        info: { a: 'b' },
        originatingUser: 'power',
      })
      assert.equal((await admin().get('/user/cleo')).status, 404)
    })

    test('6 tells listeners of the document, and nothing of the key', async () => {
      const id = await invite(server, 'power', { name: 'dora' }, { comment: 'Hello' })
      const key = String(mailbox.links[0]?.properties['path']).split('.').at(-1) ?? ''
      for (const { document, principal, category, properties } of mailbox.events) {
        assert.deepEqual([document.id, principal.name, category], [id, 'power', 'userGroup'])
        assert.ok(!JSON.stringify([properties, document]).includes(key))
      }
      assert.equal(mailbox.events[0]?.comment, 'Hello')
    })

    test('6 leaves the decision to others when told to: created, then accepted', async () => {
      const id = await invite(server, 'power', { name: 'eva' }, { autoAccept: false })
      assert.deepEqual([await stateOf(id), told(), mailbox.links.length], ['created', ['invitationSubmitted'], 0])
      assert.equal((await read(id)).body.properties['registration:accepted'], false)
      await accept('Administrator', id)
      assert.deepEqual([await stateOf(id), mailbox.links.length], ['accepted', 1])
      assert.equal((await read(id)).body.properties['registration:accepted'], true)
      assert.equal(mailbox.events.at(-1)?.principal.name, 'Administrator')
    })

    test('6 can be rejected instead, and is then over', async () => {
      const id = await invite(server, 'power', { name: 'fay' }, { autoAccept: false })
      await reject('power', id, 'Not now')
      assert.equal(await stateOf(id), 'rejected')
      assert.deepEqual(told(), ['invitationSubmitted', 'invitationRejected'])
      assert.equal(mailbox.events.at(-1)?.comment, 'Not now')
      const decided = { code: 'alreadyDecided', kind: 'conflict', message: /fay is rejected already/ }
      await assert.rejects(accept('Administrator', id), decided)
      await assert.rejects(reject('Administrator', id), decided)
      assert.equal(mailbox.links.length, 0)
    })

    test('6 is decided once', async () => {
      const id = await invite(server, 'power', { name: 'gil' })
      await assert.rejects(accept('Administrator', id), { code: 'alreadyDecided' })
      await assert.rejects(reject('Administrator', id), { code: 'alreadyDecided' })
      assert.equal(mailbox.links.length, 1)
    })

    test('6 makes the account at once where nothing is to be found out, without a password', async () => {
      const id = await invite(
        server,
        'power',
        { name: 'hal', groups: ['crew'], properties: { email: '' } },
        { validationMethod: 'NONE' },
      )
      assert.deepEqual([await stateOf(id), mailbox.links.length], ['processed', 0])
      assert.deepEqual(told(), ['invitationSubmitted', 'invitationAccepted', 'invitationValidated'])
      assert.deepEqual((await admin().get('/user/hal')).body.properties.groups, ['crew'])
      assert.equal(await statusOfSignIn(server, 'hal', 'hal'), 401)
    })

    test('6 calls whoever has no user name by the email', async () => {
      const id = await invite(server, 'power', { properties: { email: 'ida@x.org' } })
      assert.equal((await read(id)).body.properties['userinfo:login'], 'ida@x.org')
    })

    test('6 stores no password that is sent along', async () => {
      const id = await server.inSession('Administrator', async (session) => {
        const change = { properties: { email: 'jan@x.org' }, password: 'do not keep' }
        return inviteUser(session, server.services, { name: 'jan', change })
      })
      assert.ok(!JSON.stringify((await read(id)).body).includes('do not keep'))
      assert.ok(!JSON.stringify(mailbox.links).includes('do not keep'))
    })

    test('6 happens not at all when the mail cannot be written', async () => {
      mailbox.failNext()
      await assert.rejects(invite(server, 'power', { name: 'kim' }), /no mail today/)
      const query = encodeURIComponent("SELECT * FROM UserInvitation WHERE userinfo:login = 'kim'")
      assert.equal((await admin().get(`/search/execute?query=${query}`)).body.resultsCount, 0)
    })

    describe('6 is refused', () => {
      const rows: readonly [what: string, invited: Invited, problem: object][] = [
        ['of a user that exists', { name: 'plain' }, { code: 'userExists', kind: 'conflict', message: 'User already exists' }],
        [
          'of an address that somebody has, in whatever case',
          { name: 'other', properties: { email: 'mailed@x.ORG' } },
          { code: 'userExists', kind: 'conflict', message: 'User already exists' },
        ],
        ['without a name and an address', { properties: {} }, { code: 'userWithoutName', kind: 'invalid' }],
        [
          'without an address',
          { name: 'x', properties: { email: ' ' } },
          { code: 'emailMissing', kind: 'invalid', message: /NONE/ },
        ],
        [
          'of what is no address',
          { name: 'x', properties: { email: 'nowhere' } },
          { code: 'invalidUserProperty', kind: 'invalid' },
        ],
        ['of a name that cannot be', { name: 'a/../b' }, { code: 'invalidPrincipalName', kind: 'invalid' }],
        ['into a group that does not exist', { name: 'x', groups: ['nosuch'] }, { code: 'unknownGroup', kind: 'forbidden' }],
        ['of a text that is too long', { name: 'x', properties: { firstName: 'x'.repeat(2000) } }, { code: 'propertyTooLong' }],
      ]
      for (const [what, invited, problem] of rows) {
        test(what, async () => {
          await assert.rejects(invite(server, 'Administrator', invited), problem)
          assert.deepEqual([mailbox.links, mailbox.events], [[], []])
        })
      }
    })

    describe('6 is for administrators and power users', () => {
      test('and for nobody else', async () => {
        await assert.rejects(invite(server, 'plain', { name: 'x' }), createRefusal)
        const id = await invite(server, 'power', { name: 'waiting' }, { autoAccept: false })
        await assert.rejects(accept('plain', id), createRefusal)
        await assert.rejects(reject('plain', id), editRefusal)
        await assert.rejects(accept('plain', 'nosuch'), createRefusal)
        assert.equal(await stateOf(id), 'created')
      })

      for (const group of ['administrators', 'leads']) {
        test(`and not for power users where ${group} are concerned (3.7)`, async () => {
          await assert.rejects(invite(server, 'power', { name: 'climber', groups: ['crew', group] }), createRefusal)
          const id = await invite(server, 'Administrator', { name: `chief-of-${group}`, groups: [group] }, { autoAccept: false })
          await assert.rejects(accept('power', id), createRefusal)
          await assert.rejects(reject('power', id), editRefusal)
          await accept('Administrator', id)
          assert.equal(await stateOf(id), 'accepted')
        })
      }

      test('of whom only administrators see the requests', async () => {
        const id = await invite(server, 'power', { name: 'seen' })
        assert.equal((await read(id)).status, 200)
        for (const user of ['power', 'plain']) {
          assert.equal((await read(id, user)).status, 403)
          assert.equal((await server.as(user).get('/path/management')).status, 403)
          const query = encodeURIComponent('SELECT * FROM UserInvitation')
          assert.equal((await server.as(user).get(`/search/execute?query=${query}`)).body.resultsCount, 0)
        }
      })
    })

    test('6 is decided about by administrators over REST, and by nobody else', async () => {
      const id = await invite(server, 'power', { name: 'rested' }, { autoAccept: false })
      const decide = (user: string, what: string, of = id) => server.as(user).post(`/management/invitations/${of}/${what}`)
      for (const user of ['power', 'plain'])
        for (const what of ['accept', 'reject', 'resend']) assert.equal((await decide(user, what)).status, 403)
      assert.equal((await decide('Administrator', 'resend')).status, 409)
      assert.equal((await decide('Administrator', 'accept')).status, 204)
      assert.equal((await decide('Administrator', 'accept')).status, 409)
      const [first] = mailbox.links.map(({ properties }) => String(properties['path']))
      assert.equal((await decide('Administrator', 'resend')).status, 204)
      const second = String(mailbox.links.at(-1)?.properties['path'])
      assert.equal((await fetch(new URL(first ?? '', server.url))).status, 404)
      assert.equal((await fetch(new URL(second, server.url))).status, 200)
      const other = await invite(server, 'power', { name: 'unwanted' }, { autoAccept: false })
      assert.equal((await decide('Administrator', 'reject', other)).status, 204)
      assert.equal(await stateOf(other), 'rejected')
      assert.equal((await decide('Administrator', 'resend', 'nosuch')).status, 404)
    })

    test('6 is about requests, not about other documents', async () => {
      const { body } = await admin().get('/path/default-domain')
      for (const id of [body.uid, 'nosuch']) {
        await assert.rejects(accept('Administrator', id), { code: 'requestNotFound', kind: 'notFound' })
        await assert.rejects(reject('Administrator', id), { code: 'requestNotFound', kind: 'notFound' })
      }
    })
  },
  { plugins: [mailbox.plugin] },
)
