import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { issueJwt } from '../../src/features/jwt/index.ts'
import { aUser } from '../support/accounts.ts'
import { registerClient } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'
import { signedJwt } from '../support/signed-jwt.ts'

const now = () => Math.floor(Date.now() / 1000)
const alice = { iss: 'platform', sub: 'alice' }

onEachServer(
  'security 2.6 JSON web tokens',
  (server) => {
    before(() => server.addUser('alice', ['members']))

    const get = (path: string, headers: { [name: string]: string } = {}) => fetch(new URL(path, server.url), { headers })
    const bearing = (token: string, path = 'api/v1/me') => get(path, { authorization: `Bearer ${token}` })
    const statusOf = async (claims: object, path?: string) => (await bearing(signedJwt(claims), path)).status

    test('let in their user, for as long as they say', async () => {
      const answer = await bearing(signedJwt({ ...alice, exp: now() + 60, nbf: now() - 60, iat: now() - 60 }))
      assert.equal(answer.status, 200)
      assert.equal(((await answer.json()) as { id: string }).id, 'alice')
      assert.deepEqual(answer.headers.getSetCookie(), [])
      assert.equal(await statusOf(alice), 200)
    })
    test('let in at operations as well', async () => {
      const headers = { authorization: `Bearer ${signedJwt(alice)}` }
      const answer = await fetch(new URL('site/automation/login', server.url), { method: 'POST', headers })
      assert.equal(answer.status, 200)
    })

    const refused: { readonly [what: string]: () => string } = {
      'by another issuer': () => signedJwt({ ...alice, iss: 'other' }),
      'signed with another secret': () => signedJwt(alice, { secret: 'guessed' }),
      'that are over': () => signedJwt({ ...alice, exp: now() - 1 }),
      'that begin later': () => signedJwt({ ...alice, nbf: now() + 60 }),
      'from the future': () => signedJwt({ ...alice, iat: now() + 60 }),
      'for a user who does not exist': () => signedJwt({ ...alice, sub: 'nobody' }),
      'for the internal user': () => signedJwt({ ...alice, sub: 'system' }),
      'for no user': () => signedJwt({ iss: 'platform' }),
      'for several users': () => signedJwt({ ...alice, sub: ['alice'] }),
      'for several audiences': () => signedJwt({ ...alice, aud: ['api/v1'] }),
      'with the algorithm none': () => `${signedJwt(alice, { alg: 'none' }).replace(/[^.]+$/, '')}`,
      'with the algorithm none and a signature': () => signedJwt(alice, { alg: 'none' }),
      'with another algorithm': () => signedJwt(alice, { alg: 'HS256', digest: 'sha256' }),
      'that were tampered with': () => signedJwt(alice).replace(/\.[^.]+\./, (body) => `${body.slice(0, -3)}AA.`),
      'that are too long': () => signedJwt({ ...alice, note: 'x'.repeat(7_000) }),
      'that are none': () => 'nonsense',
    }
    for (const [what, make] of Object.entries(refused)) {
      test(`${what} let nobody in, however often they are sent`, async () => {
        const token = make()
        for (let count = 0; count < 2; count += 1) {
          const answer = await bearing(token)
          assert.equal(answer.status, 401)
          await answer.arrayBuffer()
        }
      })
    }

    test('are good for the paths of their audience, without the context root', async () => {
      assert.equal(await statusOf({ ...alice, aud: 'api/v1/me' }), 200)
      assert.equal(await statusOf({ ...alice, aud: '/api/v1/' }), 200)
      assert.equal(await statusOf({ ...alice, aud: 'api/v1/m' }), 401)
      assert.equal(await statusOf({ ...alice, aud: 'api/v1/id' }), 401)
      assert.equal(await statusOf({ ...alice, aud: 'content/api/v1' }), 401)
      assert.equal(await statusOf({ ...alice, aud: '' }), 401)
    })
    test('that were let in once are looked at again for another path, and when their time is over', async () => {
      const token = signedJwt({ ...alice, aud: 'api/v1/me', exp: now() + 2 })
      assert.equal((await bearing(token)).status, 200)
      assert.equal((await bearing(token, 'api/v1/user/alice')).status, 401)
      assert.equal((await bearing(token)).status, 200)
      while (now() < Number(JSON.parse(atob(token.split('.')[1] ?? '')).exp)) await new Promise((wake) => setTimeout(wake, 50))
      assert.equal((await bearing(token)).status, 401)
    })

    test('count as a parameter where there is no header, and only then', async () => {
      const token = signedJwt(alice)
      assert.equal((await get(`api/v1/me?access_token=${token}`)).status, 200)
      assert.equal((await get(`api/v1/me?access_token=${token}`, { authorization: 'Other x' })).status, 401)
      assert.equal((await get('api/v1/me', { authorization: `bearer ${token}` })).status, 401)
      const url = new URL('api/v1/token?application=F&deviceId=f&permission=r', server.url)
      assert.equal((await fetch(url, { method: 'POST', body: new URLSearchParams({ access_token: token }) })).status, 201)
    })

    test('are made by the server for plugins that need one, with an end', async () => {
      const token = await issueJwt(server.services, { user: 'alice', claims: { aud: 'api/v1' } })
      assert.equal((await bearing(token)).status, 200)
      assert.equal((await bearing(token, 'json/cmis')).status, 401)
      const { exp, iss } = JSON.parse(atob(token.split('.')[1] ?? ''))
      assert.equal(iss, 'platform')
      assert.ok(Math.abs(exp - now() - 1800) < 10, `${exp - now()}`)
      const short = JSON.parse(atob((await issueJwt(server.services, { user: 'alice', ttlSeconds: 60 })).split('.')[1] ?? ''))
      assert.ok(Math.abs(short.exp - now() - 60) < 10)
    })
    test('of a user who is removed let nobody in from the next request on', async () => {
      await server.addUser('passing', ['members'])
      const token = signedJwt({ ...alice, sub: 'passing' })
      assert.equal((await bearing(token)).status, 200)
      assert.equal((await server.as('Administrator').call('DELETE', 'api/v1/user/passing')).status, 204)
      assert.equal((await bearing(token)).status, 401)
    })
    test('that were issued for somebody who is gone are not for the next of that name', async () => {
      const administrator = server.as('Administrator')
      await server.addUser('leaver')
      const issued = () => signedJwt({ ...alice, sub: 'leaver', iat: now() })
      const old = issued()
      assert.equal((await bearing(old)).status, 200)
      assert.equal((await administrator.delete('/user/leaver')).status, 204)
      assert.equal((await administrator.post('/user', aUser('leaver'))).status, 201)
      await registerClient(server, 'partner')
      const present = (assertion: string) => {
        const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
        const body = new URLSearchParams({ grant_type, client_id: 'partner', assertion })
        return fetch(new URL('oauth2/token', server.url), { method: 'POST', body })
      }
      assert.equal((await bearing(old)).status, 401)
      assert.equal((await present(old)).status, 400)
      // Tokens tell their second.
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      const own = issued()
      assert.equal((await bearing(own)).status, 200)
      assert.equal((await present(own)).status, 200)
    })
  },
  { settings: { basePath: '/content', jwtSecret: 'topsecret', jwtDefaultTtl: '1800' } },
)

describe('without a secret', () => {
  onEachServer('security 2.6 no JSON web token', (server) => {
    test('is valid, nor made', async () => {
      for (const secret of ['', 'topsecret']) {
        const headers = { authorization: `Bearer ${signedJwt({ ...alice, sub: 'Administrator' }, { secret })}` }
        assert.equal((await fetch(new URL('api/v1/me', server.url), { headers })).status, 401)
      }
      await assert.rejects(issueJwt(server.services, { user: 'alice' }), { message: 'JWTService secret not configured' })
    })
  })
})
