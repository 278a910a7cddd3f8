import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aChange, addGroup, assertRefused, aUser, statusOfSignIn } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

const refusals = { create: 'Cannot create artifact', edit: 'User is not allowed to edit users' }

onEachServer(
  'a power user',
  (server) => {
    const power = () => server.as('power')
    const administrator = () => server.as('Administrator')

    before(async () => {
      await addGroup(server, 'crew', { label: 'Crew' })
      // administrators > leads > captains, and rulers is another group of administrators
      await addGroup(server, 'captains')
      await addGroup(server, 'leads', { groups: ['captains'] })
      await server.asSystem(({ tx }) => tx.directories.addTarget('subGroups', 'administrators', 'leads'))
      await addGroup(server, 'rulers')
      await server.addUser('power', ['powerusers'])
      await server.addUser('captain', ['captains'])
      await server.addUser('ruler', ['rulers'])
      await server.addUser('chosen')
      await server.addUser('plain', ['members'])
    })

    const above = ['administrators', 'leads', 'captains', 'rulers']
    const chiefs = ['Administrator', 'captain', 'ruler', 'chosen']

    describe('3.7 may', () => {
      test('create users, in groups that are no administrators', async () => {
        const sent = aUser('made', { password: 'made', groups: ['members', 'crew', 'powerusers'] })
        const { status, body } = await power().post('/user', sent)
        assert.deepEqual([status, body.properties.groups], [201, ['crew', 'members', 'powerusers']])
        assert.equal(await statusOfSignIn(server, 'made', 'made'), 200)
      })

      test('change users, their groups and their passwords', async () => {
        await server.addUser('changing', ['members'])
        const sent = aChange({ firstName: 'Eva', groups: ['crew'], password: 'fresh' })
        const { status, body } = await power().put('/user/changing', sent)
        assert.deepEqual([status, body.properties.firstName, body.properties.groups], [200, 'Eva', ['crew']])
        assert.equal(await statusOfSignIn(server, 'changing', 'fresh'), 200)
      })

      test('change and delete other power users', async () => {
        await server.addUser('other', ['powerusers'])
        assert.equal((await power().put('/user/other', aChange({ firstName: 'Eva' }))).status, 200)
        assert.equal((await power().delete('/user/other')).status, 204)
      })

      test('be so through a group inside the power users', async () => {
        await addGroup(server, 'helpdesk', { users: ['plain'] })
        await server.asSystem(({ tx }) => tx.directories.addTarget('subGroups', 'powerusers', 'helpdesk'))
        assert.equal((await server.as('plain').post('/user', aUser('helped'))).status, 201)
        await server.asSystem(({ tx }) => tx.directories.removeTarget('subGroups', 'powerusers', 'helpdesk'))
        assertRefused(await server.as('plain').post('/user', aUser('unhelped')), 403, refusals.create)
      })
    })

    describe('3.7 may not', () => {
      for (const group of above) {
        test(`create a member of ${group}`, async () => {
          assertRefused(await power().post('/user', aUser('climber', { groups: ['members', group] })), 403, refusals.create)
          assert.equal((await administrator().get('/user/climber')).status, 404)
        })

        test(`make a member of ${group} of a user, nor of themselves`, async () => {
          for (const name of ['plain', 'power']) {
            const sent = aChange({ firstName: 'Climber', groups: [group] })
            assertRefused(await power().put(`/user/${name}`, sent), 403, refusals.edit)
            assert.equal((await administrator().get(`/user/${name}`)).body.properties.firstName, null)
          }
        })
      }

      for (const name of chiefs) {
        test(`change or delete ${name}`, async () => {
          assertRefused(await power().put(`/user/${name}`, aChange({ password: 'mine now' })), 403, refusals.edit)
          assertRefused(await power().put(`/user/${name}`, aChange({ groups: [] })), 403, refusals.edit)
          assertRefused(await power().delete(`/user/${name}`), 403, refusals.edit)
          assert.equal(await statusOfSignIn(server, name, name), 200)
        })
      }

      test('create a user whom the configuration makes an administrator', async () => {
        assertRefused(await power().post('/user', aUser('absent-chief', { password: 'x' })), 403, refusals.create)
        assert.equal((await administrator().get('/user/absent-chief')).status, 404)
      })

      test('create a user whom a group of administrators has listed already', async () => {
        await server.asSystem(({ tx }) => tx.directories.addTarget('members', 'captains', 'expected'))
        assertRefused(await power().post('/user', aUser('expected', { password: 'x' })), 403, refusals.create)
        const { body } = await administrator().post('/user', aUser('expected'))
        assert.equal(body.isAdministrator, true)
      })

      test('take such a user out of that group by creating it without groups', async () => {
        await server.asSystem(({ tx }) => tx.directories.addTarget('members', 'captains', 'promised'))
        assertRefused(await power().post('/user', aUser('promised', { groups: [] })), 403, refusals.create)
        assert.equal((await administrator().post('/user', aUser('promised'))).body.isAdministrator, true)
      })

      test('create a user with the name of a group of administrators, to which rights are granted', async () => {
        assertRefused(await power().post('/user', aUser('administrators')), 403, refusals.create)
        assertRefused(await power().post('/user', aUser('rulers')), 403, refusals.create)
      })

      test('learn more by it: what is refused comes before what is taken or wrong', async () => {
        assertRefused(await power().post('/user', aUser('Administrator')), 403, refusals.create)
        assertRefused(await power().post('/user', aUser('', { groups: ['administrators'] })), 403, refusals.create)
        assertRefused(await power().post('/user', aUser('x', { groups: ['administrators', 'nosuch'] })), 403, refusals.create)
      })
    })

    test('3.7 has the same limits where groups go in a circle', async () => {
      await addGroup(server, 'ring1', { groups: ['ring2'] })
      await addGroup(server, 'ring2', { groups: ['ring1'] })
      assert.equal((await power().post('/user', aUser('ringed', { groups: ['ring1'] }))).status, 201)
      await server.asSystem(({ tx }) => tx.directories.addTarget('subGroups', 'leads', 'ring2'))
      assertRefused(await power().put('/user/ringed', aChange({ firstName: 'Eva' })), 403, refusals.edit)
    })

    test('3.7 is told of groups that do not exist like others', async () => {
      assertRefused(await power().post('/user', aUser('x', { groups: ['nosuch'] })), 403, 'group does not exist: nosuch')
      assertRefused(await power().delete('/user/nobody'), 404, 'user does not exist')
    })
  },
  { settings: { administratorsGroups: ['rulers'], defaultAdministrators: ['Administrator', 'chosen', 'absent-chief'] } },
)
