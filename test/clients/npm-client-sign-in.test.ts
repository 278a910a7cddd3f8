import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { signedJwt } from '../support/signed-jwt.ts'
import { type Client, createBearerClient, createClient, createClientWith, refusedStatus } from './npm-client.ts'

const chain = ['AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH', 'PORTAL_AUTH']

onEachServer(
  'signing in with the published npm client',
  (server) => {
    before(() => server.addUser('alice', ['members']))

    /** Connects, which takes three calls, and reads. */
    const userOf = async (client: Client) => {
      const { user, connected } = await client.connect()
      assert.ok(connected)
      assert.equal((await client.repository().fetch('/')).type, 'Root')
      return user.id
    }

    test('by a token that it asked for, until that is revoked', async () => {
      const basic = createClient(server.url, 'alice')
      const token = await basic.requestAuthenticationToken('My App', '123', 'my device', 'rw')
      assert.equal(await basic.requestAuthenticationToken('My App', '123', 'my device', 'rw'), token)
      const client = createClientWith(server.url, { method: 'token', token })
      assert.equal(await userOf(client), 'alice')
      assert.equal((await fetch(client.authenticateURL(`${server.url}api/v1/me`))).status, 200)
      await basic.request('token').path(token).delete()
      assert.equal(await refusedStatus(client.request('me').get()), 401)
    })
    test('by a JSON web token of a partner, as long as it is signed for this server', async () => {
      const claims = { iss: 'nuxeo', sub: 'alice', exp: Math.floor(Date.now() / 1000) + 60 }
      const client = createBearerClient(server.url, 'any', signedJwt(claims))
      assert.equal(await userOf(client), 'alice')
      assert.equal((await fetch(client.authenticateURL(`${server.url}api/v1/me`))).status, 200)
      const others = createClientWith(server.url, { method: 'token', token: signedJwt({ ...claims, iss: 'platform' }) })
      assert.equal(await refusedStatus(others.request('me').get()), 401)
    })
    test('by a portal that vouches for each of its requests', async () => {
      const client = createClientWith(server.url, { method: 'portal', secret: 'shared', username: 'alice' })
      assert.equal(await userOf(client), 'alice')
      const forged = createClientWith(server.url, { method: 'portal', secret: 'guessed', username: 'alice' })
      assert.equal(await refusedStatus(forged.request('me').get()), 401)
    })
  },
  {
    settings: {
      vendor: 'nuxeo',
      basePath: '/nuxeo',
      jwtSecret: 'topsecret',
      portalSecret: 'shared',
      authChain: chain,
      authChainRestapi: chain,
      authChainAutomation: chain,
    },
  },
)
