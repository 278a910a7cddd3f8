import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { type Signing, signing } from '../support/oauth1.ts'
import { onEachServer } from '../support/servers.ts'

const chain = ['AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH1_AUTH']
const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`

onEachServer(
  'security 2.9 OAuth 1',
  (server) => {
    before(async () => {
      for (const name of ['alice', 'bob', 'passing']) await server.addUser(name, ['members'])
      const consumers = [
        { consumerKey: 'app', consumerSecret: 'app secret', callbackURL: 'https://app.example/back?x=1', description: 'The App' },
        { consumerKey: 'other', consumerSecret: 'other secret' },
        { consumerKey: 'dedicated', consumerSecret: 's', signedFetchSupport: 'platform:user', dedicatedLogin: 'bob' },
        { consumerKey: 'nobody', consumerSecret: 's', signedFetchSupport: 'platform:user' },
        { consumerKey: 'viewer', consumerSecret: 's', signedFetchSupport: 'opensocial:viewer' },
        { consumerKey: 'owner', consumerSecret: 's', signedFetchSupport: 'opensocial:owner' },
        { consumerKey: 'literal', consumerSecret: 's', signedFetchSupport: 'alice' },
        { consumerKey: 'none', consumerSecret: 's', signedFetchSupport: 'none' },
        { consumerKey: 'off', consumerSecret: 's', signedFetchSupport: 'alice', enabled: false },
        { consumerKey: 'secretless', signedFetchSupport: 'alice' },
        { consumerKey: 'lenient', consumerSecret: 's', callbackURL: 'https://l.example/', allowBypassVerifier: true },
      ]
      for (const properties of consumers) {
        const entry = { 'entity-type': 'directoryEntry', directoryName: 'oauthConsumers', properties }
        const made = await server.as('Administrator').post('/directory/oauthConsumers', entry)
        assert.equal(made.status, 201, made.text)
      }
    })

    const get = async (path: string, signed: Signing = {}) => {
      const url = new URL(path, server.url).href
      const answer = await fetch(url, { headers: { authorization: signing('GET', url, signed) }, redirect: 'manual' })
      return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') }
    }
    const who = async (signed: Signing, path = 'api/v1/me') => {
      const { status, text } = await get(path, signed)
      return status === 200 ? JSON.parse(text).id : status
    }
    const ask = async (signed: Signing = {}) => {
      const { status, text } = await get('oauth/request-token', signed)
      assert.equal(status, 200, text)
      const sent = new URLSearchParams(text)
      return { token: sent.get('oauth_token') ?? '', tokenSecret: sent.get('oauth_token_secret') ?? '' }
    }
    const authorize = (user: string, fields: { [name: string]: string }, headers: { [name: string]: string } = {}) =>
      fetch(new URL('oauth/authorize', server.url), {
        method: 'POST',
        headers: { authorization: basic(user), ...headers },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
    const grant = async (user: string, token: string, fields: { [name: string]: string } = {}) => {
      const answer = await authorize(user, { oauth_token: token, ...fields })
      assert.equal(answer.status, 302)
      return new URL(answer.headers.get('location') ?? '')
    }
    const access = async (user: string, fields?: { [name: string]: string }) => {
      const asked = await ask()
      const verifier = (await grant(user, asked.token, fields)).searchParams.get('oauth_verifier') ?? ''
      const { text } = await get('oauth/access-token', { ...asked, more: { oauth_verifier: verifier } })
      const sent = new URLSearchParams(text)
      return { token: sent.get('oauth_token') ?? '', tokenSecret: sent.get('oauth_token_secret') ?? '' }
    }

    test('gives a consumer a token to ask with, in the order of the contract', async () => {
      const { status, text, type } = await get('oauth/request-token', { more: { oauth_callback: 'https://app.example/other' } })
      assert.deepEqual([status, type], [200, 'application/x-www-form-urlencoded'])
      assert.match(text, /^oauth_token=NX-RT-[\w-]+&oauth_token_secret=NX-RTS-[\w-]+&oauth_callback_confirmed=true$/)
    })
    for (const [what, signed] of Object.entries({
      'an unknown consumer': { key: 'unknown' },
      'another secret': { secret: 'guessed' },
      'a disabled consumer': { key: 'off', secret: 's' },
      'a consumer without a secret': { key: 'secretless', secret: '' },
      'a signature of an hour ago': { at: Date.now() / 1000 - 3_600 },
      'a signature of the future': { at: Date.now() / 1000 + 3_600 },
      'a callback that runs': { more: { oauth_callback: 'javascript:alert(1)' } },
      'another version': { more: { oauth_version: '2.0' } },
    })) {
      test(`gives none for ${what}`, async () => assert.equal((await get('oauth/request-token', signed)).status, 401))
    }
    test('sends a user to the sign-in, whatever the token', async () => {
      const url = new URL('oauth/authorize?oauth_token=T', server.url)
      const answer = await fetch(url, { redirect: 'manual' })
      assert.deepEqual(
        [answer.status, answer.headers.get('location')],
        [302, `${server.url}login.jsp?requestedUrl=oauthGrant.jsp%3Foauth_token%3DT`],
      )
    })
    test('grants for who is signed in, and nobody else whom the form names', async () => {
      const { token } = await ask()
      assert.equal(
        (await fetch(new URL('oauth/authorize', server.url), { method: 'POST', body: `oauth_token=${token}` })).status,
        401,
      )
      const target = await grant('alice', token, { platform_login: 'Administrator', duration: '5' })
      assert.equal(target.href.split('&')[0], 'https://app.example/back?x=1')
      assert.deepEqual([target.searchParams.get('oauth_token'), target.searchParams.get('x')], [token, '1'])
      assert.match(target.searchParams.get('oauth_verifier') ?? '', /^NX-VERIF-/)
    })
    test('sends on to the address of the request before that of the consumer', async () => {
      const { token } = await ask({ more: { oauth_callback: 'https://app.example/other' } })
      assert.equal((await grant('alice', token)).pathname, '/other')
    })
    test('knows no request that was not made, and no way back to who has none', async () => {
      assert.equal((await authorize('alice', { oauth_token: 'NX-RT-unknown' })).status, 400)
      const { token } = await ask({ key: 'other', secret: 'other secret' })
      assert.equal((await authorize('alice', { oauth_token: token })).status, 500)
    })
    test('asks on a page that no other shows as its own', async () => {
      const { token } = await ask()
      const page = await fetch(new URL(`oauthGrant.jsp?oauth_token=${token}`, server.url), {
        headers: { authorization: basic('alice') },
      })
      const html = await page.text()
      assert.equal(page.status, 200)
      assert.match(html, /Allow <b>The App<\/b> to act for you\?/)
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /form-action 'self' https:\/\/app\.example; frame-ancestors 'none'/,
      )
      assert.equal((await fetch(new URL(`oauthGrant.jsp?oauth_token=${token}`, server.url))).status, 401)
    })

    test('takes of a browser only the form that it was shown, once', async () => {
      const signIn = await server.as('alice').post('/token?application=Browser&deviceId=b&permission=rw')
      const headers = { cookie: `X-Authentication-Token=${signIn.text}` }
      const { token } = await ask()
      const page = await fetch(new URL(`oauthGrant.jsp?oauth_token=${token}`, server.url), { headers })
      const [, shown = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? []
      const send = async (fields: { [name: string]: string }, asked = token) => {
        const body = new URLSearchParams({ oauth_token: asked, ...fields })
        const url = new URL('oauth/authorize', server.url)
        return (await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })).status
      }
      const other = await ask()
      assert.deepEqual([await send({}), await send({ form_token: 'guessed' })], [403, 403])
      assert.equal(await send({ form_token: shown }, other.token), 403)
      assert.deepEqual([await send({ form_token: shown }), await send({ form_token: shown })], [302, 403])
    })

    test('lets a consumer act for the user who let it', async () => {
      const given = await access('alice')
      assert.match(given.token, /^NX-AT-/)
      assert.match(given.tokenSecret, /^NX-ATS-/)
      assert.equal(await who(given), 'alice')
      assert.equal(await who(given, 'api/v1/me?x=a%20b&x=%C3%A9'), 'alice')
      assert.equal(await who({ ...given, tokenSecret: 'guessed' }), 401)
      assert.equal(await who({ ...given, key: 'other', secret: 'other secret' }), 401)
      assert.equal(await who({ ...given, token: 'NX-AT-unknown' }), 401)
    })
    test('takes a request once: what was overheard lets nobody in', async () => {
      const given = { ...(await access('alice')), nonce: randomUUID(), at: Date.now() / 1000 }
      const statuses = await Promise.all(Array.from({ length: 5 }, () => who(given)))
      assert.deepEqual(statuses.map(String).toSorted(), ['401', '401', '401', '401', 'alice'])
    })
    test('gives the token for the right verifier alone, and once', async () => {
      const asked = await ask()
      const take = async (verifier?: string) =>
        (await get('oauth/access-token', { ...asked, ...(verifier !== undefined && { more: { oauth_verifier: verifier } }) }))
          .status
      assert.equal(await take('NX-VERIF-none'), 401)
      const verifier = (await grant('alice', asked.token)).searchParams.get('oauth_verifier') ?? ''
      assert.deepEqual([await take(), await take('wrong'), await take(verifier), await take(verifier)], [401, 401, 200, 401])
    })
    test('needs no verifier of a consumer that may do without, but still a user who let it', async () => {
      const lenient = { key: 'lenient', secret: 's' }
      const asked = { ...lenient, ...(await ask(lenient)) }
      assert.equal((await get('oauth/access-token', asked)).status, 401)
      await grant('alice', asked.token)
      assert.equal((await get('oauth/access-token', asked)).status, 200)
    })
    test('ends what was granted for a time, and with its user', async () => {
      const given = await access('passing', { duration: '10' })
      assert.equal(await who(given), 'passing')
      const later = { creationDate: new Date(Date.now() - 11 * 60_000).toISOString() }
      const entry = {
        'entity-type': 'directoryEntry',
        directoryName: 'oauthTokens',
        properties: { token: given.token, ...later },
      }
      assert.equal((await server.as('Administrator').put(`/directory/oauthTokens/${given.token}`, entry)).status, 200)
      assert.equal(await who(given), 401)
      const other = await access('passing')
      await server.as('Administrator').delete('/user/passing')
      await server.addUser('passing')
      assert.equal(await who(other), 401)
    })

    test('gives the next of a name nothing that another has granted or was shown', async () => {
      const asked = await ask()
      const verifier = (await grant('passing', asked.token)).searchParams.get('oauth_verifier') ?? ''
      const form = await ask()
      const shownTo = async (token: string) => {
        const signIn = await server.as('passing').post('/token?application=Browser&deviceId=b&permission=rw')
        const headers = { cookie: `X-Authentication-Token=${signIn.text}` }
        const page = await fetch(new URL(`oauthGrant.jsp?oauth_token=${token}`, server.url), { headers })
        const [, shown = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? []
        return { headers, shown }
      }
      const { shown } = await shownTo(form.token)
      assert.equal((await server.as('Administrator').delete('/user/passing')).status, 204)
      await server.addUser('passing')
      assert.equal((await get('oauth/access-token', { ...asked, more: { oauth_verifier: verifier } })).status, 401)
      const { headers } = await shownTo(form.token)
      const body = new URLSearchParams({ oauth_token: form.token, form_token: shown })
      const sent = await fetch(new URL('oauth/authorize', server.url), { method: 'POST', headers, body, redirect: 'manual' })
      assert.equal(sent.status, 403)
    })
    test('ends with its consumer, and is not left to the next that has the key', async () => {
      const consumer = { consumerKey: 'short', consumerSecret: 'app secret', callbackURL: 'https://app.example/' }
      const entry = { 'entity-type': 'directoryEntry', directoryName: 'oauthConsumers', properties: consumer }
      const admin = server.as('Administrator')
      assert.equal((await admin.post('/directory/oauthConsumers', entry)).status, 201)
      const asked = { key: 'short', ...(await ask({ key: 'short' })) }
      const verifier = (await grant('alice', asked.token)).searchParams.get('oauth_verifier') ?? ''
      const { text } = await get('oauth/access-token', { ...asked, more: { oauth_verifier: verifier } })
      const given = new URLSearchParams(text)
      const signed = {
        key: 'short',
        token: given.get('oauth_token') ?? '',
        tokenSecret: given.get('oauth_token_secret') ?? '',
      }
      assert.equal(await who(signed), 'alice')
      assert.equal((await admin.delete('/directory/oauthConsumers/short')).status, 204)
      assert.equal((await admin.post('/directory/oauthConsumers', entry)).status, 201)
      assert.equal(await who(signed), 401)
    })

    test('answers a consumer without a token for the user that its registration says', async () => {
      assert.equal(await who({ key: 'dedicated', secret: 's' }), 'bob')
      assert.equal(await who({ key: 'literal', secret: 's' }), 'alice')
      assert.equal(await who({ key: 'viewer', secret: 's' }, 'api/v1/me?opensocial_viewer_id=bob'), 'bob')
      assert.equal(await who({ key: 'owner', secret: 's' }, 'api/v1/me?opensocial_owner_id=alice'), 'alice')
      assert.equal(await who({ key: 'owner', secret: 's' }, 'api/v1/me?opensocial_viewer_id=alice'), 401)
      for (const key of ['nobody', 'none', 'off']) assert.equal(await who({ key, secret: 's' }), 401)
      assert.equal(await who({}), 401)
      assert.equal(await who({ key: 'secretless', secret: '' }), 401)
    })
    test('knows nothing else below its path', async () => assert.equal((await get('oauth/other')).status, 404))
  },
  { settings: { authChain: ['BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH1_AUTH'], authChainRestapi: chain, authChainAutomation: chain } },
)

test('security 2.9 OAuth 1 is not there unless a chain names it', async (context) => {
  const server = await startTestServer()
  context.after(() => server.stop())
  for (const path of ['oauth/request-token', 'oauth/authorize?oauth_token=T', 'oauth/access-token'])
    assert.equal((await fetch(new URL(path, server.url), { redirect: 'manual' })).status, 404)
})
