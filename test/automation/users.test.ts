import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { optional, required } from '../../src/automation/parameter.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused, aUser, statusOfSignIn } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

/** What is for administrators can be made part of something that is for all. */
const chains = definePlugin({
  name: 'test-people-chains',
  chains: [
    defineChain({
      id: 'makeUser',
      params: { username: required('string'), firstName: optional('string'), groups: optional('stringlist') },
      steps: [{ operation: 'User.CreateOrUpdate' }],
    }),
  ],
})

onEachServer(
  'operations on users',
  (server) => {
    const call = operationsOn(server)
    const asBob = operationsOn(server, 'bob')
    const administrator = () => server.as('Administrator')

    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('keeper', ['powerusers'])
      const people = [
        ['jdoe', 'Jane', 'Doe', { email: 'jd@acme.test', company: 'ACME', groups: ['members'] }],
        ['janet', 'Janet', 'Roe', { tenantId: 'north' }],
        ['roe', 'Max', 'Janner', {}],
      ] as const
      for (const [name, firstName, lastName, more] of people) {
        requireStatus(201, await administrator().post('/user', aUser(name, { firstName, lastName, ...more })))
      }
    })

    const readUser = async (name: string): Promise<Answered> => requireStatus(200, await administrator().get(`/user/${name}`))

    describe('User.Get', () => {
      test('gives the caller as a document with the user schema and without a password', async () => {
        const answer = requireStatus(200, await operationsOn(server, 'bob')('User.Get'))
        assert.deepEqual([answer['entity-type'], answer.type, answer.uid, answer.title], ['document', 'user', 'bob', 'bob'])
        assert.deepEqual(answer.schemas, [{ name: 'user', prefix: 'user' }])
        assert.equal(answer.properties['user:username'], 'bob')
        assert.deepEqual(answer.properties['user:groups'], ['members'])
        assert.ok(!('user:password' in answer.properties))
      })

      test('gives another user to whoever looks after users, also under its other name', async () => {
        for (const [user, id] of [
          ['Administrator', 'User.Get'],
          ['keeper', 'PlatformPrincipal.Get'],
        ] as const) {
          const { properties } = requireStatus(200, await operationsOn(server, user)(id, { params: { login: 'jdoe' } }))
          assert.deepEqual(
            ['firstName', 'lastName', 'email', 'company', 'groups', 'tenantId'].map((field) => properties[`user:${field}`]),
            ['Jane', 'Doe', 'jd@acme.test', 'ACME', ['members'], null],
          )
        }
      })

      test('gives the caller also when that is who is asked for', async () => {
        assert.equal(requireStatus(200, await asBob('User.Get', { params: { login: 'bob' } })).uid, 'bob')
      })

      test('refuses another user to others, and one that there is not to everybody', async () => {
        assertRefused(await asBob('User.Get', { params: { login: 'jdoe' } }), 403, /User is not allowed to edit users$/)
        assertRefused(await call('User.Get', { params: { login: 'nobody' } }), 404, /user does not exist$/)
      })
    })

    describe('User.Query', () => {
      const namesFor = async (params: object) =>
        requireStatus(200, await asBob('User.Query', { params })).users.map(({ username }: Answered) => username)

      test('gives users with what is known of them', async () => {
        const { users } = requireStatus(200, await asBob('User.Query', { params: { username: 'jdo' } }))
        assert.deepEqual(users, [
          { username: 'jdoe', firstName: 'Jane', lastName: 'Doe', email: 'jd@acme.test', company: 'ACME' },
        ])
      })

      for (const [what, params, names] of [
        ['the beginning of the user name in any case', { username: 'JA' }, ['janet']],
        ['the beginning of the first name', { firstName: 'jane' }, ['janet', 'jdoe']],
        ['the beginning of the last name', { lastName: 'jan' }, ['roe']],
        ['several of them at once', { firstName: 'jane', lastName: 'doe' }, ['jdoe']],
        ['a pattern for any of the three', { pattern: 'jan' }, ['janet', 'jdoe', 'roe']],
        ['a pattern and more', { pattern: 'jan', lastName: 'r' }, ['janet']],
        ['a tenant', { tenantId: 'north' }, ['janet']],
        ['what nobody has', { username: 'nobody' }, []],
        ['nothing, blanks being nothing', { username: ' ' }, ['Administrator', 'bob', 'janet', 'jdoe', 'keeper', 'roe']],
      ] as const) {
        test(`finds users by ${what}`, async () => assert.deepEqual(await namesFor(params), names))
      }

      test('is known under its other name', async () => {
        assert.equal(requireStatus(200, await asBob('Services.QueryUsers', { params: { username: 'jdoe' } })).users.length, 1)
      })

      test('is refused with what is no text', async () => {
        assertRefused(await asBob('User.Query', { params: { username: {} } }), 400, /'username'/)
      })
    })

    describe('User.CreateOrUpdate', () => {
      const write = (params: object) => call('User.CreateOrUpdate', { params })

      test('makes one user for many who ask for it at the same time, and changes it for the others', async () => {
        const names = ['a', 'b', 'c', 'd', 'e', 'f']
        const answers = await Promise.all(names.map((firstName) => write({ username: 'crowd', firstName })))
        for (const { status, text } of answers) assert.deepEqual([status, text], [204, ''])
        assert.ok(names.includes((await readUser('crowd')).properties.firstName))
        const created = await Promise.all(names.map(() => write({ username: 'once', mode: 'create' })))
        assert.deepEqual(created.map(({ status }) => status).toSorted(), [204, 409, 409, 409, 409, 409])
      })

      test('makes a user who can sign in', async () => {
        const params = {
          username: 'new1',
          password: 'secret',
          email: 'new@acme.test',
          firstName: 'New',
          lastName: ' ',
          groups: ['members'],
          properties: { 'user:company': 'ACME', tenantId: 'south' },
        }
        const answer = await write(params)
        assert.deepEqual([answer.status, answer.text], [204, ''])
        const { properties } = await readUser('new1')
        assert.deepEqual(
          [
            properties.email,
            properties.firstName,
            properties.lastName,
            properties.company,
            properties.tenantId,
            properties.groups,
          ],
          ['new@acme.test', 'New', null, 'ACME', 'south', ['members']],
        )
        assert.equal(await statusOfSignIn(server, 'new1', 'secret'), 200)
      })

      test('changes what is given of a user and leaves the rest, blanks included', async () => {
        await write({ username: 'new2', password: 'one', firstName: 'First', lastName: 'Last', groups: ['members'] })
        assert.equal((await write({ username: 'new2', firstName: 'Other', lastName: '', password: ' ' })).status, 204)
        const { properties } = await readUser('new2')
        assert.deepEqual([properties.firstName, properties.lastName, properties.groups], ['Other', 'Last', ['members']])
        assert.equal(await statusOfSignIn(server, 'new2', 'one'), 200)
        await write({ username: 'new2', password: 'two', mode: 'update' })
        assert.equal(await statusOfSignIn(server, 'new2', 'one'), 401)
        assert.equal(await statusOfSignIn(server, 'new2', 'two'), 200)
      })

      test('takes properties as lines of text, and is known under its other name', async () => {
        const params = { username: 'new3', mode: 'create', properties: 'user:firstName=A\nlastName=B' }
        assert.equal((await call('Services.CreateUser', { params })).status, 204)
        const { properties } = await readUser('new3')
        assert.deepEqual([properties.firstName, properties.lastName], ['A', 'B'])
      })

      for (const [why, params, status, message] of [
        ['to make a user that there is', { username: 'jdoe', mode: 'create' }, 409, /Cannot create already-existing user: jdoe$/],
        [
          'to change a user that there is not',
          { username: 'nobody', mode: 'update' },
          404,
          /Cannot update non-existent user: nobody$/,
        ],
        ['without a name', {}, 400, /'username'/],
        ['with a blank name', { username: ' ' }, 400, /User MUST have a name$/],
        ['in a mode that there is not', { username: 'x1', mode: 'upsert' }, 400, /There is no mode upsert/],
        ['with a property that users do not have', { username: 'x2', properties: { shoe: '9' } }, 400, /no property shoe/],
        ['in a group that there is not', { username: 'x3', groups: ['nowhere'] }, 403, /group does not exist: nowhere$/],
        ['with an e-mail address that is none', { username: 'x4', email: 'x' }, 400, /email/],
      ] as const) {
        test(`is refused ${why} with ${status}`, async () => assertRefused(await write(params), status, message))
      }

      test('is hidden from whoever is no administrator, power users included', async () => {
        for (const user of ['bob', 'keeper']) {
          const answer = await operationsOn(server, user)('User.CreateOrUpdate', { params: { username: 'sneaked' } })
          assert.equal(answer.status, 404)
        }
        assert.equal((await administrator().get('/user/sneaked')).status, 404)
      })

      test('in a chain keeps to those who look after users, and these away from administrators', async () => {
        const make = (user: string, params: object) => operationsOn(server, user)('makeUser', { params })
        assertRefused(await make('bob', { username: 'y1' }), 403, /User is not allowed to create or edit users$/)
        assertRefused(
          await make('keeper', { username: 'Administrator', firstName: 'Me' }),
          403,
          /User is not allowed to edit users$/,
        )
        assertRefused(await make('keeper', { username: 'y2', groups: ['administrators'] }), 403, /Cannot create artifact$/)
        assert.equal((await make('keeper', { username: 'y3', groups: ['members'] })).status, 204)
        // What the chain has not declared is not the caller's to say.
        assert.equal((await make('keeper', { username: 'y4', email: 'y4@example.test' })).status, 204)
        assert.equal((await administrator().get('/user/y4')).body.properties.email, null)
        assert.equal((await administrator().get('/user/y2')).status, 404)
      })
    })
  },
  { plugins: [chains] },
)

onEachServer(
  'a search of users with a limit',
  (server) => {
    test('User.Query asks for more of the name when there are too many', async () => {
      for (const name of ['ann', 'anna']) await server.addUser(name)
      const call = operationsOn(server, 'ann')
      assertRefused(await call('User.Query', { params: { pattern: 'a' } }), 400, /More than 2 users match/)
      assert.equal(requireStatus(200, await call('User.Query', { params: { pattern: 'ann' } })).users.length, 2)
    })
  },
  { settings: { userSearchLimit: 2 } },
)
