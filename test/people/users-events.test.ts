import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { aChange, assertRefused, aUser, statusOfSignIn } from '../support/accounts.ts'
import { createServerEventRecorder } from '../support/server-event-recorder.ts'
import { onEachServer } from '../support/servers.ts'

const recorder = createServerEventRecorder()

onEachServer(
  'what happens to users',
  (server) => {
    const administrator = () => server.as('Administrator')
    beforeEach(() => void recorder.take())

    test('3 is announced, each time once', async () => {
      await administrator().post('/user', aUser('ann', { password: 'ann', groups: ['members'] }))
      await administrator().put('/user/ann', aChange({ firstName: 'Ann', groups: [] }))
      await server.as('ann').put('/me/changepassword', { oldPassword: 'ann', newPassword: 'next' })
      await administrator().delete('/user/ann')
      assert.deepEqual(recorder.take(), ['user_created ann', 'user_modified ann', 'user_modified ann', 'user_deleted ann'])
    })

    test('3 is told with who did it, and with nothing but the id', async () => {
      await server.addUser('power', ['powerusers'])
      await server.as('power').post('/user', aUser('ben', { password: 'do not tell', email: 'ben@x.org' }))
      const [event] = recorder.events
      assert.deepEqual([event?.category, event?.comment, event?.principal.name], ['userGroup', null, 'power'])
      assert.deepEqual(event?.properties, { id: 'ben' })
      assert.match(event?.time ?? '', /^\d{4}-\d\d-\d\dT/)
    })

    test('3 is not announced when it did not happen', async () => {
      await administrator().post('/user', aUser('Administrator'))
      await administrator().post('/user', aUser('x', { groups: ['nosuch'] }))
      await administrator().put('/user/nobody', aChange({ firstName: 'X' }))
      await administrator().delete('/user/nobody')
      await server.as('power').put('/user/Administrator', aChange({ firstName: 'X' }))
      await administrator().put('/me/changepassword', { oldPassword: 'wrong', newPassword: 'x' })
      assert.deepEqual(recorder.take(), [])
    })

    test('3 does not happen when a listener throws', async () => {
      await server.addUser('cleo', ['members'])
      recorder.failOn('user_created')
      assert.equal((await administrator().post('/user', aUser('dora', { groups: ['members'] }))).status, 500)
      assertRefused(await administrator().get('/user/dora'), 404, 'user does not exist')
      recorder.failOn('user_modified')
      assert.equal((await administrator().put('/user/cleo', aChange({ password: 'other', groups: [] }))).status, 500)
      assert.equal(await statusOfSignIn(server, 'cleo', 'cleo'), 200)
      recorder.failOn('user_deleted')
      assert.equal((await administrator().delete('/user/cleo')).status, 500)
      assert.deepEqual((await administrator().get('/user/cleo')).body.properties.groups, ['members'])
    })
  },
  { plugins: [recorder.plugin] },
)
