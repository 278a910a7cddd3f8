import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { connect as connectPlainly, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { settingGroups } from '../../src/builtin-settings.ts'
import { type HttpSettings, httpSettingsOf } from '../../src/http/http-settings.ts'
import type { Encryption } from '../../src/http/tls/encryption.ts'
import { json } from '../../src/rest/answer.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { authority, callEncrypted, certificateFiles, type EncryptedRequest, renewedFiles } from '../support/encrypted-call.ts'
import { freePort } from '../support/free-port.ts'
import { sendBytes } from '../support/raw-http.ts'
import { aRoute, basic, startTinyServer, type TinyServer } from '../support/tiny-server.ts'

const ca = authority
const files = { ...certificateFiles, passphrase: undefined }
const large = aRoute('GET', '/much', async () => json({ text: 'x'.repeat(30_000_000) }))
const { connections: usual } = httpSettingsOf(readSettings(settingGroups, { config: { settings: {} } }))

interface StartOptions extends Partial<HttpSettings> {
  readonly files?: Encryption['files']
}

async function start(context: TestContext, { files: shown = files, ...settings }: StartOptions = {}): Promise<TinyServer> {
  const server = await startTinyServer({
    routes: [large],
    settings: {
      encryption: { port: await freePort(), files: shown, minVersion: 'TLSv1.2', lookMilliseconds: 20 },
      transportSecurity: 'max-age=60',
      answerMaxBytes: 1e9,
      stopGraceSeconds: 0.1,
      ...settings,
    },
  })
  context.after(() => server.http.stop())
  return server
}

const call = (port: number, method: string, path: string, { headers = {}, ...sent }: EncryptedRequest = {}) =>
  callEncrypted(port, method, path, { headers: { authorization: basic('alice'), ...headers }, ...sent })

/** A connection that has agreed on how to encrypt. */
async function open(context: TestContext, { encryptedPort: port }: TinyServer, more: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca, ...more })
  context.after(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

async function openPlainly(context: TestContext, port: number): Promise<Socket> {
  const socket = connectPlainly(port, '127.0.0.1')
  context.after(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** In whichever way. */
function closed(socket: Socket): Promise<void> {
  socket.resume()
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

async function failure(connection: Promise<unknown>): Promise<string> {
  return connection.then(
    () => 'none',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
}

const head = (method: string, path: string, more = '') =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic('alice')}\r\n${more}`

async function isAlive({ encryptedPort }: TinyServer): Promise<boolean> {
  return (await call(encryptedPort, 'GET', '/api/v1/me')).status === 200
}

describe('a server that speaks TLS', { timeout: 30_000 }, () => {
  test('answers over it as without, with https in its links, and tells browsers to stay', async (context) => {
    const server = await start(context)
    const { encryptedPort: port } = server
    const shown = await call(port, 'GET', '/api/v1/thing/x')
    assert.equal(shown.status, 200)
    assert.equal(JSON.parse(shown.text).base, `https://localhost:${port}/`)
    assert.equal(shown.headers['strict-transport-security'], 'max-age=60')
    const refused = await call(port, 'GET', '/api/v1/nothing', { headers: { authorization: '' } })
    assert.equal(refused.headers['strict-transport-security'], 'max-age=60')
    const plain = await server.send('GET', '/api/v1/thing/x')
    assert.equal(plain.headers['strict-transport-security'], undefined)
    assert.match(String(plain.json?.['base']), /^http:/)
  })

  test('gives its session cookie to encrypted connections alone, when it came over one', async (context) => {
    const server = await start(context, { csrf: { enabled: true, skip: [] } })
    const headers = { 'csrf-token': 'fetch' }
    const { headers: given } = await call(server.encryptedPort, 'GET', '/', { headers })
    assert.match(String(given['set-cookie']), /^JSESSIONID=.*; Secure/)
    assert.match(
      String((await server.send('GET', '/', { headers })).headers['set-cookie']),
      /^JSESSIONID=[^;]*; Path=\/; HttpOnly$/,
    )
  })

  test('keeps connections, reads bodies and sends much over them', async (context) => {
    const server = await start(context)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    context.after(() => agent.destroy())
    const body = JSON.stringify({ text: 'y'.repeat(500_000) })
    const headers = { 'content-type': 'application/json' }
    const repeated = await call(server.encryptedPort, 'POST', '/api/v1/thing/x', { agent, body, headers })
    assert.equal(repeated.text.length > 500_000, true)
    const { text } = await call(server.encryptedPort, 'GET', '/api/v1/much', { agent })
    assert.equal(text.length, 30_000_011)
    assert.equal(Object.values(agent.freeSockets).flat().length, 1)
  })

  test('speaks HTTP/1.1 and TLS from 1.2 on, and begins nothing anew', async (context) => {
    const server = await start(context)
    assert.equal((await open(context, server, { ALPNProtocols: ['h2', 'http/1.1'] })).alpnProtocol, 'http/1.1')
    assert.match(await failure(open(context, server, { ALPNProtocols: ['h2'] })), /NO_APPLICATION_PROTOCOL/)
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
    assert.match(await failure(open(context, server, old)), /PROTOCOL_VERSION/)
    const socket = await open(context, server, { maxVersion: 'TLSv1.2' })
    const refused = once(socket, 'error')
    socket.renegotiate({}, () => {})
    assert.match(String(((await refused)[0] as NodeJS.ErrnoException).code), /NO_RENEGOTIATION/)
    const strict = await start(context, {
      encryption: { port: await freePort(), files, minVersion: 'TLSv1.3', lookMilliseconds: 1_000 },
    })
    assert.match(await failure(open(context, strict, { maxVersion: 'TLSv1.2' })), /PROTOCOL_VERSION/)
  })

  test('tells who speaks plain HTTP to it, and outlives junk', async (context) => {
    const server = await start(context)
    const { encryptedPort: port } = server
    const told = await sendBytes(port, Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
    assert.deepEqual([told.status, told.text], [400, 'This port speaks https alone.'])
    for (const junk of [Buffer.alloc(0), Buffer.alloc(1, 0x16), Buffer.alloc(20_000, 0x16), Buffer.from([0x16, 3, 1, 0, 4, 1])]) {
      assert.equal((await sendBytes(port, junk, { thenEnd: true })).status, undefined)
    }
    const named = await open(context, server, { servername: `${'x'.repeat(250)}.no`, rejectUnauthorized: false })
    assert.equal(named.encrypted, true)
    assert.ok(await isAlive(server))
  })

  test('closes who says nothing, who does not end what they began, and who then asks nothing', async (context) => {
    const connections = { ...usual, firstByteSeconds: 0.3 }
    const server = await start(context, { connections, headersSeconds: 0.6 })
    const silent = await openPlainly(context, server.encryptedPort)
    const half = await openPlainly(context, server.encryptedPort)
    half.write(Buffer.from([0x16, 3, 1]))
    const agreed = await open(context, server)
    const trickling = await open(context, server)
    const bytes = setInterval(() => trickling.write('G'), 100)
    context.after(() => clearInterval(bytes))
    await Promise.all([silent, half, agreed, trickling].map(closed))
    assert.ok(await isAlive(server))
  })

  test('closes who asks for much and does not read it, and who sends nothing of a body', async (context) => {
    const connections = { ...usual, stallSeconds: 0.5, minBytesPerSecond: 1_000 }
    const server = await start(context, { connections, bodyStallSeconds: 60 })
    const reading = await open(context, server)
    reading.pause().write(head('GET', '/much', '\r\n'))
    const sending = await open(context, server)
    sending.write(head('PUT', '/thing/x', 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{'))
    await closed(sending)
    await wait(1_500)
    await closed(reading)
    assert.ok(reading.bytesRead < 30_000_000)
  })

  test('counts its connections among all others', async (context) => {
    const server = await start(context, { connections: { ...usual, maxPerAddress: 2 }, trustedProxies: [] })
    const plain = await openPlainly(context, server.port)
    await open(context, server)
    assert.match(await failure(open(context, server)), /ECONNRESET/)
    assert.equal((await sendBytes(server.port, Buffer.from('GET / HTTP/1.1\r\n\r\n'))).status, 503)
    const gone = closed(plain)
    plain.destroy()
    await gone
    for (let tries = 0; (await failure(open(context, server))) !== 'none'; tries += 1) assert.ok(tries < 100)
  })

  test('lets a connection go that has agreed on nothing yet when another one needs its place', async (context) => {
    const server = await start(context, { connections: { ...usual, maxConnections: 1 } })
    const half = await openPlainly(context, server.encryptedPort)
    half.write(Buffer.from([0x16, 3, 1]))
    await wait(50)
    const gone = closed(half)
    assert.ok(await isAlive(server))
    await gone
  })

  test('answers what is in flight when it stops, and closes what has agreed on nothing', async (context) => {
    const entered = Promise.withResolvers<void>()
    const mayFinish = Promise.withResolvers<void>()
    const slow = aRoute('GET', '/slow', async () => {
      entered.resolve()
      await mayFinish.promise
      return json({ done: true })
    })
    const server = await startTinyServer({
      routes: [slow],
      settings: { encryption: { port: await freePort(), files, minVersion: 'TLSv1.2', lookMilliseconds: 1_000 } },
    })
    const half = await openPlainly(context, server.encryptedPort)
    const answered = call(server.encryptedPort, 'GET', '/api/v1/slow')
    await entered.promise
    const stopped = server.http.stop()
    await closed(half)
    assert.match(await failure(openPlainly(context, server.encryptedPort)), /ECONNREFUSED/)
    mayFinish.resolve()
    assert.equal((await answered).text, '{"done":true}')
    await stopped
  })

  test('shows a renewed certificate to those that come, and goes on with those that are there', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-renewed-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const renewed = { certificate: join(folder, 'own.pem'), key: join(folder, 'own.key'), passphrase: undefined }
    const write = ({ certificate, key }: typeof certificateFiles) => {
      writeFileSync(renewed.certificate, readFileSync(certificate))
      writeFileSync(renewed.key, readFileSync(key))
    }
    write(certificateFiles)
    const server = await start(context, { files: renewed })
    const before = await open(context, server)
    write(renewedFiles)
    const subject = async () => (await open(context, server, { rejectUnauthorized: false })).getPeerCertificate().subject
    for (let tries = 0; !('O' in (await subject())); tries += 1) {
      assert.ok(tries < 200)
      await wait(20)
    }
    assert.ok(server.logged.some(({ event }) => event === 'https.certificateRenewed'))
    writeFileSync(renewed.key, 'nothing')
    while (!server.logged.some(({ event }) => event === 'https.certificateUnusable')) await wait(20)
    assert.equal((await subject())['O'], 'Renewed')
    before.write(head('GET', '/me', 'Connection: close\r\n\r\n'))
    assert.match(Buffer.concat(await before.toArray()).toString(), /^HTTP\/1\.1 200 /)
  })

  test('does not start with a certificate that it cannot use', async () => {
    const encryption = { port: await freePort(), files: { ...files, key: files.certificate }, minVersion: 'TLSv1.2' as const }
    const starting = startTinyServer({ settings: { encryption: { ...encryption, lookMilliseconds: 1_000 } } })
    await assert.rejects(starting, { name: 'certificateUnusable' })
  })
})

describe('the port without TLS', { timeout: 30_000 }, () => {
  test('sends on who reads, refuses who writes, and tells a balancer how the server is', async (context) => {
    const server = await start(context, { plainHttp: 'redirect' })
    const host = `localhost:${server.encryptedPort}`
    const { port } = server
    const moved = await server.send('GET', '/api/v1/me?a=b', { headers: { host: `localhost:${port}` } })
    assert.deepEqual([moved.status, moved.headers.location], [308, `https://${host}/api/v1/me?a=b`])
    const strange = await server.send('GET', '//elsewhere.example/', { headers: { host: `localhost:${port}` } })
    assert.equal(strange.headers.location, `https://${host}//elsewhere.example/`)
    const refused = await server.send('POST', '/api/v1/thing/x', { headers: { host: `localhost:${port}` }, body: '{}' })
    assert.equal(refused.status, 403)
    assert.match(String(refused.json?.['message']), new RegExp(`over https alone: send it to https://${host}/api/v1/thing/x`))
    assert.equal((await server.send('GET', '/runningstatus', { user: null })).status, 200)
    const headers = { 'x-forwarded-proto': 'https' }
    assert.equal((await server.send('GET', '/api/v1/me', { headers })).status, 200)
    assert.ok(await isAlive(server))
  })

  test('believes nobody but a trusted proxy that TLS was spoken before it, and knows the address of the server', async (context) => {
    const server = await start(context, {
      plainHttp: 'redirect',
      trustedProxies: [],
      virtualHost: 'https://dms.example.com/docs',
    })
    const moved = await server.send('GET', '/api/v1/me', { headers: { 'x-forwarded-proto': 'https' } })
    assert.deepEqual([moved.status, moved.headers.location], [308, 'https://dms.example.com/api/v1/me'])
  })

  test('is not there when it is off, and the head of a request over TLS has no more time than ever', async (context) => {
    const server = await start(context, { plainHttp: 'off', headersSeconds: 0.5 })
    assert.equal(server.port, 0)
    const trickling = await open(context, server)
    trickling.write('GET /')
    await closed(trickling)
    assert.ok(await isAlive(server))
  })
})
