import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createMemoryStore, type Received, startTinyServer, type TinyServer } from '../../../test/support/tiny-server.ts'

const foreign = 'http://other.example.com'
const cors = (configuration: object = {}) => ({
  cors: {
    configurations: [{ name: 'test', pattern: '/api/.*', allowOrigin: foreign, ...configuration }],
    allowNullOrigin: false,
  },
})

describe('requests from other origins', () => {
  let server: TinyServer
  before(async () => {
    server = await startTinyServer()
  })
  after(() => server.http.stop())
  const own = () => `http://127.0.0.1:${server.port}`
  const post = (headers: { [name: string]: string }, user: string | null = 'alice') =>
    server.send('POST', '/api/v1/thing/x', { headers, user })

  test('are refused when they change something, before the client is asked for a password', async () => {
    const refused = await post({ origin: foreign }, null)
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.json, { 'entity-type': 'exception', status: 403, message: 'CSRF check failure' })
    assert.equal(refused.headers['csrf-token'], undefined)
    assert.equal((await post({ referer: `${foreign}/page?x` })).status, 403)
    assert.equal((await post({ origin: 'null' })).status, 403)
  })
  test('are served when they read, without CORS headers', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const { status, headers } = await server.send(method, '/api/v1/thing/x', { headers: { origin: foreign } })
      assert.equal(status, 200)
      assert.equal(headers['access-control-allow-origin'], undefined)
    }
    assert.equal((await server.send('TRACE', '/api/v1/thing/x', { headers: { origin: foreign } })).status, 405)
  })
  test('are none when they come from our own pages or from no page', async () => {
    assert.equal((await post({})).status, 201)
    assert.equal((await post({ origin: own() })).status, 201)
    assert.equal((await post({ referer: `${own()}/ui/?a=b` })).status, 201)
    assert.equal((await post({ origin: 'moz-extension://abc' })).status, 201)
  })
  test('are none when the proxy has that origin', async () => {
    const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'dms.example.com' }
    assert.equal((await post({ ...proxied, origin: 'https://dms.example.com' })).status, 201)
    assert.equal((await post({ ...proxied, origin: own() })).status, 403)
    assert.equal(
      (await post({ 'platform-virtual-host': 'https://dms.example.com/', origin: 'https://dms.example.com' })).status,
      201,
    )
  })
})

