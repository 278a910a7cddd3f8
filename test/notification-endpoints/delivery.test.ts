import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { announce } from '../../src/core/event.ts'
import { startTestServer } from '../../src/testing.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { answerForName } from '../support/name-service.ts'
import {
  certificateAuthority,
  eventually,
  type NotificationReceiver,
  type ReceiverBehaviour,
  startNotificationReceiver,
} from '../support/notification-receiver.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const scope = { project: 'acme-ops', region: 'us-east1' }
const place = `projects/${scope.project}/regions/${scope.region}/notificationEndpoints`
/** Each test has an endpoint of its own, and an event that nothing else leads to. */
const events = {
  ordered: ['documentCreated'],
  codes: ['afterMakeRecord'],
  down: ['afterSetRetention'],
  late: ['afterExtendRetention'],
  hanging: ['documentLocked'],
  rebound: ['documentUnlocked'],
  private: ['afterSetLegalHold'],
  encrypted: ['afterRemoveLegalHold'],
  plain: ['afterRemoveLegalHold'],
  filtered: ['retentionExpired'],
  unused: ['documentMoved'],
}
const subscriptions = Object.entries(events).map(([endpoint, names]) => ({
  ...scope,
  endpoint,
  events: names,
  ...(endpoint === 'filtered' && { filter: "dc:title = 'wanted'" }),
}))
const settings = {
  notificationDeliveryEnabled: true,
  notificationSubscriptions: subscriptions,
  notificationDeliveryInsecureHosts: ['127.0.0.1', 'rebound.test'],
  notificationDeliveryAllowedAddresses: ['127.0.0.1', '::1'],
  notificationDeliveryCertificates: certificateAuthority,
  notificationDeliveryLease: '60s',
}

