import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { startTestServer } from '../../src/testing.ts'
import { browserAt } from '../support/browser-client.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('security 2.5 sessions', (server) => {
  before(async () => {
    await server.addUser('alice')
    await server.addUser('bob')
  })
  const browser = () => browserAt(server.url)
  const statusOf = async (client: ReturnType<typeof browser>) => (await client.get('api/v1/me')).status

  async function signedIn(user = 'alice') {
    const client = browser()
    assert.equal((await client.signIn(user)).status, 302)
    return client
  }

  test('begin under a new id whatever cookie the browser had', async () => {
    const victim = browser()
    const planted = 'A'.repeat(43)
    victim.cookies.set('JSESSIONID', planted)
    await victim.signIn('alice')
    assert.notEqual(victim.cookies.get('JSESSIONID'), planted)
    const attacker = browser()
    attacker.cookies.set('JSESSIONID', planted)
    assert.equal(await statusOf(attacker), 401)
  })

  test('end where the same browser signs in again', async () => {
    const client = await signedIn()
    const before = client.cookies.get('JSESSIONID') ?? ''
    await client.signIn('bob')
    const old = browser()
    old.cookies.set('JSESSIONID', before)
    assert.equal(await statusOf(old), 401)
    assert.equal(await statusOf(client), 200)
  })

  test('win over credentials that are sent along, right or wrong', async () => {
    const client = await signedIn()
    for (const credentials of ['bob:bob', 'bob:wrong']) {
      const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
      assert.match(await (await client.get('api/v1/me', headers)).text(), /"id":"alice"/)
    }
  })

  test('are not begun by programs, and not stored for them', async () => {
    const headers = { authorization: `Basic ${Buffer.from('alice:alice').toString('base64')}` }
    assert.deepEqual((await browser().get('api/v1/me', headers)).headers.getSetCookie(), [])
  })

  test('are stored without the secret of their cookie', async () => {
    const client = await signedIn()
    const rows = await server.services.directories.store.reader.tables.all(sql`SELECT * FROM sign_in_sessions`)
    assert.ok(rows.length > 0)
    assert.ok(!JSON.stringify(rows).includes(client.cookies.get('JSESSIONID') ?? ''))
  })

  for (const cookie of [
    'x',
    'JSESSIONID=',
    `JSESSIONID=${'x'.repeat(43)}`,
    `JSESSIONID=${'x'.repeat(5_000)}`,
    'JSESSIONID=a.b.c',
    '=;;=',
  ]) {
    test(`are not had for ${cookie.slice(0, 30)}`, async () => {
      const response = await browser().get('api/v1/me', { cookie })
      assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, null])
    })
  }

  test('are listed for their user, without what would open them', async () => {
    await server.addUser('lister')
    const first = await signedIn('lister')
    const second = await signedIn('lister')
    const response = await second.get('api/v1/session')
    const text = await response.text()
    for (const { cookies } of [first, second]) assert.ok(!text.includes(cookies.get('JSESSIONID') ?? 'x'))
    const { entries, ...list } = JSON.parse(text)
    assert.deepEqual(list, { 'entity-type': 'sessions' })
    assert.equal(entries.length, 2)
    const [latest] = entries
    assert.deepEqual(Object.keys(latest), [
      'entity-type',
      'id',
      'username',
      'authenticator',
      'creationDate',
      'lastSeen',
      'address',
      'userAgent',
      'isCurrent',
    ])
    assert.deepEqual([latest.username, latest.authenticator, latest.isCurrent], ['lister', 'FORM_AUTH', true])
    assert.match(latest.address, /127\.0\.0\.1$/)
  })

  test('are ended by their user one by one, or all others at once', async () => {
    await server.addUser('ender')
    const [first, second, third] = [await signedIn('ender'), await signedIn('ender'), await signedIn('ender')]
    const listed = JSON.parse(await (await first.get('api/v1/session')).text()).entries
    const currentOf = async (client: typeof first) =>
      JSON.parse(await (await client.get('api/v1/session')).text()).entries.find((one: { isCurrent: boolean }) => one.isCurrent)
        .id
    assert.equal(listed.length, 3)
    assert.equal((await first.send('DELETE', `api/v1/session/${await currentOf(second)}`)).status, 204)
    assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(third)], [200, 401, 200])
    assert.equal((await first.send('DELETE', 'api/v1/session')).status, 204)
    assert.deepEqual([await statusOf(first), await statusOf(third)], [200, 401])
  })

  test('of others are for administrators', async () => {
    await server.addUser('owner')
    const owner = await signedIn('owner')
    const { entries } = JSON.parse(await (await owner.get('api/v1/session')).text())
    const stranger = await signedIn('bob')
    assert.equal((await stranger.get('api/v1/session?user=owner')).status, 403)
    assert.equal((await stranger.send('DELETE', 'api/v1/session?user=owner')).status, 403)
    assert.equal((await stranger.send('DELETE', `api/v1/session/${entries[0].id}`)).status, 404)
    assert.equal((await stranger.send('DELETE', 'api/v1/session/nothing')).status, 404)
    assert.equal(await statusOf(owner), 200)
    const administrator = server.as('Administrator')
    assert.equal((await administrator.get('/session?user=owner')).body.entries.length, 1)
    assert.equal((await administrator.delete(`/session/${entries[0].id}`)).status, 204)
    assert.equal(await statusOf(owner), 401)
    const again = await signedIn('owner')
    assert.equal((await administrator.delete('/session?user=owner')).status, 204)
    assert.equal(await statusOf(again), 401)
  })

  test('but the one in which the password was changed end with it', async () => {
    await server.addUser('changer')
    const [here, elsewhere] = [await signedIn('changer'), await signedIn('changer')]
    const before = here.cookies.get('JSESSIONID')
    const changed = await here.send('PUT', 'api/v1/me/changepassword', {
      body: JSON.stringify({ oldPassword: 'changer', newPassword: 'another' }),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(changed.status, 200)
    assert.deepEqual([await statusOf(here), await statusOf(elsewhere)], [200, 401])
    assert.notEqual(here.cookies.get('JSESSIONID'), before)
    const old = browser()
    old.cookies.set('JSESSIONID', before ?? '')
    assert.equal(await statusOf(old), 401)
  })

  test('end when an administrator gives their user another password, or removes the user', async () => {
    await server.addUser('reset')
    const client = await signedIn('reset')
    const entity = { 'entity-type': 'user', id: 'reset', properties: { username: 'reset', password: 'given' } }
    assert.equal((await server.as('Administrator').put('/user/reset', entity)).status, 200)
    assert.equal(await statusOf(client), 401)
    const again = browser()
    await again.signIn('reset', 'given')
    assert.equal(await statusOf(again), 200)
    assert.equal((await server.as('Administrator').delete('/user/reset')).status, 204)
    assert.equal(await statusOf(again), 401)
  })

  test('go on under a new id when their user has other rights, which count at once', async () => {
    await server.addUser('riser')
    const client = await signedIn('riser')
    assert.equal(await statusOf(client), 200)
    const before = client.cookies.get('JSESSIONID') ?? ''
    assert.equal((await client.get('api/v1/session?user=alice')).status, 403)
    assert.equal((await server.as('Administrator').post('/user/riser/group/administrators')).status, 201)
    assert.equal((await client.get('api/v1/session?user=alice')).status, 200)
    assert.notEqual(client.cookies.get('JSESSIONID'), before)
    assert.equal(await statusOf(client), 200)
    assert.equal(JSON.parse(await (await client.get('api/v1/session')).text()).entries.length, 1)
  })
})

