import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aChange, addGroup, assertRefused, aUser, statusOfSignIn } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('changing a user', (server) => {
  const administrator = () => server.as('Administrator')
  const read = async (name: string) => (await administrator().get(`/user/${name}`)).body
  let made = 0

  /** A new user of which much is known. */
  async function makeUser(properties: object = {}): Promise<string> {
    const name = `user${++made}`
    const told = {
      firstName: 'Ana',
      lastName: 'Rivera',
      email: 'ana@acme.test',
      groups: ['members'],
      password: name,
      ...properties,
    }
    assert.equal((await administrator().post('/user', aUser(name, told))).status, 201)
    return name
  }

  before(async () => {
    await server.addUser('plain', ['members'])
    await addGroup(server, 'designers')
    await addGroup(server, 'staff', { groups: ['designers'] })
  })

  test('3.3 changes what is sent, leaves the rest and answers the user', async () => {
    const name = await makeUser()
    const before = await read(name)
    const answer = await administrator().put(`/user/${name}`, aChange({ firstName: 'Maria', company: 'Acme' }))
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { ...before, properties: { ...before.properties, firstName: 'Maria', company: 'Acme' } })
    assert.deepEqual(await read(name), answer.body)
    assert.equal(await statusOfSignIn(server, name, name), 200)
  })

  test('3.3 unsets what is sent as null', async () => {
    const name = await makeUser()
    const { body } = await administrator().put(`/user/${name}`, aChange({ lastName: null, email: null }))
    assert.deepEqual([body.properties.lastName, body.properties.email, body.properties.firstName], [null, null, 'Ana'])
  })

  test('3.3 takes back the whole user as it was read', async () => {
    const name = await makeUser()
    const before = await read(name)
    const answer = await administrator().put(`/user/${name}`, before)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, before)
  })

  test('3.3 takes back what an import left wrong, and refuses it anew', async () => {
    const name = await makeUser()
    const values = { username: name, email: 'nowhere', company: 'x'.repeat(2_000) }
    await server.asSystem(({ tx }) => tx.directories.update('userDirectory', { id: name, values }))
    const stored = await read(name)
    assert.equal((await administrator().put(`/user/${name}`, stored)).status, 200)
    assertRefused(await administrator().put(`/user/${name}`, aChange({ email: 'elsewhere' })), 400, /email/)
    assert.deepEqual(await read(name), stored)
  })

  test('3.3 without properties changes nothing', async () => {
    const name = await makeUser()
    const before = await read(name)
    assert.deepEqual((await administrator().put(`/user/${name}`, { 'entity-type': 'user' })).body, before)
    assert.deepEqual((await administrator().put(`/user/${name}`, { 'entity-type': 'user', properties: null })).body, before)
  })

  describe('the groups of which', () => {
    test('3.3 are replaced when they are sent', async () => {
      const name = await makeUser()
      const { body } = await administrator().put(`/user/${name}`, aChange({ groups: ['designers'] }))
      assert.deepEqual(body.properties.groups, ['designers'])
      assert.deepEqual(
        body.extendedGroups.map(({ name: group }: { name: string }) => group),
        ['designers', 'staff'],
      )
      const emptied = await administrator().put(`/user/${name}`, aChange({ groups: [] }))
      assert.deepEqual([emptied.body.properties.groups, emptied.body.extendedGroups], [[], []])
    })

    test('3.3 stay when they are not sent', async () => {
      const name = await makeUser({ groups: ['designers', 'members'] })
      const { body } = await administrator().put(`/user/${name}`, aChange({ firstName: 'Eva' }))
      assert.deepEqual(body.properties.groups, ['designers', 'members'])
    })

    test('3.3 give and take rights at once', async () => {
      const name = await makeUser()
      assertRefused(await server.as(name).post('/user', aUser('x')), 403, 'Cannot create artifact')
      await administrator().put(`/user/${name}`, aChange({ groups: ['administrators'] }))
      assert.equal((await server.as(name).get('/me')).body.isAdministrator, true)
      await administrator().put(`/user/${name}`, aChange({ groups: [] }))
      assert.equal((await server.as(name).get('/me')).body.isAdministrator, false)
    })

    test('3.3 must exist, else nothing is changed', async () => {
      const name = await makeUser()
      const sent = aChange({ firstName: 'Eva', password: 'changed', groups: ['designers', 'nosuch'] })
      assertRefused(await administrator().put(`/user/${name}`, sent), 403, 'group does not exist: nosuch')
      const { properties } = await read(name)
      assert.deepEqual([properties.firstName, properties.groups], ['Ana', ['members']])
      assert.equal(await statusOfSignIn(server, name, name), 200)
    })

    test('3.3 keep the order of their other members', async () => {
      await addGroup(server, 'ordered', { users: ['zoe', 'plain', 'amy'] })
      await administrator().put('/user/plain', aChange({ groups: ['members', 'ordered'] }))
      const members = () => server.asSystem(({ tx }) => tx.directories.listTargets('members', 'ordered'))
      assert.deepEqual(await members(), ['zoe', 'plain', 'amy'])
      await administrator().put('/user/plain', aChange({ groups: ['members'] }))
      assert.deepEqual(await members(), ['zoe', 'amy'])
    })
  })

  describe('the password of which', () => {
    test('3.3 is another at once when a new one is sent', async () => {
      const name = await makeUser()
      assert.equal(await statusOfSignIn(server, name, name), 200)
      const { text } = await administrator().put(`/user/${name}`, aChange({ password: 'quite new' }))
      assert.ok(!text.includes('quite new'))
      assert.equal(await statusOfSignIn(server, name, name), 401)
      assert.equal(await statusOfSignIn(server, name, 'quite new'), 200)
    })

    test('3.3 stays when a blank one or null is sent, as forms do', async () => {
      const name = await makeUser()
      for (const password of ['', '  ', null]) {
        assert.equal((await administrator().put(`/user/${name}`, aChange({ password }))).status, 200)
        assert.equal(await statusOfSignIn(server, name, name), 200)
      }
    })
  })

  describe('the name of which', () => {
    test('3.3 may be sent as it is, as id, as username or both', async () => {
      const name = await makeUser()
      for (const sent of [
        aChange({}, { id: name }),
        aChange({ username: name }),
        aChange({ username: ` ${name} ` }, { id: name }),
      ]) {
        assert.equal((await administrator().put(`/user/${name}`, sent)).status, 200)
      }
      assert.equal((await administrator().put(`/user/${name}`, aChange({ username: null }, { id: '' }))).body.id, name)
    })

    test('3.3 cannot be changed', async () => {
      const name = await makeUser()
      for (const sent of [aChange({ firstName: 'Eva' }, { id: 'plain' }), aChange({ firstName: 'Eva', username: 'plain' })]) {
        assertRefused(await administrator().put(`/user/${name}`, sent), 400, new RegExp(`user plain, .* about ${name}`))
      }
      assert.equal((await read(name)).properties.firstName, 'Ana')
      assert.equal((await read('plain')).properties.firstName, null)
    })
  })

  describe('is refused', () => {
    test('3.3 for whoever may not, also of themselves', async () => {
      const name = await makeUser()
      const refusal = 'User is not allowed to edit users'
      assertRefused(await server.as('plain').put(`/user/${name}`, aChange({ firstName: 'Eva' })), 403, refusal)
      assertRefused(await server.as(name).put(`/user/${name}`, aChange({ firstName: 'Eva' })), 403, refusal)
      assertRefused(await server.as(name).put(`/user/${name}`, '{}'), 403, refusal)
      assert.equal((await read(name)).properties.firstName, 'Ana')
    })

    test('3.3 when there is no such user, whoever asks', async () => {
      for (const user of ['Administrator', 'plain']) {
        assertRefused(await server.as(user).put('/user/nobody', aChange({ firstName: 'Eva' })), 404, 'user does not exist')
      }
      assertRefused(await administrator().put('/user/system', aChange({ firstName: 'Eva' })), 404, 'user does not exist')
    })

    test('3.3 with a property that users do not have', async () => {
      const name = await makeUser()
      const sent = aChange({ firstName: 'Eva', isAdministrator: true })
      assertRefused(await administrator().put(`/user/${name}`, sent), 400, /no property isAdministrator/)
      assert.equal((await read(name)).properties.firstName, 'Ana')
    })

    test('3.3 when the body is another entity or none', async () => {
      const name = await makeUser()
      const bodies = [{ 'entity-type': 'group' }, { properties: {} }, [], '{', undefined]
      for (const body of bodies) assert.equal((await administrator().put(`/user/${name}`, body)).status, 400, String(body))
    })

    test('1 with an address that is none', async () => {
      const name = await makeUser()
      assertRefused(await administrator().put(`/user/${name}`, aChange({ email: 'nowhere' })), 400, /email/)
    })
  })
})