describe('CORS', () => {
  async function withServer(configuration: object, body: (server: TinyServer) => Promise<void>): Promise<void> {
    const server = await startTinyServer({ settings: cors(configuration) })
    try {
      await body(server)
    } finally {
      await server.http.stop()
    }
  }
  const preflight = (server: TinyServer, headers: { [name: string]: string } = {}) =>
    server.send('OPTIONS', '/api/v1/thing/x', {
      user: null,
      headers: { origin: foreign, 'access-control-request-method': 'POST', ...headers },
    })
  const allowed = { 'access-control-allow-origin': foreign, 'access-control-allow-credentials': 'true', vary: 'Origin' }

  test('lets a listed origin read and write, and says so on errors too', () =>
    withServer({ exposedHeaders: ['X-Request-Id', 'Allow'] }, async (server) => {
      const headers = { origin: foreign }
      const written = await server.send('POST', '/api/v1/thing/x', { headers })
      assert.equal(written.status, 201)
      assert.partialDeepStrictEqual(written.headers, { ...allowed, 'access-control-expose-headers': 'X-Request-Id, Allow' })
      const refused = await server.send('GET', '/api/v1/me', { headers, user: null })
      assert.equal(refused.status, 401)
      assert.partialDeepStrictEqual(refused.headers, allowed)
    }))
  test('answers a preflight before the client is asked for a password', () =>
    withServer({ maxAgeSeconds: 600 }, async (server) => {
      const { status, headers, text } = await preflight(server, { 'access-control-request-headers': 'content-type, x-other' })
      assert.deepEqual([status, text], [200, ''])
      assert.partialDeepStrictEqual(headers, {
        ...allowed,
        'access-control-max-age': '600',
        'access-control-allow-methods': 'GET, POST, HEAD, OPTIONS',
        'access-control-allow-headers': 'content-type, x-other',
      })
    }))
  const text = ({ status, headers, text: message }: Received) => [status, headers['content-type'], message]
  const plain = 'text/plain; charset=UTF-8'
  test('refuses origins, methods and headers that are not listed', () =>
    withServer({ supportedHeaders: ['content-type'] }, async (server) => {
      const stranger = { origin: 'http://stranger.org' }
      assert.deepEqual(text(await server.send('GET', '/api/v1/me', { headers: stranger })), [403, plain, 'CORS origin denied'])
      assert.deepEqual(text(await preflight(server, stranger)), [403, plain, 'CORS origin denied'])
      assert.deepEqual(text(await preflight(server, { 'access-control-request-method': 'DELETE' })), [
        405,
        plain,
        'Unsupported HTTP method',
      ])
      const unknownHeader = await preflight(server, { 'access-control-request-headers': 'x-other' })
      assert.deepEqual(text(unknownHeader), [403, plain, 'Unsupported HTTP request header'])
      assert.equal((await server.send('DELETE', '/api/v1/thing/x', { headers: { origin: foreign } })).status, 403)
    }))
  test('says * only when anyone may, without credentials', async () => {
    await withServer({ allowOrigin: '*', supportsCredentials: false }, async (server) => {
      const { headers } = await server.send('GET', '/api/v1/me', { headers: { origin: foreign } })
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
    })
    await withServer({ allowOrigin: '*' }, async (server) => {
      const { headers } = await server.send('GET', '/api/v1/me', { headers: { origin: foreign } })
      assert.partialDeepStrictEqual(headers, allowed)
      assert.equal((await server.send('GET', '/api/v1/me', { headers: { origin: 'null' } })).status, 403)
    })
  })
  test('has nothing to say to our own pages, to programs, to extensions and on other paths', () =>
    withServer({}, async (server) => {
      const own = { origin: `http://127.0.0.1:${server.port}` }
      for (const headers of [own, {}, { origin: 'chrome-extension://abc' }]) {
        const received = await server.send('POST', '/api/v1/thing/x', { headers })
        assert.equal(received.status, 201)
        assert.equal(received.headers['access-control-allow-origin'], undefined)
      }
      const elsewhere = await server.send('GET', '/runningstatus', { headers: { origin: 'http://stranger.org' } })
      assert.equal(elsewhere.status, 200)
    }))
  test('keeps caches from giving an answer that allows no origin to a script of another one', async () => {
    const varies = async (server: TinyServer) => (await server.send('GET', '/api/v1/me')).headers['vary']
    await withServer({}, async (server) => assert.equal(await varies(server), 'Origin'))
    await withServer({ allowOrigin: '*', supportsCredentials: false }, async (server) =>
      assert.equal(await varies(server), undefined),
    )
  })
  test('may refuse whatever is not cross-origin', () =>
    withServer({ allowGenericHttpRequests: false }, async (server) => {
      assert.equal((await server.send('GET', '/api/v1/me')).status, 403)
      assert.equal((await server.send('GET', '/api/v1/me', { headers: { origin: foreign } })).status, 200)
    }))
  test('takes the first configuration that covers the path, and none that is switched off', async (context) => {
    const configurations = [
      { name: 'off', enabled: false, allowOrigin: 'http://off.org' },
      { name: 'first', pattern: '/api/v1/me', allowOrigin: foreign },
      { name: 'rest', allowOrigin: 'http://rest.org' },
    ]
    const server = await startTinyServer({ settings: { cors: { configurations, allowNullOrigin: false } } })
    context.after(() => server.http.stop())
    const status = async (path: string, origin: string) => (await server.send('GET', path, { headers: { origin } })).status
    assert.equal(await status('/api/v1/me', foreign), 200)
    assert.equal(await status('/api/v1/me', 'http://rest.org'), 403)
    assert.equal(await status('/runningstatus', 'http://rest.org'), 200)
    assert.equal(await status('/runningstatus', 'http://off.org'), 403)
  })
})

