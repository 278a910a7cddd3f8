import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { settingGroups } from '../../src/builtin-settings.ts'
import { httpSettingsOf } from '../../src/http/http-settings.ts'
import { json } from '../../src/rest/answer.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { aRoute, basic, startTinyServer, type TinyServer } from '../support/tiny-server.ts'

const large = aRoute('GET', '/much', async () => json({ text: 'x'.repeat(30_000_000) }))
const { connections: usual } = httpSettingsOf(readSettings(settingGroups, { config: { settings: {} } }))

async function start(context: TestContext, limits: Partial<typeof usual>, headersSeconds = 60): Promise<TinyServer> {
  const server = await startTinyServer({
    routes: [large],
    settings: {
      connections: { ...usual, ...limits },
      headersSeconds,
      bodyStallSeconds: 60,
      answerMaxBytes: 1e9,
      stopGraceSeconds: 0.1,
      // Nobody on this machine is a proxy here.
      trustedProxies: [],
    },
  })
  context.after(() => server.http.stop())
  return server
}

async function open(context: TestContext, { port }: TinyServer, bytes = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  context.after(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes)
  return socket
}

/** In whichever way: who is closed while it sends is told by a reset. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

const head = (method: string, path: string, more = '') =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic('alice')}\r\n${more}`

/** Sends a byte now and then, until the connection is closed. */
async function trickle(socket: Socket, millis: number): Promise<void> {
  while (!socket.destroyed) {
    socket.write('a')
    await wait(millis)
  }
}

describe('a connection', { timeout: 30_000 }, () => {
  test('on which nothing is sent is closed', async (context) => {
    const server = await start(context, { firstByteSeconds: 0.3 })
    const socket = (await open(context, server)).resume()
    await closed(socket)
  })
  test('whose head never ends is told so and closed, however busily it sends', async (context) => {
    const server = await start(context, {}, 0.5)
    const socket = await open(context, server, head('GET', '/me', 'X-Slow: '))
    const sending = trickle(socket, 50)
    const answer = Buffer.concat(await socket.toArray()).toString()
    assert.match(answer, /^HTTP\/1\.1 408 /)
    socket.destroy()
    await sending
  })
  test('whose client does not hang up after the last answer is closed', async (context) => {
    const server = await start(context, { firstByteSeconds: 0.3 }, 0.5)
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }).resume()
    context.after(() => socket.destroy())
    const sending = trickle(socket, 50)
    // It goes on after it was told off, and a write to what is closed is an error.
    await once(socket, 'error')
    await sending
  })
  test('on which hundreds of requests come at once answers them one after the other, as they are read', async (context) => {
    let begun = 0
    const counting = aRoute('GET', '/counted', async () => json({ number: ++begun, text: 'x'.repeat(1_000_000) }))
    const server = await startTinyServer({ routes: [counting], settings: { answerMaxBytes: 1e9 } })
    context.after(() => server.http.stop())
    const last = head('GET', '/counted', 'Connection: close\r\n\r\n')
    const socket = await open(context, server, `${head('GET', '/counted', '\r\n').repeat(89)}${last}`)
    socket.pause()
    await wait(500)
    assert.ok(begun < 40, `${begun} answers were made that nobody reads`)
    const text = Buffer.concat(await socket.toArray()).toString()
    const numbers = [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))
    assert.deepEqual(
      numbers,
      Array.from({ length: 90 }, (_, index) => index + 1),
    )
  })
  test('on which more requests wait than anybody asks at once is closed', async (context) => {
    const server = await start(context, {})
    const socket = await open(context, server, head('GET', '/much', '\r\n').repeat(300))
    await closed(socket.resume())
    assert.ok(socket.bytesRead < 30_000_000, `${socket.bytesRead} bytes came`)
  })
  test('whose body trickles is closed, though it never stops', async (context) => {
    const server = await start(context, { stallSeconds: 0.5, minBytesPerSecond: 1_000 })
    const socket = (
      await open(context, server, head('POST', '/thing/x', 'Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n'))
    ).resume()
    const sending = trickle(socket, 20)
    await closed(socket)
    await sending
  })
  test('whose answer nobody reads is closed', async (context) => {
    const server = await start(context, { stallSeconds: 0.5, minBytesPerSecond: 1_000 })
    const socket = await open(context, server, head('GET', '/much', '\r\n'))
    socket.pause()
    await wait(2_500)
    socket.resume()
    const received = Buffer.concat(await socket.toArray().catch(() => [])).length
    assert.ok(received < 30_000_000, `${received} bytes came`)
  })
  test('that is read slowly, but read, is not', async (context) => {
    const server = await start(context, { stallSeconds: 0.5, minBytesPerSecond: 1_000 })
    const socket = await open(context, server, head('GET', '/much', 'Connection: close\r\n\r\n'))
    let received = 0
    for await (const chunk of socket) {
      received += chunk.length
      if (received < 20_000_000) await wait(5)
    }
    assert.ok(received > 30_000_000, `${received} bytes came`)
  })
  test('is not closed for the time in which the server itself stood still', async (context) => {
    const server = await start(context, { firstByteSeconds: 0.4, stallSeconds: 1, minBytesPerSecond: 1_000 })
    const socket = await open(context, server, head('GET', '/much', 'Connection: close\r\n\r\n'))
    socket.pause()
    // Until it was looked at once, and long before it is too slow.
    await wait(300)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300)
    const received = Buffer.concat(await socket.resume().toArray()).length
    assert.ok(received > 30_000_000, `${received} bytes came`)
  })
  test('that waits for an answer is left alone', async (context) => {
    const slow = aRoute('GET', '/slow', async () => {
      await wait(1_500)
      return json({ done: true })
    })
    const server = await startTinyServer({
      routes: [slow],
      settings: { connections: { ...usual, stallSeconds: 0.3, firstByteSeconds: 0.3 }, headersSeconds: 0.5 },
    })
    context.after(() => server.http.stop())
    assert.equal((await server.send('GET', '/api/v1/slow')).status, 200)
  })
})

describe('many connections', { timeout: 30_000 }, () => {
  test('that say nothing make way for those who ask', async (context) => {
    const server = await start(context, { maxConnections: 20 })
    for (let index = 0; index < 60; index++) await open(context, server)
    assert.equal((await server.send('GET', '/api/v1/me')).status, 200)
  })
  test('that are all being answered leave no room, and others are told so', async (context) => {
    const server = await start(context, { maxConnections: 3 })
    const post = head('POST', '/thing/x', 'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n')
    for (let index = 0; index < 3; index++) await open(context, server, post)
    await wait(200)
    assert.equal((await server.send('GET', '/api/v1/me')).status, 503)
  })
  test('of one address are refused beyond its share', async (context) => {
    const server = await start(context, { maxPerAddress: 5 })
    const sockets: Socket[] = []
    for (let index = 0; index < 5; index++) sockets.push(await open(context, server))
    assert.equal((await server.send('GET', '/api/v1/me')).status, 503)
    sockets[0]?.destroy()
    await wait(100)
    assert.equal((await server.send('GET', '/api/v1/me')).status, 200)
  })
})
