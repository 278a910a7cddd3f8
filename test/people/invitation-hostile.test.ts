import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Log, LogFields } from '../../src/base/log.ts'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { addPermission } from '../../src/core/documents/rights/add-permission.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { statusOfSignIn } from '../support/accounts.ts'
import { aForm, createMailbox, formPath, inviteForLink, keyIn, openPage, sendBody, sendForm } from '../support/invitations.ts'
import { onEachServer } from '../support/servers.ts'

const mailbox = createMailbox()
const asProgram = { accept: 'application/json' }
const messageIn = ({ text }: { text: string }) => JSON.parse(text).message

onEachServer(
  'the open address of invitations',
  (server) => {
    const admin = () => server.as('Administrator')
    const linkFor = (name: string, more: object = {}) => inviteForLink(server, mailbox, { name, ...more })
    beforeEach(() => void mailbox.links.splice(0))

    test('6 escapes everything that people wrote', async () => {
      const name = `<script>alert('x')</script>"&`
      const properties = { email: 'evil@x.org', firstName: '<b>Eve</b>' }
      const link = await linkFor(name, { properties })
      const pages = [
        await openPage(server, link),
        await sendForm(server, aForm(link, 'one', { PasswordConfirmation: '"><script>' })),
        await sendForm(server, aForm(link, '<i>one</i>')),
      ]
      assert.deepEqual(
        pages.map(({ status }) => status),
        [200, 400, 200],
      )
      for (const { text } of pages) {
        assert.ok(!text.includes('<script>') && !text.includes('<b>Eve') && !text.includes('<i>'), text)
        assert.ok(text.includes('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;'))
      }
      const reflected = await sendForm(server, aForm('x/"><script>', 'one', { ConfigurationName: '"><script>' }))
      assert.ok(!reflected.text.includes('<script>'))
    })

    test('6 answers no form that another site sends', async () => {
      const link = await linkFor('ann')
      for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { referer: 'https://evil.example/page' }]) {
        const answer = await sendForm(server, aForm(link, 'theirs'), { ...asProgram, ...headers })
        assert.deepEqual([answer.status, messageIn(answer)], [403, 'CSRF check failure'])
      }
      assert.equal((await admin().get('/user/ann')).status, 404)
      const own = new URL(server.url).origin
      assert.equal((await sendForm(server, aForm(link, 'mine'), { origin: own })).status, 200)
    })

    describe('6 refuses a body', () => {
      test('that is no form', async () => {
        const link = await linkFor('bea')
        const json = JSON.stringify(aForm(link, 'secret'))
        for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
          const answer = await sendBody(server, json, { ...asProgram, 'content-type': type })
          assert.equal(answer.status, 415)
          assert.match(messageIn(answer), /Send a form as application\/x-www-form-urlencoded/)
        }
        assert.equal((await admin().get('/user/bea')).status, 404)
      })

      test('that is empty, or says nothing that is asked for', async () => {
        for (const body of ['', '&&&', '=', 'password=x', 'RequestId', 'RequestId=%20']) {
          const answer = await sendBody(server, body, asProgram)
          assert.equal(answer.status, 400, body)
          assert.match(messageIn(answer), /field RequestId is missing or blank/)
        }
      })

      test('that is not UTF-8, behind percent signs or as it is', async () => {
        const link = await linkFor('cleo')
        const start = `RequestId=${keyIn(link)}&Password=`
        const bodies = [
          `${start}%FF%FE&PasswordConfirmation=%FE%FF`,
          Buffer.from(`${start}\xff&PasswordConfirmation=\xff`, 'latin1'),
        ]
        for (const body of bodies) {
          const answer = await sendBody(server, body, asProgram)
          assert.equal(answer.status, 400)
          assert.match(messageIn(answer), /The form that was sent cannot be read: it is not UTF-8/)
        }
        assert.equal((await admin().get('/user/cleo')).status, 404)
      })

      test('that is larger than any form', async () => {
        const link = await linkFor('dora')
        const large = 'x'.repeat(1024 * 1024)
        for (const more of [{ Password: large }, { RequestId: large }, { Other: large }]) {
          assert.equal((await sendForm(server, aForm(link, 'secret', more), asProgram)).status, 413)
        }
        assert.equal((await admin().get('/user/dora')).status, 404)
      })
    })

    test('6 takes the first of fields that are sent twice', async () => {
      const link = await linkFor('eva')
      const form = `${new URLSearchParams(aForm(link, 'first'))}&Password=second&PasswordConfirmation=second`
      assert.equal((await sendBody(server, form, asProgram)).status, 200)
      assert.equal(await statusOfSignIn(server, 'eva', 'first'), 200)
    })

    test('6 answers other methods with what there is', async () => {
      const path = `site/userInvitation/enterpassword/default_registration/x`
      for (const [method, url, allowed] of [
        ['GET', formPath, 'POST, OPTIONS'],
        ['POST', path, 'HEAD, GET, OPTIONS'],
        ['DELETE', path, 'HEAD, GET, OPTIONS'],
      ] as const) {
        const response = await fetch(new URL(url, server.url), { method })
        assert.deepEqual([response.status, response.headers.get('allow')], [405, allowed])
      }
      assert.equal((await fetch(new URL('site/userInvitation', server.url))).status, 401)
    })

    test('6 believes no request that somebody wrote elsewhere', async () => {
      await server.addUser('mallory', ['members'])
      const real = await linkFor('fay', { groups: ['members'] })
      const [realId = '', secret = ''] = keyIn(real).split('.')
      const { body: stored } = await admin().get(`/id/${realId}`, { properties: '*' })
      await server.asSystem(async (session) => {
        const domain = await session.reader.documents.findByPath('/default-domain')
        await addPermission(session, domain?.id ?? '', { users: ['mallory'], permission: 'Everything' })
      })
      const forged = await server.as('mallory').post('/path/default-domain', {
        'entity-type': 'document',
        type: 'UserInvitation',
        name: 'forged',
        facets: stored.facets,
        properties: {
          'userinfo:login': 'puppet',
          'userinfo:email': 'puppet@x.org',
          'userinfo:groups': ['administrators'],
          'registration:validationMethod': 'EMAIL',
          'registration:accepted': true,
          'registration:originatingUser': 'Administrator',
        },
      })
      assert.equal(forged.status, 201, forged.text)
      await server.inSession('mallory', async (session) => {
        for (const transition of ['approve', 'accept']) await followTransition(session, forged.body.uid, transition)
      })
      const answer = await sendForm(server, aForm(`x/${forged.body.uid}.${secret}`, 'secret'), asProgram)
      assert.equal(answer.status, 404)
      assert.equal((await admin().get('/user/puppet')).status, 404)
    })

    test('6 lets people in as they were accepted, whatever became of the request since', async () => {
      const link = await linkFor('gil', { groups: ['members'] })
      const [id = ''] = keyIn(link).split('.')
      const changed = {
        'entity-type': 'document',
        properties: { 'userinfo:login': 'other', 'userinfo:groups': ['administrators'] },
      }
      assert.equal((await admin().put(`/id/${id}`, changed)).status, 200)
      assert.equal((await sendForm(server, aForm(link, 'secret'))).status, 200)
      assert.deepEqual((await admin().get('/user/gil')).body.properties.groups, ['members'])
      assert.equal((await admin().get('/user/other')).status, 404)
    })

    test('6 shows the key to nobody, over REST or in the database', async () => {
      const link = await linkFor('hal')
      const [id = '', secret = ''] = keyIn(link).split('.')
      const shown = await admin().get(`/id/${id}`, { properties: '*', 'enrichers-document': 'acls' })
      assert.ok(!shown.text.includes(secret))
      const kept = await server.asSystem(({ tx, now }) => tx.transient.list('invitation/', now))
      assert.ok(kept.some(({ key }) => key === `invitation/${id}`))
      assert.ok(!JSON.stringify(kept).includes(secret))
    })
  },
  { plugins: [mailbox.plugin] },
)

