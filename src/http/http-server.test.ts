import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { aRoute, basic, startTinyServer, type TinyServerOptions } from '../../test/support/tiny-server.ts'
import { json } from '../rest/answer.ts'

function keptAlive(
  port: number,
  path: string,
  agent: Agent,
): Promise<{ status: number; connection: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path, agent, headers: { authorization: basic('alice') } }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

async function startFor(context: TestContext, options: TinyServerOptions = {}) {
  const server = await startTinyServer(options)
  context.after(() => server.http.stop())
  return server
}

async function talk(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  return Buffer.concat(await socket.toArray()).toString()
}

describe('a server that stops', () => {
  test('answers what is in flight, closes idle connections and takes no new ones', { timeout: 10_000 }, async (context) => {
    const entered = Promise.withResolvers<void>()
    const mayFinish = Promise.withResolvers<void>()
    const slow = aRoute('GET', '/slow', async () => {
      entered.resolve()
      await mayFinish.promise
      return json({ done: true })
    })
    const server = await startFor(context, { routes: [slow] })
    const agent = new Agent({ keepAlive: true })
    const idle = await keptAlive(server.port, '/api/v1/me', agent)
    assert.equal(idle.connection, 'keep-alive')
    const inFlight = keptAlive(server.port, '/api/v1/slow', new Agent({ keepAlive: true }))
    await entered.promise
    let isStopped = false
    const stopped = server.http.stop().then(() => {
      isStopped = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(isStopped, false)
    await assert.rejects(server.send('GET', '/api/v1/me'), { code: 'ECONNREFUSED' })
    mayFinish.resolve()
    assert.deepEqual(await inFlight, { status: 200, connection: 'close', text: '{"done":true}' })
    await stopped
    agent.destroy()
  })
  test('cuts off what does not end', { timeout: 10_000 }, async (context) => {
    const entered = Promise.withResolvers<void>()
    const endless = aRoute('GET', '/endless', ({ request: { signal } }) => {
      entered.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))))
    })
    const server = await startFor(context, { routes: [endless], settings: { stopGraceSeconds: 0.2 } })
    const inFlight = assert.rejects(server.send('GET', '/api/v1/endless'), { code: 'ECONNRESET' })
    await entered.promise
    await server.http.stop()
    await inFlight
    assert.ok(server.logged.some(({ event, level }) => event === 'http.cutOff' && level === 'warn'))
  })
})

describe('bytes that are no request', () => {
  test('are told so in the same words as everything else', async (context) => {
    const server = await startFor(context)
    const answer = await talk(server.port, 'hello\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json\r\n/)
    assert.match(answer, /\{"entity-type":"exception","status":400,"message":"Bad Request"\}$/)
  })
  test('with headers beyond measure are 431', async (context) => {
    const server = await startFor(context)
    const answer = await talk(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 431 /)
  })
  test('of a body that stops coming end the connection', { timeout: 5000 }, async (context) => {
    const server = await startFor(context, { settings: { bodyStallSeconds: 0.2 } })
    const socket = connect(server.port, '127.0.0.1')
    const head = `POST /api/v1/thing/x HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic('alice')}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    socket.write(head)
    socket.resume()
    await once(socket, 'close')
    assert.ok(!server.logged.some(({ level }) => level === 'error'))
  })
})
