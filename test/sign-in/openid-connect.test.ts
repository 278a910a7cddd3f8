import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { aUser } from '../support/accounts.ts'
import { type BrowserClient, browserAt } from '../support/browser-client.ts'
import { type ProviderFault, startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'

const settings: Record<string, unknown> = {}
const logged: unknown[] = []
const keep = (fields: unknown) => void logged.push(fields)
const log = { debug: keep, info: keep, warn: keep, error: keep }
const locationOf = (response: Response) => response.headers.get('location') ?? ''

describe('signing in at the identity provider of a company', () => {
  let provider: TestIdentityProvider

  before(async () => {
    provider = await startIdentityProvider()
    const issuer = provider.url
    settings['openidTimeout'] = '2s'
    settings['openidProviders'] = {
      company: {
        label: 'Our <company>',
        issuer,
        clientId: 'company',
        firstSignIn: 'create',
        groups: { 'all staff': 'staff', sales: 'sales', bosses: 'administrators' },
      },
      strict: { issuer, clientId: 'strict', userNameClaim: 'email', signOutAtProvider: false },
      trusted: { issuer, clientId: 'trusted', groups: { bosses: 'administrators' }, allowAdministrators: true },
      asleep: { issuer: 'http://127.0.0.1:9', clientId: 'asleep' },
    }
    const { secret } = provider
    settings['openidClientSecrets'] = JSON.stringify({ company: secret, strict: secret, trusted: secret })
  })
  after(() => provider.stop())

  onEachServer(
    'OpenID Connect',
    (server) => {
      before(async () => {
        const callback = (id: string) => `${server.url}openid-connect/${id}/callback`
        const afterSignOut = `${server.url}ui/`
        provider.register(['company', 'strict', 'trusted'].map((id) => ({ id, callback: callback(id), afterSignOut })))
        for (const groupname of ['staff', 'sales', 'readers']) {
          await server.as('Administrator').post('/group', { 'entity-type': 'group', groupname, properties: { groupname } })
        }
      })

      const browser = () => browserAt(server.url)

      /** Until the browser is sent back here. */
      async function atProvider(user: BrowserClient, account: string, { by = 'company', to = '' } = {}): Promise<URL> {
        const query = to === '' ? '' : `?${new URLSearchParams({ requestedUrl: to })}`
        const begun = await user.get(`openid-connect/${by}/sign-in${query}`)
        assert.equal(begun.status, 302)
        return provider.signIn(locationOf(begun), account)
      }

      async function signIn(user: BrowserClient, account: string, options?: { by?: string; to?: string }): Promise<Response> {
        return user.get((await atProvider(user, account, options)).href)
      }

      async function me(user: BrowserClient): Promise<{ id: string; isAdministrator: boolean; groups: readonly string[] }> {
        const response = await user.get('api/v1/me')
        assert.equal(response.status, 200)
        const { id, isAdministrator, properties } = (await response.json()) as {
          id: string
          isAdministrator: boolean
          properties: { groups: readonly string[] }
        }
        return { id, isAdministrator, groups: properties.groups.toSorted() }
      }

      async function assertShown(response: Response, problem: string): Promise<void> {
        assert.equal(response.status, 302)
        const url = new URL(locationOf(response))
        assert.equal(url.origin + url.pathname, `${server.url}login.jsp`)
        assert.equal(url.searchParams.get(problem), 'true', url.search)
        assert.ok(!response.headers.getSetCookie().some((cookie) => cookie.startsWith('JSESSIONID=')))
        assert.match(await (await browser().get(url.href)).text(), /role="alert"/)
      }

      test('has a button on the sign-in page, which knows the page that was asked for', async () => {
        const text = await (await browser().get('login.jsp?requestedUrl=nxdoc/x')).text()
        assert.ok(text.includes(`href="${server.url}openid-connect/company/sign-in?requestedUrl=nxdoc%2Fx"`), text)
        assert.match(text, /Our &lt;company&gt;/)
      })

      test('asks with a state, a nonce and PKCE, and ties them to the browser', async () => {
        const user = browser()
        const begun = await user.get('openid-connect/company/sign-in')
        const asked = new URL(locationOf(begun)).searchParams
        assert.equal(asked.get('response_type'), 'code')
        assert.equal(asked.get('code_challenge_method'), 'S256')
        assert.equal(asked.get('redirect_uri'), `${server.url}openid-connect/company/callback`)
        for (const name of ['state', 'nonce', 'code_challenge']) assert.match(asked.get(name) ?? '', /^[\w-]{43}$/)
        assert.match(
          begun.headers.getSetCookie()[0] ?? '',
          /^openid-connect=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
        )
      })

      test('makes an account with its groups at the first sign-in, and leads to the page that was asked for', async () => {
        provider.people.set('1001', {
          preferred_username: 'ann',
          given_name: 'Ann',
          family_name: 'Lee',
          groups: ['all staff', 'x'],
        })
        const user = browser()
        user.cookies.set('platform.start.url.fragment', 'tab')
        const response = await signIn(user, '1001', { to: 'nxdoc/default/y?z=1' })
        assert.deepEqual([response.status, locationOf(response)], [302, `${server.url}nxdoc/default/y?z=1#tab`])
        assert.deepEqual([...user.cookies.keys()].toSorted(), ['JSESSIONID', 'openid-connect-session'])
        assert.deepEqual(await me(user), { id: 'ann', isAdministrator: false, groups: ['staff'] })
        const { properties } = (await (await user.get('api/v1/me')).json()) as {
          properties: { firstName: string; lastName: string }
        }
        assert.deepEqual([properties.firstName, properties.lastName], ['Ann', 'Lee'])
        const noPassword = await browser().signIn('ann', '')
        assert.match(locationOf(noPassword), /loginFailed/)
      })

      test('gives and takes its own groups at each sign-in, and leaves all others', async () => {
        await server.addUser('bob', ['readers', 'staff'])
        provider.people.set('1002', { preferred_username: 'bob', groups: 'sales' })
        const user = browser()
        await signIn(user, '1002')
        assert.deepEqual((await me(user)).groups, ['readers', 'sales'])
      })

      test('makes nobody an administrator whom it may not, and lets no administrator in', async () => {
        provider.people.set('1003', { preferred_username: 'eve', groups: ['bosses'] })
        await assertShown(await signIn(browser(), '1003'), 'openidNoAccount')
        provider.people.set('1004', { preferred_username: 'Administrator' })
        await assertShown(await signIn(browser(), '1004'), 'openidNoAccount')
        assert.equal((await server.as('Administrator').get('/user/eve')).status, 404)
      })

      test('makes administrators where the mapping says so', async () => {
        await server.addUser('zoe')
        provider.people.set('1005', { preferred_username: 'zoe', groups: ['bosses'] })
        const user = browser()
        await signIn(user, '1005', { by: 'trusted' })
        assert.equal((await me(user)).isAdministrator, true)
      })

      test('refuses who has no account where none is to be made, and addresses that nobody has verified', async () => {
        await server.addUser('dan@example.org')
        provider.people.set('1006', { email: 'new@example.org', email_verified: true })
        await assertShown(await signIn(browser(), '1006', { by: 'strict' }), 'openidNoAccount')
        provider.people.set('1007', { email: 'dan@example.org', email_verified: false })
        await assertShown(await signIn(browser(), '1007', { by: 'strict' }), 'openidFailed')
        provider.people.set('1007', { email: 'dan@example.org', email_verified: true })
        const user = browser()
        await signIn(user, '1007', { by: 'strict' })
        assert.equal((await me(user)).id, 'dan@example.org')
      })

      for (const name of ['system', 'transient/x@y.z', ' spaced', 'x'.repeat(300), 'staff', '']) {
        test(`lets nobody in as ${JSON.stringify(name.slice(0, 20))}`, async () => {
          provider.people.set('1008', { preferred_username: name })
          const response = await signIn(browser(), '1008')
          assert.match(locationOf(response), /login\.jsp\?openid(NoAccount|Failed)=true/)
        })
      }

      test('opens a new session, whatever session the browser came with', async () => {
        provider.people.set('1001', { preferred_username: 'ann' })
        await server.addUser('old')
        const user = browser()
        await user.signIn('old')
        const before = user.cookies.get('JSESSIONID')
        await signIn(user, '1001')
        assert.notEqual(user.cookies.get('JSESSIONID'), before)
        assert.equal((await me(user)).id, 'ann')
        assert.equal((await browser().get('api/v1/me', { cookie: `JSESSIONID=${before}` })).status, 401)
      })

      test('lets nobody in as the next user of the name, once the first one is removed', async () => {
        provider.people.set('1010', { preferred_username: 'yael' })
        const administrator = server.as('Administrator')
        const [before, after] = [browser(), browser()]
        await signIn(before, '1010')
        assert.equal((await me(before)).id, 'yael')
        requireStatus(204, await administrator.delete('/user/yael'))
        assert.equal((await before.get('api/v1/me')).status, 401)
        requireStatus(201, await administrator.post('/user', aUser('yael')))
        assert.equal((await before.get('api/v1/me')).status, 401)
        await signIn(after, '1010')
        assert.equal((await me(after)).id, 'yael')
        const { entries } = (await (await after.get('api/v1/session')).json()) as { entries: readonly unknown[] }
        assert.equal(entries.length, 1)
      })

      test('takes an answer once', async () => {
        const user = browser()
        const back = await atProvider(user, '1001', { to: 'nxdoc/x' })
        const { cookies } = user
        const kept = new Map(cookies)
        assert.equal((await user.get(back.href)).status, 302)
        const again = browser()
        for (const [name, value] of kept) again.cookies.set(name, value)
        await assertShown(await again.get(back.href), 'openidExpired')
      })

      test('takes two that come at once for one', async () => {
        const user = browser()
        const back = await atProvider(user, '1001')
        const cookie = `openid-connect=${user.cookies.get('openid-connect')}`
        const both = await Promise.all([1, 2].map(() => browser().get(back.href, { cookie })))
        assert.equal(both.filter((one) => locationOf(one).includes('openidExpired')).length, 1)
      })

      test('takes no answer in a browser that did not ask, and the one that did may still bring it', async () => {
        const attacker = browser()
        const back = await atProvider(attacker, '1001')
        await assertShown(await browser().get(back.href), 'openidExpired')
        const victim = browser()
        await victim.get('openid-connect/company/sign-in')
        await assertShown(await victim.get(back.href), 'openidExpired')
        await attacker.get(back.href)
        assert.equal((await me(attacker)).id, 'ann')
      })

      test('takes no answer of one provider for that of another', async () => {
        const user = browser()
        const back = await atProvider(user, '1001')
        await assertShown(await user.get(back.href.replace('/company/', '/trusted/')), 'openidExpired')
        await assertShown(await user.get(back.href), 'openidExpired')
      })

      for (const state of ['', 'x', 'x'.repeat(5_000)]) {
        test(`knows no state of ${state.length} letters`, async () => {
          await assertShown(await browser().get(`openid-connect/company/callback?code=abc&state=${state}`), 'openidExpired')
        })
      }

      test('takes no answer that names another issuer', async () => {
        const user = browser()
        const back = await atProvider(user, '1001')
        back.searchParams.set('iss', 'https://another.example')
        await assertShown(await user.get(back.href), 'openidFailed')
      })

      test('says that the person did not go through with it', async () => {
        const user = browser()
        const begun = await user.get('openid-connect/company/sign-in?requestedUrl=nxdoc/x')
        const asked = new URL(locationOf(begun)).searchParams
        const answer = new URLSearchParams({ error: 'access_denied', state: asked.get('state') ?? '', iss: provider.url })
        const response = await user.get(`openid-connect/company/callback?${answer}`)
        await assertShown(response, 'openidDenied')
        assert.equal(new URL(locationOf(response)).searchParams.get('requestedUrl'), 'nxdoc/x')
      })

      const faults: readonly ProviderFault[] = [
        ...(['otherAudience', 'otherIssuer', 'otherNonce', 'expired', 'otherKey', 'unsigned'] as const),
        ...(['status', 'garbage', 'huge', 'silent'] as const),
      ]
      for (const fault of faults) {
        test(`lets nobody in when the token is wrong: ${fault}`, async (context) => {
          context.after(() => {
            provider.fault = 'none'
          })
          provider.fault = fault
          const user = browser()
          await assertShown(await signIn(user, '1001'), 'openidFailed')
          assert.equal((await user.get('api/v1/me')).status, 401)
        })
      }

      test('lets in by a token that is signed anew: the ones before were refused for what is wrong with them', async (context) => {
        context.after(() => {
          provider.fault = 'none'
        })
        provider.fault = 'signedAnew'
        const user = browser()
        await signIn(user, '1001')
        assert.equal((await me(user)).id, 'ann')
      })

      test('takes no answer after ten minutes', async () => {
        const user = browser()
        const back = await atProvider(user, '1001')
        await server.services.directories.store.transact(async ({ transient }) => {
          const now = new Date().toISOString()
          for (const { key, value } of await transient.list('openid-connect/state/', now)) await transient.set(key, value, now)
        })
        await assertShown(await user.get(back.href), 'openidExpired')
      })

      test('begins only so many from one address', async () => {
        await server.services.directories.store.transact(({ transient }) => {
          const later = new Date(Date.now() + 600_000).toISOString()
          return transient.set('openid-connect/begun/127.0.0.1', 1_000, later)
        })
        await assertShown(await browser().get('openid-connect/company/sign-in'), 'openidBusy')
        await server.services.directories.store.transact(({ transient }) => transient.removeAll('openid-connect/begun/'))
      })

      test('shows the sign-in page where a provider is not there, or not known', async () => {
        await assertShown(await browser().get('openid-connect/asleep/sign-in?requestedUrl=nxdoc/x'), 'openidFailed')
        await assertShown(await browser().get('openid-connect/nobody/sign-in'), 'openidFailed')
        await assertShown(await browser().get('openid-connect/nobody/callback?state=x&code=y'), 'openidExpired')
      })

      for (const evil of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '../../x']) {
        test(`leads nowhere else: ${evil}`, async () => {
          const response = await signIn(browser(), '1001', { to: evil })
          assert.equal(new URL(locationOf(response)).origin, new URL(server.url).origin)
        })
      }

      test('leaves neither code nor state, token or secret in the log', async (context) => {
        context.after(() => {
          provider.fault = 'none'
        })
        logged.length = 0
        const user = browser()
        const back = await atProvider(user, '1001')
        provider.fault = 'otherNonce'
        await user.get(back.href)
        const text = inspect(logged, { depth: 20, showHidden: true })
        assert.match(text, /identity provider|login\.failed/)
        for (const secret of [back.searchParams.get('code'), back.searchParams.get('state'), provider.secret, 'eyJ']) {
          assert.ok(secret && !text.includes(secret), text)
        }
      })

      test('signs out at the provider, too', async () => {
        const user = browser()
        await signIn(user, '1001')
        const response = await user.get('logout')
        const url = new URL(locationOf(response))
        assert.equal(`${url.origin}${url.pathname}`, `${provider.url}/session/end`)
        assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${server.url}ui/`)
        assert.equal(url.searchParams.get('id_token_hint')?.split('.').length, 3)
        assert.equal((await fetch(url)).status, 200)
        assert.equal(user.cookies.size, 0)
        assert.equal((await user.get('api/v1/me')).status, 401)
      })

      test('signs out here alone where that is wanted, and who signed in by password', async () => {
        const user = browser()
        await signIn(user, '1007', { by: 'strict' })
        assert.equal(locationOf(await user.get('logout')), `${server.url}ui/`)
        await server.addUser('pat')
        await user.signIn('pat')
        assert.equal(locationOf(await user.get('logout')), `${server.url}ui/`)
      })
    },
    { settings, log },
  )
})
