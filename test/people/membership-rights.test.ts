import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { subGroups } from '../../src/core/directories/people.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { aGroup, createGroup, readGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

const createRefusal = 'Cannot create artifact'
const editRefusal = 'User is not allowed to edit users'
const memberRefusal = 'Cannot edit user'

onEachServer(
  'what a power user may do about groups',
  (server) => {
    const admin = () => server.as('Administrator')
    const paul = () => server.as('paul')

    before(async () => {
      await server.addUser('paul', ['powerusers'])
      for (const name of ['ann', 'bob']) await server.addUser(name)
      await createGroup(admin(), 'crew', { memberUsers: ['ann'] })
      // Ada is an administrator through two groups; the second kind of administrators comes from the configuration.
      await createGroup(admin(), 'inner-circle')
      await createGroup(admin(), 'circle', { memberGroups: ['inner-circle'], parentGroups: ['administrators'] })
      await createGroup(admin(), 'operators')
      await createGroup(admin(), 'night-operators', { parentGroups: ['operators'] })
      await server.addUser('ada', ['inner-circle'])
      await server.addUser('otto', ['night-operators'])
    })

    test('is to create, change and delete a group that has nothing to do with administrators', async () => {
      assert.equal((await paul().post('/group', aGroup('made', { memberUsers: ['ann'], parentGroups: ['crew'] }))).status, 201)
      assert.equal(
        (await paul().put('/group/made', aGroup('made', { grouplabel: 'Made', memberGroups: ['members'] }))).status,
        200,
      )
      assert.equal((await paul().delete('/group/made')).status, 204)
    })

    test('is to change who is in such a group, over either route', async () => {
      assert.equal((await paul().post('/group/crew/user/bob')).status, 201)
      assert.equal((await paul().delete('/user/bob/group/crew')).status, 200)
      assert.equal((await paul().post('/group/powerusers/user/bob')).status, 201)
      assert.equal((await paul().delete('/group/powerusers/user/bob')).status, 200)
    })

    for (const group of ['administrators', 'circle', 'inner-circle', 'operators', 'night-operators']) {
      test(`is not to touch ${group}, which is of the administrators`, async () => {
        const before = await readGroup(admin(), group)
        assertRefused(await paul().put(`/group/${group}`, aGroup(group, { grouplabel: 'Mine' })), 403, editRefusal)
        assertRefused(await paul().put(`/group/${group}`, aGroup(group, { parentGroups: [] })), 403, editRefusal)
        assertRefused(await paul().put(`/group/${group}`, aGroup(group, { memberUsers: ['paul'] })), 403, editRefusal)
        assertRefused(await paul().delete(`/group/${group}`), 403, editRefusal)
        assertRefused(await paul().post(`/group/${group}/user/paul`), 403, memberRefusal)
        assertRefused(await paul().post(`/user/paul/group/${group}`), 403, memberRefusal)
        assertRefused(await paul().delete(`/group/${group}/user/ada`), 403, memberRefusal)
        assert.deepEqual(await readGroup(admin(), group), before)
      })

      test(`is not to make a group part of ${group}, new or old`, async () => {
        assertRefused(await paul().post('/group', aGroup('climber', { parentGroups: [group] })), 403, createRefusal)
        assert.equal((await admin().get('/group/climber')).status, 404)
        assertRefused(await paul().put('/group/crew', aGroup('crew', { parentGroups: ['members', group] })), 403, editRefusal)
        assert.deepEqual((await readGroup(admin(), 'crew')).parentGroups, [])
      })
    }

    for (const user of ['Administrator', 'ada', 'otto']) {
      test(`is not to change the groups of ${user}, who is an administrator`, async () => {
        assertRefused(await paul().post(`/group/crew/user/${user}`), 403, memberRefusal)
        assertRefused(await paul().delete(`/group/crew/user/${user}`), 403, memberRefusal)
        assertRefused(await paul().post(`/user/${user}/group/crew`), 403, memberRefusal)
      })
    }

    for (const user of ['Administrator', 'ada', 'otto', 'vera']) {
      test(`is not to list ${user}, who is an administrator, in a group as a whole either, nor to strike it off`, async () => {
        const among = { memberUsers: ['ann', user] }
        assertRefused(await paul().put('/group/crew', aGroup('crew', among)), 403, editRefusal)
        assertRefused(await paul().post('/group', aGroup('with-chief', among)), 403, createRefusal)
        assert.deepEqual((await readGroup(admin(), 'crew')).memberUsers, ['ann'])
        assert.equal((await admin().get('/group/with-chief')).status, 404)
        await createGroup(admin(), `crew-of-${user}`, among)
        assertRefused(
          await paul().put(`/group/crew-of-${user}`, aGroup(`crew-of-${user}`, { memberUsers: ['ann'] })),
          403,
          editRefusal,
        )
      })
    }

    test('is to change a group that lists an administrator who stays in it', async () => {
      await createGroup(admin(), 'mixed', { memberUsers: ['ada', 'ann'], memberGroups: ['circle'] })
      const sent = aGroup('mixed', { grouplabel: 'Mixed', memberUsers: ['bob', 'ada'], memberGroups: ['members', 'circle'] })
      assert.equal((await paul().put('/group/mixed', sent)).status, 200)
      const { grouplabel, memberUsers, memberGroups } = await readGroup(admin(), 'mixed')
      assert.deepEqual([grouplabel, memberUsers, memberGroups], ['Mixed', ['bob', 'ada'], ['members', 'circle']])
    })

    test('is not to list a group of administrators in another, nor to strike it off', async () => {
      for (const group of ['administrators', 'circle', 'inner-circle', 'night-operators']) {
        assertRefused(await paul().put('/group/crew', aGroup('crew', { memberGroups: [group] })), 403, editRefusal)
        assertRefused(await paul().post('/group', aGroup('below', { memberGroups: [group] })), 403, createRefusal)
      }
      assert.deepEqual((await readGroup(admin(), 'crew')).memberGroups, [])
      await createGroup(admin(), 'around', { memberGroups: ['circle'] })
      assertRefused(await paul().put('/group/around', aGroup('around', { memberGroups: [] })), 403, editRefusal)
    })

    test('is not to create a group that administrators list already, or that is called like one of them', async () => {
      await server.asSystem(({ tx }) => tx.directories.addTarget(subGroups, 'circle', 'to-come'))
      assertRefused(await paul().post('/group', aGroup('to-come', { memberUsers: ['paul'] })), 403, createRefusal)
      assertRefused(await paul().post('/group', aGroup('Administrator', { memberUsers: ['paul'] })), 403, createRefusal)
      for (const name of ['ada', 'vera']) {
        assertRefused(await paul().post('/group', aGroup(name, { memberUsers: ['paul'] })), 403, createRefusal)
      }
      assert.equal((await admin().post('/group', aGroup('to-come'))).status, 201)
    })

    test('is refused for the right before anything else is looked at', async () => {
      assertRefused(await paul().post('/group', aGroup('administrators')), 403, createRefusal)
      assertRefused(await server.as('ann').post('/group', {}), 403, createRefusal)
      assertRefused(await server.as('ann').post('/group', aGroup('crew')), 403, createRefusal)
      assertRefused(await server.as('ann').put('/group/crew', {}), 403, editRefusal)
    })

    test('is refused to everybody else, also about themselves and their own groups', async () => {
      const ann = server.as('ann')
      assertRefused(await ann.post('/group', aGroup('of-ann')), 403, createRefusal)
      assertRefused(await ann.put('/group/crew', aGroup('crew')), 403, editRefusal)
      assertRefused(await ann.delete('/group/crew'), 403, editRefusal)
      assertRefused(await ann.post('/group/members/user/ann'), 403, memberRefusal)
      assertRefused(await ann.delete('/user/ann/group/crew'), 403, memberRefusal)
      assertRefused(await ann.post('/group/crew/user/ann'), 403, memberRefusal)
      assertRefused(await ann.put('/group/nobody', aGroup('nobody')), 404, 'group does not exist')
    })

    test('ends with the next request when the group of power users is left', async () => {
      await server.addUser('brief', ['powerusers'])
      assert.equal((await server.as('brief').post('/group/crew/user/bob')).status, 201)
      assert.equal((await admin().delete('/group/powerusers/user/brief')).status, 200)
      assertRefused(await server.as('brief').delete('/group/crew/user/bob'), 403, memberRefusal)
    })

    test('comes with a group in the group of power users', async () => {
      await createGroup(admin(), 'helpers', { parentGroups: ['powerusers'] })
      await server.addUser('helen', ['helpers'])
      assert.equal((await server.as('helen').post('/group', aGroup('helped'))).status, 201)
    })
  },
  {
    settings: { administratorsGroups: ['operators'] },
    plugins: [definePlugin({ name: 'vera', virtualUsers: [{ name: 'vera', password: 'vera', groups: ['operators'] }] })],
  },
)
