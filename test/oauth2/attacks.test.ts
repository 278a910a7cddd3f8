import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Log } from '../../src/base/log.ts'
import { type BrowserClient, browserAt } from '../support/browser-client.ts'
import { authorize, callAs, codeFor, done, placeOf, present, registerClient, storedTokens, submit } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

const asked = { client_id: 'app', response_type: 'code' }
const address = (parameters: { readonly [name: string]: string } = asked) => `oauth2/authorize?${new URLSearchParams(parameters)}`

/** The fields that the page has in its form. */
async function fieldsIn(page: Response): Promise<{ [name: string]: string }> {
  const fields = [...(await page.text()).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name, value]) => [name, value]))
}

async function statusOf(sending: Promise<Response>): Promise<number> {
  const { status, ...response } = await sending
  assert.ok(response)
  return status
}

onEachServer('consent in a browser', (server) => {
  const signedIn = async (user: string): Promise<BrowserClient> => {
    const browser = browserAt(server.url)
    assert.equal((await browser.signIn(user)).status, 302)
    return browser
  }
  before(async () => {
    for (const name of ['alice', 'bob', 'carol']) await server.addUser(name)
    for (const name of ['app', 'other', 'landing']) await registerClient(server, name)
  })

  test('6.1 is asked for after signing in, and the person comes back to it', async () => {
    const browser = browserAt(server.url)
    const prompt = await browser.get(address())
    assert.equal(prompt.status, 401)
    const back = (await browser.signIn('carol', 'carol', { requestedUrl: address() })).headers.get('location') ?? ''
    assert.equal(back, new URL(address(), server.url).href)
    const fields = await fieldsIn(await browser.get(back))
    const { host, searchParams } = new URL(
      (await browser.postForm('oauth2/authorize_submit', { ...fields, grant_access: '1' })).headers.get('location') ?? '',
    )
    assert.equal(host, 'app.example')
    const { body } = await present(server, {
      grant_type: 'authorization_code',
      client_id: 'app',
      code: searchParams.get('code') ?? '',
    })
    assert.deepEqual(await callAs(server, body.access_token), { status: 200, user: 'carol' })
  })

  test('is not given by a form of another page: it needs the token of the page, once, for that person and program', async () => {
    const [alice, bob] = [await signedIn('alice'), await signedIn('bob')]
    const post = (browser: BrowserClient, fields: { readonly [name: string]: string }, headers = {}) =>
      statusOf(browser.postForm('oauth2/authorize_submit', { ...fields, grant_access: '1' }, headers))
    assert.equal(await post(alice, asked), 403)
    assert.equal(await post(alice, { ...asked, consent_token: 'x'.repeat(40) }), 403)
    const fields = await fieldsIn(await alice.get(address()))
    assert.match(fields['consent_token'] ?? '', /^\w{40}$/)
    const others = await fieldsIn(await bob.get(address()))
    assert.equal(await post(alice, { ...asked, consent_token: others['consent_token'] ?? '' }), 403)
    const foreign = await fieldsIn(await alice.get(address({ ...asked, client_id: 'other' })))
    assert.equal(await post(alice, { ...asked, consent_token: foreign['consent_token'] ?? '' }), 403)
    assert.equal(await post(alice, fields, { origin: 'https://evil.example' }), 403)
    assert.equal(await post(alice, fields), 302)
    assert.equal(await post(alice, fields), 403)
  })

  test('is not given by the form of somebody who had the name before, nor for a program that had the id', async () => {
    await server.addUser('gina')
    const admin = server.as('Administrator')
    const send = async (fields: { readonly [name: string]: string }) =>
      statusOf((await signedIn('gina')).postForm('oauth2/authorize_submit', { ...fields, grant_access: '1' }))
    const shown = async (client: string) => fieldsIn(await (await signedIn('gina')).get(address({ ...asked, client_id: client })))
    const older = await shown('app')
    assert.equal((await admin.delete('/user/gina')).status, 204)
    await server.addUser('gina')
    assert.equal(await send(older), 403)
    const id = await registerClient(server, 'passing')
    const ofOlder = await shown('passing')
    assert.equal((await admin.delete(`/directory/oauth2Clients/${id}`)).status, 204)
    await registerClient(server, 'passing')
    assert.equal(await send(ofOlder), 403)
    assert.equal(await send(await shown('passing')), 302)
  })

  test('is not refused by a form of another page either', async () => {
    const alice = await signedIn('alice')
    assert.equal(await statusOf(alice.postForm('oauth2/authorize_submit', { ...asked, deny_access: '1' })), 403)
  })

  test('needs the token also where a password is sent beside the cookie, which counts', async () => {
    const alice = await signedIn('alice')
    const headers = { authorization: `Basic ${Buffer.from('bob:bob').toString('base64')}` }
    assert.equal(await statusOf(alice.postForm('oauth2/authorize_submit', { ...asked, grant_access: '1' }, headers)), 403)
  })

  test('6.2 leads published clients to the start page, which answers itself', async () => {
    await registerClient(server, 'home', { redirectURIs: `${server.url}home.html` })
    const place = placeOf(await submit(server, 'alice', { ...asked, client_id: 'home', grant_access: '1' }))
    const landed = await fetch(place, { redirect: 'manual' })
    assert.equal(landed.status, 200)
  })
})

