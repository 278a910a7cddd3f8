import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addGroup, assertRefused } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

onEachServer('Group.CreateOrUpdate', (server) => {
  const write = (params: object, user = 'Administrator') => operationsOn(server, user)('Group.CreateOrUpdate', { params })
  const read = async (name: string): Promise<Answered> =>
    requireStatus(
      200,
      await server.as('Administrator').get(`/group/${name}`, { 'fetch-group': 'memberUsers,memberGroups,parentGroups' }),
    )

  before(async () => {
    await server.addUser('bob', ['members'])
    await server.addUser('keeper', ['powerusers'])
    await addGroup(server, 'staff')
    await addGroup(server, 'interns')
  })

  test('makes a group with its members and parents', async () => {
    const params = {
      groupname: 'designers',
      grouplabel: 'Design team',
      description: 'Studio people',
      members: ['bob'],
      subGroups: ['interns'],
      parentGroups: ['staff'],
    }
    const answer = await write(params)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    const { properties, memberUsers, memberGroups, parentGroups } = await read('designers')
    assert.deepEqual([properties.grouplabel, properties.description], ['Design team', 'Studio people'])
    assert.deepEqual([memberUsers, memberGroups, parentGroups], [['bob'], ['interns'], ['staff']])
  })

  test('changes what is given of a group and leaves the rest', async () => {
    await write({ groupname: 'g2', grouplabel: 'Two', members: ['bob'], parentGroups: ['staff'] })
    assert.equal((await write({ groupname: 'g2', description: 'more', grouplabel: ' ', members: [] })).status, 204)
    const { properties, memberUsers, parentGroups } = await read('g2')
    assert.deepEqual([properties.grouplabel, properties.description, memberUsers, parentGroups], ['Two', 'more', [], ['staff']])
    await write({ groupname: 'g2', mode: 'update', properties: { 'group:grouplabel': 'Again' } })
    assert.equal((await read('g2')).grouplabel, 'Again')
  })

  test('is made once by many who ask for it at the same time, and changed by the others', async () => {
    const labels = ['a', 'b', 'c', 'd', 'e', 'f']
    const answers = await Promise.all(labels.map((grouplabel) => write({ groupname: 'crowd', grouplabel })))
    for (const { status, text } of answers) assert.deepEqual([status, text], [204, ''])
    assert.ok(labels.includes((await read('crowd')).grouplabel))
  })

  test('of a tenant has a name that begins with it', async () => {
    await write({ groupname: 'crew', tenantId: 'north', grouplabel: 'Crew' })
    assert.equal((await read('tenant_north_crew')).properties.tenantId, 'north')
    await write({ groupname: 'tenant_north_crew', tenantId: 'north', grouplabel: 'Same', mode: 'update' })
    assert.equal((await read('tenant_north_crew')).grouplabel, 'Same')
  })

  for (const [why, params, status, message] of [
    [
      'to make a group that there is',
      { groupname: 'staff', mode: 'create' },
      409,
      /Cannot create already-existing group: staff$/,
    ],
    [
      'to change a group that there is not',
      { groupname: 'nowhere', mode: 'update' },
      404,
      /Cannot update non-existent group: nowhere$/,
    ],
    ['without a name', {}, 400, /'groupname'/],
    ['with a blank name', { groupname: ' ' }, 400, /Group MUST have a name$/],
    ['in a mode that there is not', { groupname: 'x1', mode: 'delete' }, 400, /There is no mode delete/],
    ['with a property that groups do not have', { groupname: 'x2', properties: { size: '9' } }, 400, /no property size/],
    ['below a group that there is not', { groupname: 'x3', parentGroups: ['nowhere'] }, 400, /nowhere/],
    ['as a member of itself', { groupname: 'x4', subGroups: ['x4'] }, 400, /member of itself/],
  ] as const) {
    test(`is refused ${why} with ${status}, and nothing is made`, async () => {
      assertRefused(await write(params), status, message)
      assert.equal((await server.as('Administrator').get('/group/x4')).status, 404)
    })
  }

  test('is hidden from whoever is no administrator, power users included', async () => {
    for (const user of ['bob', 'keeper']) assert.equal((await write({ groupname: 'sneaked' }, user)).status, 404)
    assert.equal((await server.as('Administrator').get('/group/sneaked')).status, 404)
  })
})