onEachServer(
  '8 delivery over gRPC',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    const receivers = new Map<keyof typeof events, NotificationReceiver>()
    const tried = new Map<string, number>()
    let uid = ''
    before(async () => {
      uid = (await bench.create('File', { 'dc:title': 'wanted' })).uid
      await receive('ordered', { authority: 'notify.example.org', payload_name: 'acme/ops' })
      await receive('codes', { retry_duration_sec: 600 }, { status: ({ json: { comment } }) => firstAnswer(comment) })
      const { port } = await receive('down', { retry_duration_sec: 600 })
      await receivers.get('down')?.stop()
      assert.ok(port > 0)
      await receive('late', { retry_duration_sec: 1 }, { status: ({ json: { comment } }) => (comment === 'never' ? 14 : 0) })
      await receive(
        'hanging',
        { retry_duration_sec: 1 },
        { status: ({ json: { comment } }) => (comment === 'taken' ? 0 : new Promise<number>(() => {})) },
      )
      await receive(
        'rebound',
        { retry_duration_sec: 600 },
        { host: 'rebound.test', status: ({ json: { comment } }) => (comment === 'again' ? 14 : 0) },
      )
      await addEndpoint('private', { endpoint: '[::ffff:10.0.0.1]:8443', retry_duration_sec: 600 })
      await receive('encrypted', {}, { isSecure: true, host: 'dns:///localhost' })
      await receive('plain', { retry_duration_sec: 1 }, { host: 'localhost' })
      await receive('filtered', {})
      const begun = Object.keys(events).length - 1
      const count = sql`SELECT count(*) FROM outbox_deliveries WHERE owner IS NOT NULL`
      const isBegun = () => server.asSystem(async ({ tx }) => Number((await tx.tables.get(count))?.[0]) === begun)
      await eventually(isBegun, 'all endpoints are delivered to')
    })
    after(() => Promise.all([...receivers.values()].map((receiver) => receiver.stop())))

    function firstAnswer(comment: string): number {
      const before = tried.get(comment) ?? 0
      tried.set(comment, before + 1)
      return before === 0 ? Number(comment) : 0
    }
    async function receive(
      name: keyof typeof events,
      grpcSettings: object,
      { host = '127.0.0.1', ...behaviour }: ReceiverBehaviour & { readonly host?: string } = {},
    ): Promise<NotificationReceiver> {
      const receiver = await startNotificationReceiver(behaviour)
      receivers.set(name, receiver)
      await addEndpoint(name, { ...grpcSettings, endpoint: `${host}:${receiver.port}` })
      return receiver
    }
    async function addEndpoint(name: string, grpcSettings: object): Promise<void> {
      requireStatus(200, await administrator().post(`/${place}`, { name, grpc_settings: grpcSettings }))
    }
    function at(name: keyof typeof events): NotificationReceiver {
      const receiver = receivers.get(name)
      assert.ok(receiver)
      return receiver
    }
    const statusOf = async (name: keyof typeof events): Promise<Answered> =>
      requireStatus(200, await administrator().get(`/${place}/${name}/deliveryStatus`))
    /** Has an event happen to a document, in a transaction of its own. */
    const tell = (event: string, comment: string, id = uid) =>
      server.asSystem(async (session) => announce(session, event, await readDocument(session, id), { comment }))

    test('every committed event comes, in its order, as the audit log has it', async () => {
      const { received } = at('ordered')
      const before = received.length
      const told = () => received.slice(before)
      const made: string[] = []
      for (let turn = 0; turn < 5; turn += 1) made.push((await bench.create('Folder', { 'dc:title': `n${turn}` })).uid)
      const undone = server.asSystem(async (session) => {
        await announce(session, 'documentCreated', await readDocument(session, uid))
        throw new Error('rolled back')
      })
      await assert.rejects(undone)
      await eventually(() => told().length >= 5, 'five events came')
      assert.deepEqual(
        told().map(({ documentId }) => documentId),
        made,
      )
      const [first] = told()
      assert.ok(first)
      assert.deepEqual(
        [first.name, first.event, first.repository, first.fullState, first.authority],
        ['acme/ops', 'documentCreated', 'default', false, 'notify.example.org'],
      )
      assert.ok(first.deadlineMilliseconds > 0 && first.deadlineMilliseconds <= 10_500, String(first.deadlineMilliseconds))
      const { entries } = requireStatus(200, await administrator().get(`/id/${first.documentId}/@audit?eventId=documentCreated`))
      const { id: _, logDate: _logDate, ...entry } = entries[0]
      const { id: _position, logDate: _date, ...json } = first.json
      assert.deepEqual(json, entry)
      assert.equal(new Set(told().map(({ eventId }) => eventId)).size, 5)
      await eventually(async () => (await statusOf('ordered')).delivered === received.length, 'all are noted')
      const { queued, failed, last_attempt, last_error } = await statusOf('ordered')
      assert.deepEqual([queued, failed, last_error], [0, 0, null])
      assert.ok(Math.abs(Date.parse(last_attempt) - Date.now()) < 60_000)
    })

    test('each status of the receiver is heeded: four are tried again, the others drop the event', async () => {
      const { received } = at('codes')
      for (let code = 0; code <= 16; code += 1) await tell('afterMakeRecord', String(code))
      await eventually(() => tried.has('16'), 'the last came')
      const again = [4, 8, 10, 14]
      const expected = Array.from({ length: 17 }, (_, code) => (again.includes(code) ? [code, code] : [code])).flat()
      assert.deepEqual(
        received.map(({ json: { comment } }) => Number(comment)),
        expected,
      )
      await eventually(async () => (await statusOf('codes')).failed === 12, 'twelve were given up')
      const { delivered, last_error } = await statusOf('codes')
      assert.equal(delivered, 5)
      assert.match(last_error, /^Status 16/)
    })

    test('administrators see the attempts of all endpoints, and have one sent a test or once more what it refused', async () => {
      const list = requireStatus(200, await administrator().get('/management/notification-endpoints?pageSize=3'))
      assert.deepEqual([list.resultsCount, list.entries.length], [Object.keys(events).length - 1, 3])
      const { entries } = requireStatus(200, await administrator().get('/management/notification-endpoints'))
      const { id, ...codes } = entries.find(({ name }: Answered) => name === 'codes')
      assert.deepEqual([codes.project, codes.events, codes.isDelivered], [scope.project, events.codes, true])
      assert.equal(codes.delivered, (await statusOf('codes')).delivered)
      const refused = codes.attempts.find(({ outcome }: Answered) => outcome === 'refused')
      const { received } = at('codes')
      const path = `/management/notification-endpoints/${id}`
      const { repository, position } = refused
      const again = requireStatus(200, await administrator().post(`${path}/redeliver`, { repository, position }))
      assert.equal(again.outcome, 'delivered')
      const [last] = received.slice(-1)
      assert.equal(received.filter(({ eventId }) => eventId === last?.eventId).length, 2)
      assert.equal(requireStatus(200, await administrator().post(`${path}/test`)).event, 'test')
      assert.equal(received.at(-1)?.event, 'test')
      const shown = requireStatus(200, await administrator().get(path))
      assert.deepEqual(
        shown.attempts.slice(0, 2).map(({ event }: Answered) => event),
        ['test', 'afterMakeRecord'],
      )
      await server.addUser('ann', ['members'])
      for (const call of [
        server.as('ann').get(path),
        server.as('ann').post(`${path}/test`),
        server.as('ann').post(`${path}/redeliver`),
      ])
        assert.equal((await call).status, 403)
      assert.equal((await administrator().post('/management/notification-endpoints/7/test')).status, 404)
    })

    test('what happens while the receiver is down comes when it is up', async () => {
      for (const comment of ['a', 'b', 'c']) await tell('afterSetRetention', comment)
      await eventually(async () => (await statusOf('down')).last_error !== null, 'it was tried in vain')
      assert.equal((await statusOf('down')).queued, 3)
      const up = await startNotificationReceiver({ port: at('down').port })
      receivers.set('down', up)
      const { received } = up
      await eventually(() => received.length >= 3, 'all came')
      assert.deepEqual(
        received.map(({ json: { comment } }) => comment),
        ['a', 'b', 'c'],
      )
    })

    test('an event is given up when its time is over, which the audit log tells, and the next one comes', async () => {
      const { received } = at('late')
      await tell('afterExtendRetention', 'never')
      await tell('afterExtendRetention', 'next')
      await eventually(() => received.some(({ json: { comment } }) => comment === 'next'), 'the next came')
      const { failed } = await statusOf('late')
      assert.equal(failed, 1)
      const { entries } = requireStatus(
        200,
        await administrator().post('/automation/Audit.QueryWithPageProvider', {
          params: { namedQueryParams: { eventIds: 'notificationFailed' } },
        }),
      )
      const about = entries.find(({ extended }: Answered) => extended.eventId === 'afterExtendRetention')
      assert.equal(about?.extended.docUUID, uid)
      assert.match(about.comment, /^Status 14/)
    })

    test('a receiver that takes an event and never answers is given up in time', async () => {
      const { received } = at('hanging')
      await tell('documentLocked', 'silence')
      await tell('documentLocked', 'taken')
      await eventually(() => received.some(({ json: { comment } }) => comment === 'taken'), 'the next came')
      await eventually(async () => (await statusOf('hanging')).delivered === 1, 'that is noted')
      const { failed, last_error } = await statusOf('hanging')
      assert.equal(failed, 1)
      assert.match(last_error, /^Status 4/)
      assert.ok(received.every(({ deadlineMilliseconds }) => deadlineMilliseconds <= 1_500))
    })

    test('a name that comes to mean an address that is not public is not followed there', async (context) => {
      const { received } = at('rebound')
      const names = answerForName('rebound.test', [['127.0.0.1'], ['127.0.0.2']])
      context.after(names.stop)
      await tell('documentUnlocked', 'first')
      await eventually(() => received.length === 1, 'the first came')
      // What connects goes to the address that was looked at: the name is not asked for a second time.
      assert.equal(names.asked, 1)
      await tell('documentUnlocked', 'again')
      await eventually(async () => (await statusOf('rebound')).failed === 1, 'it was given up')
      const { last_error, delivered } = await statusOf('rebound')
      assert.match(last_error, /^rebound\.test, which is 127\.0\.0\.2, is no address of the public network/)
      assert.equal(delivered, 1)
      assert.equal(received.length, 2)
      assert.equal(names.asked, 2)
    })

    test('a name of which one address is not public is not connected to at all', async (context) => {
      const { received } = at('rebound')
      const before = received.length
      const names = answerForName('rebound.test', [['127.0.0.1', '10.0.0.1']])
      context.after(names.stop)
      await tell('documentUnlocked', 'both')
      await eventually(async () => (await statusOf('rebound')).failed === 2, 'it was given up')
      assert.equal(received.length, before)
    })

    test('an address that is not public is not connected to', async () => {
      await tell('afterSetLegalHold', 'x')
      await eventually(async () => (await statusOf('private')).failed === 1, 'it was given up at once')
      assert.match((await statusOf('private')).last_error, /no address of the public network/)
    })

    test('without TLS nothing is sent, but to hosts that are named for it', async () => {
      const [secure, insecure] = [at('encrypted'), at('plain')]
      await tell('afterRemoveLegalHold', 'x')
      await eventually(() => secure.received.length === 1, 'the encrypted one came')
      assert.equal(secure.received[0]?.authority, `localhost:${secure.port}`)
      assert.match(String(secure.received[0]?.name), /\/compute\/v1\/projects\/acme-ops\/.*\/encrypted$/)
      await eventually(async () => (await statusOf('plain')).failed === 1, 'the plain one was given up')
      assert.deepEqual(insecure.received, [])
    })

    test('a filter leaves out what does not meet it', async () => {
      const { received } = at('filtered')
      const other = await bench.create('File', { 'dc:title': 'unwanted' })
      await tell('retentionExpired', 'no', other.uid)
      await tell('retentionExpired', 'yes')
      await eventually(() => received.length > 0, 'one came')
      assert.deepEqual(
        received.map(({ json: { comment } }) => comment),
        ['yes'],
      )
    })

    describe('an endpoint', () => {
      test('that a subscription names cannot be deleted', async () => {
        requireStatus(
          200,
          await administrator().post(`/${place}`, { name: 'unused', grpc_settings: { endpoint: 'example.org' } }),
        )
        const { status, body } = await administrator().delete(`/${place}/unused`)
        assert.equal(status, 400)
        const [{ reason }] = body.error.errors
        assert.deepEqual([body.error.status, reason], ['FAILED_PRECONDITION', 'resourceInUseByAnotherResource'])
      })
      test('has a status in both spellings, and zeros before anything was sent', async () => {
        requireStatus(200, await administrator().post(`/${place}`, { name: 'idle', grpc_settings: { endpoint: 'example.org' } }))
        const path = `${server.url}compute/v1/${place}/idle/deliveryStatus`
        const answer = await fetch(path, { headers: { authorization: `Basic ${btoa('Administrator:Administrator')}` } })
        assert.deepEqual(await answer.json(), { queued: 0, delivered: 0, failed: 0, lastAttempt: null, lastError: null })
        const missing = await administrator().get(`/${place}/nope/deliveryStatus`)
        assert.equal(missing.status, 404)
        assert.equal(missing.body.error.errors[0].reason, 'notFound')
      })
    })
  },
  { settings },
)

describe('subscriptions that cannot be', () => {
  const rows: readonly [given: unknown, why: RegExp][] = [
    [[{ project: 'p' }], /number 1 must have region/],
    [[{ ...scope, endpoint: 'a', events: [] }], /events, a list/],
    [[{ ...scope, endpoint: 'a', events: ['x y'] }], /events, a list/],
    [[{ ...scope, endpoint: 'a', events: ['*'], filter: 3 }], /condition of NXQL/],
    [[{ ...scope, endpoint: 'a', events: ['*'], colour: 'red' }], /no field colour/],
    ['{}', /list of objects/],
  ]
  for (const [given, why] of rows) {
    test(`stop the start: ${JSON.stringify(given)}`, async () => {
      const settings = { ...(await databaseSettings('sqlite')), notificationSubscriptions: given }
      await assert.rejects(startTestServer({ settings }), why)
    })
  }
})
