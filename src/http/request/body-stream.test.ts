import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { aRoute, basic, startTinyServer, type TinyServer } from '../../../test/support/tiny-server.ts'
import { defineProblem } from '../../base/problem.ts'
import { json } from '../../rest/answer.ts'

const maxBytes = 100_000
const refused = defineProblem('refused', 'conflict', (_: object) => 'refused')

describe('a body that is read as it comes in', { timeout: 30_000 }, () => {
  let server: TinyServer
  let ended: PromiseWithResolvers<unknown>
  const routes = [
    aRoute(
      'POST',
      '/length',
      async ({ request: sent }) => {
        try {
          const { length } = await buffer(sent.openBody({ maxBytes }))
          ended.resolve(length)
          return json({ length })
        } catch (error) {
          ended.resolve(error)
          throw error
        }
      },
      { streamsBody: true },
    ),
    aRoute(
      'POST',
      '/late',
      async ({ request: sent }) => {
        const body = sent.openBody({ maxBytes })
        await wait(200)
        ended.resolve(await buffer(body).catch((error: unknown) => error))
        return json({})
      },
      { streamsBody: true },
    ),
    aRoute(
      'POST',
      '/later',
      async ({ request: sent }) => {
        await wait(200)
        ended.resolve(await buffer(sent.openBody({ maxBytes })).catch((error: unknown) => error))
        return json({})
      },
      { streamsBody: true },
    ),
    aRoute('POST', '/refused', () => Promise.reject(refused({})), { streamsBody: true }),
    aRoute(
      'POST',
      '/half',
      async ({ request: sent }) => {
        for await (const _ of sent.openBody({ maxBytes: 1e9 })) break
        throw refused({})
      },
      { streamsBody: true },
    ),
  ]
  before(async () => {
    server = await startTinyServer({ routes, settings: { bodyStallSeconds: 0.3 } })
  })
  after(() => server.http.stop())
  beforeEach(() => {
    ended = Promise.withResolvers()
  })

  const send = (path: string, headers: OutgoingHttpHeaders, body?: Uint8Array, agent: Agent | false = false) =>
    new Promise<{ status: number; text: string; incoming: IncomingMessage }>((resolve, reject) => {
      const options = { port: server.port, method: 'POST', path: `/api/v1${path}`, agent }
      const outgoing = request({ ...options, headers: { authorization: basic('alice'), ...headers } })
      outgoing.on('error', reject)
      outgoing.on('response', async (incoming) => {
        const text = String(await buffer(incoming))
        resolve({ status: incoming.statusCode ?? 0, text, incoming })
      })
      outgoing.end(body)
    })

  const talk = (lines: readonly string[], body = '') => {
    const socket = connect(server.port, '127.0.0.1')
    const head = [...lines, 'Host: localhost', `Authorization: ${basic('alice')}`, '', body].join('\r\n')
    socket.write(head)
    return socket
  }

  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'pdf', '']) {
    test(`may be of any type: ${type}`, async () => {
      const { status, text } = await send('/length', { 'content-type': type }, Buffer.from('{broken'))
      assert.deepEqual([status, text], [200, '{"length":7}'])
    })
  }

  test('may be absent, empty or as large as is allowed, its length known or not', async () => {
    assert.equal((await send('/length', { 'content-length': 0 })).text, '{"length":0}')
    const whole = Buffer.alloc(maxBytes)
    assert.equal((await send('/length', {}, whole)).text, `{"length":${maxBytes}}`)
    assert.equal((await send('/length', { 'transfer-encoding': 'chunked' }, whole)).text, `{"length":${maxBytes}}`)
    assert.equal((await send('/length', { 'transfer-encoding': 'chunked' })).text, '{"length":0}')
  })

  test('is 413 when it is larger, as soon as that is known', async () => {
    const { status, text } = await send('/length', {}, Buffer.alloc(maxBytes + 1))
    assert.deepEqual([status, /larger than the 100000 bytes/.test(text)], [413, true])
    const chunked = await send('/length', { 'transfer-encoding': 'chunked' }, Buffer.alloc(maxBytes + 1))
    assert.equal(chunked.status, 413)
  })

  test('is 415 when it is compressed', async () => {
    assert.equal((await send('/length', { 'content-encoding': 'gzip' }, Buffer.from('x'))).status, 415)
  })

  test('is not asked of a client that waits to be asked when it would be refused anyway', async () => {
    for (const [path, length, status] of [
      ['/length', maxBytes + 1, 413],
      ['/refused', 10, 409],
      ['/nowhere', 10, 404],
    ] as const) {
      const socket = talk([`POST /api/v1${path} HTTP/1.1`, `Content-Length: ${length}`, 'Expect: 100-continue'])
      const answer = String(await buffer(socket))
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer)
    }
  })

  test('is asked of a client that waits to be asked', async () => {
    const lines = ['POST /api/v1/length HTTP/1.1', 'Content-Length: 5', 'Expect: 100-continue', 'Connection: close']
    const socket = talk(lines)
    socket.once('data', () => socket.write('hello'))
    const answer = String(await buffer(socket))
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n.*\{"length":5\}$/s)
  })

  test('is asked for when JSON is wanted, too', async () => {
    const lines = ['POST /api/v1/thing/x HTTP/1.1', 'Content-Length: 2', 'Content-Type: application/json', 'Connection: close']
    const socket = talk([...lines, 'Expect: 100-continue'])
    socket.once('data', () => socket.write('{}'))
    assert.match(String(await buffer(socket)), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  })

  for (const path of ['/refused', '/half', '/nowhere', '/length']) {
    test(`leaves the connection to the next request when it was not read to its end: ${path}`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const { status, incoming } = await send(path, {}, Buffer.alloc(3_000_000), agent)
      assert.ok(status >= 400 && incoming.headers.connection === 'keep-alive')
      const next = await send('/length', {}, Buffer.from('abc'), agent)
      assert.equal(next.text, '{"length":3}')
      agent.destroy()
    })
    test(`does not keep the answer from a client that closes: ${path}`, async () => {
      const { status } = await send(path, { connection: 'close' }, Buffer.alloc(3_000_000))
      assert.ok(status >= 400)
    })
  }

  test('is answered before all of it was sent', async () => {
    const socket = talk(['POST /api/v1/refused HTTP/1.1', 'Content-Length: 1000000'], 'some')
    const [answer] = await socket.take(1).toArray()
    assert.match(String(answer), /^HTTP\/1\.1 409 /)
  })

  test('may break before it is read', async () => {
    const socket = talk(['POST /api/v1/late HTTP/1.1', 'Content-Length: 1000'], 'some')
    await wait(50)
    socket.destroy()
    assert.match(String(await ended.promise), /closed before the end/)
  })

  test('may break before it is opened', async () => {
    const socket = talk(['POST /api/v1/later HTTP/1.1', 'Content-Length: 1000'], 'some')
    await wait(50)
    socket.destroy()
    assert.match(String(await ended.promise), /closed before the end/)
  })

  test('ends with its client', async () => {
    const socket = talk(['POST /api/v1/length HTTP/1.1', 'Content-Length: 1000'], 'some')
    await wait(50)
    socket.destroy()
    assert.match(String(await ended.promise), /closed before the end/)
  })

  test('ends when it was promised longer than it is', async () => {
    const socket = talk(['POST /api/v1/length HTTP/1.1', 'Content-Length: 1000'], 'some')
    socket.end()
    await buffer(socket)
    assert.match(String(await ended.promise), /closed before the end/)
  })

  test('is cut off when the client sends nothing more for too long, not when it is merely slow', async () => {
    const stalled = talk(['POST /api/v1/length HTTP/1.1', 'Content-Length: 1000'], 'some')
    const slow = talk(['POST /api/v1/length HTTP/1.1', 'Content-Length: 6', 'Connection: close'])
    for (const letter of 'slowly') {
      await wait(100)
      slow.write(letter)
    }
    assert.match(String(await buffer(slow)), /\{"length":6\}$/)
    assert.equal(String(await buffer(stalled)), '')
  })
})

describe('a body that the server is slow to read', () => {
  test('is not taken for one that stalls, and is not kept in memory', { timeout: 20_000 }, async (context) => {
    const seen: number[] = []
    const slow = aRoute(
      'POST',
      '/slow',
      async ({ request: sent }) => {
        const body = sent.openBody({ maxBytes: 1e9 })
        for await (const chunk of body) {
          if (seen.length < 3) await wait(400)
          seen.push((chunk as Buffer).length)
        }
        return json({ length: seen.reduce((sum, length) => sum + length, 0) })
      },
      { streamsBody: true },
    )
    const server = await startTinyServer({ routes: [slow], settings: { bodyStallSeconds: 0.3 } })
    context.after(() => server.http.stop())
    const { json: answer } = await server.send('POST', '/api/v1/slow', { body: Buffer.alloc(5_000_000) })
    assert.deepEqual(answer, { length: 5_000_000 })
  })
})
