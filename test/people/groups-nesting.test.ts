import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subGroups } from '../../src/core/directories/people.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { aGroup, createGroup, readGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('groups in groups', (server) => {
  const admin = () => server.as('Administrator')
  const put = (id: string, fields: object) => admin().put(`/group/${id}`, aGroup(id, fields))
  const circle = (path: string) =>
    `A group cannot be a member of itself, also not through others: ${path}. Leave out one of these memberships.`
  const groupsOf = async (user: string) =>
    (await admin().get(`/user/${user}`)).body.extendedGroups.map(({ name }: { name: string }) => name).sort()

  test('give their members all groups above, however high', async () => {
    await server.addUser('deep')
    await createGroup(admin(), 'level0', { memberUsers: ['deep'] })
    for (let level = 1; level < 12; level++) await createGroup(admin(), `level${level}`, { memberGroups: [`level${level - 1}`] })
    const { body } = await admin().get('/user/deep')
    assert.deepEqual(body.properties.groups, ['level0'])
    assert.equal(body.extendedGroups.length, 12)
    assert.equal(body.isAdministrator, false)
    await put('level11', { parentGroups: ['administrators'] })
    assert.equal((await admin().get('/user/deep')).body.isAdministrator, true)
    await put('level11', { parentGroups: [] })
    assert.equal((await admin().get('/user/deep')).body.isAdministrator, false)
  })

  test('cannot be in themselves, and nothing is stored of the attempt', async () => {
    await createGroup(admin(), 'self', { grouplabel: 'Before' })
    const before = await readGroup(admin(), 'self')
    assertRefused(await put('self', { grouplabel: 'After', memberGroups: ['self'] }), 400, circle('self > self'))
    assertRefused(await put('self', { grouplabel: 'After', parentGroups: ['self'] }), 400, circle('self > self'))
    assert.deepEqual(await readGroup(admin(), 'self'), before)
    assertRefused(
      await admin().post('/group', aGroup('new-self', { memberGroups: ['new-self'] })),
      400,
      circle('new-self > new-self'),
    )
    assert.equal((await admin().get('/group/new-self')).status, 404)
  })

  test('cannot be in one that they contain, whichever side is written, and the circle is named', async () => {
    await createGroup(admin(), 'c')
    await createGroup(admin(), 'b', { memberGroups: ['c'] })
    await createGroup(admin(), 'a', { memberGroups: ['b'] })
    assertRefused(await put('c', { memberGroups: ['a'] }), 400, circle('a > b > c > a'))
    assertRefused(await put('a', { parentGroups: ['c'] }), 400, circle('a > b > c > a'))
    assertRefused(await put('b', { memberGroups: ['members', 'c', 'a'] }), 400, circle('a > b > a'))
    const sent = aGroup('d', { memberGroups: ['a'], parentGroups: ['c'] })
    assertRefused(await admin().post('/group', sent), 400, /cannot be a member of itself/)
    assert.equal((await admin().get('/group/d')).status, 404)
    assert.deepEqual((await readGroup(admin(), 'b')).memberGroups, ['c'])
    assert.deepEqual((await readGroup(admin(), 'c')).memberGroups, [])
  })

  test('may be turned round in one change, and be in two that are in one', async () => {
    await createGroup(admin(), 'low')
    await createGroup(admin(), 'high', { memberGroups: ['low'] })
    assert.equal((await put('high', { memberGroups: [], parentGroups: ['low'] })).status, 200)
    assert.deepEqual((await readGroup(admin(), 'low')).memberGroups, ['high'])
    await createGroup(admin(), 'bottom')
    for (const id of ['left', 'right']) await createGroup(admin(), id, { memberGroups: ['bottom'] })
    assert.equal((await admin().post('/group', aGroup('top', { memberGroups: ['left', 'right', 'bottom'] }))).status, 201)
  })

  test('that go in a circle already are read, changed and left like others', async () => {
    await server.addUser('dizzy')
    for (const id of ['x', 'y', 'z']) await createGroup(admin(), id, { memberUsers: id === 'x' ? ['dizzy'] : [] })
    await server.asSystem(async ({ tx }) => {
      await tx.directories.replaceTargets(subGroups, 'x', ['y'])
      await tx.directories.replaceTargets(subGroups, 'y', ['z'])
      await tx.directories.replaceTargets(subGroups, 'z', ['x'])
    })
    assert.deepEqual(await groupsOf('dizzy'), ['x', 'y', 'z'])
    const { memberGroups, parentGroups } = await readGroup(admin(), 'x')
    assert.deepEqual([memberGroups, parentGroups], [['y'], ['z']])
    assert.equal((await put('x', { grouplabel: 'Round', memberGroups, parentGroups })).status, 200)
    assert.equal((await put('x', { memberGroups: ['y', 'members'] })).status, 200)
    assert.equal((await put('y', { parentGroups: ['x', 'powerusers'] })).status, 200)
    assertRefused(await put('y', { memberGroups: ['z', 'x'] }), 400, /x > y > x/)
    assert.equal((await admin().get('/group/x/@groups')).body.resultsCount, 2)
    assert.equal((await admin().post('/group/y/user/dizzy')).status, 201)
    assert.equal((await put('z', { memberGroups: [] })).status, 200)
    assert.deepEqual(await groupsOf('dizzy'), ['powerusers', 'x', 'y'])
    assert.equal((await admin().delete('/group/x')).status, 204)
  })

  test('refuse a parent that does not exist, but keep one that they have', async () => {
    await createGroup(admin(), 'orphan')
    assertRefused(await put('orphan', { parentGroups: ['members', 'no-such'] }), 400, 'group does not exist: no-such')
    assert.deepEqual((await readGroup(admin(), 'orphan')).parentGroups, [])
    assertRefused(
      await admin().post('/group', aGroup('orphan2', { parentGroups: ['no-such'] })),
      400,
      'group does not exist: no-such',
    )
    assert.equal((await admin().get('/group/orphan2')).status, 404)
    await server.asSystem(({ tx }) => tx.directories.addTarget(subGroups, 'lost', 'orphan'))
    const read = await readGroup(admin(), 'orphan')
    assert.equal((await admin().put('/group/orphan', read)).status, 200)
    assert.deepEqual((await readGroup(admin(), 'orphan')).parentGroups, ['lost'])
  })

  test('keep a member that does not exist, who is in when it comes', async () => {
    await createGroup(admin(), 'waiting', { memberUsers: ['later'], memberGroups: ['later-group'] })
    await createGroup(admin(), 'later-group', { memberUsers: ['later'] })
    await server.addUser('later')
    assert.deepEqual(await groupsOf('later'), ['later-group', 'waiting'])
  })
})
