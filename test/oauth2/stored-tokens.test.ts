import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { aChange, assertRefused, statusOfSignIn } from '../support/accounts.ts'
import { callAs, codeFor, present, registerClient, storedTokens, tokenFor } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

const refusal = 'You do not have permissions to perform this operation.'
const kinds = ['client/desk', 'provider/box'] as const

/** What the callback of a service would store. */
async function storeProviderToken(server: TestServer, serviceName: string, login: string): Promise<void> {
  const properties = {
    serviceName,
    platformLogin: login,
    serviceLogin: `${login}@mail.example`,
    accessToken: 'their-secret',
    refreshToken: 'their-other-secret',
    creationDate: '2024-05-09T11:11:11.000Z',
  }
  const body = { 'entity-type': 'directoryEntry', directoryName: 'oauth2Tokens', properties }
  assert.equal((await server.as('Administrator').post('/directory/oauth2Tokens', body)).status, 201)
}

onEachServer('stored tokens', (server) => {
  const admin = () => server.as('Administrator')
  before(async () => {
    for (const name of ['alice', 'bob']) await server.addUser(name)
    await registerClient(server, 'desk')
    const provider = {
      'entity-type': 'directoryEntry',
      directoryName: 'oauth2ServiceProviders',
      properties: { serviceName: 'box' },
    }
    assert.equal((await admin().post('/directory/oauth2ServiceProviders', provider)).status, 201)
    for (const name of ['alice', 'bob']) {
      await tokenFor(server, name, 'desk')
      await storeProviderToken(server, 'box', name)
    }
  })

  test('5 of a program make the account of a power user not its own, by a new password', async () => {
    await server.addUser('power', ['powerusers'])
    const { access_token: token } = await tokenFor(server, 'power', 'desk')
    const change = (user: string, properties: object) =>
      fetch(new URL(`api/v1/user/${user}`, server.url), {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(aChange(properties)),
      })
    const refused = await change('power', { password: 'taken' })
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /sets no new password of theirs/)
    assert.equal(await statusOfSignIn(server, 'power', 'power'), 200)
    assert.equal((await change('power', { firstName: 'Eva' })).status, 200)
    assert.equal((await change('alice', { password: 'forgotten' })).status, 200)
    assert.equal((await admin().put('/user/alice', aChange({ password: 'alice' }))).status, 200)
    assert.equal((await admin().delete('/user/power')).status, 204)
  })

  test('5 are listed as a whole for administrators, without what is secret', async () => {
    const { status, body, text } = await admin().get('/oauth2/token')
    assert.equal(status, 200)
    assert.equal(body['entity-type'], 'platformOAuth2Tokens')
    assert.deepEqual(Object.keys(body), ['entity-type', 'entries'])
    assert.equal(body.entries.length, 4)
    assert.doesNotMatch(text, /secret|accessToken|refreshToken/)
    assertRefused(await server.as('alice').get('/oauth2/token'), 403, refusal)
  })

  test('5 are listed by kind for the caller, with or without a slash', async () => {
    for (const slash of ['', '/']) {
      const { body: clients } = await server.as('alice').get(`/oauth2/token/client${slash}`)
      assert.deepEqual(
        clients.entries.map((one: { [field: string]: unknown }) => [one['serviceName'], one['clientId'], one['clientName']]),
        [['org.platform.server.token.store', 'desk', 'The desk']],
      )
      const { body: providers } = await server.as('alice').get(`/oauth2/token/provider${slash}`)
      assert.deepEqual(providers.entries, [
        {
          'entity-type': 'platformOAuth2Token',
          serviceName: 'box',
          platformLogin: 'alice',
          serviceLogin: 'alice@mail.example',
          clientId: null,
          isShared: false,
          sharedWith: [],
          creationDate: '2024-05-09 11:11:11',
        },
      ])
    }
  })

  test('5 need somebody who is signed in', async () => {
    for (const path of ['', '/client', '/provider', '/client/desk/user/alice'])
      assert.equal((await fetch(new URL(`api/v1/oauth2/token${path}`, server.url))).status, 401)
  })

  for (const kind of kinds) {
    describe(`5 of a ${kind.split('/')[0]}`, () => {
      const path = (login: string) => `/oauth2/token/${kind}/user/${login}`
      const change = { 'entity-type': 'platformOAuth2Token', isShared: true, sharedWith: ['bob', ' members '] }

      test('are their owner’s and administrators’ alone', async () => {
        const bob = server.as('bob')
        const refused = [bob.get(path('alice')), bob.put(path('alice'), change), bob.delete(path('alice'))]
        for (const answer of await Promise.all(refused)) assertRefused(answer, 403, refusal)
        assertRefused(await bob.get(path('alice').replace(/desk|box/, 'nobody')), 403, refusal)
        assert.equal((await admin().get(path('alice'))).body.platformLogin, 'alice')
        assert.equal((await server.as('alice').get(path('alice'))).body.platformLogin, 'alice')
      })

      test('are shared, and keep what was not sent', async () => {
        const before = (await server.as('alice').get(path('alice'))).body
        const { status, body } = await server.as('alice').put(path('alice'), change)
        assert.equal(status, 200)
        assert.deepEqual(body, { ...before, isShared: true, sharedWith: ['bob', 'members'] })
        assert.deepEqual((await server.as('alice').get(path('alice'))).body, body)
        const dated = { 'entity-type': 'platformOAuth2Token', creationDate: '2020-01-02 03:04:05' }
        assert.equal((await server.as('alice').put(path('alice'), dated)).body.creationDate, '2020-01-02 03:04:05')
      })

      test('are somebody else’s only when an administrator says so', async () => {
        for (const taken of [{ platformLogin: 'bob' }, { serviceName: 'other' }, { clientId: 'x' }]) {
          const sent = { 'entity-type': 'platformOAuth2Token', ...taken }
          assertRefused(await server.as('alice').put(path('alice'), sent), 403, refusal)
        }
        await server.addUser(`carl-${kind.length}`)
        const given = { 'entity-type': 'platformOAuth2Token', platformLogin: `carl-${kind.length}` }
        const { status, body } = await admin().put(path('bob'), given)
        assert.deepEqual([status, body.platformLogin], [200, `carl-${kind.length}`])
        assert.equal((await server.as('bob').get(path('bob'))).status, 404)
      })

      test('are refused when what is sent is none', async () => {
        const put = (sent: object) => server.as('alice').put(path('alice'), { 'entity-type': 'platformOAuth2Token', ...sent })
        assertRefused(await server.as('alice').put(path('alice'), { isShared: true }), 400, /entity-type/)
        assertRefused(await put({ 'entity-type': 'user' }), 400, /entity-type is wrong/)
        assertRefused(await put({ creationDate: 'yesterday' }), 400, /creationDate is yesterday/)
        assertRefused(await put({ isShared: 'yes' }), 400, /isShared/)
        assertRefused(await put({ sharedWith: 'bob' }), 400, /sharedWith/)
        const many = Array.from({ length: 101 }, (_, index) => `user${index}`)
        assertRefused(await put({ sharedWith: many }), 400, /sharedWith has 101 names/)
        assertRefused(await put({ platformLogin: 7 }), 400, /platformLogin/)
      })

      test('are not there when there is no such thing, or nothing was agreed', async () => {
        const [segment = '', name = ''] = kind.split('/')
        const nobody = path('alice').replace(name, 'nobody')
        for (const answer of await Promise.all([admin().get(nobody), admin().put(nobody, change), admin().delete(nobody)]))
          assertRefused(answer, 404, `Invalid ${segment}: nobody`)
        assertRefused(await admin().get(path('nobody')), 404, `No token found for ${segment}: ${name}`)
      })

      test('are revoked', async () => {
        assert.equal((await server.as('alice').delete(path('alice'))).status, 204)
        assertRefused(await server.as('alice').get(path('alice')), 404, /^No token found for/)
        assertRefused(await server.as('alice').delete(path('alice')), 404, /^No token found for/)
      })
    })
  }

  test('5 of a program are of no use with the next request', async () => {
    const { access_token } = await tokenFor(server, 'alice', 'desk')
    assert.equal((await callAs(server, access_token)).status, 200)
    assert.equal((await server.as('alice').delete('/oauth2/token/client/desk/user/alice')).status, 204)
    assert.equal((await callAs(server, access_token)).status, 401)
  })

  describe('5 of a program take its codes with them, when they are revoked', () => {
    const revokedBy: { readonly [way: string]: (id: string) => Promise<ApiAnswer> } = {
      'by the user': () => server.as('carol').delete('/oauth2/token/client/desk/user/carol'),
      'among all grants': (id) => server.as('Administrator').delete(`/management/oauth2/grants/${id}`),
      'in the directory': (id) => server.as('Administrator').delete(`/directory/oauth2Tokens/${id}`),
    }
    before(() => server.addUser('carol'))
    const exchange = (code: string) => present(server, { grant_type: 'authorization_code', client_id: 'desk', code })
    for (const [way, revoke] of Object.entries(revokedBy)) {
      test(way, async () => {
        const { access_token, refresh_token } = await tokenFor(server, 'carol', 'desk')
        const [early, late, unrelated] = await Promise.all([
          codeFor(server, 'carol', 'desk'),
          codeFor(server, 'carol', 'desk'),
          codeFor(server, 'bob', 'desk'),
        ])
        // Nothing is revoked by this.
        const renewed = await present(server, { grant_type: 'refresh_token', client_id: 'desk', refresh_token })
        assert.equal(renewed.status, 200, renewed.text)
        assert.equal((await callAs(server, access_token)).status, 401)
        assert.equal((await exchange(early)).body.access_token, renewed.body.access_token)
        const [stored] = (await storedTokens(server)).filter(({ properties }) => properties['platformLogin'] === 'carol')
        assert.equal((await revoke(String(stored?.id))).status, 204)
        assert.deepEqual((await exchange(late)).body, {
          error: 'invalid_grant',
          error_description: 'Invalid authorization code',
        })
        assert.equal((await exchange(unrelated)).status, 200)
        assert.equal((await exchange(await codeFor(server, 'carol', 'desk'))).status, 200)
      })
    }
  })

  test('5 of a program are not made to last longer, by whoever has one', async () => {
    const { access_token, refresh_token } = await tokenFor(server, 'bob', 'desk')
    const [before] = (await storedTokens(server)).filter(({ properties }) => properties['accessToken'] === access_token)
    const path = '/oauth2/token/client/desk/user/bob'
    const put = async (creationDate: string | null, user?: string) => {
      const body = { 'entity-type': 'platformOAuth2Token', creationDate }
      if (user !== undefined) return server.as(user).put(path, body)
      const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
      const answer = await fetch(new URL(`api/v1${path}`, server.url), { method: 'PUT', headers, body: JSON.stringify(body) })
      return { status: answer.status, text: await answer.text() }
    }
    const soon = new Date(Date.now() + 60_000).toISOString()
    for (const later of ['2999-01-01 00:00:00', soon, soon.slice(0, 19).replace('T', ' '), '9999-12-31T11:59:59.999-12:00']) {
      const refused = await put(later)
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.text, /creationDate is later than the stored one/)
      assert.equal((await put(later, 'Administrator')).status, 400)
    }
    const same = (await server.as('bob').get(path)).body.creationDate
    assert.equal((await put(same)).status, 200)
    const [after] = (await storedTokens(server)).filter(({ id }) => id === before?.id)
    assert.ok(String(after?.properties['creationDate']) <= String(before?.properties['creationDate']))
    assert.equal(after?.properties['expirationTimeMilliseconds'], before?.properties['expirationTimeMilliseconds'])
    assert.equal((await put(null)).status, 200)
    assert.equal((await callAs(server, access_token)).status, 401)
    assert.equal((await put(same, 'bob')).status, 400)
    assert.equal((await present(server, { grant_type: 'refresh_token', client_id: 'desk', refresh_token })).status, 200)
  })

  describe('3.3 of a service', () => {
    const service = (serviceName: string) => ({ 'entity-type': 'platformOAuth2ServiceProvider', serviceName })
    const entryOf = async (serviceName: string) => {
      const { body } = await admin().get('/directory/oauth2ServiceProviders?pageSize=1000')
      const names = body.entries.map(({ properties }: { properties: { serviceName: string; id: number } }) => properties)
      return names.find((one: { serviceName: string }) => one.serviceName === serviceName)
    }
    const own = async (name: string) => (await server.as('alice').get(`/oauth2/token/provider/${name}/user/alice`)).status
    const entry = (directoryName: string, properties: object) => ({
      'entity-type': 'directoryEntry',
      directoryName,
      properties,
    })

    test('follow it to another name, and are nobody else’s there', async () => {
      await storeProviderToken(server, 'new-name', 'alice')
      await admin().post('/oauth2/provider', service('old-name'))
      await storeProviderToken(server, 'old-name', 'alice')
      await storeProviderToken(server, 'other-name', 'bob')
      assert.equal((await admin().put('/oauth2/provider/old-name', service('new-name'))).status, 200)
      assert.deepEqual([await own('old-name'), await own('new-name')], [404, 200])
      assert.equal((await server.as('alice').get('/oauth2/provider/new-name/token')).body.token, 'their-secret')
      const { id } = await entryOf('new-name')
      const renamed = entry('oauth2ServiceProviders', { id, serviceName: 'third-name' })
      assert.equal((await admin().put(`/directory/oauth2ServiceProviders/${id}`, renamed)).status, 200)
      assert.deepEqual([await own('new-name'), await own('third-name')], [404, 200])
      await admin().post('/oauth2/provider', service('old-name'))
      assert.equal(await own('old-name'), 404)
      assert.equal((await server.as('alice').delete('/oauth2/token/provider/third-name/user/alice')).status, 204)
      assert.equal((await server.as('bob').delete('/oauth2/token/provider/other-name/user/bob')).status, 204)
    })
    test('go with it, through whichever door, and are not given to the next of the name', async () => {
      const doors = [
        (name: string) => admin().delete(`/oauth2/provider/${name}`),
        async (name: string) => admin().delete(`/directory/oauth2ServiceProviders/${(await entryOf(name)).id}`),
      ]
      for (const [index, leave] of doors.entries()) {
        const name = `passing-${index}`
        await admin().post('/oauth2/provider', service(name))
        await storeProviderToken(server, name, 'alice')
        assert.equal((await leave(name)).status, 204)
        const left = (await storedTokens(server)).filter(({ properties }) => properties['serviceName'] === name)
        assert.deepEqual(left, [])
        // What an older server has left.
        await storeProviderToken(server, name, 'alice')
        await admin().post('/oauth2/provider', service(name))
        assertRefused(await server.as('alice').get(`/oauth2/provider/${name}/token`), 404, `No token found for provider: ${name}`)
      }
    })
    test('are not those of programs, whatever it is called', async () => {
      const name = 'org.platform.server.token.store'
      const { access_token } = await tokenFor(server, 'alice', 'desk')
      assert.equal((await admin().post('/oauth2/provider', service(name))).status, 200)
      assertRefused(await server.as('alice').delete(`/oauth2/token/provider/${name}/user/alice`), 404, /^No token found/)
      assert.equal((await admin().put(`/oauth2/provider/${name}`, service('harmless'))).status, 200)
      assert.equal((await admin().delete('/oauth2/provider/harmless')).status, 204)
      assert.equal((await callAs(server, access_token)).status, 200)
    })
  })

  test('5 of services have an older address, at which one is called provider', async () => {
    await storeProviderToken(server, 'box', 'alice')
    const alice = server.as('alice')
    assert.equal((await alice.get('/oauth2/token/box/alice')).body.serviceName, 'box')
    const change = { 'entity-type': 'platformOAuth2Token', isShared: true }
    assert.equal((await alice.put('/oauth2/token/box/alice', change)).body.isShared, true)
    assertRefused(await server.as('bob').get('/oauth2/token/box/alice'), 403, refusal)
    assertRefused(await alice.get('/oauth2/token/provider/alice'), 404, 'Invalid provider: provider')
    assert.equal((await alice.delete('/oauth2/token/box/alice')).status, 204)
    assert.equal((await alice.get('/oauth2/token/box/alice')).status, 404)
  })
})
