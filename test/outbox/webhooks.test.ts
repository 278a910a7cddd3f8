import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { answerForName } from '../support/name-service.ts'
import { certificateAuthority, eventually } from '../support/notification-receiver.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

interface ReceivedPost {
  readonly headers: IncomingMessage['headers']
  readonly path: string
  readonly body: string
}

const settings = {
  notificationDeliveryInsecureHosts: ['127.0.0.1', '169.254.169.254', 'rebound.test'],
  notificationDeliveryAllowedAddresses: ['127.0.0.1', '::1'],
  notificationDeliveryCertificates: certificateAuthority,
  notificationDeliveryLease: '60s',
  webhookQuota: 4,
  webhookRetryTime: '10m',
}
const certificate = (name: string) => readFileSync(join(certificateAuthority, '..', name))

onEachServer(
  'webhooks',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    const posts: ReceivedPost[] = []
    let answer: (post: ReceivedPost, count: number) => number = () => 204
    const listener: RequestListener = async (request, response) => {
      const post = { headers: request.headers, path: request.url ?? '', body: Buffer.concat(await request.toArray()).toString() }
      posts.push(post)
      const status = answer(post, posts.length)
      response.writeHead(status, { location: `http://127.0.0.1:${portOf(plain)}/elsewhere` }).end('x'.repeat(100))
    }
    const plain = createServer(listener)
    const secure = createSecureServer({ key: certificate('localhost.key'), cert: certificate('localhost.pem') }, listener)
    const portOf = (one: { address(): unknown }) => (one.address() as AddressInfo).port
    let hook: Answered
    before(async () => {
      await server.addUser('ann', ['members'])
      for (const one of [plain, secure]) await once(one.listen(0, '127.0.0.1'), 'listening')
      const url = `http://127.0.0.1:${portOf(plain)}/hook?a=1`
      hook = requireStatus(
        201,
        await administrator().post('/webhooks', { url, events: ['documentCreated'], description: 'mine' }),
      )
    })
    after(async () => {
      for (const one of [plain, secure]) {
        one.closeAllConnections()
        one.close()
      }
    })
    const read = async (id: string = hook.id): Promise<Answered> =>
      requireStatus(200, await administrator().get(`/webhooks/${id}`))
    /** One that is delivered to counts what waits from then on. */
    const hasBegun = async (id: string) => {
      await eventually(async () => {
        await bench.create('Folder')
        return (await read(id)).lastAttempt !== null
      }, 'it is delivered to')
    }

    describe('of administrators', () => {
      test('are shown without their secret, which is told once', async () => {
        assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        const shown = await read()
        assert.equal(shown.secret, undefined)
        assert.deepEqual(
          [shown['entity-type'], shown.description, shown.events, shown.isEnabled, shown.creator],
          ['webhook', 'mine', ['documentCreated'], true, 'Administrator'],
        )
        const { text } = await administrator().get('/webhooks')
        assert.ok(text.includes(hook.id) && !text.includes('whsec_'))
      })
      test('are nobody else’s business', async () => {
        const calls = [
          server.as('ann').get('/webhooks'),
          server.as('ann').get(`/webhooks/${hook.id}`),
          server.as('ann').post('/webhooks', { url: 'https://example.org', events: ['*'] }),
          server.as('ann').put(`/webhooks/${hook.id}`, { url: 'https://example.org' }),
          server.as('ann').delete(`/webhooks/${hook.id}`),
          server.as('ann').post(`/webhooks/${hook.id}/secret`),
        ]
        for (const { status } of await Promise.all(calls)) assert.equal(status, 403)
        assert.equal((await fetch(`${server.url}api/v1/webhooks`)).status, 401)
      })
      test('are refused with a sentence when they cannot be', async () => {
        const events = ['*']
        const wrong = [
          {},
          { url: 'https://example.org' },
          { events },
          { url: 'ftp://example.org', events },
          { url: 'http://example.org/', events },
          { url: 'https://user:secret@example.org/', events },
          { url: 'https://example.org/#there', events },
          { url: 'nothing', events },
          { url: `https://example.org/${'x'.repeat(2_100)}`, events },
          { url: 'https://example.org', events: [] },
          { url: 'https://example.org', events: ['a b'] },
          { url: 'https://example.org', events: [3] },
          { url: 'https://example.org', events: Array.from({ length: 201 }, () => 'x') },
          { url: 'https://example.org', events, description: 'x'.repeat(1_001) },
          { url: 7, events },
        ]
        for (const body of wrong) {
          const { status, text } = await administrator().post('/webhooks', body)
          assert.equal(status, 400, `${JSON.stringify(body)} ${text}`)
        }
        assert.equal((await administrator().put('/webhooks/nope', { description: 'x' })).status, 404)
        assert.equal((await administrator().delete('/webhooks/nope')).status, 404)
        assert.equal((await administrator().post('/webhooks/nope/secret')).status, 404)
      })
    })

    describe('that are sent events', () => {
      test('can tell by the signature who sends them, and when', async () => {
        await hasBegun(hook.id)
        const post = posts.at(-1)
        assert.ok(post)
        assert.equal(post.path, '/hook?a=1')
        const { eventId, docUUID, docType, 'entity-type': type } = JSON.parse(post.body)
        assert.deepEqual([type, eventId, docType, typeof docUUID], ['logEntry', 'documentCreated', 'Folder', 'string'])
        const id = String(post.headers['webhook-id'])
        const timestamp = String(post.headers['webhook-timestamp'])
        assert.ok(Math.abs(Number(timestamp) - Date.now() / 1_000) < 120)
        const key = Buffer.from(hook.secret.slice('whsec_'.length), 'base64')
        const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${post.body}`).digest('base64')
        assert.equal(post.headers['webhook-signature'], `v1,${expected}`)
      })
      test('are tried again after a failure that may pass, in order and by the same id', async () => {
        const from = posts.length
        const refused = new Map<string, number>()
        answer = ({ headers }) => {
          const id = String(headers['webhook-id'])
          const count = refused.get(id) ?? 0
          refused.set(id, count + 1)
          return [503, 429, 200][Math.min(count, 2)] ?? 200
        }
        const { uid } = await bench.create('Folder')
        const { uid: next } = await bench.create('Folder')
        const ids = () => posts.slice(from).map(({ body }) => JSON.parse(body).docUUID)
        await eventually(() => ids().filter((id) => id === next).length === 3, 'both came')
        // What was created to see whether it has begun may come first.
        const own = ids().filter((id) => id === uid || id === next)
        assert.deepEqual(own, [uid, uid, uid, next, next, next])
        answer = () => 204
      })
      test('are not followed elsewhere, and what they refuse is dropped', async () => {
        const { failed } = await read()
        for (const status of [302, 307, 400, 404, 410]) {
          const from = posts.length
          answer = () => status
          await bench.create('Folder')
          await eventually(() => posts.length > from, 'it came')
        }
        await eventually(async () => (await read()).failed === failed + 5, 'five were given up')
        answer = () => 204
        assert.ok(posts.every(({ path }) => path !== '/elsewhere'))
        const { attempts, lastError } = await read()
        assert.match(lastError, /^Status 410/)
        assert.ok(attempts.length <= 20)
        assert.equal(attempts[0].outcome, 'refused')
      })
      test('show when they are tried again, until they take it', async () => {
        answer = () => 503
        await bench.create('Folder')
        const newest = async () => (await read()).attempts[0]
        await eventually(async () => (await newest()).outcome === 'unavailable', 'it was tried')
        const { date, next, error } = await newest()
        assert.ok(Date.parse(next) >= Date.parse(date), next)
        assert.match(error, /^Status 503/)
        answer = () => 204
        await eventually(async () => (await newest()).outcome === 'delivered', 'it is taken')
        assert.equal((await newest()).next, null)
      })
      test('are sent once more what they refused, by the same id, as long as it is kept', async () => {
        answer = () => 400
        await bench.create('Folder')
        await eventually(async () => (await read()).attempts[0].outcome === 'refused', 'it was refused')
        const before = posts.at(-1)
        const { repository, position, event } = (await read()).attempts[0]
        answer = () => 204
        const redeliver = (body: object, id = hook.id) => administrator().post(`/webhooks/${id}/redeliver`, body)
        const again = requireStatus(200, await redeliver({ repository, position }))
        assert.deepEqual([again.outcome, again.event, again.error], ['delivered', event, null])
        assert.equal(posts.at(-1)?.headers['webhook-id'], before?.headers['webhook-id'])
        assert.equal(posts.at(-1)?.body, before?.body)
        const [shown] = (await read()).attempts
        assert.deepEqual([shown.outcome, shown.position], ['delivered', position])
        const sent = posts.length
        // What it was never sent is not for it.
        assert.equal((await redeliver({ repository, position: position + 1_000_000 })).status, 404)
        assert.equal((await redeliver({ repository: 'nowhere', position })).status, 404)
        assert.equal((await redeliver({ repository, position }, 'nope')).status, 404)
        for (const body of [{}, { repository }, { repository, position: 0 }, { repository, position: 'x' }])
          assert.equal((await redeliver(body)).status, 400, JSON.stringify(body))
        assert.equal((await server.as('ann').post(`/webhooks/${hook.id}/redeliver`, { repository, position })).status, 403)
        await server.asSystem(({ tx }) => tx.tables.run(sql`DELETE FROM outbox_events WHERE id = ${position}`))
        const gone = await redeliver({ repository, position })
        assert.equal(gone.status, 404)
        assert.match(gone.text, /not kept any more/)
        assert.equal(posts.length, sent)
      })
      test('are sent a test at once, and what became of it is told', async () => {
        const test = (id = hook.id) => administrator().post(`/webhooks/${id}/test`)
        const { outcome, event, position } = requireStatus(200, await test())
        assert.deepEqual([outcome, event, position], ['delivered', 'test', null])
        assert.partialDeepStrictEqual(JSON.parse(posts.at(-1)?.body ?? ''), {
          'entity-type': 'logEntry',
          eventId: 'test',
          principalName: 'Administrator',
        })
        answer = () => 410
        assert.partialDeepStrictEqual(requireStatus(200, await test()), { outcome: 'refused', error: 'Status 410' })
        answer = () => 204
        assert.equal((await test('nope')).status, 404)
        assert.equal((await server.as('ann').post(`/webhooks/${hook.id}/test`)).status, 403)
      })
      test('have another secret once it is renewed, and another address once it is changed', async () => {
        const { secret } = requireStatus(200, await administrator().post(`/webhooks/${hook.id}/secret`))
        assert.notEqual(secret, hook.secret)
        const url = `https://localhost:${portOf(secure)}/secure`
        const changed = requireStatus(200, await administrator().put(`/webhooks/${hook.id}`, { url }))
        assert.deepEqual([changed.url, changed.events, changed.secret], [url, ['documentCreated'], undefined])
        await eventually(async () => {
          await bench.create('Folder')
          return posts.some(({ path }) => path === '/secure')
        }, 'it is told there')
        const post = posts.find(({ path }) => path === '/secure')
        assert.ok(post)
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
        const text = `${post.headers['webhook-id']}.${post.headers['webhook-timestamp']}.${post.body}`
        assert.equal(post.headers['webhook-signature'], `v1,${createHmac('sha256', key).update(text).digest('base64')}`)
      })
      test('are not, where the address is not public', async () => {
        const events = ['documentCreated']
        for (const url of ['https://[::ffff:10.0.0.1]/', 'http://169.254.169.254/latest/meta-data/', 'https://0.0.0.0:1/']) {
          const { id } = requireStatus(201, await administrator().post('/webhooks', { url, events }))
          await hasBegun(id)
          await eventually(async () => (await read(id)).failed > 0, 'it is given up at once')
          assert.match((await read(id)).lastError, /no address of the public network/)
          assert.equal((await administrator().delete(`/webhooks/${id}`)).status, 204)
        }
      })
      test('are not, where a name comes to mean an address that is not public', async (context) => {
        const names = answerForName('rebound.test', [['127.0.0.1'], ['127.0.0.2']])
        context.after(names.stop)
        const url = `http://rebound.test:${portOf(plain)}/rebound`
        const told = () => posts.filter(({ path }) => path === '/rebound')
        const { id } = requireStatus(201, await administrator().post('/webhooks', { url, events: ['documentCreated'] }))
        await hasBegun(id)
        await bench.create('Folder')
        await eventually(async () => (await read(id)).failed > 0, 'it is given up at once')
        assert.match((await read(id)).lastError, /^rebound\.test, which is 127\.0\.0\.2, is no address/)
        // The first look-up led to a connection, to the address that was looked at, and no other did.
        assert.equal(told().length, 1)
        assert.equal(told()[0]?.headers.host, `rebound.test:${portOf(plain)}`)
        assert.equal((await administrator().delete(`/webhooks/${id}`)).status, 204)
      })
      test('are not while they are off, and gone when they are removed', async () => {
        requireStatus(200, await administrator().put(`/webhooks/${hook.id}`, { isEnabled: false }))
        await eventually(async () => (await read()).delivered === 0, 'nothing waits for it')
        assert.equal((await administrator().delete(`/webhooks/${hook.id}`)).status, 204)
        assert.equal((await administrator().get(`/webhooks/${hook.id}`)).status, 404)
      })
    })

    test('are so many at most, however many are added at once', async () => {
      const add = () => administrator().post('/webhooks', { url: 'https://example.org/', events: ['nothing'] })
      const answers = await Promise.all(Array.from({ length: 8 }, add))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 409, 409, 409, 409])
    })
  },
  { settings },
)
