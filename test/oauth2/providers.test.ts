import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { ApiAnswer } from '../../src/testing.ts'
import { assertRefused } from '../support/accounts.ts'
import { type AuthorizationServer, type Fault, startAuthorizationServer } from '../support/authorization-server.ts'
import { untilIdle } from '../support/background.ts'
import { storedTokens } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

const refusal = 'You do not have permissions to perform this operation.'
const aProvider = (serviceName: string, more: object = {}) => ({
  'entity-type': 'platformOAuth2ServiceProvider',
  serviceName,
  description: 'Cloud Box',
  clientId: 'abc',
  clientSecret: 's3',
  authorizationServerURL: 'https://idp.example/auth',
  tokenServerURL: 'https://idp.example/token',
  userAuthorizationURL: null,
  scopes: ['files.read', 'email'],
  isEnabled: true,
  ...more,
})

/** What the page tells the one that opened it. */
function messageIn({ text }: Pick<ApiAnswer, 'text'>): { readonly token: string } {
  const [, escaped = ''] = /<main data-message="([^"]*)">/.exec(text) ?? []
  return JSON.parse(escaped.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

onEachServer(
  'services in which the server acts for users',
  (server) => {
    const admin = () => server.as('Administrator')
    before(async () => {
      for (const name of ['alice', 'bob']) await server.addUser(name)
      assert.equal((await admin().post('/oauth2/provider', aProvider('cloudbox'))).status, 200)
    })

    test('3.2 are shown with all their fields, in order', async () => {
      const { status, body } = await admin().get('/oauth2/provider/cloudbox')
      assert.equal(status, 200)
      assert.deepEqual(Object.entries(body), [
        ['entity-type', 'platformOAuth2ServiceProvider'],
        ['serviceName', 'cloudbox'],
        ['description', 'Cloud Box'],
        ['clientId', 'abc'],
        ['clientSecret', 's3'],
        ['authorizationServerURL', 'https://idp.example/auth'],
        ['tokenServerURL', 'https://idp.example/token'],
        ['userAuthorizationURL', null],
        ['scopes', ['files.read', 'email']],
        ['isEnabled', true],
        ['isAvailable', true],
        [
          'authorizationURL',
          `https://idp.example/auth?client_id=abc&redirect_uri=${server.url}site/oauth2/cloudbox/callback&response_type=code&scope=files.read%20email`,
        ],
        ['isAuthorized', false],
        ['userId', null],
      ])
    })

    test('3.1 are listed for everybody, whose secrets only administrators see', async () => {
      const { body } = await server.as('alice').get('/oauth2/provider/')
      assert.equal(body['entity-type'], 'platformOAuth2ServiceProviders')
      assert.deepEqual(Object.keys(body), ['entity-type', 'entries'])
      assert.equal(body.entries[0].clientSecret, null)
      assert.equal((await admin().get('/oauth2/provider')).body.entries[0].clientSecret, 's3')
      assertRefused(await server.as('alice').get('/oauth2/provider/nobody'), 404, 'Invalid provider: nobody')
    })

    test('3.1 are written by administrators, whatever is there', async () => {
      const alice = server.as('alice')
      const calls = [
        alice.post('/oauth2/provider', aProvider('mine')),
        alice.put('/oauth2/provider/cloudbox', aProvider('cloudbox')),
        alice.put('/oauth2/provider/nobody', aProvider('nobody')),
        alice.delete('/oauth2/provider/cloudbox'),
        alice.delete('/oauth2/provider/nobody'),
      ]
      for (const answer of await Promise.all(calls)) assertRefused(answer, 403, refusal)
      assertRefused(await admin().put('/oauth2/provider/nobody', aProvider('nobody')), 404, 'Invalid provider: nobody')
      assertRefused(await admin().delete('/oauth2/provider/nobody'), 404, 'Invalid provider: nobody')
    })

    test('3.3 are enabled once this server is known there, replaced as a whole, renamed and removed', async () => {
      const created = await admin().post('/oauth2/provider', { ...aProvider('new'), clientSecret: undefined, scopes: undefined })
      assert.deepEqual(
        [created.status, created.body.isEnabled, created.body.isAvailable, created.body.scopes],
        [200, false, false, []],
      )
      const enabled = await admin().put('/oauth2/provider/new', aProvider('new', { scopes: ['a,b', ' c '] }))
      assert.deepEqual([enabled.body.isEnabled, enabled.body.isAvailable, enabled.body.scopes], [true, true, ['a', 'b', 'c']])
      const blank = await admin().put('/oauth2/provider/new', aProvider('new', { clientSecret: '' }))
      assert.deepEqual([blank.body.isEnabled, blank.body.clientSecret], [false, null])
      const least = { 'entity-type': 'platformOAuth2ServiceProvider', serviceName: 'renamed' }
      const { body } = await admin().put('/oauth2/provider/new', least)
      assert.deepEqual(
        [body.serviceName, body.description, body.clientId, body.isEnabled, body.authorizationURL],
        ['renamed', null, null, false, null],
      )
      assert.equal((await admin().get('/oauth2/provider/new')).status, 404)
      assert.equal((await admin().delete('/oauth2/provider/renamed')).status, 204)
      assert.equal((await admin().get('/oauth2/provider/renamed')).status, 404)
    })

    test('3.2 have no address to consent at where theirs is none', async () => {
      for (const authorizationServerURL of [null, 'nonsense', 'javascript:alert(1)']) {
        await admin().put('/oauth2/provider/cloudbox', aProvider('cloudbox', { authorizationServerURL }))
        assert.equal((await server.as('alice').get('/oauth2/provider/cloudbox')).body.authorizationURL, null)
      }
      await admin().put('/oauth2/provider/cloudbox', aProvider('cloudbox'))
    })

    describe('3.3 are refused', () => {
      const rows: readonly (readonly [string, unknown, number, string | RegExp])[] = [
        [
          'without a name',
          aProvider(' '),
          400,
          "java.lang.IllegalArgumentException: The provider's service name cannot be blank!",
        ],
        ['with a name that is taken', aProvider('cloudbox'), 409, /serviceName cloudbox already/],
        ['with another entity type', aProvider('x', { 'entity-type': 'user' }), 400, /entity-type is wrong/],
        ['without one', { serviceName: 'x' }, 400, /entity-type/],
        ['that are no object', '[]', 400, /object/],
        ['with scopes that are no list', aProvider('x', { scopes: 'a' }), 400, /scopes/],
        ['with a flag of another type', aProvider('x', { isEnabled: 'yes' }), 400, /isEnabled/],
      ]
      for (const [what, sent, status, message] of rows) {
        test(what, async () => assertRefused(await admin().post('/oauth2/provider', sent), status, message))
      }
      test('in another form than JSON', async () => {
        const headers = { 'content-type': 'text/plain' }
        assert.equal((await admin().call('POST', 'api/v1/oauth2/provider', { headers, body: 'x' })).status, 415)
      })
    })

    describe('with a real authorization server', () => {
      let remote: AuthorizationServer
      before(async () => {
        remote = await startAuthorizationServer([`${server.url}site/oauth2/drive/callback`])
        const { id: clientId, secret: clientSecret } = remote.client
        const addresses = { authorizationServerURL: `${remote.url}/auth?prompt=consent`, tokenServerURL: `${remote.url}/token` }
        const sent = aProvider('drive', { clientId, clientSecret, ...addresses, scopes: ['files.read', 'offline_access'] })
        assert.equal((await admin().post('/oauth2/provider', sent)).status, 200)
      })
      after(() => remote?.stop())
      beforeEach(() => {
        remote.posted.length = 0
        remote.fault = 'none'
        remote.delayMillis = 0
        remote.lifetimeSeconds = 3_600
      })

      const callback = (user: string, query: string, headers = {}) =>
        server.as(user).call('GET', `site/oauth2/drive/callback?${query}`, { headers })

      /** Consents there and comes back here. */
      async function consent(user: string): Promise<ApiAnswer> {
        const { body } = await server.as(user).get('/oauth2/provider/drive')
        const place = await remote.consent(body.authorizationURL, user)
        assert.equal(place.href.split('?', 1)[0], `${server.url}site/oauth2/drive/callback`)
        return callback(user, place.search.slice(1))
      }

      const tokenOf = (user: string) => server.as(user).get('/oauth2/provider/drive/token')
      const storedOf = async (user: string) =>
        (await storedTokens(server)).find(
          ({ properties }) => properties['serviceName'] === 'drive' && properties['platformLogin'] === user,
        )

      async function expire(user: string, properties: object = {}): Promise<void> {
        const id = (await storedOf(user))?.id ?? ''
        const sent = {
          'entity-type': 'directoryEntry',
          id,
          properties: { expirationTimeMilliseconds: Date.now() - 1_000, ...properties },
        }
        assert.equal((await admin().put(`/directory/oauth2Tokens/${id}`, sent)).status, 200)
      }

      test('3.5 stores what the user consented to, and tells the page that asked', async () => {
        const page = await consent('alice')
        assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html;charset=UTF-8'])
        const stored = await storedOf('alice')
        assert.equal(messageIn(page).token, stored?.properties['accessToken'])
        assert.deepEqual([stored?.properties['clientId'], stored?.properties['serviceLogin']], [null, null])
        const left = Number(stored?.properties['expirationTimeMilliseconds']) - Date.now()
        assert.ok(left > 3_500_000 && left <= 3_600_000)
        const [form] = remote.posted
        assert.deepEqual(Object.fromEntries(form ?? []), {
          grant_type: 'authorization_code',
          code: form?.get('code'),
          redirect_uri: `${server.url}site/oauth2/drive/callback`,
          scope: 'files.read offline_access',
          client_id: remote.client.id,
          client_secret: remote.client.secret,
        })
        const { body } = await server.as('alice').get('/oauth2/provider/drive')
        assert.deepEqual([body.isAuthorized, body.userId], [true, null])
      })

      test('3.5 has no script in its page, which nobody else shows, and whose script is there', async () => {
        const { headers, text } = await callback('bob', 'error=access_denied')
        const policy = headers.get('content-security-policy') ?? ''
        assert.match(policy, /default-src 'none'.*script-src 'self'/)
        assert.doesNotMatch(policy, /unsafe/)
        const [, script = ''] = /<script src="([^"]+)"><\/script>/.exec(text) ?? []
        assert.doesNotMatch(text, /<script>/)
        const response = await fetch(script)
        assert.equal(response.headers.get('content-type'), 'text/javascript;charset=UTF-8')
        assert.match(await response.text(), /postMessage\(message, window\.location\.origin\)/)
      })

      test('3.5 says so when the user refused, nothing came along, or what came is no code', async () => {
        for (const query of [
          'error=access_denied',
          '',
          'code=',
          'code=nonsense',
          `code=${'x'.repeat(5_000)}`,
          'error=%22%3E%3Cscript%3E&code=x',
        ]) {
          const page = await callback('bob', query)
          assert.equal(page.status, 200)
          assert.match(page.text, /Authorization request failed/)
          assert.deepEqual(messageIn(page), { token: '' })
          assert.doesNotMatch(page.text, /<script>/)
        }
        assert.equal(await storedOf('bob'), undefined)
        const unknown = await server.as('bob').call('GET', 'site/oauth2/nobody/callback?code=x')
        assertRefused(unknown, 404, 'Invalid provider: nobody')
      })

      test('3.6 gives the token as it is for as long as it is good', async () => {
        const { status, headers, body } = await tokenOf('alice')
        assert.equal(status, 200)
        assert.deepEqual(body, { token: (await storedOf('alice'))?.properties['accessToken'] })
        assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
        assert.ok(Number(headers.get('content-length')) > 0)
        assert.equal(remote.posted.length, 0)
        assertRefused(await tokenOf('bob'), 404, 'No token found for provider: drive')
        assertRefused(await server.as('bob').get('/oauth2/provider/nobody/token'), 404, 'Invalid provider: nobody')
      })

      test('3.5 overwrites what was stored when the user consents again', async () => {
        const before = await storedOf('alice')
        await consent('alice')
        const now = await storedOf('alice')
        assert.equal(now?.id, before?.id)
        assert.notEqual(now?.properties['accessToken'], before?.properties['accessToken'])
      })

      test('3.6 refreshes what has expired, once however many ask, and stores what it is given', async () => {
        const before = await storedOf('alice')
        await expire('alice')
        remote.delayMillis = 200
        const answers = await Promise.all(Array.from({ length: 5 }, () => tokenOf('alice')))
        const now = await storedOf('alice')
        assert.deepEqual(
          new Set(answers.map(({ text }) => text)),
          new Set([JSON.stringify({ token: now?.properties['accessToken'] })]),
        )
        assert.notEqual(now?.properties['accessToken'], before?.properties['accessToken'])
        assert.notEqual(now?.properties['refreshToken'], before?.properties['refreshToken'])
        assert.ok(Number(now?.properties['expirationTimeMilliseconds']) > Date.now())
        assert.deepEqual(
          remote.posted.map((form) => Object.fromEntries(form)),
          [
            {
              grant_type: 'refresh_token',
              refresh_token: before?.properties['refreshToken'],
              client_id: remote.client.id,
              client_secret: remote.client.secret,
            },
          ],
        )
        assert.equal((await tokenOf('alice')).status, 200)
      })

      test('3.6 gives the old token where there is nothing to refresh it with', async () => {
        const before = await storedOf('alice')
        await expire('alice', { refreshToken: null })
        assert.deepEqual((await tokenOf('alice')).body, { token: before?.properties['accessToken'] })
        assert.equal(remote.posted.length, 0)
        await expire('alice', { refreshToken: before?.properties['refreshToken'], expirationTimeMilliseconds: null })
        assert.equal((await tokenOf('alice')).status, 200)
        assert.equal(remote.posted.length, 0)
      })

      const faults: { readonly [Name in Exclude<Fault, 'none'>]: RegExp } = {
        silent: /did not answer in time/,
        status: /answered with status 500/,
        garbage: /something that is no token/,
        huge: /could not be reached/,
        redirect: /answered with status 307/,
        cut: /could not be reached/,
      }
      for (const [fault, sentence] of Object.entries(faults)) {
        test(`3.6 answers 502 and keeps what is stored when the service fails (${fault})`, async () => {
          await expire('alice')
          const before = await storedOf('alice')
          remote.fault = fault as Fault
          assertRefused(await tokenOf('alice'), 502, sentence)
          assert.deepEqual(await storedOf('alice'), before)
          remote.fault = 'none'
          assert.equal((await tokenOf('alice')).status, 200)
        })
      }

      test('3.5 says so when the service fails to exchange a code', async () => {
        remote.fault = 'garbage'
        const page = await consent('bob')
        assert.match(page.text, /Authorization request failed/)
        assert.equal(await storedOf('bob'), undefined)
      })

      test('3.6 answers 502 with the reason once the user took it back there, and forgets the token', async () => {
        await remote.revoke('alice')
        await expire('alice')
        const answer = await tokenOf('alice')
        assertRefused(answer, 502, /^The token server of drive refused: invalid_grant/)
        const stored = await storedOf('alice')
        assert.equal(stored?.properties['accessToken'], null)
        assert.notEqual(stored?.properties['refreshToken'], null)
      })

      test('3.6 gives nothing any more once the user revoked it here', async () => {
        assert.equal((await server.as('alice').delete('/oauth2/token/provider/drive/user/alice')).status, 204)
        assertRefused(await tokenOf('alice'), 404, 'No token found for provider: drive')
        assert.equal((await server.as('alice').get('/oauth2/provider/drive')).body.isAuthorized, false)
      })
    })
  },
  { settings: { oauth2ProviderTimeout: '1s' } },
)

