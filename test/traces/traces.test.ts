import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LogFields } from '../../src/base/log.ts'
import { offTracer, type Tracer } from '../../src/base/tracing.ts'
import { createGrpcTransport } from '../../src/features/notification-endpoints/delivery/grpc-transport.ts'
import type { NetworkRules } from '../../src/features/outbox/index.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { engines } from '../support/database-place.ts'
import { attach, download } from '../support/files.ts'
import { filledDatabase } from '../support/filled-database.ts'
import { eventually, startNotificationReceiver } from '../support/notification-receiver.ts'
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/trace-collector.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

/** Has a server record what is done, and gives what a collector was sent of it. */
async function recorded(
  settings: Readonly<Record<string, unknown>>,
  body: (server: TestServer) => Promise<void>,
): Promise<TraceCollector> {
  const collector = await startTraceCollector()
  const server = await startTestServer({
    settings: { ...(await filledDatabase('sqlite')), traceUrl: collector.url, ...settings },
  })
  try {
    await body(server)
  } finally {
    await server.stop()
    await collector.stop()
  }
  return collector
}

function only(spans: readonly CollectedSpan[]): CollectedSpan {
  assert.equal(spans.length, 1, JSON.stringify(spans))
  return spans[0] as CollectedSpan
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const sampled = `00-${traceId}-b7ad6b7169203331-01`
const notSampled = `00-${traceId}-b7ad6b7169203331-00`

for (const engine of engines) {
  describe(`what a server records of its work (${engine})`, () => {
    let collector: TraceCollector
    before(async () => {
      const settings = { ...(await filledDatabase(engine)), conversionInBackground: false }
      collector = await recorded(settings, async (server) => {
        const admin = server.as('Administrator')
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File', { 'dc:title': 'hidden-title' })
        await attach(server, uid, 'a text to be read', { name: 'small.txt', 'mime-type': 'text/plain' })
        assert.equal((await download(server, `api/v1/id/${uid}/@convert?format=html&token=hidden-token`)).status, 200)
        const query = "SELECT * FROM File WHERE dc:title = 'hidden-value' AND dc:rights = 'hidden-right'"
        await admin.get(`/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)
        await admin.post('/automation/Document.Fetch', { params: { value: uid }, context: {} })
        requireStatus(404, await admin.get('/id/00000000-0000-0000-0000-00000000dead', { traceparent: sampled }))
        await admin.post(`/search/bulk/trash?query=${encodeURIComponent(`SELECT * FROM File WHERE ecm:uuid = '${uid}'`)}`)
        await untilIdle(server)
        for (const path of ['health/live', 'health/ready', 'runningstatus']) await fetch(new URL(path, server.url))
      })
    })

    test('requests are named by their routes, and know their status', () => {
      const span = only(collector.named('GET /api/v1/search/lang/{queryLanguage}/execute'))
      assert.equal(span.kind, 2)
      assert.equal(span.attributes['http.request.method'], 'GET')
      assert.equal(span.attributes['http.route'], '/api/v1/search/lang/{queryLanguage}/execute')
      assert.equal(Number(span.attributes['http.response.status_code']), 200)
      assert.equal(span.service, 'quire')
    })

    test('the search of a request is a part of it, and shows the query without its values', () => {
      const request = only(collector.named('GET /api/v1/search/lang/{queryLanguage}/execute'))
      const searches = collector.named('search').filter(({ parentSpanId }) => parentSpanId === request.spanId)
      assert.ok(searches.length > 0)
      assert.equal(searches[0]?.attributes['db.system.name'], engine === 'sqlite' ? 'sqlite' : 'postgresql')
      assert.match(String(searches[0]?.attributes['db.query.text']), /dc:title = \? AND dc:rights = \?/)
    })

    test('so are operations, conversions and what is read of files', () => {
      const operation = only(collector.named('operation Repository.GetDocument'))
      const call = collector.spans.find(({ spanId }) => spanId === operation.parentSpanId)
      assert.match(String(call?.name), /^POST .*automation/)
      const conversion = only(collector.named('conversion'))
      assert.ok(String(conversion.attributes['quire.converters']).length > 0)
      assert.equal(collector.spans.find(({ spanId }) => spanId === conversion.parentSpanId)?.kind, 2)
      const file = collector.named('file write').find(({ parentSpanId }) => parentSpanId === conversion.spanId)
      assert.ok(file, 'the result of the conversion is stored as a part of it')
    })

    test('jobs are parts of the request that asked for them', () => {
      const request = only(collector.spans.filter(({ name }) => name.startsWith('POST') && name.includes('bulk')))
      const jobs = collector.spans.filter(({ name }) => name.startsWith('job bulk'))
      assert.deepEqual(new Set(jobs.map((job) => job.traceId)), new Set([request.traceId]))
      const scroll = only(collector.named('job bulkScroll'))
      assert.equal(scroll.parentSpanId, request.spanId)
      assert.equal(scroll.kind, 5)
      assert.equal(only(collector.named('job bulkBatch')).parentSpanId, scroll.spanId)
    })

    test('a request goes on from what its caller tells, and a mistake of the caller is no failure', () => {
      const span = only(collector.spans.filter((one) => one.traceId === traceId && one.kind === 2))
      assert.equal(span.parentSpanId, 'b7ad6b7169203331')
      assert.equal(Number(span.attributes['http.response.status_code']), 404)
      assert.equal(span.isFailed, false)
    })

    test('what balancers ask is left out', () => {
      const names = collector.spans.map(({ name }) => name)
      assert.deepEqual(
        names.filter((name) => /health|runningstatus/.test(name)),
        [],
      )
    })

    test('nothing tells what documents hold, nor what somebody signs in with', () => {
      const all = collector.bodies.join('\n')
      for (const hidden of ['hidden-', 'uthorization', 'Basic ', Buffer.from('Administrator:Administrator').toString('base64')])
        assert.equal(all.includes(hidden), false, hidden)
    })
  })
}

describe('which requests are recorded', () => {
  const count = async (settings: Readonly<Record<string, unknown>>, traceparent?: string) => {
    const ask = async (server: TestServer) => {
      const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent }
      requireStatus(200, await server.as('Administrator').get('/me', headers))
    }
    return (await recorded(settings, ask)).spans.filter(({ kind }) => kind === 2).length
  }

  test('is for the share to say, whatever callers want', async () => {
    assert.equal(await count({ traceRatio: '0' }), 0)
    assert.equal(await count({ traceRatio: '0' }, sampled), 0)
    assert.equal(await count({ traceRatio: '1' }, notSampled), 1)
  })

  test('is for callers to say where they are trusted', async () => {
    assert.equal(await count({ traceRatio: '0', traceTrustCallers: true }, sampled), 1)
    assert.equal(await count({ traceRatio: '1', traceTrustCallers: true }, notSampled), 0)
  })

  test('is not changed by what is no traceparent', async () => {
    for (const wrong of ['nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `ff-${traceId}-b7ad6b7169203331-01`])
      assert.equal(await count({}, wrong), 1)
  })
})

describe('what a collector is told', () => {
  test('comes with the headers that it wants, under the name that the server is given', async () => {
    const settings = { traceHeaders: 'authorization=Bearer a-key, x-team = archive', traceName: 'archive-1' }
    const { spans, headers } = await recorded(settings, async (server) => {
      await server.as('Administrator').get('/me')
    })
    assert.equal(headers[0]?.['authorization'], 'Bearer a-key')
    assert.equal(headers[0]?.['x-team'], 'archive')
    assert.ok(spans.length > 0 && spans.every(({ service }) => service === 'archive-1'))
  })

  test('is refused at the start where these are none', async () => {
    const settings = { ...(await filledDatabase('sqlite')), traceUrl: 'http://127.0.0.1:9', traceHeaders: 'nonsense' }
    await assert.rejects(startTestServer({ settings }), { code: 'traceHeadersWrong' })
  })
})

describe('a trace of two servers', () => {
  let collector: TraceCollector
  const servers: TestServer[] = []
  after(async () => {
    for (const server of servers) await server.stop()
  })

  test('goes from a request over the webhook that tells of it to the server that is told', async () => {
    collector = await startTraceCollector()
    const start = async (traceName: string, settings: object = {}) => {
      const options = { ...(await filledDatabase('sqlite')), traceUrl: collector.url, traceName, ...settings }
      const server = await startTestServer({ settings: options })
      servers.push(server)
      return server
    }
    const told = await start('told')
    const insecure = { notificationDeliveryInsecureHosts: ['127.0.0.1'], notificationDeliveryAllowedAddresses: ['127.0.0.1'] }
    const telling = await start('telling', { ...insecure, notificationDeliveryLease: '5s' })
    const admin = telling.as('Administrator')
    const url = `${told.url}api/v1/nowhere?key=hidden-key`
    const hook = requireStatus(201, await admin.post('/webhooks', { url, events: ['documentCreated'] }))
    const bench = workbenchOn(telling)
    await eventually(async () => {
      await bench.create('Folder')
      return requireStatus(200, await admin.get(`/webhooks/${hook.id}`)).lastAttempt !== null
    }, 'it is delivered to')
    for (const server of servers.splice(0)) await server.stop()
    const [received] = collector.spans.filter(({ service, kind }) => service === 'told' && kind === 2)
    const delivery = collector.spans.find(({ spanId }) => spanId === received?.parentSpanId)
    assert.deepEqual([delivery?.service, delivery?.name, delivery?.kind], ['telling', 'deliver', 3])
    assert.equal(delivery?.attributes['server.address'], '127.0.0.1')
    assert.equal(delivery?.isFailed, true, 'it was answered that there is nothing')
    const request = collector.spans.find(({ spanId }) => spanId === delivery?.parentSpanId)
    assert.deepEqual([request?.service, request?.kind, request?.traceId], ['telling', 2, received?.traceId])
    assert.match(String(request?.name), /^POST /)
    assert.equal(collector.bodies.join().includes('hidden-key'), false)
    await collector.stop()
  })
})

describe('another program that is called', () => {
  test('by an operation is told the trace', async () => {
    const called = await startTraceCollector()
    const { named } = await recorded({}, async (server) => {
      const params = { file: `${called.url}/a-file`, filename: 'a.txt' }
      await server.as('Administrator').post('/automation/Blob.CreateFromURL', { params, context: {} })
    })
    await called.stop()
    const operation = only(named('operation Blob.CreateFromURL'))
    assert.equal(called.headers[0]?.['traceparent'], `00-${operation.traceId}-${operation.spanId}-01`)
  })

  test('over gRPC is told the trace', async () => {
    const receiver = await startNotificationReceiver()
    const rules: NetworkRules = {
      checkAddress: async (address) => ({ kind: 'allowed', address, family: 4 }),
      isInsecure: () => true,
      readAuthorities: async () => undefined,
    }
    const tracer: Tracer = { ...offTracer, current: () => ({ traceparent: sampled }) }
    const transport = createGrpcTransport({ endpoint: `127.0.0.1:${receiver.port}` }, rules, tracer)
    const told = { name: 'a', eventId: 'b', event: 'c', eventTime: '2026-01-01T00:00:00.000Z', repository: 'd', documentId: 'e' }
    const limits = { milliseconds: 60_000, signal: new AbortController().signal }
    assert.deepEqual(await transport.notify({ ...told, json: '{}', fullState: false }, limits), { kind: 'delivered' })
    transport.close()
    await receiver.stop()
    assert.equal(receiver.received[0]?.traceparent, sampled)
  })
})

describe('a collector that is not there', () => {
  test('costs no request anything, the stop a moment, and the log one line', async () => {
    const lines: LogFields[] = []
    const log = { debug() {}, info() {}, warn: (fields: LogFields) => void lines.push(fields), error() {} }
    const collector = await startTraceCollector()
    await collector.stop()
    const settings = { ...(await filledDatabase('sqlite')), traceUrl: collector.url }
    const server = await startTestServer({ settings, log })
    for (let request = 0; request < 20; request++) requireStatus(200, await server.as('Administrator').get('/me'))
    const since = performance.now()
    await server.stop()
    assert.ok(performance.now() - since < 10_000)
    assert.equal(lines.filter(({ event }) => event === 'trace.notSent').length, 1)
  })
})
