import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'

const invited = (name: string, groups: readonly string[] = ['members']) => ({
  'entity-type': 'user',
  id: name,
  properties: { username: name, email: `${name}@example.org`, groups },
})

onEachServer('User.Invite', (server) => {
  const run = operationsOn(server)

  test('stores a request and gives its id as a text', async () => {
    const { status, body } = await run('User.Invite', { input: invited('paula'), params: { comment: 'welcome' } })
    assert.equal(status, 200)
    assert.equal(body['entity-type'], 'string')
    const request = await server.as('Administrator').get(`/id/${body.value}`)
    assert.equal(request.body.type, 'UserInvitation')
    assert.equal(request.body.state, 'accepted')
  })

  test('leaves the decision to somebody else without autoAccept', async () => {
    const { body } = await run('User.Invite', { input: invited('quentin'), params: { autoAccept: false } })
    const request = await server.as('Administrator').get(`/id/${body.value}`)
    assert.notEqual(request.body.state, 'accepted')
  })

  test('makes the account at once with the method NONE', async () => {
    assert.equal((await run('User.Invite', { input: invited('rosa'), params: { validationMethod: 'NONE' } })).status, 200)
    assert.equal((await server.as('Administrator').get('/user/rosa')).status, 200)
  })

  const refusals: [what: string, body: object, status: number, message: RegExp][] = [
    [
      'an unknown validation method',
      { input: invited('sam'), params: { validationMethod: 'PIGEON' } },
      400,
      /no validation method PIGEON/,
    ],
    ['nobody', {}, 400, /first input type 'void'/],
    ['an entity of something else', { input: { 'entity-type': 'group', id: 'x' } }, 400, /entity/],
    ['a name that is taken', { input: invited('Administrator') }, 409, /already exists/],
    ['somebody without an email', { input: { 'entity-type': 'user', id: 'tom', properties: {} } }, 400, /no email/],
    ['info that is no map', { input: invited('uma'), params: { info: 7 } }, 400, /info/],
  ]
  for (const [what, body, expected, message] of refusals) {
    test(`refuses ${what}`, async () => {
      const { status, body: answer } = await run('User.Invite', body)
      assert.equal(status, expected, answer?.message)
      assert.match(answer.message, message)
    })
  }

  test('is for those who may create users', async () => {
    await server.addUser('anna', ['members'])
    await server.addUser('petra', ['members', 'powerusers'])
    assert.equal((await operationsOn(server, 'anna')('User.Invite', { input: invited('vera') })).status, 403)
    assert.equal((await operationsOn(server, 'petra')('User.Invite', { input: invited('vera') })).status, 200)
    assert.equal((await operationsOn(server, 'petra')('User.Invite', { input: invited('wim', ['administrators']) })).status, 403)
  })
})