for (const engine of engines) {
  describe(`security 2.5 sessions of several servers (${engine})`, () => {
    test('survive a restart, and end on all servers at the next request', async (context) => {
      const { settings } = await filledPlace(engine)
      const first = await startTestServer({ settings: { ...settings, basePath: '/dms', sessionSameSite: 'None' } })
      await first.addUser('alice')
      const client = browserAt(first.url)
      const [cookie = ''] = (await client.signIn('alice')).headers.getSetCookie()
      assert.match(cookie, /; Path=\/dms; HttpOnly; Secure; SameSite=None$/)
      await first.stop()
      const servers = [await startTestServer({ settings }), await startTestServer({ settings })]
      context.after(() => Promise.all(servers.map((server) => server.stop())))
      const clients = servers.map(({ url }) => {
        const one = browserAt(url)
        for (const [name, value] of client.cookies) one.cookies.set(name, value)
        return one
      })
      for (const one of [...clients, ...clients]) assert.equal((await one.get('api/v1/me')).status, 200)
      assert.equal((await clients[0]?.get('logout'))?.status, 302)
      assert.equal((await clients[1]?.get('api/v1/me'))?.status, 401)
    })

    test('are of users whom the configuration declares as well, until that gives them another password', async (context) => {
      const { settings } = await filledPlace(engine)
      const start = (password: string) => {
        const plugin = definePlugin({ name: 'declared', virtualUsers: [{ name: 'robot', password, groups: [] }] })
        return startTestServer({ settings, plugins: [plugin] })
      }
      const servers = [await start('beep'), await start('beep'), await start('boop')]
      context.after(() => Promise.all(servers.map((server) => server.stop())))
      const [first, ...others] = servers.map(({ url }) => browserAt(url))
      assert.equal((await first?.signIn('robot', 'beep'))?.status, 302)
      for (const [name, value] of first?.cookies ?? []) for (const other of others) other.cookies.set(name, value)
      const statuses = await Promise.all([first, ...others].map(async (one) => (await one?.get('api/v1/me'))?.status))
      assert.deepEqual(statuses, [200, 200, 401])
      const { entries } = JSON.parse((await (await others[0]?.get('api/v1/session'))?.text()) ?? '')
      assert.equal(entries.length, 1)
    })

    test('end after their time, and not while they are used', async (context) => {
      const { settings } = await filledPlace(engine)
      const server = await startTestServer({ settings: { ...settings, sessionTimeout: '1s' } })
      context.after(() => server.stop())
      const client = browserAt(server.url)
      await client.signIn('Administrator')
      for (let count = 0; count < 4; count += 1) {
        await pause(500)
        assert.equal((await client.get('api/v1/me')).status, 200)
      }
      await pause(1_300)
      assert.equal((await client.get('api/v1/me')).status, 401)
    })
  })
}

