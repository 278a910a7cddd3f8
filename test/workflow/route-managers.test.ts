import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { aChange, assertRefused, aUser } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { aGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

onEachServer('route managers, who see the workflows of everybody,', (server) => {
  const flows = workflowsOn(server)
  const admin = () => server.as('Administrator')
  const pow = () => server.as('pow')
  let instance = ''
  before(async () => {
    await server.addUser('pow', ['powerusers'])
    for (const user of ['molly', 'mark', 'ann']) await server.addUser(user, ['members'])
    const { uid } = await workbenchOn(server).create('File')
    instance = (await flows.start(uid, 'SerialDocumentReview')).id
  })
  const sees = async (user: string) => (await server.as(user).get(`/workflow/${instance}`)).status
  const call = (operation: string, params: object) => pow().post(`/automation/${operation}`, { params })
  const notEdited = 'User is not allowed to edit users'

  test('are no group that a power user makes, by whichever name and way', async () => {
    const created = 'Cannot create artifact'
    assertRefused(await pow().post('/group', aGroup('routeManagers', { memberUsers: ['pow'] })), 403, created)
    assertRefused(await pow().post('/user', aUser('routeManagers', { password: 'x' })), 403, created)
    assertRefused(await pow().post('/user', aUser('newcomer', { groups: ['routeManagers'] })), 403, created)
    assertRefused(await pow().put('/user/pow', aChange({ groups: ['powerusers', 'routeManagers'] })), 403, notEdited)
    assertRefused(await pow().post('/group', aGroup('below', { parentGroups: ['routeManagers'] })), 403, created)
    // Nor are those who remove what retention keeps.
    assertRefused(await pow().post('/group', aGroup('PlatformRecordCleaners', { memberUsers: ['pow'] })), 403, created)
    // Operations that are for administrators alone are not there for others.
    for (const [operation, params] of [
      ['Group.CreateOrUpdate', { groupname: 'routeManagers', members: ['pow'] }],
      ['User.CreateOrUpdate', { username: 'routeManagers', password: 'x' }],
      ['User.CreateOrUpdate', { username: 'newcomer', groups: ['routeManagers'] }],
    ] as const)
      assert.ok([403, 404].includes((await call(operation, params)).status), JSON.stringify(params))
    for (const address of ['/group/routeManagers', '/user/routeManagers', '/user/newcomer', '/group/below'])
      assert.equal((await admin().get(address)).status, 404, address)
    assert.equal(await sees('pow'), 403)
  })

  test('are made by administrators, and left to them', async () => {
    requireStatus(201, await admin().post('/group', aGroup('routeManagers', { memberUsers: ['molly'] })))
    assert.deepEqual([await sees('molly'), await sees('mark')], [200, 403])
    for (const sent of [{ memberUsers: ['pow'] }, { memberGroups: ['powerusers'] }, { grouplabel: 'Mine' }])
      assertRefused(await pow().put('/group/routeManagers', aGroup('routeManagers', sent)), 403, notEdited)
    for (const address of ['/group/routeManagers/user/pow', '/user/pow/group/routeManagers'])
      assertRefused(await pow().post(address), 403, 'Cannot edit user')
    assertRefused(await pow().delete('/group/routeManagers'), 403, notEdited)
    assertRefused(await pow().put('/user/molly', aChange({ password: 'mine' })), 403, notEdited)
    assert.deepEqual([await sees('molly'), await sees('pow')], [200, 403])
    requireStatus(200, await pow().put('/user/ann', aChange({ firstName: 'Ann' })))
  })

  test('have their rights again when the group was deleted and is made anew', async () => {
    requireStatus(204, await admin().delete('/group/routeManagers'))
    await untilIdle(server)
    assert.equal(await sees('molly'), 403)
    requireStatus(201, await admin().post('/group', aGroup('routeManagers', { memberUsers: ['mark'] })))
    assert.deepEqual([await sees('molly'), await sees('mark')], [403, 200])
  })
})
