import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { aUser } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { operationsOn } from '../support/operations.ts'
import { aGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const configured = definePlugin({
  name: 'configured',
  virtualUsers: [{ name: 'robot', password: 'robot', groups: [] }],
  groupComputers: [{ name: 'night', groups: [{ name: 'night-shift', label: 'Night' }], groupsOf: () => [] }],
})

onEachServer(
  'a name',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    const call = operationsOn(server)
    before(() => server.addUser('alice'))

    const postUser = (name: string) => administrator().post('/user', aUser(name))
    const postGroup = (name: string) => administrator().post('/group', aGroup(name))
    const namingUsers = {
      'POST /user': postUser,
      'User.CreateOrUpdate': (username: string) => call('User.CreateOrUpdate', { params: { username, password: 'x' } }),
    }
    const namingGroups = {
      'POST /group': postGroup,
      'Group.CreateOrUpdate': (groupname: string) => call('Group.CreateOrUpdate', { params: { groupname } }),
    }
    describe('of a group is given to no user:', () => {
      for (const [way, create] of Object.entries(namingUsers)) {
        for (const name of ['members', 'night-shift', 'administrators', 'routeManagers']) {
          test(`${name} by ${way}`, async () => {
            const answer = await create(name)
            assert.equal(answer.status, 409, answer.text)
            assert.match(answer.text, /There is a group called/)
            requireStatus(404, await administrator().get(`/user/${name}`))
          })
        }
      }
    })
    describe('of a user is given to no group:', () => {
      for (const [way, create] of Object.entries(namingGroups)) {
        for (const name of ['alice', 'robot', 'Administrator']) {
          test(`${name} by ${way}`, async () => {
            const answer = await create(name)
            assert.equal(answer.status, 409, answer.text)
            assert.match(answer.text, /There is a user called/)
            requireStatus(404, await administrator().get(`/group/${name}`))
          })
        }
      }
    })

    describe('of somebody who was removed', () => {
      test('is free at once, and whoever gets it next inherits nothing of its rights', async () => {
        requireStatus(201, await administrator().post('/user', aUser('leaver', { password: 'leaver' })))
        const folder = await bench.create('Folder')
        const file = await bench.create('File', {}, { parent: folder.path })
        await bench.restrict(folder.uid, grant('leaver', 'Read'), grant('alice', 'Read'))
        await bench.setAcls(file.uid, [
          { name: 'local', aces: [grant('leaver', 'Everything')] },
          { name: 'other', aces: [grant('leaver', 'Write')] },
        ])
        requireStatus(204, await administrator().delete('/user/leaver'))
        requireStatus(201, await administrator().post('/user', aUser('leaver', { password: 'leaver' })))
        for (const { uid } of [folder, file]) requireStatus(403, await server.as('leaver').get(`/id/${uid}`))
        requireStatus(200, await server.as('alice').get(`/id/${file.uid}`))
        const { text } = await administrator().get(`/id/${folder.uid}/@acl`)
        assert.ok(!text.includes('leaver') && text.includes('alice'))
        await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('leaver', 'Read')] }])
        await untilIdle(server)
        requireStatus(200, await server.as('leaver').get(`/id/${folder.uid}`))
      })
      test('is given to nobody while its rights are still being taken away', async () => {
        await server.asSystem(({ tx }) => tx.transient.set('removedName/slow', true, '9999-12-31T23:59:59.999Z'))
        for (const create of [postUser, postGroup]) {
          const answer = await create('slow')
          assert.equal(answer.status, 409, answer.text)
          assert.match(answer.text, /slow was removed/)
        }
      })
      test('loses them as a group, too', async () => {
        requireStatus(201, await administrator().post('/group', { ...aGroup('guild'), memberUsers: ['alice'] }))
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('guild', 'Read'))
        requireStatus(200, await server.as('alice').get(`/id/${uid}`))
        requireStatus(204, await administrator().delete('/group/guild'))
        await untilIdle(server)
        requireStatus(201, await administrator().post('/group', { ...aGroup('guild'), memberUsers: ['alice'] }))
        requireStatus(403, await server.as('alice').get(`/id/${uid}`))
      })
    })
  },
  { plugins: [configured] },
)

onEachServer(
  'a server that keeps the rights of those who are removed',
  (server) => {
    test('has them for the next one of that name', async () => {
      const bench = workbenchOn(server)
      const administrator = server.as('Administrator')
      const { uid } = await bench.create('File')
      requireStatus(201, await administrator.post('/user', aUser('leaver', { password: 'leaver' })))
      await bench.restrict(uid, grant('leaver', 'Read'))
      requireStatus(204, await administrator.delete('/user/leaver'))
      requireStatus(201, await administrator.post('/user', aUser('leaver', { password: 'leaver' })))
      requireStatus(200, await server.as('leaver').get(`/id/${uid}`))
    })
  },
  { settings: { removedPeopleRights: 'keep' } },
)
