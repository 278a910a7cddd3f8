import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aChange, addGroup, aUser, statusOfSignIn } from '../support/accounts.ts'
import { createServerEventRecorder } from '../support/server-event-recorder.ts'
import { onEachServer } from '../support/servers.ts'

const recorder = createServerEventRecorder()

/** What was told, however often: a transaction that shared its commit with one that failed runs again, and tells of it again. */
const toldOf = () => [...new Set(recorder.take())]

onEachServer(
  'users that many change at once',
  (server) => {
    const administrator = () => server.as('Administrator')
    const times = <Result>(count: number, body: (index: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: count }, (_, index) => body(index)))

    test('are created once: one caller gets 201, the others 409', async () => {
      recorder.take()
      const answers = await times(20, (index) =>
        administrator().post('/user', aUser('wanted', { password: `password ${index}` })),
      )
      const winners = answers.flatMap(({ status }, index) => (status === 201 ? [index] : []))
      assert.equal(winners.length, 1)
      const others = answers.filter(({ status }) => status === 409)
      assert.equal(others.length, 19)
      for (const { body } of others) assert.equal(body.message, 'User already exists')
      assert.equal(await statusOfSignIn(server, 'wanted', `password ${winners[0]}`), 200)
      assert.deepEqual(toldOf(), ['user_created wanted'])
      assert.equal((await administrator().get('/user/search?q=wanted')).body.resultsCount, 1)
    })

    test('keep every change when each changes something else', async () => {
      await server.addUser('shared')
      const fields = ['firstName', 'lastName', 'company', 'email', 'tenantId']
      const answers = await times(fields.length, (index) =>
        administrator().put('/user/shared', aChange({ [fields[index] ?? '']: `${fields[index]}@x.org` })),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const { properties } = (await administrator().get('/user/shared')).body
      for (const field of fields) assert.equal(properties[field], `${field}@x.org`)
    })

    test('are deleted once: one caller gets 204, the others 404', async () => {
      await server.addUser('doomed', ['members'])
      recorder.take()
      const answers = await times(10, () => administrator().delete('/user/doomed'))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array(9).fill(404)])
      assert.deepEqual(toldOf(), ['user_deleted doomed'])
    })

    test('are whole or gone when one is changed while it is deleted', async () => {
      await addGroup(server, 'circle')
      for (let round = 0; round < 5; round++) {
        const name = `torn${round}`
        await server.addUser(name)
        const [deleted, changed] = await Promise.all([
          administrator().delete(`/user/${name}`),
          administrator().put(`/user/${name}`, aChange({ groups: ['circle'], firstName: 'Torn' })),
        ])
        assert.equal(deleted.status, 204)
        assert.ok(changed.status === 200 || changed.status === 404, String(changed.status))
        assert.equal((await administrator().get(`/user/${name}`)).status, 404)
      }
      assert.deepEqual(await server.asSystem(({ tx }) => tx.directories.listTargets('members', 'circle')), [])
    })

    test('lose no member of a group when many join it', async () => {
      await addGroup(server, 'crowd')
      const answers = await times(20, (index) => administrator().post('/user', aUser(`crowd${index}`, { groups: ['crowd'] })))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
      const members = await server.asSystem(({ tx }) => tx.directories.listTargets('members', 'crowd'))
      assert.deepEqual([...members].sort(), Array.from({ length: 20 }, (_, index) => `crowd${index}`).sort())
    })

    test('cannot be let in by the old password while it is changed and after', async () => {
      await server.addUser('guarded')
      const attempts = times(20, async () => ({ status: await statusOfSignIn(server, 'guarded', 'guarded') }))
      const change = administrator().put('/user/guarded', aChange({ password: 'another' }))
      await Promise.all([attempts, change])
      for (let round = 0; round < 3; round++) assert.equal(await statusOfSignIn(server, 'guarded', 'guarded'), 401)
      assert.equal(await statusOfSignIn(server, 'guarded', 'another'), 200)
    })
  },
  { plugins: [recorder.plugin] },
)
