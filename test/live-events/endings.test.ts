import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Plugin } from '../../src/plugin/define-plugin.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { browserAt } from '../support/browser-client.ts'
import { basicHeader, type EventStream, type EventStreamHeaders, openEventStream } from '../support/event-stream.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const patience = { timeout: 60_000 }

/** Nobody comes in who is locked out. */
const lockOut: Plugin = definePlugin({
  name: 'lock-out',
  admissionRules: [{ name: 'lockOut', admits: ({ groups }) => !groups.includes('lockedOut') }],
})

onEachServer(
  'a stream of live events ends',
  (server) => {
    const bench = workbenchOn(server)
    const open: EventStream[] = []
    const listen = async (headers: EventStreamHeaders) => {
      const stream = await openEventStream(server.url, headers)
      open.push(stream)
      return stream
    }
    const administrator = () => server.as('Administrator')
    const addToGroup = async (user: string, group: string) =>
      requireStatus(201, await administrator().post(`/user/${user}/group/${group}`))
    /** After what comes with it, everything that was told before has come. */
    const mark = async (...streams: readonly EventStream[]) => {
      const { uid } = await bench.create('File')
      await Promise.all(streams.map((stream) => stream.until(({ data }) => data.documentId === uid)))
      return uid
    }
    const acquireToken = async (user: string) => {
      const answer = await server.as(user).post(`/token?application=live&deviceId=${Math.random()}&permission=r`)
      assert.equal(answer.status, 201)
      return answer.text
    }
    const signedIn = async (user: string) => {
      const client = browserAt(server.url)
      assert.equal((await client.signIn(user)).status, 302)
      return { client, cookie: `JSESSIONID=${client.cookies.get('JSESSIONID')}` }
    }
    before(async () => {
      for (const user of ['ann', 'bob', 'cyn', 'dan', 'eve', 'fay']) await server.addUser(user, ['members'])
      const group = { 'entity-type': 'group', groupname: 'lockedOut', grouplabel: 'Locked out' }
      requireStatus(201, await administrator().post('/group', group))
    })
    afterEach(() => {
      for (const stream of open.splice(0)) stream.close()
    })

    test('with its token, and other streams of the same user go on', patience, async () => {
      const token = await acquireToken('ann')
      const [byToken, byPassword] = [await listen({ 'x-authentication-token': token }), await listen(basicHeader('ann'))]
      await mark(byToken, byPassword)
      assert.equal((await server.as('ann').delete(`/token/${token}`)).status, 204)
      await byToken.closed
      await mark(byPassword)
      assert.equal(byPassword.isClosed, false)
    })

    test('with its session, and that of another browser goes on', patience, async () => {
      const [here, there] = [await signedIn('ann'), await signedIn('ann')]
      const [ending, staying] = [await listen({ cookie: here.cookie }), await listen({ cookie: there.cookie })]
      await mark(ending, staying)
      await here.client.get('logout')
      await ending.closed
      await mark(staying)
    })

    test('with the account', patience, async () => {
      const stream = await listen(basicHeader('bob'))
      await mark(stream)
      requireStatus(204, await administrator().delete('/user/bob'))
      await stream.closed
    })

    test('with the password that let it in', patience, async () => {
      const stream = await listen(basicHeader('cyn'))
      await mark(stream)
      const properties = { username: 'cyn', password: 'another one 17' }
      requireStatus(200, await administrator().put('/user/cyn', { 'entity-type': 'user', id: 'cyn', properties }))
      await stream.closed
    })

    test('when its user is not let in any more', patience, async () => {
      const stream = await listen(basicHeader('dan'))
      await mark(stream)
      await addToGroup('dan', 'lockedOut')
      await stream.closed
    })

    test('before it tells of anything that happened after the end of its reason', patience, async () => {
      const token = await acquireToken('eve')
      const [stream, witness] = [await listen({ 'x-authentication-token': token }), await listen(basicHeader('ann'))]
      await mark(stream, witness)
      assert.equal((await server.as('eve').delete(`/token/${token}`)).status, 204)
      const uid = await mark(witness)
      await stream.closed
      assert.ok(!stream.heard.some(({ data }) => data.documentId === uid))
    })

    test('and does not count as a use of the session', patience, async () => {
      const { cookie } = await signedIn('fay')
      const stream = await listen({ cookie })
      await mark(stream)
      const longAgo = new Date(Date.now() - 30 * 60_000).toISOString()
      await server.asSystem(async ({ tx }) => {
        await tx.directories.lock()
        await tx.tables.run(sql`UPDATE sign_in_sessions SET last_seen = ${longAgo} WHERE user_name = ${'fay'}`)
      })
      await mark(stream)
      const [row] = await server.asSystem(({ tx }) =>
        tx.tables.all(sql`SELECT last_seen FROM sign_in_sessions WHERE user_name = ${'fay'}`),
      )
      assert.deepEqual(row, [longAgo])
    })
  },
  { plugins: [lockOut], settings: { liveEventStreamsPerUser: 50 } },
)

describe('a server that does not write down what happens', () => {
  onEachServer(
    'GET /events without an outbox',
    (server) => {
      test('is 501 and says why', async () => {
        const { status, body } = await server.as('Administrator').get('/events')
        assert.equal(status, 501)
        assert.match(body.message, /outbox/)
      })
    },
    { settings: { outbox: false } },
  )
})
