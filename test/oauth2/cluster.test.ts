import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { callAs, codeFor, present, registerClient, storedTokens, tokenFor } from '../support/oauth2.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`OAuth2 with two servers on one database (${engine})`, () => {
    let one: TestServer
    let other: TestServer
    before(async () => {
      const { settings } = await filledPlace(engine)
      one = await startTestServer({ settings })
      other = await startTestServer({ settings })
      await one.addUser('alice')
      await registerClient(one, 'app')
    })
    after(async () => {
      await one?.stop()
      await other?.stop()
    })

    test('a code that one gives is taken by the other, once', async () => {
      const sent = { grant_type: 'authorization_code', client_id: 'app', code: await codeFor(one, 'alice', 'app') }
      const answers = await Promise.all([one, other, one, other].map((server) => present(server, sent)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.deepEqual(await storedTokens(one), [])
    })

    test('a token that one revokes, refreshes or whose program it disables is of no use at the other', async () => {
      const { access_token, refresh_token } = await tokenFor(one, 'alice', 'app')
      const statuses = async (token: string) => [(await callAs(one, token)).status, (await callAs(other, token)).status]
      assert.deepEqual(await statuses(access_token), [200, 200])
      const { body } = await present(other, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
      assert.deepEqual(await statuses(access_token), [401, 401])
      assert.deepEqual(await statuses(body.access_token), [200, 200])
      const client = (await one.as('Administrator').get('/oauth2/client/app')).body
      await one.as('Administrator').put('/oauth2/client/app', { ...client, isEnabled: false })
      assert.deepEqual(await statuses(body.access_token), [401, 401])
      await other.as('Administrator').put('/oauth2/client/app', client)
      assert.deepEqual(await statuses(body.access_token), [200, 200])
      assert.equal((await one.as('alice').delete('/oauth2/token/client/app/user/alice')).status, 204)
      assert.deepEqual(await statuses(body.access_token), [401, 401])
    })

    test('a token of a service is refreshed by one of them', async (context) => {
      const remote: AuthorizationServer = await startAuthorizationServer([`${one.url}site/oauth2/drive/callback`])
      context.after(() => remote.stop())
      const provider = {
        'entity-type': 'platformOAuth2ServiceProvider',
        serviceName: 'drive',
        clientId: remote.client.id,
        clientSecret: remote.client.secret,
        authorizationServerURL: `${remote.url}/auth`,
        tokenServerURL: `${remote.url}/token`,
        scopes: ['files.read'],
        isEnabled: true,
      }
      const { body } = await one.as('Administrator').post('/oauth2/provider', provider)
      assert.equal(body.isAvailable, true)
      const { authorizationURL } = (await one.as('alice').get('/oauth2/provider/drive')).body
      const place = await remote.consent(authorizationURL, 'alice')
      assert.equal((await one.as('alice').call('GET', `site/oauth2/drive/callback${place.search}`)).status, 200)
      const [stored] = await storedTokens(one)
      const expired = {
        'entity-type': 'directoryEntry',
        id: stored?.id,
        properties: { expirationTimeMilliseconds: Date.now() - 1_000 },
      }
      assert.equal((await one.as('Administrator').put(`/directory/oauth2Tokens/${stored?.id}`, expired)).status, 200)
      remote.posted.length = 0
      remote.delayMillis = 150
      const asking = [one, other, one, other].map((server) => server.as('alice').get('/oauth2/provider/drive/token'))
      const answers = new Set((await Promise.all(asking)).map(({ text }) => text))
      assert.equal(answers.size, 1, [...answers].join())
      assert.match([...answers][0] ?? '', /^\{"token":"[^"]+"\}$/)
      assert.equal(remote.posted.length, 1)
    })
  })
}
