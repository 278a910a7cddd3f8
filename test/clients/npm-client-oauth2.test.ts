import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueJwt } from '../../src/features/jwt/index.ts'
import { basicOf } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'
import {
  type Client,
  type ClientEntry,
  type ClientToken,
  clientOAuth2,
  createBearerClient,
  createClient,
  refusedStatus,
} from './npm-client.ts'

const clientId = 'test-client'

onEachServer(
  'OAuth2 with the published npm client',
  (server) => {
    let administrator: Client
    before(async () => {
      administrator = createClient(server.url, 'Administrator')
      await administrator.connect()
      const properties = { name: 'Test Client', clientId, redirectURIs: `${server.url}home.html` }
      const client = await administrator.directory('oauth2Clients').create({ properties })
      assert.equal(client.properties['enabled'], true)
    })

    /** Grants with the password of the user, follows to the page of the program, and takes the code from its address. */
    async function fetchToken(): Promise<ClientToken> {
      const address = clientOAuth2.getAuthorizationURL({ baseURL: server.url, clientId })
      const body = new URLSearchParams(address.slice(address.indexOf('?') + 1))
      body.set('grant_access', '1')
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basicOf('Administrator', 'Administrator') }
      const landed = await fetch(address.replace(/authorize.*/, 'authorize_submit'), { method: 'POST', headers, body })
      await landed.arrayBuffer()
      assert.ok(landed.url.startsWith(`${server.url}home.html?code=`), landed.url)
      const code = new URL(landed.url).searchParams.get('code') ?? ''
      return clientOAuth2.fetchAccessTokenFromAuthorizationCode({ baseURL: server.url, clientId, code })
    }

    const entryOf = async ({ access_token }: ClientToken): Promise<ClientEntry> => {
      const { entries } = await administrator.directory('oauth2Tokens').fetchAll()
      const entry = entries.find(({ properties }) => properties['accessToken'] === access_token)
      assert.ok(entry)
      return entry
    }

    test('gives a token with exactly four fields, and with it the documents of the user', async () => {
      const token = await fetchToken()
      assert.deepEqual(Object.keys(token).toSorted(), ['access_token', 'expires_in', 'refresh_token', 'token_type'])
      const root = await createBearerClient(server.url, clientId, token.access_token).repository().fetch('/')
      assert.equal(root.path, '/')
      const { user } = await createBearerClient(server.url, clientId, token.access_token).connect()
      assert.equal(user.id, 'Administrator')
    })

    test('gives a token for a JSON web token', async () => {
      const jwtToken = await issueJwt(server.services, { user: 'Administrator' })
      const token = await clientOAuth2.fetchAccessTokenFromJWTToken({ baseURL: server.url, clientId, jwtToken })
      assert.equal((await createBearerClient(server.url, clientId, token).repository().fetch('/')).path, '/')
    })

    test('refreshes a token by hand, after which the old one is of no use', async () => {
      const first = await fetchToken()
      const options = { baseURL: server.url, clientId, refreshToken: first.refresh_token }
      const second = await clientOAuth2.refreshAccessToken(options)
      assert.equal((await createBearerClient(server.url, clientId, second.access_token).repository().fetch('/')).path, '/')
      const old = createBearerClient(server.url, clientId, first)
      assert.equal(await refusedStatus(old.repository().fetch('/default-domain')), 401)
    })

    test('refreshes a token that has expired by itself, and is refused once an administrator deletes it', async () => {
      const first = await fetchToken()
      const client = createBearerClient(server.url, clientId, first)
      const refreshed: ClientToken[] = []
      client.onAuthenticationRefreshed(({ token }) => refreshed.push(token))
      assert.equal((await client.repository().fetch('/')).path, '/')
      const entry = await entryOf(first)
      await entry.set({ id: `${entry.properties['id']}`, creationDate: '2011-10-23T12:00:00.00Z' }).save()
      assert.equal((await client.repository().fetch('/')).path, '/')
      assert.equal(refreshed.length, 1)
      const { token } = client._auth
      assert.notEqual(token.access_token, first.access_token)
      assert.notEqual(token.refresh_token, first.refresh_token)
      await administrator.directory('oauth2Tokens').delete(String((await entryOf(token)).properties['id']))
      assert.equal(await refusedStatus(client.repository().fetch('/default-domain')), 401)
    })
  },
  { settings: { vendor: 'nuxeo', basePath: '/nuxeo', jwtSecret: 'a secret that a partner has' } },
)
