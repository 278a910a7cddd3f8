import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { addGroup, statusOfSignIn } from '../support/accounts.ts'
import { aForm, configuration, createMailbox, invite, inviteForLink, keyIn, openPage, sendForm } from '../support/invitations.ts'
import { createServerEventRecorder } from '../support/server-event-recorder.ts'
import { onEachServer } from '../support/servers.ts'

const mailbox = createMailbox()
const recorder = createServerEventRecorder()
const messages = {
  unknown: 'There is no such invitation. Use the whole link that you were sent.',
  used: 'This invitation has been processed already. Sign in with the password that you chose.',
  differ: 'The two passwords differ. Type the same one twice.',
  withdrawn: /Whoever invited you may no longer give you the account/,
}

/** What a program is answered that does not read pages. */
const asProgram = { accept: 'application/json' }
const messageIn = ({ text }: { text: string }) => JSON.parse(text).message

onEachServer(
  'the form of an invitation',
  (server) => {
    const admin = () => server.as('Administrator')
    const linkFor = (name: string, more: object = {}, inviter?: string) =>
      inviteForLink(server, mailbox, { name, ...more }, inviter)

    beforeEach(() => {
      mailbox.links.length = 0
      mailbox.events.length = 0
      recorder.take()
    })

    test('6 is a page that asks for a password, without authentication', async () => {
      const link = await linkFor('ann', { properties: { firstName: 'Ann' } })
      const { status, headers, text } = await openPage(server, link)
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/html;charset=UTF-8'])
      assert.match(text, /<form method="post" action="http:[^"]+\/site\/userInvitation\/validate">/)
      assert.match(text, new RegExp(`name="RequestId" value="${keyIn(link)}"`))
      assert.match(text, new RegExp(`name="ConfigurationName" value="${configuration}"`))
      assert.match(text, /type="password" name="Password"/)
      assert.match(text, /type="password" name="PasswordConfirmation"/)
      assert.match(text, /<b>ann<\/b>/)
      assert.equal((await openPage(server, link, { authorization: 'Basic bm9ib2R5OndvbmQ=' })).status, 200)
    })

    test('6 is kept by nobody, framed by nobody, and tells nobody where it came from', async () => {
      const { headers } = await openPage(server, await linkFor('bea'))
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('referrer-policy'), 'same-origin')
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe/)
    })

    test('6 creates the user with its groups, who can then sign in', async () => {
      await addGroup(server, 'crew')
      const properties = { firstName: 'Cleo', lastName: 'Ray', company: 'Acme', tenantId: 'north' }
      const link = await linkFor('cleo', { groups: ['crew', 'members'], properties })
      const { status, text } = await sendForm(server, aForm(link, 'pâss wörd+&='))
      assert.equal(status, 200, text)
      assert.match(text, /Sign in as <b>cleo<\/b>/)
      assert.equal(await statusOfSignIn(server, 'cleo', 'pâss wörd+&='), 200)
      const { body } = await admin().get('/user/cleo')
      assert.deepEqual(body.properties, {
        ...body.properties,
        ...properties,
        username: 'cleo',
        email: 'cleo@x.org',
        groups: ['crew', 'members'],
      })
    })

    test('6 ends the request as processed and tells of it, in the name of whoever accepted it', async () => {
      await server.addUser('power', ['powerusers'])
      const link = await linkFor('dora', {}, 'power')
      await sendForm(server, aForm(link, 'secret'))
      const [id = ''] = keyIn(link).split('.')
      assert.equal((await admin().get(`/id/${id}`)).body.state, 'processed')
      const last = mailbox.events.at(-1)
      assert.deepEqual([last?.name, last?.document.id, last?.principal.name], ['invitationValidated', id, 'power'])
      assert.deepEqual(recorder.take(), ['user_created dora'])
      assert.ok(!JSON.stringify(mailbox.events).includes('secret'))
    })

    test('6 needs no configuration to be named, but none that is not there', async () => {
      const { ConfigurationName: _, ...unnamed } = aForm(await linkFor('eva'), 'secret')
      assert.equal((await sendForm(server, { ...unnamed, ConfigurationName: 'other' })).status, 404)
      assert.equal((await sendForm(server, unnamed)).status, 200)
      const link = await linkFor('fay')
      assert.equal((await openPage(server, link.replace(configuration, 'other'))).status, 404)
    })

    test('6 answers a program with an exception, a person with a page', async () => {
      const form = aForm('x/nosuch', 'secret')
      const program = await sendForm(server, form, asProgram)
      assert.equal(program.headers.get('content-type'), 'application/json')
      assert.deepEqual(JSON.parse(program.text), { 'entity-type': 'exception', status: 404, message: messages.unknown })
      const person = await sendForm(server, form)
      assert.deepEqual([person.status, person.headers.get('content-type')], [404, 'text/html;charset=UTF-8'])
      assert.ok(person.text.includes(messages.unknown))
    })

    describe('6 refuses a key', () => {
      test('that never was one', async () => {
        const link = await linkFor('gil')
        const [id = '', secret = ''] = keyIn(link).split('.')
        const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
        for (const key of [
          id,
          secret,
          `${id}.`,
          `${id}.${wrong}`,
          `${id}.${secret}x`,
          `x.${secret}`,
          '..',
          '%00',
          `${id}.${'A'.repeat(5000)}`,
        ]) {
          const answer = await sendForm(server, aForm(`x/${key}`, 'secret'), asProgram)
          assert.deepEqual([answer.status, messageIn(answer)], [404, messages.unknown], key)
          const path = `site/userInvitation/enterpassword/${configuration}/${encodeURIComponent(key)}`
          if (key !== '..') assert.equal((await openPage(server, path)).status, 404, key)
        }
        assert.equal((await admin().get('/user/gil')).status, 404)
        assert.equal((await sendForm(server, aForm(link, 'secret'))).status, 200)
      })

      test('that was used', async () => {
        const link = await linkFor('hal')
        await sendForm(server, aForm(link, 'first'))
        const again = await sendForm(server, aForm(link, 'second'), asProgram)
        assert.deepEqual([again.status, messageIn(again)], [409, messages.used])
        assert.equal((await openPage(server, link)).status, 409)
        assert.equal(await statusOfSignIn(server, 'hal', 'first'), 200)
        assert.equal(await statusOfSignIn(server, 'hal', 'second'), 401)
      })

      test('that was used, also when the user was deleted since', async () => {
        const link = await linkFor('ida')
        await sendForm(server, aForm(link, 'first'))
        await admin().delete('/user/ida')
        assert.equal((await sendForm(server, aForm(link, 'second'))).status, 409)
        assert.equal((await admin().get('/user/ida')).status, 404)
      })

      test('whose request was removed or put into the trash', async () => {
        const takeBack = {
          jan: (session: WriteSession, id: string) => removeDocument(session, id),
          kim: (session: WriteSession, id: string) => trashDocument(session, id),
        }
        for (const [name, act] of Object.entries(takeBack)) {
          const link = await linkFor(name)
          const [id = ''] = keyIn(link).split('.')
          await server.inSession('Administrator', (session): Promise<unknown> => act(session, id))
          assert.equal((await sendForm(server, aForm(link, 'secret'))).status, 404)
          assert.equal((await openPage(server, link)).status, 404)
          assert.equal((await admin().get(`/user/${name}`)).status, 404)
        }
      })
    })

    describe('6 refuses passwords', () => {
      test('that differ, and shows the form again', async () => {
        const link = await linkFor('lea')
        const { status, text } = await sendForm(server, aForm(link, 'one', { PasswordConfirmation: 'other' }))
        assert.equal(status, 400)
        assert.ok(text.includes(messages.differ))
        assert.match(text, new RegExp(`name="RequestId" value="${keyIn(link)}"`))
        assert.ok(!text.includes('"one"') && !text.includes('other'))
        const program = await sendForm(server, aForm(link, 'one', { PasswordConfirmation: 'One' }), asProgram)
        assert.deepEqual([program.status, messageIn(program)], [400, messages.differ])
        assert.equal((await sendForm(server, aForm(link, 'one'))).status, 200)
      })

      test('that are missing, blank or too long, and says which', async () => {
        const link = await linkFor('max')
        const { Password: _, ...without } = aForm(link, 'x')
        const rows = [
          [without, /field Password is missing or blank/],
          [aForm(link, '   '), /field Password is missing or blank/],
          [aForm(link, 'x', { PasswordConfirmation: '' }), /field PasswordConfirmation is missing/],
          [aForm(link, 'x', { RequestId: '' }), /field RequestId is missing/],
          [aForm(link, 'x'.repeat(1001)), /password has 1001 characters. Use at most 1000/],
        ] as const
        for (const [form, message] of rows) {
          const answer = await sendForm(server, form, asProgram)
          assert.equal(answer.status, 400)
          assert.match(messageIn(answer), message)
        }
        assert.equal((await admin().get('/user/max')).status, 404)
      })
    })

    describe('6 makes no account', () => {
      test('of a name that somebody has by now', async () => {
        const link = await linkFor('ned')
        await server.addUser('ned')
        const answer = await sendForm(server, aForm(link, 'secret'), asProgram)
        assert.deepEqual([answer.status, messageIn(answer)], [409, 'User already exists'])
        assert.equal(await statusOfSignIn(server, 'ned', 'secret'), 401)
      })

      test('of an address that somebody has by now', async () => {
        const [first, second] = [
          await linkFor('ole', { properties: { email: 'o@x.org' } }),
          await linkFor('olga', { properties: { email: 'O@X.org' } }),
        ]
        assert.equal((await sendForm(server, aForm(first, 'secret'))).status, 200)
        const answer = await sendForm(server, aForm(second, 'secret'), asProgram)
        assert.deepEqual([answer.status, messageIn(answer)], [409, 'User already exists'])
        assert.equal((await admin().get('/user/olga')).status, 404)
      })

      test('when whoever invited is gone, or no longer a power user', async () => {
        await server.addUser('brief', ['powerusers'])
        const [one, two] = [await linkFor('pam', {}, 'brief'), await linkFor('pia', {}, 'brief')]
        await admin().delete('/group/powerusers/user/brief')
        const refused = await sendForm(server, aForm(one, 'secret'), asProgram)
        assert.equal(refused.status, 403)
        assert.match(messageIn(refused), messages.withdrawn)
        await admin().delete('/user/brief')
        assert.equal((await sendForm(server, aForm(two, 'secret'))).status, 403)
        assert.equal((await admin().get('/user/pam')).status, 404)
      })

      test('in a group that became one of administrators, unless an administrator invited (3.7)', async () => {
        await addGroup(server, 'rising')
        await server.addUser('helper', ['powerusers'])
        const [ofPower, ofAdmin] = [
          await linkFor('quin', { groups: ['rising'] }, 'helper'),
          await linkFor('rex', { groups: ['rising'] }),
        ]
        await server.asSystem(({ tx }) => tx.directories.addTarget('subGroups', 'administrators', 'rising'))
        const refused = await sendForm(server, aForm(ofPower, 'secret'), asProgram)
        assert.equal(refused.status, 403)
        assert.match(messageIn(refused), messages.withdrawn)
        assert.equal((await sendForm(server, aForm(ofAdmin, 'secret'))).status, 200)
        assert.deepEqual([(await admin().get('/user/quin')).status, (await admin().get('/user/rex')).status], [404, 200])
      })

      test('in a group that was deleted since', async () => {
        await addGroup(server, 'short-lived')
        const link = await linkFor('sam', { groups: ['short-lived'] })
        await admin().delete('/group/short-lived')
        const answer = await sendForm(server, aForm(link, 'secret'), asProgram)
        assert.deepEqual([answer.status, messageIn(answer)], [403, 'group does not exist: short-lived'])
      })

      test('when a listener does not let it, and the link works again', async () => {
        const link = await linkFor('tess')
        recorder.failOn('user_created')
        assert.equal((await sendForm(server, aForm(link, 'secret'))).status, 500)
        assert.equal((await admin().get('/user/tess')).status, 404)
        assert.equal((await sendForm(server, aForm(link, 'secret'))).status, 200)
      })
    })

    test('6 gives the account to one of many who send it at once', async () => {
      const link = await linkFor('uma', { groups: ['members'] })
      const passwords = ['p0', 'p1', 'p2', 'p3']
      const answers = await Promise.all(passwords.map((password) => sendForm(server, aForm(link, password), asProgram)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
      const signIns = await Promise.all(passwords.map((password) => statusOfSignIn(server, 'uma', password)))
      assert.deepEqual(
        signIns,
        answers.map(({ status }) => (status === 200 ? 200 : 401)),
      )
      assert.deepEqual(recorder.take(), ['user_created uma'])
    })

    test('6 gives one address to one of two who were invited with it', async () => {
      const properties = { email: 'both@x.org' }
      const links = [await linkFor('vic', { properties }), await linkFor('val', { properties })]
      const answers = await Promise.all(links.map((link) => sendForm(server, aForm(link, 'secret'))))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    })
  },
  { plugins: [mailbox.plugin, recorder.plugin] },
)

