import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aChange, assertRefused, aUser } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

const megabyte = 'x'.repeat(1_000_000)

onEachServer('hostile input about users', (server) => {
  const administrator = () => server.as('Administrator')
  const countUsers = () => server.asSystem(async ({ tx }) => (await tx.directories.list('userDirectory')).length)
  before(() => server.addUser('target', ['members']))

  describe('a name that is refused, so that nothing is stored:', () => {
    const rows: readonly [what: string, name: string, message: RegExp][] = [
      ['with a NUL', 'a\0b', /control character/],
      ['with a line feed', 'a\nb', /control character/],
      ['with a tab', 'a\tb', /control character/],
      ['with an escape', 'a\u001b[31mb', /control character/],
      ['with a delete', 'a\u007fb', /control character/],
      ['with a C1 control', 'a\u0085b', /control character/],
      ['with a zero-width space', 'ad\u200bmin', /cannot be seen/],
      ['with a turned direction', 'a\u202egnp', /cannot be seen/],
      ['with half a surrogate pair', 'a\ud800b', /control character/],
      ['of a megabyte', megabyte, /at most/],
      ['of 401 characters', 'x'.repeat(401), /at most 400/],
      ['that is a dot', '.', /\. or \.\./],
      ['that is two dots', '..', /\. or \.\./],
      ['that climbs', '../../etc/passwd', /\. or \.\./],
      ['that stays', 'a/./b', /\. or \.\./],
      ['that an adapter begins with', 'a/@acl', /@/],
      ['that stands for all', 'Everyone', /stands for all users/],
      ['of the server', 'system', /is the server itself/],
      ['of an address', 'search', /searched/],
      ['of somebody without an account', 'transient/abc', /without an account/],
    ]
    for (const [what, name, message] of rows) {
      test(what, async () => {
        const before = await countUsers()
        const answer = await administrator().post('/user', aUser(name))
        assertRefused(answer, 400, message)
        assert.ok(answer.text.length < 1_000, 'the answer does not repeat it all')
        assert.equal(await countUsers(), before)
      })
    }

    test('of an invited address is taken', async () => {
      assertRefused(await administrator().post('/user', aUser('transient/ann@x.org')), 409, 'User already exists')
    })
  })

  test('names of 400 characters and of any script can be used', async () => {
    for (const name of [
      'y'.repeat(400),
      '李'.repeat(400),
      '🙂'.repeat(200),
      '李小龙',
      'Ζωή',
      "Robert'); DROP TABLE users;--",
      '<b>&amp;',
      '100%',
      '{}',
    ]) {
      const created = await administrator().post('/user', aUser(name, { firstName: name, lastName: name }))
      assert.equal(created.status, 201, created.text)
      const path = `/user/${encodeURIComponent(name)}`
      assert.deepEqual((await administrator().get(path)).body.properties.firstName, name)
      assert.equal((await administrator().get(`/user/search?q=${encodeURIComponent(name)}`)).body.resultsCount, 1, name)
      assert.equal((await administrator().delete(path)).status, 204)
    }
  })

  describe('a property that is refused:', () => {
    const rows: readonly [what: string, properties: object, message: RegExp][] = [
      ['a megabyte', { company: megabyte }, /property company has 1000000 characters. Use at most 1000/],
      ['a password of a megabyte', { password: megabyte }, /property password has 1000000 characters/],
      ['a NUL', { firstName: 'a\0' }, /property firstName holds control characters/],
      ['half a surrogate pair', { lastName: '\udc00' }, /property lastName/],
      ['an object', { firstName: { $gt: '' } }, /firstName/],
      ['a list', { firstName: ['a', 'b'] }, /firstName/],
      ['an object as password', { password: { a: 1 } }, /password/],
      ['groups that are a text', { groups: 'members' }, /groups/],
      ['groups that are an object', { groups: { 0: 'members' } }, /groups/],
      ['groups that are a number', { groups: 7 }, /groups/],
      ['a group that is an object', { groups: [{ name: 'members' }] }, /groups\/0/],
      ['a group that is nothing', { groups: ['members', null] }, /groups\/1/],
      ['a group that is blank', { groups: ['members', ' '] }, /groups\/1/],
      ['another schema', { 'user:firstName': 'x' }, /no property user:firstName/],
      ['an empty name', { '': 'x' }, /no property /],
      ['constructor', { constructor: 'x' }, /no property constructor/],
    ]
    for (const [what, properties, message] of rows) {
      test(`${what}, when a user is made and when it is changed`, async () => {
        const before = await countUsers()
        assertRefused(await administrator().post('/user', aUser('never', properties)), 400, message)
        assert.equal(await countUsers(), before)
        const stored = (await administrator().get('/user/target')).body
        assertRefused(await administrator().put('/user/target', aChange(properties)), 400, message)
        assert.deepEqual((await administrator().get('/user/target')).body, stored)
      })
    }

    test('a group with a NUL or of a megabyte, which cannot exist', async () => {
      assertRefused(await administrator().post('/user', aUser('never', { groups: ['a\0'] })), 403, /^group does not exist: a/)
      const long = await administrator().post('/user', aUser('never', { groups: [megabyte] }))
      assertRefused(long, 403, /^group does not exist: x{100}…$/)
    })

    test('two names of a megabyte', async () => {
      const answer = await administrator().post('/user', { ...aUser('never'), id: megabyte })
      assertRefused(answer, 400, /name two users/)
      assert.ok(answer.text.length < 1_000)
      assert.ok((await administrator().put('/user/target', { ...aChange({}), id: megabyte })).text.length < 1_000)
    })

    test('a key that would change objects', async () => {
      const body = '{"entity-type":"user","properties":{"username":"never","__proto__":{"isAdministrator":true}}}'
      assertRefused(await administrator().post('/user', body), 400, /__proto__/)
    })

    test('properties that are no object', async () => {
      for (const properties of [[], 'text', 7, true]) {
        assertRefused(await administrator().post('/user', { 'entity-type': 'user', id: 'never', properties }), 400, /properties/)
      }
    })
  })

  describe('an address', () => {
    const notFound = [
      '/user/a%00b',
      '/user/%ED%A0%80',
      `/user/${'x'.repeat(4_000)}`,
      '/user/%2E%2E%2Fetc',
      '/user/a%0Ab',
      '/user/%27%20OR%201=1',
    ]
    for (const path of notFound) {
      test(`${path.slice(0, 40)} leads to nobody`, async () => {
        const { status } = await administrator().get(path)
        assert.equal(status, 404)
        assert.equal((await administrator().delete(path)).status, status)
        assert.equal((await administrator().put(path, aChange({}))).status, status)
      })
    }

    test('that nobody can decode is refused', async () => {
      assert.equal((await administrator().get('/user/%zz')).status, 400)
    })
  })

  describe('a search term', () => {
    const terms = [
      '\0',
      '%',
      '_',
      '%%%%%%%%%%',
      `${'%_'.repeat(200)}x`,
      '\\',
      '"',
      "'",
      '*%',
      'x'.repeat(3_000),
      '\ud800',
      '(',
      '[a-z]+$',
    ]
    for (const term of terms) {
      test(`${JSON.stringify(term).slice(0, 30)} is answered`, async () => {
        const encoded = term === '\ud800' ? '%ED%A0%80' : encodeURIComponent(term)
        const { status, body } = await administrator().get(`/user/search?q=${encoded}`)
        assert.deepEqual([status, body.hasError], [200, false])
      })
    }
  })

  test('credentials of any kind are refused and not more', async () => {
    const tried = [
      'system:system',
      'transient/ann@x.org:x',
      'a\0b:x',
      `${'x'.repeat(5_000)}:x`,
      '\ud800:x',
      'target:',
      ':',
      'target',
    ]
    for (const credentials of tried) {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
      const { status } = await administrator().call('GET', 'api/v1/me', { headers: { authorization } })
      assert.equal(status, 401, credentials.slice(0, 20))
    }
  })
})
