import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/accounts.ts'
import { authorize, callAs, codeFor, done, present, storeBearerToken, storedTokens, tokenFor } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

const refusal = 'You do not have permissions to perform this operation.'
const aClient = (id: string, more: object = {}) => ({
  'entity-type': 'oauth2Client',
  id,
  name: 'A client',
  redirectURIs: [done],
  secret: 's3',
  isAutoGrant: true,
  isEnabled: true,
  ...more,
})

onEachServer('programs of OAuth2', (server) => {
  const admin = () => server.as('Administrator')
  before(() => server.addUser('alice', ['members']))

  test('4 are for administrators', async () => {
    const alice = server.as('alice')
    const calls = [
      alice.get('/oauth2/client'),
      alice.get('/oauth2/client/platform-drive'),
      alice.get('/oauth2/client/nobody'),
      alice.post('/oauth2/client', aClient('mine')),
      alice.put('/oauth2/client/platform-drive', aClient('platform-drive')),
      alice.delete('/oauth2/client/platform-drive'),
    ]
    for (const answer of await Promise.all(calls)) assertRefused(answer, 403, refusal)
  })

  test('4 are there from the first day: two that ask nobody', async () => {
    const { body } = await admin().get('/oauth2/client')
    assert.equal(body['entity-type'], 'oauth2Clients')
    assert.deepEqual(body.entries.slice(0, 2), [
      {
        'entity-type': 'oauth2Client',
        name: 'Platform Drive',
        redirectURIs: ['nxdrive://authorize'],
        secret: null,
        id: 'platform-drive',
        isAutoGrant: true,
        isEnabled: true,
      },
      {
        'entity-type': 'oauth2Client',
        name: 'Platform Mobile',
        redirectURIs: ['platform://authorize'],
        secret: null,
        id: 'platform-mobile',
        isAutoGrant: true,
        isEnabled: true,
      },
    ])
    assert.equal((await admin().get('/oauth2/client/platform-drive')).body.name, 'Platform Drive')
    assertRefused(await admin().get('/oauth2/client/nobody'), 404, 'Invalid client: nobody')
  })

  test('4 are registered, replaced and removed', async () => {
    const created = await admin().post('/oauth2/client', aClient('one', { redirectURIs: [done, ' acme://x '] }))
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(created.body, aClient('one', { redirectURIs: [done, 'acme://x'] }))
    const least = { 'entity-type': 'oauth2Client', id: 'uno', name: 'B', redirectURIs: [done] }
    const updated = await admin().put('/oauth2/client/one', least)
    assert.equal(updated.status, 200, updated.text)
    assert.deepEqual(updated.body, { ...least, secret: null, isAutoGrant: false, isEnabled: false })
    assert.equal((await admin().get('/oauth2/client/one')).status, 404)
    assert.equal((await admin().delete('/oauth2/client/uno')).status, 204)
    assertRefused(await admin().delete('/oauth2/client/uno'), 404, 'Invalid client: uno')
    assertRefused(await admin().put('/oauth2/client/uno', aClient('uno')), 404, 'Invalid client: uno')
  })

  describe('4 are refused', () => {
    before(() => admin().post('/oauth2/client', aClient('taken')))
    const rows: readonly (readonly [string, unknown, string | RegExp])[] = [
      ['without a name', aClient('', { name: ' ', redirectURIs: [] }), 'Client name is required'],
      ['without an id', aClient(' ', { redirectURIs: [] }), 'Client Id is required'],
      ['without an address', aClient('taken', { redirectURIs: [] }), 'Redirect URIs is required'],
      ['without addresses at all', aClient('taken', { redirectURIs: null }), 'Redirect URIs is required'],
      [
        'with an address that is not safe',
        aClient('taken', { redirectURIs: [done, 'http://a.example/'] }),
        "'http://a.example/' is not a valid redirect URI",
      ],
      [
        'with an address that a browser would run',
        aClient('x', { redirectURIs: ['javascript:alert(1)'] }),
        /is not a valid redirect URI$/,
      ],
      ['with an id that is taken', aClient('taken'), "Client with id 'taken' already exists"],
      ['with addresses of another type', aClient('x', { redirectURIs: 'https://a.example/' }), /redirectURIs/],
      ['with a flag of another type', aClient('x', { isEnabled: 'yes' }), /isEnabled/],
      ['without an entity type', { ...aClient('x'), 'entity-type': undefined }, /entity-type/],
      ['with another entity type', aClient('x', { 'entity-type': 'user' }), /entity-type is wrong/],
      ['that are no object', '[]', /object/],
    ]
    for (const [what, sent, message] of rows) {
      test(what, async () => {
        assertRefused(await admin().post('/oauth2/client', sent), 400, message)
      })
    }
    test('where a change takes the id of another', async () => {
      await admin().post('/oauth2/client', aClient('free'))
      assertRefused(await admin().put('/oauth2/client/free', aClient('taken')), 400, "Client with id 'taken' already exists")
      assert.equal((await admin().put('/oauth2/client/free', aClient('free', { name: 'same id' }))).status, 200)
    })
    test('but for one of many who want the same id at once', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => admin().post('/oauth2/client', aClient('wanted'))))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400, 400, 400, 400])
    })
  })

  test('4 act for nobody any more once they are removed or disabled', async () => {
    await admin().post('/oauth2/client', aClient('brief', { secret: null }))
    const { access_token } = await tokenFor(server, 'alice', 'brief')
    assert.equal((await callAs(server, access_token)).status, 200)
    await admin().put('/oauth2/client/brief', aClient('brief', { isEnabled: false }))
    assert.equal((await callAs(server, access_token)).status, 401)
    await admin().put('/oauth2/client/brief', aClient('brief'))
    assert.equal((await callAs(server, access_token)).status, 200)
    await admin().delete('/oauth2/client/brief')
    assert.equal((await callAs(server, access_token)).status, 401)
  })

  describe('4 take all that users agreed with them along, and leave the next of the id nothing,', () => {
    const entryOf = async (clientId: string) => {
      const { body } = await admin().get('/directory/oauth2Clients?pageSize=1000')
      const found = body.entries.find(({ properties }: { properties: { clientId: string } }) => properties.clientId === clientId)
      return found.properties
    }
    const doors: { readonly [door: string]: (clientId: string) => Promise<{ readonly status: number }> } = {
      'removed by themselves': (id) => admin().delete(`/oauth2/client/${id}`),
      'removed from the directory': async (id) => admin().delete(`/directory/oauth2Clients/${(await entryOf(id)).id}`),
      'removed by an operation': async (id) => {
        const params = { directoryName: 'oauth2Clients', entries: JSON.stringify([String((await entryOf(id)).id)]) }
        return admin().post('/automation/Directory.DeleteEntries', { params })
      },
      'given another id': (id) => admin().put(`/oauth2/client/${id}`, aClient(`${id}-once`)),
      'given another id in the directory': async (id) => {
        const properties = { ...(await entryOf(id)), clientId: `${id}-before` }
        const entry = { 'entity-type': 'directoryEntry', directoryName: 'oauth2Clients', properties }
        return admin().put(`/directory/oauth2Clients/${properties.id}`, entry)
      },
    }
    for (const [index, [door, leave]] of Object.entries(doors).entries()) {
      test(door, async () => {
        const id = `going-${index}`
        const first = await admin().post('/oauth2/client', aClient(id, { secret: null, isAutoGrant: false }))
        assert.equal(first.status, 201, first.text)
        const { access_token, refresh_token } = await tokenFor(server, 'alice', id)
        const code = await codeFor(server, 'alice', id)
        const used = await codeFor(server, 'alice', id)
        await present(server, { grant_type: 'authorization_code', client_id: id, code: used })
        const left = await leave(id)
        assert.ok(left.status < 300, String(left.status))
        assert.equal((await callAs(server, access_token)).status, 401)
        const ofProgram = (await storedTokens(server)).filter(({ properties }) => String(properties['clientId']).startsWith(id))
        assert.deepEqual(ofProgram, [])
        const next = await admin().post('/oauth2/client', aClient(id, { secret: null, isAutoGrant: false }))
        assert.equal(next.status, 201, next.text)
        assert.equal((await callAs(server, access_token)).status, 401)
        const asksAgain = await authorize(server, 'alice', { client_id: id, response_type: 'code' })
        assert.equal(asksAgain.status, 200)
        const refreshed = await present(server, { grant_type: 'refresh_token', client_id: id, refresh_token })
        const exchanged = await present(server, { grant_type: 'authorization_code', client_id: id, code })
        assert.deepEqual([refreshed.body.error, exchanged.body.error], ['invalid_grant', 'invalid_grant'])
        // Nor is what the next is given taken away by a code that the first has used.
        const fresh = await tokenFor(server, 'alice', id)
        await present(server, { grant_type: 'authorization_code', client_id: id, code: used })
        assert.equal((await callAs(server, fresh.access_token)).status, 200)
      })
    }
    test('also of what an older server has left', async () => {
      const token = await storeBearerToken(server, 'alice', 'long-gone')
      const path = '/oauth2/token/client/long-gone/user/alice'
      assertRefused(await server.as('alice').get(path), 404, 'Invalid client: long-gone')
      assert.equal((await server.as('alice').delete(path)).status, 204)
      assertRefused(await server.as('alice').delete(path), 404, 'Invalid client: long-gone')
      await storeBearerToken(server, 'alice', 'long-gone')
      await admin().post('/oauth2/client', aClient('long-gone'))
      assert.equal((await callAs(server, token)).status, 401)
      assertRefused(await server.as('alice').delete(path), 404, 'No token found for client: long-gone')
    })
  })
})

onEachServer(
  'programs of OAuth2 where everybody may know them',
  (server) => {
    test('4 are shown with their name, and nothing that is secret', async () => {
      await server.addUser('alice')
      await server.as('Administrator').post('/oauth2/client', aClient('one'))
      const { status, body } = await server.as('alice').get('/oauth2/client/one')
      assert.equal(status, 200)
      assert.deepEqual(body, { 'entity-type': 'oauth2Client', id: 'one', name: 'A client', isEnabled: true })
      assert.equal((await server.as('alice').get('/oauth2/client')).body.entries.length, 3)
      assertRefused(await server.as('alice').delete('/oauth2/client/one'), 403, refusal)
    })
  },
  { settings: { oauth2ClientListPublic: true } },
)
