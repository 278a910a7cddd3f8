import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { addGroup, callWith, statusOfSignIn } from '../support/accounts.ts'
import { browserAt } from '../support/browser-client.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'

const name = 'BreakGlass'
const password = 'a long one that nobody knows'
const enabled = { userEmergencyEnable: true, userEmergencyUsername: name, userEmergencyPassword: password }

onEachServer(
  'the emergency administrator',
  (server) => {
    const administrator = () => server.as('Administrator')
    const call = (method: string, path: string, body?: unknown) => callWith(server, name, password, method, path, body)

    before(async () => {
      await server.addUser('bob', ['members'])
      await addGroup(server, 'staff')
    })

    test('is let in by its password alone, as an administrator', async () => {
      assert.equal(await statusOfSignIn(server, name, password), 200)
      for (const wrong of ['secret', '', name, `${password} `, password.slice(1)])
        assert.equal(await statusOfSignIn(server, name, wrong), 401, wrong)
      const { body } = await call('GET', '/me')
      assert.deepEqual([body.id, body.isAdministrator, body.properties.groups], [name, true, ['administrators']])
      const login = await call('POST', '/automation/login')
      assert.deepEqual([login.body.username, login.body.isAdministrator], [name, true])
      assert.equal((await call('GET', '/management/directories')).status, 200)
    })

    test('works where the directory has no users and no groups', async () => {
      const removed = await server.asSystem(async ({ tx }) => {
        const ids = async (directory: string) => (await tx.directories.list(directory)).map((entry) => entry)
        const kept = { users: await ids('userDirectory'), groups: await ids('groupDirectory') }
        for (const { id } of kept.users) await tx.directories.remove('userDirectory', id)
        for (const { id } of kept.groups) await tx.directories.remove('groupDirectory', id)
        return kept
      })
      try {
        assert.equal(await statusOfSignIn(server, 'Administrator', 'Administrator'), 401)
        assert.equal((await call('GET', '/path/default-domain')).status, 200)
        const made = await call('POST', '/path/', { 'entity-type': 'document', type: 'Domain', name: 'rescue' })
        assert.equal(made.status, 201, made.text)
        assert.deepEqual((await call('GET', '/path/rescue')).status, 200)
      } finally {
        await server.asSystem(async ({ tx }) => {
          for (const user of removed.users) await tx.directories.insert('userDirectory', user)
          for (const group of removed.groups) await tx.directories.insert('groupDirectory', group)
        })
      }
    })

    test('has a session in a browser, which lasts from one request to the next', async () => {
      const client = browserAt(server.url)
      assert.equal((await client.signIn(name, password)).status, 302)
      assert.equal((await client.get('api/v1/me')).status, 200)
    })

    test('is in no list of users and groups, and no address leads to it', async () => {
      for (const path of ['/user/search?q=*', `/user/search?q=${name}`, '/group/search?q=*', '/group/administrators/@users']) {
        const { status, text } = await administrator().get(path)
        assert.equal(status, 200, text)
        assert.equal(text.includes(name), false, path)
      }
      assert.equal((await administrator().get(`/user/${name}`)).status, 404)
      assert.equal((await administrator().delete(`/user/${name}`)).status, 404)
      assert.equal((await administrator().post(`/user/${name}/group/staff`)).status, 404)
      assert.equal((await administrator().get(`/management/memberships?user=${name}`)).status, 404)
      const suggested = await operationsOn(server)('UserGroup.Suggestion', { params: { searchTerm: 'Break' } })
      assert.deepEqual(suggested.body, [])
      const looked = await operationsOn(server)('User.Get', { params: { login: name } })
      assert.equal(looked.status, 404, looked.text)
    })

    test('has a name that nobody else gets', async () => {
      const user = { 'entity-type': 'user', properties: { username: name, password: 'x' } }
      assert.equal((await administrator().post('/user', user)).status, 409)
      const group = { 'entity-type': 'group', groupname: name }
      assert.equal((await administrator().post('/group', group)).status, 409)
    })

    test('is nobody whom others could act for', async () => {
      const acting = await operationsOn(server)('Auth.LoginAs', { params: { name } })
      assert.notEqual(acting.status, 200)
      assert.notEqual((await call('POST', '/token?application=a&deviceId=b&permission=rw')).status, 201)
    })

    test('is named by the audit log', async () => {
      const { body } = await administrator()
        .get('/management/audit?pageSize=50')
        .catch(() => ({ body: undefined }))
      const entries = await operationsOn(server)('Audit.QueryWithPageProvider', {
        params: { providerName: 'EVENTS_VIEW', pageSize: 100 },
      })
      assert.ok(`${JSON.stringify(body)}${entries.text}`.includes(name), entries.text.slice(0, 500))
    })

    test('cannot change its password', async () => {
      const answer = await call('PUT', '/me/changepassword', { oldPassword: password, newPassword: 'other' })
      assert.equal(answer.status, 409, answer.text)
    })

    test('has to wait as others do after wrong guesses', async () => {
      const statuses = new Set<number>()
      for (let guess = 0; guess < 25; guess += 1) statuses.add(await statusOfSignIn(server, name, `wrong ${guess}`))
      assert.deepEqual([...statuses], [401, 429])
    })
  },
  { settings: enabled },
)

onEachServer('a server without an emergency administrator', (server) => {
  test('lets nobody in as MyAdministrator', async () => {
    for (const wrong of ['secret', 'MyAdministrator', 'undefined', 'null'])
      assert.equal(await statusOfSignIn(server, 'MyAdministrator', wrong), 401)
  })
})

describe('a start with an emergency administrator is refused', () => {
  const refusals: Record<string, [settings: object, reason: RegExp]> = {
    'without a password': [
      { userEmergencyPassword: undefined },
      /without a password of its own: set QUIRE_USER_EMERGENCY_PASSWORD/,
    ],
    'with a blank password': [{ userEmergencyPassword: '  ' }, /without a password of its own/],
    'with the password that everybody knows': [{ userEmergencyPassword: 'secret' }, /without a password of its own/],
    'with the name of the first administrator': [{ userEmergencyUsername: 'Administrator' }, /is an administrator already/],
    'with the name of a group': [{ userEmergencyUsername: 'members' }, /there is such a group/],
    'with a name that cannot be sent': [{ userEmergencyUsername: 'a:b' }, /has a colon/],
    'with the name of the server itself': [{ userEmergencyUsername: 'system' }, /has a meaning of its own/],
  }
  for (const [sentence, [settings, reason]] of Object.entries(refusals)) {
    test(sentence, () => assert.rejects(startTestServer({ settings: { ...enabled, ...settings } }), reason))
  }
})