onEachServer(
  'security 8.1 the CSRF token of a session',
  (server) => {
    test('comes with the sign-in form, ends with the session, and is needed to change anything', async () => {
      const client = browserAt(server.url)
      const fields = async () => {
        const page = await (await client.get('login.jsp')).text()
        return { 'csrf-token': /name="csrf-token" value="(\w{40})"/.exec(page)?.[1] ?? 'none' }
      }
      assert.equal((await client.signIn('Administrator')).status, 403)
      const sent = await fields()
      assert.equal((await client.signIn('Administrator', 'Administrator', sent)).status, 302)
      const fetched = await client.get('', { 'csrf-token': 'fetch' })
      const token = fetched.headers.get('csrf-token') ?? ''
      assert.match(token, /^\w{40}$/)
      assert.notEqual(token, sent['csrf-token'])
      const post = (headers: { [name: string]: string }) => client.send('POST', 'api/v1/automation/login', { headers })
      assert.equal((await post({})).status, 403)
      assert.equal((await post({ 'csrf-token': token })).status, 200)
      assert.equal((await (await client.get('', { 'csrf-token': 'fetch' })).headers).get('csrf-token'), token)
      const secret = client.cookies.get('JSESSIONID') ?? ''
      await client.get('logout')
      client.cookies.set('JSESSIONID', secret)
      assert.equal((await post({ 'csrf-token': token })).status, 403)
    })
  },
  { settings: { csrfTokenEnabled: true } },
)
