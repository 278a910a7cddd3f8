import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addGroup, assertRefused, aUser, statusOfSignIn } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('creating a user', (server) => {
  const administrator = () => server.as('Administrator')
  const read = async (name: string) => (await administrator().get(`/user/${encodeURIComponent(name)}`)).body

  before(async () => {
    await server.addUser('plain', ['members'])
    await addGroup(server, 'designers', { label: 'Design team' })
    await addGroup(server, 'staff', { groups: ['designers'] })
  })

  test('3.2 answers 201 with the user as it will be read', async () => {
    const properties = {
      firstName: 'Ana',
      lastName: 'Rivera',
      company: 'Acme',
      email: 'ana@acme.test',
      groups: ['members', 'designers'],
      tenantId: 'acme',
    }
    const answer = await administrator().post('/user', aUser('rivera', { ...properties, password: 'secret' }))
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual(answer.body.properties, { username: 'rivera', ...properties, groups: ['designers', 'members'] })
    const names = answer.body.extendedGroups.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['designers', 'members', 'staff'])
    assert.deepEqual(await read('rivera'), answer.body)
  })

  test('3.2 lets the user in with its password at once, and with no other', async () => {
    await administrator().post('/user', aUser('enters', { password: 'open sesame' }))
    assert.equal(await statusOfSignIn(server, 'enters', 'open sesame'), 200)
    assert.equal(await statusOfSignIn(server, 'enters', 'Open sesame'), 401)
  })

  test('3.2 without a password makes an account that nobody can use until it has one', async () => {
    for (const [name, password] of Object.entries({ absent: undefined, unset: null, empty: '', blank: '   ' })) {
      const created = await administrator().post('/user', aUser(name, { password }))
      assert.equal(created.status, 201, created.text)
      for (const tried of ['null', 'undefined', name, '   ']) assert.equal(await statusOfSignIn(server, name, tried), 401, tried)
    }
    await administrator().put('/user/absent', { 'entity-type': 'user', properties: { password: 'now' } })
    assert.equal(await statusOfSignIn(server, 'absent', 'now'), 200)
  })

  describe('takes the name', () => {
    test('3.2 from the property username, as clients send it', async () => {
      const { body } = await administrator().post('/user', aUser('by-property'))
      assert.deepEqual([body.id, body.properties.username], ['by-property', 'by-property'])
    })

    test('3.2 from the id when there is no such property', async () => {
      const sent = { 'entity-type': 'user', id: 'by-id', properties: { firstName: 'Ida' } }
      const { status, body } = await administrator().post('/user', sent)
      assert.deepEqual([status, body.id, body.properties.username], [201, 'by-id', 'by-id'])
      const bare = await administrator().post('/user', { 'entity-type': 'user', id: 'bare' })
      assert.deepEqual([bare.status, bare.body.id], [201, 'bare'])
    })

    test('3.2 from either when both say the same, and from none when they differ', async () => {
      const same = await administrator().post('/user', { ...aUser('twice'), id: 'twice' })
      assert.equal(same.status, 201)
      const blank = await administrator().post('/user', { ...aUser('once'), id: '' })
      assert.equal(blank.status, 201)
      assertRefused(await administrator().post('/user', { ...aUser('one'), id: 'other' }), 400, /id other .* username one/)
      assertRefused(await administrator().get('/user/one'), 404, 'user does not exist')
      assertRefused(await administrator().get('/user/other'), 404, 'user does not exist')
    })

    test('3.2 without the blanks around it, and leaves those inside', async () => {
      const { body } = await administrator().post('/user', aUser(' \u00a0Ana Maria\t '))
      assert.equal(body.id, 'Ana Maria')
      assert.equal((await read('Ana Maria')).properties.username, 'Ana Maria')
    })
  })

  describe('is refused', () => {
    test('3.2 for whoever may not, before anything else is looked at', async () => {
      for (const body of [aUser('new'), aUser('rivera'), aUser(''), { 'entity-type': 'document' }]) {
        assertRefused(await server.as('plain').post('/user', body), 403, 'Cannot create artifact')
      }
      assert.equal((await administrator().get('/user/new')).status, 404)
    })

    test('3.2 without credentials', async () => {
      const headers = { authorization: '', 'content-type': 'application/json' }
      const body = JSON.stringify(aUser('new'))
      assert.equal((await administrator().call('POST', 'api/v1/user', { headers, body })).status, 401)
    })

    test('3.2 when the name is taken, and changes nothing', async () => {
      const before = await read('plain')
      const taken = aUser('plain', { firstName: 'Another', groups: ['designers'], password: 'another' })
      assertRefused(await administrator().post('/user', taken), 409, 'User already exists')
      assertRefused(await administrator().post('/user', aUser('  plain ')), 409, 'User already exists')
      assert.deepEqual(await read('plain'), before)
      assert.equal(await statusOfSignIn(server, 'plain', 'plain'), 200)
    })

    test('3.2 when the name is taken, whatever else is wrong', async () => {
      const wrong = aUser('plain', { groups: ['nosuch'] })
      assertRefused(await administrator().post('/user', wrong), 409, 'User already exists')
    })

    test('3.2 when there is no name', async () => {
      for (const name of [undefined, null, '', '   ']) {
        const sent = { 'entity-type': 'user', properties: { username: name, firstName: 'Nemo' } }
        assertRefused(await administrator().post('/user', sent), 400, 'User MUST have a name')
      }
      assertRefused(await administrator().post('/user', { 'entity-type': 'user' }), 400, 'User MUST have a name')
    })

    test('3.2 with a group that does not exist, naming it', async () => {
      const sent = aUser('lost', { groups: ['members', 'nosuch', 'neither'] })
      assertRefused(await administrator().post('/user', sent), 403, 'group does not exist: nosuch')
      assertRefused(
        await administrator().post('/user', aUser('lost', { groups: ['Everyone'] })),
        403,
        'group does not exist: Everyone',
      )
      assertRefused(await administrator().get('/user/lost'), 404, 'user does not exist')
    })

    test('3.2 with a property that users do not have, naming it', async () => {
      const sent = aUser('lost', { firstname: 'Ana' })
      assertRefused(await administrator().post('/user', sent), 400, /no property firstname.*firstName/)
      assertRefused(await administrator().get('/user/lost'), 404, 'user does not exist')
    })

    test('1 with an address that is none, but not with an empty one', async () => {
      for (const email of ['ana', 'ana@acme', '@acme.test', 'ana@.']) {
        assertRefused(await administrator().post('/user', aUser('lost', { email })), 400, /email/)
      }
      assert.equal((await administrator().post('/user', aUser('unmailed', { email: '' }))).status, 201)
    })

    test('3.2 when the body is another entity or none', async () => {
      const refusals: readonly [body: unknown, message: RegExp][] = [
        [{ 'entity-type': 'group', properties: { username: 'x' } }, /Expected is user but was group/],
        [{ properties: { username: 'x' } }, /entity-type/],
        [{ 'entity-type': 7, properties: { username: 'x' } }, /entity-type/],
        [[], /object/],
        ['null', /object/],
        ['"user"', /object/],
        ['{"entity-type":"user",', /JSON/],
        [undefined, /object/],
      ]
      for (const [body, message] of refusals) assertRefused(await administrator().post('/user', body), 400, message)
    })
  })

  test('3.2 names differ by case: two users may', async () => {
    await administrator().post('/user', aUser('case', { password: 'lower' }))
    const other = await administrator().post('/user', aUser('Case', { password: 'upper' }))
    assert.equal(other.status, 201)
    assert.equal(await statusOfSignIn(server, 'Case', 'upper'), 200)
    assert.equal(await statusOfSignIn(server, 'case', 'upper'), 401)
  })

  test('3.2 ignores what clients send back beside the properties', async () => {
    const sent = { ...aUser('extra'), isAdministrator: true, extendedGroups: [{ name: 'administrators' }], contextParameters: {} }
    const { status, body } = await administrator().post('/user', sent)
    assert.equal(status, 201)
    assert.deepEqual([body.isAdministrator, body.extendedGroups], [false, []])
  })

  test('3.2 lists the user once in a group that is sent twice', async () => {
    const { body } = await administrator().post('/user', aUser('doubled', { groups: ['members', 'members'] }))
    assert.deepEqual(body.properties.groups, ['members'])
  })
})
