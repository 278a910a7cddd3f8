import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as round } from 'node:timers/promises'
import { aRoute, basic, startTinyServer } from '../../../test/support/tiny-server.ts'
import type { LiveLine } from '../../rest/answer.ts'

/** A server with an answer that has no end, and what its handler is told of it. */
async function startLive(context: TestContext) {
  const opened = Promise.withResolvers<LiveLine>()
  const closed = Promise.withResolvers<void>()
  const route = aRoute('GET', '/live', async () => ({
    kind: 'live',
    status: 200,
    contentType: 'text/event-stream',
    open(line) {
      opened.resolve(line)
      return closed.resolve
    },
  }))
  const server = await startTinyServer({ routes: [route] })
  context.after(() => server.http.stop())
  return { server, opened: opened.promise, closed: closed.promise }
}

function listen(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: basic('alice'), 'accept-encoding': 'gzip' }
    request({ port, path: '/api/v1/live', headers, agent: false }, resolve).on('error', reject).end()
  })
}

async function nextText(answer: IncomingMessage): Promise<string> {
  const [bytes] = await once(answer, 'data')
  return String(bytes)
}

const patience = { timeout: 30_000 }

describe('an answer without an end', () => {
  test('has its head at once, and then each text as it is sent', patience, async (context) => {
    const { server, opened } = await startLive(context)
    const answer = await listen(server.port)
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'text/event-stream')
    assert.equal(answer.headers['content-encoding'], undefined)
    const line = await opened
    for (const text of ['one\n', 'two\n']) {
      const received = nextText(answer)
      line.send(text)
      assert.equal(await received, text)
    }
    answer.destroy()
  })

  test('is over for the handler when the client goes, and may be sent to in vain', patience, async (context) => {
    const { server, opened, closed } = await startLive(context)
    const answer = await listen(server.port)
    const line = await opened
    answer.destroy()
    await closed
    line.send('lost')
    line.close()
    await line.drained()
    assert.ok(!server.logged.some(({ level }) => level === 'error'))
  })

  test('ends when the handler closes it, with all that was sent, and is logged then', patience, async (context) => {
    const { server, opened, closed } = await startLive(context)
    const answer = await listen(server.port)
    const line = await opened
    line.send('last words')
    line.close()
    line.send('too late')
    assert.equal(Buffer.concat(await answer.toArray()).toString(), 'last words')
    await closed
    const logged = () => server.logged.filter(({ event }) => event === 'http.request')
    while (logged().length === 0) await round()
    assert.deepEqual(
      logged().map(({ status, path }) => [status, path]),
      [[200, '/api/v1/live']],
    )
  })

  test('tells how much a client has not taken, and breaks off on demand', patience, async (context) => {
    const { server, opened, closed } = await startLive(context)
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`GET /api/v1/live HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic('alice')}\r\n\r\n`)
    socket.pause()
    const line = await opened
    assert.equal(line.waitingBytes, 0)
    const text = 'x'.repeat(1_000_000)
    while (line.waitingBytes < text.length) line.send(text)
    const drained = line.drained()
    line.drop()
    await Promise.all([closed, drained])
    socket.destroy()
  })

  test('goes on when a slow client has taken what it was sent', patience, async (context) => {
    const { server, opened } = await startLive(context)
    const answer = await listen(server.port)
    const line = await opened
    const text = 'x'.repeat(100_000)
    let sent = 0
    while (line.waitingBytes === 0) {
      line.send(text)
      sent += text.length
    }
    let received = 0
    answer.on('data', (bytes: Buffer) => {
      received += bytes.length
    })
    await line.drained()
    line.close()
    await once(answer, 'end')
    assert.equal(received, sent)
  })

  test('to HEAD is its head alone', patience, async (context) => {
    const { server, opened } = await startLive(context)
    const { status, headers, text } = await server.send('HEAD', '/api/v1/live')
    assert.deepEqual([status, headers['content-type'], text], [200, 'text/event-stream', ''])
    assert.equal(await Promise.race([opened, 'never opened']), 'never opened')
  })

  test('does not keep a server from stopping', patience, async (context) => {
    const { server, opened, closed } = await startLive(context)
    const answer = await listen(server.port)
    const line = await opened
    const received = nextText(answer)
    line.send('here')
    await received
    await server.http.stop()
    await closed
    assert.deepEqual(await answer.toArray(), [])
    assert.ok(!server.logged.some(({ event }) => event === 'http.cutOff'))
  })

  test('that nobody reads does not keep a server from stopping either', patience, async (context) => {
    const { server, opened, closed } = await startLive(context)
    const answer = await listen(server.port)
    answer.on('error', () => {})
    const line = await opened
    while (line.waitingBytes === 0) line.send('x'.repeat(1_000_000))
    await server.http.stop()
    await closed
    assert.ok(!server.logged.some(({ event }) => event === 'http.cutOff'))
    answer.destroy()
  })
})
