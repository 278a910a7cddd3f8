import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { userDirectory } from '../../src/core/directories/people.ts'
import { aChange, assertRefused, aUser, callWith, statusOfSignIn } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('changing one’s password', (server) => {
  const change = (name: string, oldPassword: unknown, newPassword: unknown) =>
    callWith(server, name, name, 'PUT', '/me/changepassword', { oldPassword, newPassword })

  test('3.6 answers the user, and the old one stops working at once', async () => {
    await server.addUser('ann', ['members'])
    const me = (await server.as('ann').get('/me')).body
    const answer = await change('ann', 'ann', 'much better')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, me)
    assert.equal(await statusOfSignIn(server, 'ann', 'ann'), 401)
    assert.equal(await statusOfSignIn(server, 'ann', 'much better'), 200)
  })

  test('3.6 with a wrong old one answers 401 without a challenge', async () => {
    await server.addUser('ben')
    const answer = await change('ben', 'wrong', 'much better')
    assertRefused(answer, 401, /password/)
    assert.equal(answer.headers.get('www-authenticate'), null)
    assert.equal(await statusOfSignIn(server, 'ben', 'ben'), 200)
    assert.equal(await statusOfSignIn(server, 'ben', 'much better'), 401)
  })

  test('3.6 needs both passwords', async () => {
    await server.addUser('cleo')
    const refusals: readonly [body: unknown, message: RegExp][] = [
      [{ newPassword: 'x' }, /oldPassword/],
      [{ oldPassword: 'cleo' }, /newPassword/],
      [{ oldPassword: 'cleo', newPassword: '' }, /newPassword/],
      [{ oldPassword: 'cleo', newPassword: '  ' }, /newPassword/],
      [{ oldPassword: 'cleo', newPassword: null }, /newPassword/],
      [{ oldPassword: 'cleo', newPassword: { $ne: 1 } }, /newPassword/],
      [{ oldPassword: ['cleo'], newPassword: 'x' }, /oldPassword/],
      [{}, /oldPassword/],
      [[], /object/],
    ]
    for (const [body, message] of refusals) {
      assertRefused(await server.as('cleo').put('/me/changepassword', body), 400, message)
    }
    assertRefused(await server.as('cleo').put('/me/changepassword', '{"oldPassword":'), 400, /JSON/)
    assertRefused(await server.as('cleo').put('/me/changepassword'), 400, /object/)
    assert.equal(await statusOfSignIn(server, 'cleo', 'cleo'), 200)
  })

  test('3.6 changes nothing else', async () => {
    await server.as('Administrator').post('/user', aUser('dora', { firstName: 'Dora', groups: ['members'], password: 'dora' }))
    const { status, body } = await change('dora', 'dora', 'next')
    assert.deepEqual([status, body.properties.firstName, body.properties.groups], [200, 'Dora', ['members']])
    assert.deepEqual((await server.as('Administrator').get('/user/search?q=dora')).body.resultsCount, 1)
  })

  test('3.6 takes any text, also with signs that mean something elsewhere', async () => {
    await server.addUser('eve')
    let current = 'eve'
    for (const password of ['a:b', 'пароль', '🔑 "\\', '{ARGON2ID}x', "'; DROP TABLE users", 'x'.repeat(500)]) {
      const answer = await callWith(server, 'eve', current, 'PUT', '/me/changepassword', {
        oldPassword: current,
        newPassword: password,
      })
      assert.equal(answer.status, 200, password)
      assert.equal(await statusOfSignIn(server, 'eve', password), 200, password)
      current = password
    }
  })

  test('3.6 in two places at once changes it in one of them', async () => {
    await server.addUser('fay')
    const answers = await Promise.all(['one', 'two', 'three'].map((password) => change('fay', 'fay', password)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
    const [changed] = ['one', 'two', 'three'].filter((_, index) => answers[index]?.status === 200)
    assert.equal(await statusOfSignIn(server, 'fay', changed ?? ''), 200)
    assert.equal(await statusOfSignIn(server, 'fay', 'fay'), 401)
  })
})

onEachServer(
  'where passwords have a pattern',
  (server) => {
    const refusal = "The password doesn't meet requirements"

    test('3.6 a new user needs one with a match in it, and nothing is stored without', async () => {
      assertRefused(await server.as('Administrator').post('/user', aUser('gil', { password: 'short' })), 400, refusal)
      assertRefused(await server.as('Administrator').get('/user/gil'), 404, 'user does not exist')
      const found = aUser('gil', { password: 'long enough 7, and it may stand anywhere' })
      assert.equal((await server.as('Administrator').post('/user', found)).status, 201)
    })

    test('3.6 a user without a password is not held to it', async () => {
      assert.equal((await server.as('Administrator').post('/user', aUser('hal'))).status, 201)
      assert.equal((await server.as('Administrator').post('/user', aUser('ida', { password: ' ' }))).status, 201)
      assert.equal((await server.as('Administrator').put('/user/hal', aChange({ password: '' }))).status, 200)
    })

    test('3.2 the duplicate, the name and the groups come before it', async () => {
      const create = (name: string, more: object = {}) =>
        server.as('Administrator').post('/user', aUser(name, { password: 'x', ...more }))
      assertRefused(await create('Administrator'), 409, 'User already exists')
      assertRefused(await create(''), 400, 'User MUST have a name')
      assertRefused(await create('kim', { groups: ['nosuch'] }), 403, 'group does not exist: nosuch')
    })

    test('3.6 a changed one needs it too, and nothing else changes without', async () => {
      await server.addUser('jo')
      const sent = aChange({ firstName: 'Jo', password: 'short' })
      assertRefused(await server.as('Administrator').put('/user/jo', sent), 400, refusal)
      assert.equal((await server.as('Administrator').get('/user/jo')).body.properties.firstName, null)
      const own = (newPassword: string) => server.as('jo').put('/me/changepassword', { oldPassword: 'jo', newPassword })
      assertRefused(await own('short'), 400, refusal)
      assert.equal(await statusOfSignIn(server, 'jo', 'jo'), 200)
      assert.equal((await own('long enough 7')).status, 200)
    })

    test('3.6 a wrong old one is told before that the new one is bad', async () => {
      await server.addUser('lee')
      const answer = await server.as('lee').put('/me/changepassword', { oldPassword: 'wrong', newPassword: 'short' })
      assert.equal(answer.status, 401)
    })
  },
  { settings: { userPasswordPattern: '[a-z ]{8,}\\d' } },
)

onEachServer(
  'where passwords have a pattern that is not checked',
  (server) => {
    test('3.6 any is good', async () => {
      assert.equal((await server.as('Administrator').post('/user', aUser('max', { password: 'x' }))).status, 201)
      assert.equal(await statusOfSignIn(server, 'max', 'x'), 200)
    })
  },
  { settings: { userPasswordPattern: '^.{20,}$', usermanagerCheckPassword: false } },
)

onEachServer('a stored password', (server) => {
  const storedPassword = (name: string) =>
    server.asSystem(async ({ tx }) => (await tx.directories.find(userDirectory, name))?.values['password'])

  test('3.2 is a salted hash, another one for each user', async () => {
    for (const name of ['ann', 'ben']) await server.as('Administrator').post('/user', aUser(name, { password: 'the same' }))
    const [one, other] = [String(await storedPassword('ann')), String(await storedPassword('ben'))]
    assert.match(one, /^\{ARGON2ID\}/)
    assert.notEqual(one, other)
    assert.ok(!one.includes('the same'))
  })

  describe('3.2 in the format of an older server', () => {
    for (const [format, algorithm] of Object.entries({ SSHA: 'sha1', SMD5: 'md5' })) {
      test(`${format} lets its user in and is changed like others`, async () => {
        const name = `old-${format}`
        const salt = Buffer.from('saltsalt')
        const digest = createHash(algorithm).update('legacy').update(salt).digest()
        const password = `{${format}}${Buffer.concat([digest, salt]).toString('base64')}`
        await server.addUser(name)
        await server.asSystem(({ tx }) =>
          tx.directories.update(userDirectory, { id: name, values: { username: name, password } }),
        )
        assert.equal(await statusOfSignIn(server, name, 'legacy'), 200)
        assert.equal(await statusOfSignIn(server, name, name), 401)
        const sent = { oldPassword: 'legacy', newPassword: 'modern' }
        assert.equal((await callWith(server, name, 'legacy', 'PUT', '/me/changepassword', sent)).status, 200)
        assert.match(String(await storedPassword(name)), /^\{ARGON2ID\}/)
        assert.equal(await statusOfSignIn(server, name, 'modern'), 200)
      })
    }
  })

  test('3.2 that a client sends in such a format is a password like any other', async () => {
    const sent = '{SSHA}Dcj0seZckXzYhmLiIImluoAZkpEBAgMEBQYHCA=='
    await server.as('Administrator').post('/user', aUser('sly', { password: sent }))
    assert.equal(await statusOfSignIn(server, 'sly', 'pa55w0rd'), 401)
    assert.equal(await statusOfSignIn(server, 'sly', sent), 200)
  })
})