onEachServer('addresses that a code could be lured to', (server) => {
  test('are taken for what they are', async () => {
    await server.addUser('alice')
    await registerClient(server, 'app', { redirectURIs: `${done},acme://done` })
    const lures = [
      'https://evil.example/',
      'https://app.example.evil.example/done',
      'https://app.example@evil.example/done',
      'https://app.example/done/../../evil',
      'https://app.example/done?next=https://evil.example',
      'https://APP.example/done',
      'https://app.example/done#',
      'http://app.example/done',
      '//evil.example',
      '/done',
      'javascript:alert(1)',
      `${done},https://evil.example/`,
      `${done}%0d%0aSet-Cookie:x=y`,
      `${encodeURIComponent(done)}%2e`,
    ]
    for (const redirect_uri of lures) {
      for (const send of [authorize, submit]) {
        const answer = await send(server, 'alice', { ...asked, redirect_uri, grant_access: '1' })
        assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], redirect_uri)
      }
    }
  })

  test('cannot be smuggled in twice', async () => {
    const query = `client_id=app&response_type=code&grant_access=1&redirect_uri=${encodeURIComponent(done)}&redirect_uri=https://evil.example/`
    assert.equal(placeOf(await server.as('alice').call('POST', `oauth2/authorize_submit?${query}`)).host, 'app.example')
  })
})

const lines: string[] = []
const keep = (fields: object, sentence: string) => void lines.push(`${sentence} ${JSON.stringify(fields, withErrors)}`)
const listening: Log = { debug: keep, info: keep, warn: keep, error: keep, isLevelEnabled: () => true }

function withErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? `${value.message} ${value.stack} ${JSON.stringify(value.cause)}` : value
}

onEachServer(
  'the log',
  (server) => {
    test('has no code, no token and no secret, whatever goes right or wrong', async () => {
      lines.length = 0
      await server.addUser('alice')
      const secret = 'a-secret-of-the-program'
      await registerClient(server, 'app', { clientSecret: secret })
      const code = await codeFor(server, 'alice', 'app', { state: 'a-state-of-the-program' })
      const sent = { grant_type: 'authorization_code', client_id: 'app', client_secret: secret, code }
      const { body } = await present(server, sent)
      await callAs(server, body.access_token)
      await callAs(server, 'x', `/me?access_token=${body.access_token}`)
      await callAs(server, body.access_token, '/id/nothing')
      const refresh = { grant_type: 'refresh_token', client_id: 'app', client_secret: secret, refresh_token: body.refresh_token }
      const { body: next } = await present(server, refresh)
      await present(server, refresh)
      await present(server, sent)
      await fetch(new URL(`oauth2/token?${new URLSearchParams(sent)}`, server.url))
      await callAs(server, next.access_token)
      assert.equal((await storedTokens(server)).length, 0)
      assert.ok(lines.some((line) => line.includes('/oauth2/token')))
      const secrets = [
        secret,
        code,
        'a-state-of-the-program',
        ...[body, next].flatMap((one) => [one.access_token, one.refresh_token]),
      ]
      for (const word of secrets)
        assert.equal(
          lines.find((line) => line.includes(word)),
          undefined,
        )
    })
  },
  { log: listening },
)
