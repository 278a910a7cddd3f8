import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aChange, addGroup, assertRefused, aUser, statusOfSignIn } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer('deleting a user', (server) => {
  const administrator = () => server.as('Administrator')
  before(() => server.addUser('plain', ['members']))

  test('3.4 answers 204 without a body, and the user is gone', async () => {
    await server.addUser('leaver')
    assert.equal(await statusOfSignIn(server, 'leaver', 'leaver'), 200)
    const answer = await administrator().delete('/user/leaver')
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assertRefused(await administrator().get('/user/leaver'), 404, 'user does not exist')
    assert.equal(await statusOfSignIn(server, 'leaver', 'leaver'), 401)
    assert.deepEqual((await administrator().get('/user/search?q=leaver')).body.entries, [])
  })

  test('3.4 takes it out of all groups, so that a namesake gets none of them', async () => {
    await server.addUser('namesake', ['members'])
    await addGroup(server, 'guild', { users: ['plain', 'namesake'] })
    await administrator().delete('/user/namesake')
    assert.deepEqual(await server.asSystem(({ tx }) => tx.directories.listTargets('members', 'guild')), ['plain'])
    const { body } = await administrator().post('/user', aUser('namesake'))
    assert.deepEqual([body.properties.groups, body.extendedGroups], [[], []])
  })

  test('3.4 leaves documents', async () => {
    await server.addUser('author')
    const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'Left behind', 'dc:creator': 'author' })
    await administrator().delete('/user/author')
    assert.equal((await administrator().get(`/id/${uid}`, { properties: '*' })).body.properties['dc:creator'], 'author')
  })

  test('3.4 may be done to oneself', async () => {
    await server.addUser('chief', ['administrators'])
    assert.equal((await server.as('chief').delete('/user/chief')).status, 204)
    assert.equal((await server.as('chief').get('/me')).status, 401)
  })

  test('3.4 of somebody who is not there is not found', async () => {
    assertRefused(await administrator().delete('/user/nobody'), 404, 'user does not exist')
    assertRefused(await server.as('plain').delete('/user/nobody'), 404, 'user does not exist')
    assertRefused(await administrator().delete('/user/system'), 404, 'user does not exist')
  })

  test('3.4 is refused for whoever may not, also of themselves', async () => {
    await server.addUser('kept')
    for (const user of ['plain', 'kept']) {
      assertRefused(await server.as(user).delete('/user/kept'), 403, 'User is not allowed to edit users')
    }
    assert.equal((await administrator().get('/user/kept')).status, 200)
  })
})

onEachServer('the id of a user', (server) => {
  const administrator = () => server.as('Administrator')
  const names = [
    'dept/ana',
    'a/group',
    'group/b',
    'a b',
    'ana+b@x.org',
    'ü/ñ',
    'a;b',
    'a%2Fb',
    'a?b#c',
    "o'neil",
    'a//b',
    '/lead',
    'trail/',
  ]

  describe('3 may hold slashes and other signs', () => {
    for (const name of names) {
      test(`as ${name} does, encoded`, async () => {
        const path = `/user/${encodeURIComponent(name)}`
        assert.equal((await administrator().post('/user', aUser(name))).status, 201)
        assert.equal((await administrator().get(path)).body.id, name)
        const changed = await administrator().put(path, aChange({ firstName: 'Eva' }, { id: name }))
        assert.deepEqual([changed.body.id, changed.body.properties.firstName], [name, 'Eva'])
        assert.equal((await administrator().delete(path)).status, 204)
        assert.equal((await administrator().get(path)).status, 404)
      })
    }
  })

  test('3 may have its slashes as they are, up to an adapter', async () => {
    await administrator().post('/user', aUser('dept/sub/ana'))
    assert.equal((await administrator().get('/user/dept/sub/ana')).body.id, 'dept/sub/ana')
    const changed = await administrator().put('/user/dept/sub/ana', aChange({ firstName: 'Eva' }))
    assert.equal(changed.body.properties.firstName, 'Eva')
    const refused = await administrator().get('/user/dept/sub/ana/@acl')
    assertRefused(refused, 400, "Adapter 'acl' cannot be applied to resource of type User")
    assertRefused(await administrator().get('/user/dept/sub/bob/@acl'), 404, 'user does not exist')
    assertRefused(
      await administrator().get('/user/dept/sub/ana/@nosuch'),
      404,
      /Service nosuch not found for object: .* of type User/,
    )
    assert.equal((await administrator().delete('/user/dept/sub/ana')).status, 204)
  })

  test('3 ends where a group follows', async () => {
    await administrator().post('/user', aUser('dept/bob'))
    const joined = await administrator().post('/user/dept/bob/group/members')
    assert.deepEqual([joined.status, joined.body.id, joined.body.properties.groups], [201, 'dept/bob', ['members']])
    const left = await administrator().delete('/user/dept/bob/group/members')
    assert.deepEqual([left.status, left.text], [200, 'dept/bob'])
    assert.deepEqual((await administrator().get('/user/dept/bob')).body.properties.groups, [])
    assertRefused(await administrator().post('/user/dept/eve/group/members'), 404, 'user does not exist')
  })
})
