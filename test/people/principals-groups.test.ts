import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { addGroup, assertRefused, statusOfSignIn } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer('the groups of a user', (server) => {
  const administrator = () => server.as('Administrator')
  const userOf = async (name: string) => (await administrator().get(`/user/${name}`)).body
  const namesOf = async (name: string) => (await userOf(name)).extendedGroups.map((group: { name: string }) => group.name)
  const add = (group: string, inner: string) => server.asSystem(({ tx }) => tx.directories.addTarget('subGroups', group, inner))
  const remove = (group: string, inner: string) =>
    server.asSystem(({ tx }) => tx.directories.removeTarget('subGroups', group, inner))

  test('1 are on a new server those of the administrator, beside two that nobody is in', async () => {
    const groups = await server.asSystem(({ tx }) => tx.directories.list('groupDirectory'))
    assert.deepEqual(
      groups.map(({ id, values }) => [id, values['grouplabel']]),
      [
        ['administrators', 'Administrators group'],
        ['members', 'Members group'],
        ['powerusers', 'Power users group'],
      ],
    )
    const users = await server.asSystem(({ tx }) => tx.directories.list('userDirectory'))
    assert.deepEqual(
      users.map(({ id }) => id),
      ['Administrator'],
    )
    assert.deepEqual(await namesOf('Administrator'), ['administrators'])
    assert.equal(await statusOfSignIn(server, 'Administrator', 'Administrator'), 200)
  })

  describe('1 reach up', () => {
    before(async () => {
      await server.addUser('deep')
      await addGroup(server, 'level0', { users: ['deep'] })
      for (let level = 1; level <= 20; level++) await addGroup(server, `level${level}`, { groups: [`level${level - 1}`] })
    })

    test('through as many as there are, the own ones first and the others by name', async () => {
      const others = Array.from({ length: 20 }, (_, level) => `level${level + 1}`)
      assert.deepEqual(await namesOf('deep'), ['level0', ...others.sort()])
      assert.deepEqual((await userOf('deep')).properties.groups, ['level0'])
    })

    test('to the administrators, and no longer once a link is cut', async () => {
      assert.equal((await userOf('deep')).isAdministrator, false)
      await add('administrators', 'level20')
      assert.equal((await userOf('deep')).isAdministrator, true)
      assert.equal((await server.as('deep').get('/me')).body.isAdministrator, true)
      await remove('level10', 'level9')
      assert.equal((await server.as('deep').get('/me')).body.isAdministrator, false)
      await add('level10', 'level9')
      await remove('administrators', 'level20')
    })

    test('with what is granted to any of them', async () => {
      const bench = workbenchOn(server)
      const { uid } = await bench.create('File')
      await bench.restrict(uid, grant('level20', 'Read'))
      assert.equal((await server.as('deep').get(`/id/${uid}`)).status, 200)
      await remove('level20', 'level19')
      assert.equal((await server.as('deep').get(`/id/${uid}`)).status, 403)
      await add('level20', 'level19')
    })

    test('but not down: nobody is in the groups inside their own', async () => {
      await server.addUser('high')
      await addGroup(server, 'top', { users: ['high'], groups: ['level20'] })
      assert.deepEqual(await namesOf('high'), ['top'])
    })
  })

  describe('1 may go in a circle', () => {
    test('of themselves, of two, and of many', async () => {
      await server.addUser('ringed')
      await addGroup(server, 'self', { users: ['ringed'], groups: ['self'] })
      await addGroup(server, 'one', { users: ['ringed'], groups: ['two'] })
      await addGroup(server, 'two', { groups: ['one'] })
      await addGroup(server, 'x', { groups: ['y'], users: ['ringed'] })
      await addGroup(server, 'y', { groups: ['z'] })
      await addGroup(server, 'z', { groups: ['x'] })
      assert.deepEqual((await namesOf('ringed')).sort(), ['one', 'self', 'two', 'x', 'y', 'z'])
      assert.equal((await userOf('ringed')).isAdministrator, false)
    })

    test('with a way out of it', async () => {
      await add('administrators', 'z')
      assert.equal((await server.as('ringed').get('/me')).body.isAdministrator, true)
      await remove('administrators', 'z')
      assert.equal((await server.as('ringed').get('/me')).body.isAdministrator, false)
    })
  })

  test('1 that a diamond leads to are had once', async () => {
    await server.addUser('many')
    await addGroup(server, 'left', { users: ['many'] })
    await addGroup(server, 'right', { users: ['many'] })
    await addGroup(server, 'both', { groups: ['left', 'right'] })
    assert.deepEqual(await namesOf('many'), ['left', 'right', 'both'])
  })

  test('2 without a label go by their name', async () => {
    await server.addUser('labelled')
    await addGroup(server, 'bare', { users: ['labelled'] })
    await addGroup(server, 'named', { users: ['labelled'], label: 'A name' })
    await server.asSystem(({ tx }) => tx.directories.addTarget('members', 'ghosts', 'labelled'))
    assert.deepEqual((await userOf('labelled')).extendedGroups, [
      { name: 'bare', label: 'bare', url: 'group/bare' },
      { name: 'ghosts', label: 'ghosts', url: 'group/ghosts' },
      { name: 'named', label: 'A name', url: 'group/named' },
    ])
  })

  test('1 do not have Everyone among them, though it stands for every user', async () => {
    await server.addUser('anyone')
    assert.deepEqual(await namesOf('anyone'), [])
    const bench = workbenchOn(server)
    const { uid } = await bench.create('File')
    await bench.restrict(uid, grant('Everyone', 'Read'))
    assert.equal((await server.as('anyone').get(`/id/${uid}`)).status, 200)
  })
})