describe('a server that asks for CSRF tokens and writes everything down', () => {
  const lines: LogFields[] = []
  const keep = (fields: LogFields) => void lines.push(fields)
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
  let server: TestServer
  before(async () => {
    server = await startTestServer({ plugins: [mailbox.plugin], log, settings: { csrfTokenEnabled: true, basePath: '/quire' } })
  })
  after(() => server.stop())

  test('6 takes the form without a token, which nobody who is invited has', async () => {
    const path = await inviteForLink(server, mailbox, { name: 'ann' })
    const { status, text } = await openPage(server, path)
    assert.equal(status, 200)
    assert.match(text, /action="http:[^"]+\/quire\/site\/userInvitation\/validate"/)
    assert.equal((await sendForm(server, aForm(path, 'secret'))).status, 200)
    assert.equal((await server.as('Administrator').post('/user', {})).status, 403)
  })

  test('6 logs neither keys nor passwords', async () => {
    const path = await inviteForLink(server, mailbox, { name: 'bob' })
    await openPage(server, path)
    await sendForm(server, aForm(path, 'a very secret one', { PasswordConfirmation: 'another secret' }))
    await sendForm(server, aForm(path, 'a very secret one'))
    await sendForm(server, aForm(path, 'a very secret one'))
    const written = JSON.stringify(lines)
    assert.ok(written.includes('/site/userInvitation/validate'))
    for (const secret of [keyIn(path), keyIn(path).split('.').at(-1) ?? '', 'very secret', 'another secret']) {
      assert.ok(!written.includes(secret), secret)
    }
  })
})
