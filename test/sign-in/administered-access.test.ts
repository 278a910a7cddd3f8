import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { browserAt } from '../support/browser-client.ts'
import { callAs, registerClient, tokenFor } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('what anybody signs in with', (server) => {
  const admin = () => server.as('Administrator')
  const lists = ['tokens', 'oauth2/grants', 'sessions'] as const
  const get = async (list: (typeof lists)[number], query = '') => {
    const answer = await admin().get(`/management/${list}${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const statusWith = async (token: string) =>
    (await fetch(new URL('api/v1/me', server.url), { headers: { 'x-authentication-token': token } })).status

  async function issue(user: string, deviceId: string): Promise<string> {
    const query = new URLSearchParams({ application: 'Desk', deviceId, permission: 'rw', deviceDescription: `The ${deviceId}` })
    return (await server.as(user).call('POST', `api/v1/token?${query}`)).text
  }

  async function signedIn(user: string) {
    const client = browserAt(server.url)
    assert.equal((await client.signIn(user)).status, 302)
    return { client, status: async () => (await client.get('api/v1/me')).status }
  }

  before(async () => {
    for (const name of ['alice', 'bob']) await server.addUser(name)
    await registerClient(server, 'desk')
  })

  test('a token is listed by its digest, never by itself, and is refused once an administrator has revoked it', async () => {
    const [first, second, other] = [await issue('alice', 'one'), await issue('alice', 'two'), await issue('bob', 'one')]
    const { text, body } = await get('tokens')
    for (const token of [first, second, other]) assert.equal(text.includes(token), false)
    assert.equal(body.resultsCount, 3)
    assert.deepEqual(Object.keys(body.entries[0]), [
      'entity-type',
      'digest',
      'username',
      'application',
      'deviceId',
      'deviceDescription',
      'permission',
      'creationDate',
    ])
    const mine = (await get('tokens', '?user=alice')).body
    assert.deepEqual([mine.resultsCount, mine.entries.length], [2, 2])
    const { digest } = mine.entries.find((one: { deviceId: string }) => one.deviceId === 'one')
    assert.equal(await statusWith(first), 200)
    assert.equal((await admin().delete(`/management/tokens/${digest}`)).status, 204)
    assert.deepEqual([await statusWith(first), await statusWith(second), await statusWith(other)], [401, 200, 200])
    assert.equal((await admin().delete(`/management/tokens/${digest}`)).status, 404)
    // It is addressed by its digest alone.
    assert.equal((await admin().delete(`/management/tokens/${second}`)).status, 404)
    assert.equal(await statusWith(second), 200)
  })

  test('what somebody agreed with a program is listed without its secrets, and of no use once it is revoked', async () => {
    const { access_token: hers, refresh_token: refresh } = await tokenFor(server, 'alice', 'desk')
    const { access_token: his } = await tokenFor(server, 'bob', 'desk')
    const { text, body } = await get('oauth2/grants')
    for (const secret of [hers, refresh, his]) assert.equal(text.includes(secret), false)
    assert.deepEqual([body.resultsCount, body.entries[0].username, body.entries[0].clientId], [2, 'alice', 'desk'])
    const [grant] = (await get('oauth2/grants', '?user=alice')).body.entries
    assert.partialDeepStrictEqual(grant, { username: 'alice', clientId: 'desk', serviceName: null })
    assert.equal((await callAs(server, hers)).status, 200)
    assert.equal((await admin().delete(`/management/oauth2/grants/${grant.id}`)).status, 204)
    assert.deepEqual([(await callAs(server, hers)).status, (await callAs(server, his)).status], [401, 200])
    assert.equal((await admin().delete(`/management/oauth2/grants/${grant.id}`)).status, 404)
  })

  test('a session is listed whosever it is, and its next request is refused once it is ended', async () => {
    const [hers, his] = [await signedIn('alice'), await signedIn('bob')]
    const { text, body } = await get('sessions')
    for (const { client } of [hers, his]) assert.equal(text.includes(client.cookies.get('JSESSIONID') ?? 'x'), false)
    assert.deepEqual([body.resultsCount, body.entries.length], [2, 2])
    const [{ session, isValid }] = (await get('sessions', '?user=alice')).body.entries
    assert.deepEqual([session.username, session.authenticator, isValid], ['alice', 'FORM_AUTH', true])
    assert.equal((await admin().delete(`/management/sessions/${session.id}`)).status, 204)
    assert.deepEqual([await hers.status(), await his.status()], [401, 200])
    assert.equal((await admin().delete(`/management/sessions/${session.id}`)).status, 404)
  })

  test('a session whose password was changed elsewhere is said to be of no use', async () => {
    await server.addUser('carol')
    const { status } = await signedIn('carol')
    const properties = { username: 'carol', password: 'another' }
    assert.equal((await admin().put('/user/carol', { 'entity-type': 'user', id: 'carol', properties })).status, 200)
    const { entries } = (await get('sessions', '?user=carol')).body
    assert.deepEqual(
      entries.map(({ isValid }: { isValid: boolean }) => isValid),
      [false],
    )
    assert.equal(await status(), 401)
  })

  test('pages follow each other without a gap, and a page is bounded', async () => {
    await server.addUser('dora')
    for (const device of ['a', 'b', 'c']) await issue('dora', device)
    const pages = await Promise.all([0, 1, 2].map((page) => get('tokens', `?user=dora&pageSize=2&currentPageIndex=${page}`)))
    const devices = pages.map(({ body }) => body.entries.map((one: { deviceId: string }) => one.deviceId))
    assert.deepEqual(
      devices.map((some) => some.length),
      [2, 1, 0],
    )
    assert.deepEqual(devices.flat().toSorted(), ['a', 'b', 'c'])
    for (const list of lists)
      for (const query of ['pageSize=201', 'pageSize=0', 'currentPageIndex=-1', `user=${'x'.repeat(401)}`])
        assert.equal((await admin().get(`/management/${list}?${query}`)).status, 400, `${list} ${query}`)
  })

  test('all of it is for administrators alone', async () => {
    for (const list of lists) {
      assert.equal((await server.as('alice').get(`/management/${list}?user=alice`)).status, 403)
      assert.equal((await server.as('alice').delete(`/management/${list}/1`)).status, 403)
    }
  })
})
