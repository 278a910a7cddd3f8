import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerEvent } from '../../src/core/session.ts'
import { createPrincipal, systemPrincipal } from '../../src/model/rights/principal.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { AuthenticationChain, Authenticator, Identity } from '../../src/rest/authenticator.ts'
import { startTestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'

const heard: ServerEvent[] = []

/** Believes whatever name stands in its header. */
function believing(name: string, header: string, more: Partial<Authenticator> = {}): Authenticator {
  const identify = ({ headers }: Parameters<Authenticator['identify']>[0]): Identity => {
    const user = headers[header]
    if (typeof user !== 'string') return { kind: 'none' }
    if (user === 'nobody') return { kind: 'refused', name: user }
    if (user === 'hasty') return { kind: 'throttled', name: user, retryAfterSeconds: 7 }
    const principal = user === 'system' ? systemPrincipal() : createPrincipal(user, [], { isAdministrator: false })
    return { kind: 'known', principal, cookies: [`${header}=seen; Path=/`] }
  }
  return { name, identify, ...more }
}

const chains: readonly AuthenticationChain[] = [
  { name: 'Silent', path: '.*/site/silent/.*', replacementChain: ['FIRST_AUTH'], handlePrompt: false },
  { name: 'Filtered', path: '.*/site/filtered/.*', allowedPlugins: ['BASIC_AUTH'] },
]

const plugin = definePlugin({
  name: 'badges',
  authenticators: [
    believing('FIRST_AUTH', 'x-first'),
    believing('SECOND_AUTH', 'x-second', {
      prompt: ({ serverPath }) => ({
        kind: 'page',
        answer: { kind: 'text', status: 401, contentType: 'text/html;charset=UTF-8', text: `Who wants ${serverPath}?` },
      }),
    }),
  ],
  authenticationChains: chains,
  serverListeners: [
    { name: 'hears', events: ['loginSuccess', 'loginFailed', 'logout'], handle: (event) => void heard.push(event) },
  ],
})

onEachServer(
  'security 2.1 the chain of authenticators',
  (server) => {
    const get = (path: string, headers: { [name: string]: string } = {}) => fetch(new URL(path, server.url), { headers })
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const administrator = basic('Administrator:Administrator')

    test('is asked in its order, and the first that knows decides', async () => {
      const both = await get('api/v1/me', { 'x-first': 'nobody', 'x-second': 'alice' })
      assert.equal(both.status, 401)
      assert.equal((await get('api/v1/me', { 'x-second': 'nobody', ...administrator })).status, 200)
      assert.equal((await get('api/v1/me', { ...administrator, 'x-first': 'nobody' })).status, 200)
    })

    test('refuses after a wrong password what another authenticator would believe', async () => {
      assert.equal((await get('api/v1/me', { ...basic('Administrator:wrong'), 'x-first': 'alice' })).status, 401)
    })

    test('sets the cookies of the one that let somebody in, whatever is answered', async () => {
      const found = await get('api/v1/path/nothing-there', { 'x-first': 'alice' })
      assert.equal(found.status, 404)
      assert.deepEqual(found.headers.getSetCookie(), ['x-first=seen; Path=/'])
    })

    test('never lets the internal user in', async () => {
      assert.equal((await get('api/v1/path/', { 'x-first': 'system' })).status, 401)
    })

    test('answers 429 with the time to wait to who guessed too often', async () => {
      const answer = await get('api/v1/me', { 'x-first': 'hasty' })
      assert.equal(answer.status, 429)
      assert.equal(answer.headers.get('retry-after'), '7')
      assert.equal(answer.headers.get('www-authenticate'), null)
      assert.match(await answer.text(), /7 seconds/)
    })

    test('prompts with the challenge of the first that has one, and elsewhere with a page', async () => {
      const api = await get('api/v1/me')
      assert.deepEqual([api.status, api.headers.get('www-authenticate')], [401, 'Basic realm="Platform Automation"'])
      const operation = await get('site/automation/login')
      assert.equal(operation.headers.get('www-authenticate'), 'Basic realm="Platform Automation"')
      const page = await get('nxfile/default/x')
      assert.deepEqual([page.status, await page.text()], [401, 'Who wants /nxfile/default/x?'])
      assert.equal(page.headers.get('www-authenticate'), null)
    })

    test('without anybody who prompts answers 401 and no more', async () => {
      const answer = await get('nxfile/default/x', { 'x-authentication-token': 'x' })
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, null])
    })

    test('that handles no prompt says where to sign in', async () => {
      const answer = await get('site/silent/room')
      assert.equal(answer.status, 401)
      assert.equal(answer.headers.get('location'), `${server.url}login`)
      assert.equal(await answer.text(), `Sign in at ${server.url}login`)
      assert.equal((await get('site/silent/room', { 'x-first': 'alice' })).status, 404)
    })

    test('may be a filter on the default one', async () => {
      assert.equal((await get('site/filtered/room', { 'x-second': 'alice' })).status, 401)
      assert.equal((await get('site/filtered/room', administrator)).status, 404)
    })

    test('looks at nothing where an address is open', async () => {
      assert.equal((await get('api/v1/doc/openapi.json', { 'x-first': 'nobody' })).status, 200)
      assert.equal((await get('runningstatus', basic('Administrator:wrong'))).status, 200)
    })

    for (const path of [
      'login',
      'logout',
      'startup',
      'authentication/x',
      'oauth2/authorize',
      'site/x',
      'nxbigblob/x',
      'json/cmis',
    ]) {
      test(`protects ${path}`, async () => assert.equal((await get(path)).status, 401))
    }
    for (const path of ['test', 'oauth2/nothing', 'other.html', 'loginx']) {
      test(`answers 404 to anybody at ${path}`, async () => {
        assert.equal((await get(path)).status, 404)
        assert.equal((await get(path, administrator)).status, 404)
      })
    }

    test('tells listeners once of those whose guesses are not even looked at, however many they send', async () => {
      heard.length = 0
      for (let count = 0; count < 3; count += 1) assert.equal((await get('api/v1/me', { 'x-second': 'hasty' })).status, 429)
      assert.deepEqual(
        heard.map(({ name, comment }) => [name, comment]),
        [['loginFailed', 'hasty failed to sign in by SECOND_AUTH']],
      )
    })

    test('tells listeners once who signs in by what, and each time who fails', async () => {
      heard.length = 0
      for (let count = 0; count < 3; count += 1) await get('api/v1/me', { 'x-first': 'carol' })
      for (let count = 0; count < 2; count += 1) await get('api/v1/me', { 'x-first': 'nobody' })
      assert.deepEqual(
        heard.map(({ name, category, comment, properties, principal }) => [name, category, comment, properties, principal.name]),
        [
          ['loginSuccess', 'carol signed in', 'carol'],
          ['loginFailed', 'nobody failed to sign in', 'system'],
          ['loginFailed', 'nobody failed to sign in', 'system'],
        ].map(([name, comment, principal]) => [
          name,
          'PlatformAuthentication',
          `${comment} by FIRST_AUTH`,
          { principalName: comment?.split(' ')[0], authenticationPlugin: 'FIRST_AUTH' },
          principal,
        ]),
      )
    })
  },
  {
    plugins: [plugin],
    settings: {
      authChain: ['BASIC_AUTH', 'SECOND_AUTH', 'FIRST_AUTH'],
      authChainRestapi: ['AUTOMATION_BASIC_AUTH', 'FIRST_AUTH', 'SECOND_AUTH'],
    },
  },
)

test('2.1 a setting that names an authenticator which nobody is stops the start, and says which was meant', async () => {
  for (const setting of ['authChain', 'authChainRestapi', 'authChainAutomation']) {
    await assert.rejects(startTestServer({ settings: { [setting]: ['BASIC_AUTH', 'TOKEN_AUHT'] } }), {
      message: `${setting} names TOKEN_AUHT, which is no authenticator (did you mean TOKEN_AUTH?)`,
    })
  }
})