onEachServer('a transient user', (server) => {
  const get = (name: string) => server.as('Administrator').get(`/user/${name}`)

  test('1 is known by its address, with or without digits behind it', async () => {
    for (const name of ['transient/ann@x.org', 'transient/ann@x.org/666', 'transient/ann@x.org/0aF9']) {
      const { status, body } = await get(name)
      assert.equal(status, 200)
      assert.deepEqual(body, {
        'entity-type': 'user',
        id: name,
        properties: {
          username: name,
          firstName: 'ann@x.org',
          lastName: null,
          company: null,
          email: 'ann@x.org',
          groups: [],
          tenantId: null,
        },
        extendedGroups: [],
        isAdministrator: false,
        isAnonymous: false,
      })
      assert.deepEqual((await get(encodeURIComponent(name))).body, body)
    }
  })

  test('1 is nobody when the name is not made like that', async () => {
    for (const name of [
      'transient',
      'transient/',
      'transient/ann',
      'transient/ann@x.org/xyz',
      'transient/a@b/1/2',
      'Transient/a@b.c',
    ]) {
      assertRefused(await get(name), 404, 'user does not exist')
    }
  })

  test('1 has no groups, even if one lists it', async () => {
    await addGroup(server, 'listing', { users: ['transient/bob@x.org'] })
    assert.deepEqual((await get('transient/bob@x.org')).body.extendedGroups, [])
  })

  test('1 cannot sign in with a password, is found by no search and cannot be changed', async () => {
    const name = 'transient/ann@x.org'
    assert.equal(await statusOfSignIn(server, name, name), 401)
    assert.equal((await server.as('Administrator').get('/user/search?q=transient')).body.resultsCount, 0)
    assertRefused(await server.as('Administrator').delete(`/user/${name}`), 409, /in no directory/)
    assertRefused(await server.as('Administrator').get(`/user/${name}/@acl`), 400, /type User/)
  })
})

onEachServer(
  'a transient user where there is a default group',
  (server) => {
    test('1 is not in it', async () => {
      assert.deepEqual((await server.as('Administrator').get('/user/transient/a@x.org')).body.extendedGroups, [])
    })
  },
  { settings: { defaultGroup: 'members' } },
)
