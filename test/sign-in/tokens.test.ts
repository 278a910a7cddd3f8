import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Log, LogFields } from '../../src/base/log.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

const lines: string[] = []
const note = (fields: LogFields, sentence: string) =>
  void lines.push(JSON.stringify({ ...fields, err: String(fields['err']), sentence }))
/** All that the server ever says, at every level. */
const log: Log = { debug: note, info: note, warn: note, error: note, isLevelEnabled: () => true }

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const door = 'authentication/token'
const bound = (parameters: { [name: string]: string }) =>
  new URLSearchParams({ applicationName: 'Desk Sync', deviceId: 'd-1', permission: 'rw', ...parameters })

onEachServer(
  'security 2.3, 2.4 tokens',
  (server) => {
    const told = new Set<string>()

    before(async () => {
      for (const name of ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']) await server.addUser(name, ['members'])
    })

    const acquire = async (user: string, parameters: { [name: string]: string } = {}) => {
      const answer = await server.as(user).call('GET', `${door}?${bound(parameters)}`)
      assert.equal(answer.status, 201, answer.text)
      told.add(answer.text)
      return answer.text
    }
    const get = (path: string, headers: { [name: string]: string } = {}) =>
      fetch(new URL(path, server.url), { headers, redirect: 'manual' })
    const byHeader = (token: string, path = 'api/v1/me') => get(path, { 'x-authentication-token': token })

    test('are given as a bare UUID, and the same again to who asks again', async () => {
      const first = await server.as('alice').call('GET', `${door}?${bound({ deviceDescription: 'laptop' })}`)
      assert.deepEqual([first.status, first.headers.get('content-type')], [201, 'text/plain; charset=UTF-8'])
      assert.match(first.text, uuid)
      told.add(first.text)
      assert.equal(await acquire('alice', { permission: 'r', deviceDescription: 'other' }), first.text)
      assert.equal((await server.as('alice').call('GET', `${door}?${bound({})}`)).status, 201)
    })

    test('differ by user, program and device', async () => {
      const tokens = [
        await acquire('alice'),
        await acquire('bob'),
        await acquire('alice', { applicationName: 'Größer & Söhne 文' }),
        await acquire('alice', { deviceId: 'd-2' }),
        await acquire('alice', { applicationName: 'desk sync' }),
      ]
      assert.equal(new Set(tokens).size, 5)
      assert.equal(await acquire('alice', { applicationName: 'Größer & Söhne 文' }), tokens[2])
    })

    test('are told the same to all who ask for one at once', async () => {
      const tokens = await Promise.all(Array.from({ length: 8 }, () => acquire('carol', { deviceId: 'at once' })))
      assert.equal(new Set(tokens).size, 1)
      assert.equal((await server.as('carol').get('/token?application=Desk%20Sync')).body.entries.length, 1)
    })

    for (const missing of ['applicationName', 'deviceId', 'permission']) {
      test(`need the parameter ${missing}`, async () => {
        const parameters = bound({})
        parameters.delete(missing)
        for (const query of [String(parameters), `${parameters}&${missing}=`]) {
          const answer = await server.as('alice').call('GET', `${door}?${query}`)
          assertRefused(answer, 400, `The parameter ${missing} is missing or empty. Send it.`)
        }
      })
    }
    for (const [name, value] of Object.entries({
      applicationName: 'x'.repeat(201),
      deviceId: 'two\nlines',
      permission: 'nul\0',
      deviceDescription: 'x'.repeat(1_001),
    })) {
      test(`refuse a ${name} that is too long or no line of text`, async () => {
        const answer = await server.as('alice').call('GET', `${door}?${bound({ [name]: value })}`)
        assertRefused(answer, 400, new RegExp(`^The parameter ${name} must have at most \\d+ characters`))
      })
    }

    test('are given by GET alone', async () => {
      const answer = await server.as('alice').call('POST', `${door}?${bound({})}`)
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'HEAD, GET, OPTIONS'])
    })
    test('are given to nobody without credentials, or with wrong ones', async () => {
      assert.equal((await get(`${door}?${bound({})}`)).status, 401)
      const authorization = `Basic ${Buffer.from('alice:wrong').toString('base64')}`
      assert.equal((await get(`${door}?${bound({})}`, { authorization })).status, 401)
    })

    test('are revoked in the words of the contract, and never again', async () => {
      const token = await acquire('bob', { deviceId: 'd-9' })
      const revoke = () => server.as('bob').call('GET', `${door}?${bound({ deviceId: 'd-9', revoke: 'true' })}`)
      const named = 'userName bob, applicationName Desk Sync and deviceId d-9'
      const [first, second] = [await revoke(), await revoke()]
      assert.deepEqual(
        [first.status, first.text, first.headers.get('content-type')],
        [202, `Token revoked for ${named}.`, 'text/plain; charset=UTF-8'],
      )
      assert.deepEqual([second.status, second.text], [400, `No token found for ${named}; nothing to do.`])
      assert.equal((await byHeader(token)).status, 401)
      assert.notEqual(await acquire('bob', { deviceId: 'd-9' }), token)
      assert.equal((await byHeader(token)).status, 401)
    })
    test('need no permission to be revoked', async () => {
      await acquire('bob', { deviceId: 'd-8' })
      const query = 'applicationName=Desk%20Sync&deviceId=d-8&revoke=true'
      assert.equal((await server.as('bob').call('GET', `${door}?${query}`)).status, 202)
    })

    test('let in by header, by parameter, by form and by cookie, in this order', async () => {
      const [alices, bobs] = [await acquire('alice'), await acquire('bob')]
      const who = async (path: string, headers: { [name: string]: string }) => {
        const answer = await get(path, headers)
        return answer.status === 200 ? ((await answer.json()) as { id: string }).id : answer.status
      }
      const cookie = (token: string) => ({ cookie: `a=b; X-Authentication-Token=${token}` })
      assert.equal(await who('api/v1/me', { 'x-authentication-token': alices }), 'alice')
      assert.equal(await who(`api/v1/me?token=${alices}`, {}), 'alice')
      assert.equal(await who('api/v1/me', cookie(alices)), 'alice')
      assert.equal(await who(`api/v1/me?token=${bobs}`, { 'x-authentication-token': alices }), 'alice')
      assert.equal(await who(`api/v1/me?token=${bobs}`, cookie(alices)), 'bob')
      assert.equal(await who('api/v1/me', { 'x-authentication-token': 'unknown', ...cookie(alices) }), 401)
      const url = new URL('api/v1/token?application=Form&deviceId=f&permission=r', server.url)
      const form = await fetch(url, { method: 'POST', body: new URLSearchParams({ token: bobs }) })
      assert.deepEqual([form.status, await form.text()], [201, await acquire('bob', { applicationName: 'Form', deviceId: 'f' })])
      assert.equal((await fetch(url, { method: 'POST', body: new URLSearchParams({ token: 'unknown' }) })).status, 401)
    })

    test('set a cookie with the answer, unless it came with the request', async () => {
      const token = await acquire('alice')
      const first = await byHeader(token)
      const cookie = `X-Authentication-Token=${token}; Path=/; HttpOnly; Secure`
      assert.deepEqual(first.headers.getSetCookie(), [cookie])
      const again = await get('api/v1/me', { cookie: `X-Authentication-Token=${token}` })
      assert.deepEqual([again.status, again.headers.getSetCookie()], [200, []])
      assert.deepEqual((await byHeader('unknown')).headers.getSetCookie(), [])
    })

    test('leave the browser with who signs out, though there is no session', async () => {
      const token = await acquire('alice')
      const gone = 'X-Authentication-Token=; Path=/; Max-Age=0; HttpOnly; Secure'
      const left = await get('logout', { cookie: `X-Authentication-Token=${token}` })
      assert.deepEqual([left.status, left.headers.get('location')], [302, `${server.url}login.jsp`])
      assert.deepEqual(left.headers.getSetCookie(), [gone])
      // What the parameter set before does not stay either.
      assert.equal((await get(`logout?token=${token}`)).headers.getSetCookie().at(-1), gone)
      // The token is not revoked: programs have it, too.
      assert.equal((await byHeader(token)).status, 200)
    })

    test('alone count where their header is sent to a path outside of the API', async () => {
      const token = await acquire('alice')
      assert.equal((await byHeader(token, 'json/cmis')).status, 200)
      const answer = await get('json/cmis', {
        'x-authentication-token': 'unknown',
        authorization: `Basic ${Buffer.from('alice:alice').toString('base64')}`,
      })
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, null])
    })

    for (const [what, token] of Object.entries({
      unknown: '00000000-0000-4000-8000-000000000000',
      empty: '',
      'full of signs': "' OR 1=1 --",
      huge: 'x'.repeat(8_000),
    })) {
      test(`that are ${what} let nobody in`, async () => {
        assert.equal((await byHeader(token)).status, 401)
        assert.equal((await get(`api/v1/me?token=${encodeURIComponent(token)}`)).status, 401)
      })
    }
    test('beyond what a head may hold are refused before anybody looks', async () => {
      assert.equal((await byHeader('x'.repeat(100_000))).status, 431)
    })

    test('are listed to their owner alone, newest first', async () => {
      const first = await acquire('dave', { applicationName: 'One', deviceId: 'a', permission: 'r' })
      const second = await acquire('dave', { applicationName: 'Two', deviceId: 'b', deviceDescription: 'phone' })
      const { status, body } = await server.as('dave').get('/token')
      assert.equal(status, 200)
      assert.equal(body['entity-type'], 'tokens')
      assert.deepEqual(
        body.entries.map(({ creationDate, ...entry }: { creationDate: string }) => entry),
        [
          { application: 'Two', deviceId: 'b', deviceDescription: 'phone', permission: 'rw', id: second },
          { application: 'One', deviceId: 'a', deviceDescription: null, permission: 'r', id: first },
        ].map((entry) => ({ 'entity-type': 'token', username: 'dave', ...entry })),
      )
      for (const { creationDate } of body.entries) assert.match(creationDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const filtered = (await server.as('dave').get('/token?application=One')).body.entries
      assert.deepEqual(
        filtered.map(({ id }: { id: string }) => id),
        [first],
      )
      assert.deepEqual((await server.as('erin').get('/token')).body, { 'entity-type': 'tokens', entries: [] })
    })

    test('are given over REST as bare text, and need every parameter', async () => {
      const query = 'application=Mail&deviceId=x&permission=rw&deviceDescription=desk'
      const made = await server.as('erin').post(`/token?${query}`)
      assert.deepEqual([made.status, uuid.test(made.text)], [201, true])
      told.add(made.text)
      const again = await server.as('erin').post(`/token?${query}`, undefined, { accept: 'application/json' })
      assert.deepEqual([again.status, again.text], [201, made.text])
      assert.equal(await acquire('erin', { applicationName: 'Mail', deviceId: 'x' }), made.text)
      for (const missing of ['application', 'deviceId', 'permission']) {
        const parameters = new URLSearchParams(query)
        parameters.delete(missing)
        const answer = await server.as('erin').post(`/token?${parameters}`)
        assertRefused(answer, 400, `The parameter ${missing} is missing or empty. Send it.`)
      }
    })

    test('are revoked over REST by their owner and by administrators, and by nobody else', async () => {
      const token = await acquire('erin', { deviceId: 'rest' })
      assert.equal((await server.as('dave').delete(`/token/${token}`)).status, 204)
      assert.equal((await byHeader(token)).status, 200)
      assert.equal((await server.as('erin').delete(`/token/${token}`)).status, 204)
      assert.equal((await byHeader(token)).status, 401)
      assert.equal((await server.as('erin').delete(`/token/${token}`)).status, 204)
      const other = await acquire('erin', { deviceId: 'rest' })
      assert.equal((await server.as('Administrator').delete(`/token/${other}`)).status, 204)
      assert.equal((await byHeader(other)).status, 401)
      assert.equal((await server.as('erin').delete(`/token/${encodeURIComponent("' OR 1=1")}`)).status, 204)
    })

    test('are stored as digests that administrators alone see, and that let nobody in', async () => {
      const token = await acquire('erin', { deviceId: 'stored' })
      const path = '/directory/authTokens'
      const { body } = await server.as('Administrator').get(`${path}?pageSize=200`)
      const entry = body.entries.find(({ properties }: { properties: { deviceId: string } }) => properties.deviceId === 'stored')
      assert.match(entry.properties.token, /^[\da-f]{64}$/)
      assert.deepEqual(Object.keys(entry.properties).toSorted(), [
        'applicationName',
        'creationDate',
        'deviceDescription',
        'deviceId',
        'permission',
        'token',
        'userName',
      ])
      assert.ok(!JSON.stringify(body).includes(token))
      assert.equal((await byHeader(entry.properties.token)).status, 401)
      assert.deepEqual((await server.as('erin').get(path)).body.entries ?? [], [])
      assert.equal((await server.as('erin').get(`${path}/${entry.properties.token}`)).status, 404)
      assert.equal((await server.as('Administrator').delete(`${path}/${entry.properties.token}`)).status, 204)
      assert.equal((await byHeader(token)).status, 401)
    })

    test('stay valid when the password changes, and follow the groups of their user', async () => {
      const token = await acquire('erin', { deviceId: 'rights' })
      const isAdministrator = async () => ((await (await byHeader(token)).json()) as { isAdministrator: boolean }).isAdministrator
      assert.equal(await isAdministrator(), false)
      await server.as('Administrator').post('/user/erin/group/administrators')
      assert.equal(await isAdministrator(), true)
      await server.as('Administrator').delete('/user/erin/group/administrators')
      assert.equal(await isAdministrator(), false)
    })

    test('go with their user, and the next one of the name gets none of them', async () => {
      const token = await acquire('frank')
      await server.as('Administrator').delete('/user/frank')
      assert.equal((await byHeader(token)).status, 401)
      const user = { 'entity-type': 'user', properties: { username: 'frank', password: 'frank' } }
      assert.equal((await server.as('Administrator').post('/user', user)).status, 201)
      assert.equal((await byHeader(token)).status, 401)
      assert.deepEqual((await server.as('frank').get('/token')).body.entries, [])
    })

    test('of a user that is in no directory let nobody in', async () => {
      const token = await acquire('dave', { deviceId: 'left' })
      await server.asSystem(async ({ tx }) => void (await tx.directories.remove('userDirectory', 'dave')))
      assert.equal((await byHeader(token)).status, 401)
    })

    test('stand in no line of the log, whatever was done with them', async () => {
      const token = await acquire('erin', { deviceId: 'logged' })
      await get(`nowhere?token=${token}`)
      await get(`api/v1/id/no-such-id?token=${token}`, { 'x-authentication-token': token })
      await server.as('erin').delete(`/token/${token}`)
      assert.ok(lines.length > 20 && told.size > 10)
      const leaking = lines.filter((line) => [...told].some((one) => line.includes(one)))
      assert.deepEqual(leaking, [])
    })
  },
  { log },
)