onEachServer(
  'the form of an invitation where passwords follow a pattern',
  (server) => {
    test('6 follows the rules for passwords', async () => {
      const link = await inviteForLink(server, mailbox, { name: 'ann' })
      const { status, text } = await sendForm(server, aForm(link, 'short'))
      assert.equal(status, 400)
      assert.ok(text.includes('The password doesn&#39;t meet requirements'))
      assert.ok(text.includes('<form'))
      assert.equal((await sendForm(server, aForm(link, 'long enough'))).status, 200)
    })
  },
  { plugins: [mailbox.plugin], settings: { userPasswordPattern: '^.{8,}$' } },
)

onEachServer(
  'the form of an invitation where time is short',
  (server) => {
    test('6 refuses a key that has expired', async () => {
      const link = await inviteForLink(server, mailbox, { name: 'bob' })
      await wait(1100)
      const answer = await sendForm(server, aForm(link, 'long enough'), asProgram)
      assert.equal(answer.status, 410)
      assert.match(messageIn(answer), /^This invitation expired at \d{4}-.*Z\. Ask whoever invited you for a new one\.$/)
      assert.equal((await openPage(server, link)).status, 410)
      assert.equal((await server.as('Administrator').get('/user/bob')).status, 404)
      assert.equal(typeof (await invite(server, 'Administrator', { name: 'bob' })), 'string')
    })
  },
  { plugins: [mailbox.plugin], settings: { userInvitationTtl: '1s' } },
)
