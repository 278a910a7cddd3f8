import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestServer } from '../../src/testing.ts'
import { assertRefused } from '../support/accounts.ts'
import { callAs, registerClient, tokenFor } from '../support/oauth2.ts'
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
