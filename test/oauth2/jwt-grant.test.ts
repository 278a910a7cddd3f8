import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueJwt } from '../../src/features/jwt/index.ts'
import { basicOf, callAs, type Parameters, present, registerClient } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

const byJwt = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }

onEachServer(
  'a token for a JSON web token',
  (server) => {
    before(async () => {
      await server.addUser('alice')
      await registerClient(server, 'partner')
      await registerClient(server, 'guarded', { clientSecret: 's3' })
      await registerClient(server, 'off', { enabled: false })
    })
    const assertionFor = (user: string, claims = {}) => issueJwt(server.services, { user, claims })
    const refusal = async (sent: Parameters) => {
      const { status, body } = await present(server, { ...byJwt, ...sent })
      assert.equal(status, 400)
      return [body.error, body.error_description]
    }

    test('6.3 acts for the user whom the partner names, with the token that it has already', async () => {
      const sent = { ...byJwt, client_id: 'partner', assertion: await assertionFor('alice') }
      const { status, body } = await present(server, sent)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['access_token', 'refresh_token', 'token_type', 'expires_in'])
      assert.deepEqual(await callAs(server, body.access_token), { status: 200, user: 'alice' })
      assert.equal((await present(server, sent)).body.access_token, body.access_token)
      const guarded = { ...byJwt, assertion: sent.assertion }
      assert.equal((await present(server, guarded, basicOf('guarded', 's3'))).status, 200)
    })

    test('6.3 is refused in this order', async () => {
      const assertion = await assertionFor('alice')
      assert.deepEqual(await refusal({}), ['invalid_request', 'Empty assertion'])
      assert.deepEqual(await refusal({ assertion: 'x' }), ['invalid_request', 'Empty client id'])
      assert.deepEqual(await refusal({ assertion: 'x', client_id: 'nobody' }), ['invalid_client', 'Invalid client: nobody'])
      assert.deepEqual(await refusal({ assertion, client_id: 'off' }), ['invalid_client', 'Invalid client: off'])
      assert.deepEqual(await refusal({ assertion: 'x', client_id: 'guarded' }), [
        'invalid_client',
        'Disabled client: guarded or invalid client secret',
      ])
      const invalid = ['invalid_client', 'Secret not configured or invalid token']
      assert.deepEqual(await refusal({ assertion: `${assertion.slice(0, -4)}AAAA`, client_id: 'partner' }), invalid)
      assert.deepEqual(
        await refusal({ assertion: await assertionFor('alice', { aud: 'nxfile' }), client_id: 'partner' }),
        invalid,
      )
      const nobody = await assertionFor('nobody')
      assert.deepEqual(await refusal({ assertion: nobody, client_id: 'partner' }), ['invalid_grant', 'There is no such user'])
    })
  },
  { settings: { jwtSecret: 'a secret that a partner has' } },
)

onEachServer('a token for a JSON web token, without a secret,', (server) => {
  test('6.3 is given to nobody', async () => {
    await registerClient(server, 'partner')
    const { body } = await present(server, { ...byJwt, client_id: 'partner', assertion: 'e30.e30.x' })
    assert.deepEqual(body, { error: 'invalid_client', error_description: 'Secret not configured or invalid token' })
  })
})