describe('the CSRF token', () => {
  const store = createMemoryStore()
  let server: TinyServer
  before(async () => {
    server = await startTinyServer({ settings: { basePath: '/dms', csrf: { enabled: true, skip: ['/api/v1/login'] } }, store })
  })
  after(() => server.http.stop())

  async function fetchToken(headers: { [name: string]: string } = {}, path = '/dms/') {
    const received = await server.send('GET', path, { user: null, headers: { 'CSRF-Token': 'fetch', ...headers } })
    const cookie = received.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    return { ...received, cookie, token: String(received.headers['csrf-token']) }
  }
  const post = (headers: { [name: string]: string }, path = '/dms/api/v1/thing/x') => server.send('POST', path, { headers })

  test('is given to every client at the root, with a session', async () => {
    for (const path of ['/dms', '/dms/']) {
      const { status, text, token, headers } = await fetchToken({}, path)
      assert.deepEqual([status, text], [200, ''])
      assert.match(token, /^[A-Za-z0-9]{40}$/)
      assert.match(String(headers['set-cookie']), /^JSESSIONID=[\w.-]+; Path=\/dms; HttpOnly$/)
    }
  })
  test('stays the same in a session', async () => {
    const { token, cookie } = await fetchToken()
    const again = await fetchToken({ cookie })
    assert.equal(again.token, token)
    assert.equal(again.headers['set-cookie'], undefined)
  })
  test('is accepted as a header, as a parameter and in a form', async () => {
    const { token, cookie } = await fetchToken()
    assert.equal((await post({ cookie, 'CSRF-Token': token })).status, 201)
    assert.equal((await post({ cookie }, `/dms/api/v1/thing/x?csrf-token=${token}`)).status, 201)
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    // Let through, although the resource takes no forms.
    assert.equal((await server.send('POST', '/dms/api/v1/thing/x', { headers, body: `a=b&csrf-token=${token}` })).status, 415)
    assert.equal((await server.send('POST', '/dms/api/v1/thing/x', { headers, body: 'a=b' })).status, 403)
  })
  test('is refused when missing, wrong, or of another session', async () => {
    const { token, cookie } = await fetchToken()
    const other = await fetchToken()
    for (const headers of [
      {},
      { cookie },
      { 'CSRF-Token': token },
      { cookie, 'CSRF-Token': 'wrong' },
      { cookie, 'CSRF-Token': other.token },
    ]) {
      const refused = await post(headers as { [name: string]: string })
      assert.equal(refused.status, 403)
      assert.equal(refused.headers['csrf-token'], 'invalid')
      assert.deepEqual(refused.json, { 'entity-type': 'exception', status: 403, message: 'CSRF check failure' })
    }
  })
  test('is not needed to read, nor on the paths that are excepted', async () => {
    assert.equal((await server.send('GET', '/dms/api/v1/me')).status, 200)
    assert.equal((await post({}, '/dms/api/v1/login')).status, 200)
  })
  test('does not replace the origin check', async () => {
    const { token, cookie } = await fetchToken()
    assert.equal((await post({ cookie, 'CSRF-Token': token, origin: foreign })).status, 403)
  })
  test('is accepted by another process on the same database', async (context) => {
    const { token, cookie } = await fetchToken()
    const other = await startTinyServer({ settings: { basePath: '/dms', csrf: { enabled: true, skip: [] } }, store })
    context.after(() => other.http.stop())
    const received = await other.send('POST', '/dms/api/v1/thing/x', { headers: { cookie, 'CSRF-Token': token } })
    assert.equal(received.status, 201)
  })
  test('is fetched only by that very word and only at the root', async () => {
    assert.equal((await fetchToken({ 'CSRF-Token': 'FETCH' })).status, 404)
    assert.equal((await fetchToken({}, '/dms/api/v1/me')).headers['csrf-token'], undefined)
  })
  test('is not given where it is switched off', async (context) => {
    const off = await startTinyServer()
    context.after(() => off.http.stop())
    const received = await off.send('GET', '/', { user: null, headers: { 'CSRF-Token': 'fetch' } })
    assert.equal(received.status, 404)
    assert.equal(received.headers['csrf-token'], undefined)
  })
})