onEachServer(
  'services that are sent a state',
  (server) => {
    test('3.4 bring it back for the user who asked, for that service, or are not listened to', async (context) => {
      for (const name of ['alice', 'bob']) await server.addUser(name)
      const remote = await startAuthorizationServer([`${server.url}site/oauth2/drive/callback`])
      context.after(() => remote.stop())
      const { id: clientId, secret: clientSecret } = remote.client
      const addresses = { authorizationServerURL: `${remote.url}/auth`, tokenServerURL: `${remote.url}/token` }
      for (const name of ['drive', 'other'])
        await server
          .as('Administrator')
          .post('/oauth2/provider', aProvider(name, { clientId, clientSecret, ...addresses, scopes: ['files.read'] }))
      const addressOf = async (user: string, name: string) =>
        (await server.as(user).get(`/oauth2/provider/${name}`)).body.authorizationURL
      const stateOf = async (user: string, name: string) => new URL(await addressOf(user, name)).searchParams.get('state') ?? ''
      const place = await remote.consent(await addressOf('alice', 'drive'), 'alice')
      assert.ok(place.searchParams.has('code'), place.href)
      const call = async (user: string, state: string | undefined) => {
        const query = new URLSearchParams({ code: place.searchParams.get('code') ?? '', ...(state !== undefined && { state }) })
        return messageIn(await server.as(user).call('GET', `site/oauth2/drive/callback?${query}`)).token
      }
      const own = await stateOf('alice', 'drive')
      assert.equal(place.searchParams.get('state')?.length, own.length)
      for (const state of [
        undefined,
        '',
        'x.y',
        own.slice(0, -1),
        await stateOf('alice', 'other'),
        await stateOf('bob', 'drive'),
      ])
        assert.equal(await call('alice', state), '')
      assert.equal(await call('bob', own), '')
      assert.equal(remote.posted.length, 0)
      assert.notEqual(await call('alice', own), '')

      await server.addUser('carol')
      const left = await stateOf('carol', 'drive')
      assert.equal((await server.as('Administrator').delete('/user/carol')).status, 204)
      await untilIdle(server)
      await server.addUser('carol')
      const asked = remote.posted.length
      assert.equal(await call('carol', left), '', 'of who had the name before')
      assert.equal(remote.posted.length, asked)
      await call('carol', await stateOf('carol', 'drive'))
      assert.equal(remote.posted.length, asked + 1)
    })

    test('3.5 are not stored for a user who is removed while the service is asked', async (context) => {
      await server.addUser('leaving')
      const remote = await startAuthorizationServer([`${server.url}site/oauth2/slow/callback`])
      context.after(() => remote.stop())
      const { id: clientId, secret: clientSecret } = remote.client
      const addresses = { authorizationServerURL: `${remote.url}/auth`, tokenServerURL: `${remote.url}/token` }
      const provider = aProvider('slow', { clientId, clientSecret, ...addresses, scopes: ['files.read'] })
      assert.equal((await server.as('Administrator').post('/oauth2/provider', provider)).status, 200)
      const { authorizationURL } = (await server.as('leaving').get('/oauth2/provider/slow')).body
      const place = await remote.consent(authorizationURL, 'leaving')
      remote.beforeToken = async () => {
        assert.equal((await server.as('Administrator').delete('/user/leaving')).status, 204)
      }
      const { status } = await server.as('leaving').call('GET', `site/oauth2/slow/callback${place.search}`)
      assert.deepEqual([status, remote.posted.length], [401, 1])
      const left = (await storedTokens(server)).filter(({ properties }) => properties['serviceName'] === 'slow')
      assert.deepEqual(left, [])
    })
  },
  { settings: { oauth2ProviderState: true } },
)
