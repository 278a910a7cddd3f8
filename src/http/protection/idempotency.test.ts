import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { overridden } from '../../../test/support/overridden.ts'
import { aRoute, createMemoryStore, startTinyServer, type TinyServer } from '../../../test/support/tiny-server.ts'
import { defineProblem } from '../../base/problem.ts'
import { entity } from '../../rest/answer.ts'
import type { Store } from '../../store/store.ts'

const spilled = defineProblem('spilled', 'invalid', (_: object) => 'spilled')
const countedHeaders = { Location: '/counted/1' }

describe('an Idempotency-Key', () => {
  let server: TinyServer
  let runs = 0
  let mayFinish = Promise.withResolvers<void>()
  const store = createMemoryStore()

  before(async () => {
    const routes = [
      aRoute('POST', '/counted', async () => ({
        ...entity('count', { runs: ++runs, large: 9007199254740993n }, 201),
        headers: countedHeaders,
      })),
      aRoute(
        'POST',
        '/streamed',
        async ({ request }) => entity('count', { length: (await buffer(request.openBody({ maxBytes: 1_000 }))).length }, 201),
        { streamsBody: true },
      ),
      aRoute('POST', '/unread', async () => entity('count', { runs: ++runs }, 201), { ignoresBody: true }),
      aRoute('POST', '/other', async () => entity('count', { runs: ++runs })),
      aRoute('PUT', '/counted', async () => entity('count', { runs: ++runs })),
      aRoute('POST', '/empty', async () => ({ kind: 'empty', status: ++runs > 0 ? 204 : 200 })),
      aRoute('POST', '/file', async () => streamed(Buffer.from([++runs, 0xff, 0xfe]))),
      aRoute('POST', '/huge', async () => streamed(Buffer.alloc(6 * 1024 * 1024, ++runs))),
      aRoute('POST', '/failing', async () => {
        runs++
        throw spilled({})
      }),
      aRoute('POST', '/slow', async () => {
        await mayFinish.promise
        return entity('count', { runs: ++runs })
      }),
    ]
    server = await startTinyServer({ routes, store })
  })
  beforeEach(() => {
    runs = 0
  })
  after(() => server.http.stop())

  const post = (path: string, key: string, user = 'alice', method = 'POST') =>
    server.send(method, `/api/v1${path}`, { user, headers: { 'Idempotency-Key': key } })

  test('belongs to one body, however that is read', async () => {
    const send = (path: string, key: string, body: string | undefined) =>
      server.send('POST', `/api/v1${path}`, {
        headers: { 'Idempotency-Key': key, 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      })
    for (const path of ['/counted', '/streamed', '/unread']) {
      const first = await send(path, `body${path}`, '{"a":1}')
      assert.equal(first.status, 201, path)
      assert.equal((await send(path, `body${path}`, '{"a":1}')).text, first.text, path)
      for (const other of ['{"a":2}', '{"a":1} ', '{}', undefined]) {
        const refused = await send(path, `body${path}`, other)
        assert.equal(refused.status, 422, path)
        assert.match(refused.text, /belongs to a request with another body/)
      }
      assert.equal((await send(`${path}?b=1`, `body${path}`, '{"a":1}')).status, 422)
    }
  })
  test('runs a request once and repeats its whole answer', async () => {
    const [first, second] = [await post('/counted', 'a'), await post('/counted', 'a')]
    assert.equal(runs, 1)
    assert.deepEqual([first.status, first.text], [201, '{"runs":1,"large":9007199254740993}'])
    assert.deepEqual([second.status, second.text], [first.status, first.text])
    for (const { headers } of [first, second]) {
      assert.partialDeepStrictEqual(headers, {
        'idempotency-key': 'a',
        location: '/counted/1',
        'content-type': 'application/json; platform-entity=count',
        'x-frame-options': 'SAMEORIGIN',
      })
    }
  })
  test('repeats answers without a body and files alike', async () => {
    for (const path of ['/empty', '/file']) {
      const [first, second] = [await post(path, `b${path}`), await post(path, `b${path}`)]
      assert.deepEqual(
        [second.status, second.text, second.headers['content-type']],
        [first.status, first.text, first.headers['content-type']],
      )
    }
    assert.equal(runs, 2)
  })
  test('belongs to the user who sent it', async () => {
    await post('/counted', 'c', 'alice')
    await post('/counted', 'c', 'bob')
    assert.equal(runs, 2)
  })
  test('cannot be used for another path', async () => {
    await post('/counted', 'd')
    const refused = await post('/other', 'd')
    assert.equal(refused.status, 422)
    assert.equal(refused.json?.['message'], 'This Idempotency-Key belongs to POST /api/v1/counted. Use another key.')
    assert.equal(refused.headers['idempotency-key'], 'd')
    assert.equal(runs, 1)
  })
  test('is free again when the request failed', async () => {
    assert.equal((await post('/failing', 'e')).status, 400)
    assert.equal((await post('/failing', 'e')).status, 400)
    assert.equal((await post('/counted', 'e')).status, 201)
    assert.equal(runs, 3)
  })
  test('is refused while the first request runs', async () => {
    mayFinish = Promise.withResolvers()
    const first = post('/slow', 'f')
    while ((await post('/slow', 'f')).status !== 409) await new Promise((resolve) => setTimeout(resolve, 10))
    const refused = await post('/slow', 'f')
    assert.deepEqual([refused.status, refused.headers['idempotency-key']], [409, 'f'])
    mayFinish.resolve()
    assert.deepEqual((await first).json, { runs: 1 })
    assert.deepEqual((await post('/slow', 'f')).json, { runs: 1 })
  })
  test('lets only one of many through', async () => {
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => post('/counted', 'g')))).map(({ status }) => status)
    assert.equal(runs, 1)
    assert.ok(
      statuses.every((status) => status === 201 || status === 409),
      String(statuses),
    )
  })
  test('does not keep what is too large, but sends it whole', async () => {
    const received = await post('/huge', 'h')
    assert.equal(Buffer.byteLength(received.text, 'latin1'), 6 * 1024 * 1024)
    await post('/huge', 'h')
    assert.equal(runs, 2)
  })
  test('does nothing to methods that may be repeated anyway', async () => {
    const { headers } = await post('/counted', 'i', 'alice', 'PUT')
    await post('/counted', 'i', 'alice', 'PUT')
    assert.equal(runs, 2)
    assert.equal(headers['idempotency-key'], undefined)
  })
  test('says nothing to strangers', async () => {
    await post('/counted', 'j')
    const refused = await server.send('POST', '/api/v1/counted', { user: null, headers: { 'Idempotency-Key': 'j' } })
    assert.equal(refused.status, 401)
  })
  test('does not make a failure of what was done when its answer cannot be kept', async (context) => {
    const failing: Store = {
      ...store,
      transact: async (body) => store.transact((tx) => body(overridden(tx, { transient: { ...tx.transient, set: fail } }))),
    }
    const routes = [aRoute('POST', '/counted', async () => entity('count', { runs: ++runs }))]
    const other = await startTinyServer({ routes, store: failing })
    context.after(() => other.http.stop())
    const received = await other.send('POST', '/api/v1/counted', { headers: { 'Idempotency-Key': 'k' } })
    assert.equal(received.status, 200)
    assert.ok(other.logged.some(({ event, level }) => event === 'idempotency.notKept' && level === 'warn'))
  })
})

async function fail(): Promise<never> {
  throw new Error('disk full')
}

function streamed(bytes: Buffer) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  )
  return { kind: 'stream', status: 200, contentType: 'application/octet-stream', stream: Readable.from(chunks) } as const
}
