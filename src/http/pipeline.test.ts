import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import {
  aRoute,
  basic,
  type Received,
  type SendOptions,
  startTinyServer,
  type TinyServer,
} from '../../test/support/tiny-server.ts'
import { json } from '../rest/answer.ts'

const jsonBody = (body: string, type = 'application/json'): SendOptions => ({ headers: { 'content-type': type }, body })

function assertException({ status, headers, json: body }: Received, expected: number, message?: string | RegExp): void {
  assert.equal(status, expected)
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(Object.keys(body ?? {}), ['entity-type', 'status', 'message'])
  assert.equal(body?.['entity-type'], 'exception')
  assert.equal(body?.['status'], expected)
  if (typeof message === 'string') assert.equal(body?.['message'], message)
  else if (message !== undefined) assert.match(String(body?.['message']), message)
}

describe('answers over HTTP', () => {
  let server: TinyServer
  const entered = Promise.withResolvers<void>()
  const disconnected = Promise.withResolvers<void>()
  before(async () => {
    const untilDisconnected = aRoute('GET', '/wait', async ({ request: { signal } }) => {
      entered.resolve()
      await once(signal, 'abort')
      disconnected.resolve()
      return json({})
    })
    server = await startTinyServer({
      routes: [untilDisconnected],
      settings: { jsonLimits: { maxBytes: 10_000, maxValues: 100, maxMembers: 10, maxDepth: 20 } },
    })
  })
  after(() => server.http.stop())

  describe('paths', () => {
    const reached: readonly [path: string, expected: string][] = [
      ['/api/v1/thing/x', '/thing/x'],
      ['/api/v1/thing/x/', '/thing/x/'],
      ['/api/v1//thing//x', '//thing//x'],
      ['/site/api/v1/thing/x', '/thing/x'],
      ['/api/v1/thing/x?a=b', '/thing/x'],
      ['http://elsewhere/api/v1/thing/x?a=b', '/thing/x'],
    ]
    for (const [path, expected] of reached) {
      test(`reach a resource: ${path}`, async () => {
        const { status, json: body, headers } = await server.send('GET', path)
        assert.equal(status, 200)
        assert.equal(body?.['path'], expected)
        assert.equal(headers['content-type'], 'application/json; platform-entity=thing')
      })
    }
    test('with matrix parameters reach their root', async () => {
      assertException(await server.send('GET', '/api/v1/thing;id=a;id=b'), 404, 'a,b')
    })
    test('reach an adapter', async () => {
      assert.deepEqual((await server.send('GET', '/api/v1/thing/x/@upper')).json, { upper: true })
    })
    test('give a route its variables decoded', async () => {
      assert.deepEqual((await server.send('GET', '/api/v1/token/a%2Bb')).json, { token: 'a+b' })
    })
    test('with an unknown first segment name it', async () => {
      assertException(await server.send('GET', '/api/v1/wrongpath/folder'), 404, 'Type not found: wrongpath')
    })
    for (const path of ['/api/v1', '/api/v1/', '/api/v1/me/other', '/api/v2/me', '/test', '/', '/site/x']) {
      test(`that lead nowhere are 404: ${path}`, async () => {
        assertException(await server.send('GET', path), 404, `Nothing found at http://127.0.0.1:${server.port}${path}`)
      })
    }
    test('that are not percent-encoded UTF-8 are 400', async () => {
      assertException(await server.send('GET', '/api/v1/thing/%zz'), 400, /%zz/)
    })
    test('that are a resource tell what is missing', async () => {
      assertException(await server.send('GET', '/api/v1/thing/none'), 404, 'none')
    })
  })

  describe('the repository', () => {
    const asked: readonly [how: string, path: string, headers: { [name: string]: string }, expected: string][] = [
      ['is the default one', '/api/v1/thing/x', {}, 'default'],
      ['is named in the path', '/api/v1/repo/other/thing/x', {}, 'other'],
      ['is named by a header', '/api/v1/thing/x', { 'X-NXRepository': 'other' }, 'other'],
      ['is named by a parameter', '/api/v1/thing/x?nxrepository=other', {}, 'other'],
      ['in the path wins over the header', '/api/v1/repo/default/thing/x', { 'X-NXRepository': 'other' }, 'default'],
      ['in the header wins over the parameter', '/api/v1/thing/x?nxrepository=default', { 'X-NXRepository': 'other' }, 'other'],
    ]
    for (const [how, path, headers, expected] of asked) {
      test(how, async () => assert.equal((await server.send('GET', path, { headers })).json?.['repository'], expected))
    }
    test('that does not exist is 404', async () => {
      for (const sent of [
        server.send('GET', '/api/v1/repo/no/me'),
        server.send('GET', '/api/v1/me', { headers: { 'X-NXRepository': 'no' } }),
      ]) {
        assertException(await sent, 404, 'Repository no not found')
      }
    })
    test('is the default one for what belongs to the server', async () => {
      const { json: body } = await server.send('GET', '/json/cmis', { headers: { 'X-NXRepository': 'other' } })
      assert.deepEqual(body, { default: 'default' })
    })
  })

  describe('methods', () => {
    const allow = 'HEAD, GET, POST, PUT, DELETE, OPTIONS'
    for (const method of ['PATCH', 'TRACE', 'PROPFIND']) {
      test(`${method} is 405 with Allow`, async () => {
        const received = await server.send(method, '/api/v1/thing/x')
        assertException(received, 405, /is not supported here/)
        assert.equal(received.headers['allow'], allow)
      })
    }
    test('that a route does not have are 405 with Allow, before the body is looked at', async () => {
      const received = await server.send('PUT', '/api/v1/me', jsonBody('{broken', 'text/plain'))
      assertException(received, 405)
      assert.equal(received.headers['allow'], 'HEAD, GET, OPTIONS')
    })
    test('OPTIONS lists them, for those who log in', async () => {
      const onResource = await server.send('OPTIONS', '/api/v1/thing/x')
      assert.deepEqual([onResource.status, onResource.headers['allow'], onResource.text], [200, allow, ''])
      assert.equal((await server.send('OPTIONS', '/api/v1/me')).headers['allow'], 'HEAD, GET, OPTIONS')
      assertException(await server.send('OPTIONS', '/api/v1/me', { user: null }), 401)
    })
    test('HEAD is GET without the body', async () => {
      for (const path of ['/api/v1/thing/x', '/api/v1/me', '/api/v1/file', '/api/v1/large']) {
        const [head, get] = [await server.send('HEAD', path), await server.send('GET', path)]
        assert.deepEqual([head.status, head.text], [200, ''], path)
        assert.equal(head.headers['content-length'], String(get.text.length), path)
        assert.equal(head.headers['content-type'], get.headers['content-type'], path)
      }
    })
  })

  describe('credentials', () => {
    test('that are missing are asked for', async () => {
      const received = await server.send('GET', '/api/v1/me', { user: null })
      assertException(received, 401, 'Unauthorized')
      assert.equal(received.headers['www-authenticate'], 'Basic realm="Platform Automation"')
    })
    test('that are wrong are refused, also where there is nothing', async () => {
      const headers = { authorization: basic('alice', 'wrong') }
      assertException(await server.send('GET', '/api/v1/me', { headers }), 401)
      assertException(await server.send('GET', '/api/v1/nope', { headers }), 401)
      assertException(await server.send('GET', '/json/cmis', { headers }), 401)
    })
    test('of the system are refused whatever the password', async () => {
      assertException(await server.send('GET', '/api/v1/me', { user: 'system' }), 401)
    })
    for (const headers of [{ 'X-No-Basic-Header': 'true' }, { Cookie: 'theme=dark' }, { 'X-Authentication-Token': 'x' }]) {
      test(`are not asked for by a dialog with ${Object.keys(headers)}`, async () => {
        const received = await server.send('GET', '/api/v1/me', { user: null, headers })
        assertException(received, 401)
        assert.equal(received.headers['www-authenticate'], undefined)
      })
    }
    test('are asked for with a page where JSON is not accepted', async () => {
      const received = await server.send('GET', '/api/v1/me', { user: null, headers: { accept: 'text/html' } })
      assert.equal(received.status, 401)
      assert.equal(received.headers['content-type'], 'text/html;charset=UTF-8')
      assert.match(received.text, /<h1>401<\/h1><p>Unauthorized<\/p>/)
    })
    test('that cannot be checked are 504', async () => {
      const received = await server.send('GET', '/api/v1/me', { user: 'unreachable' })
      assertException(received, 504)
      assert.equal(received.headers['www-authenticate'], 'Basic realm="Platform Automation"')
    })
    test('are not needed for what is public, and not for what is not there', async () => {
      assert.deepEqual((await server.send('GET', '/runningstatus', { user: null })).json, { runtimeStatus: 'ok' })
      assertException(await server.send('GET', '/test', { user: null }), 404)
    })
  })

  describe('media types', () => {
    test('that JSON does not satisfy are 406, and nothing is done', async () => {
      const headers = { accept: 'text/html' }
      assertException(await server.send('GET', '/api/v1/thing/x', { headers }), 406, /Accept header text\/html/)
      assertException(await server.send('POST', '/api/v1/thing/x', { headers }), 406)
    })
    test('do not matter for files and empty answers', async () => {
      assert.equal((await server.send('GET', '/api/v1/file', { headers: { accept: 'application/json' } })).text, 'bytes')
      assert.equal((await server.send('DELETE', '/api/v1/thing/x', { headers: { accept: 'text/html' } })).status, 204)
    })
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json+nxentity']) {
      test(`of a body may be ${type}`, async () => {
        const received = await server.send('POST', '/api/v1/thing/x', jsonBody('{"a":1}', type))
        assert.deepEqual([received.status, received.json], [201, { got: { a: 1 } }])
      })
    }
    for (const type of ['text/plain', 'application/xml', 'application/jsonp', 'nonsense;;']) {
      test(`of a body may not be ${type}`, async () => {
        assertException(
          await server.send('POST', '/api/v1/thing/x', jsonBody('{"a":1}', type)),
          415,
          /must have the Content-Type application\/json/,
        )
      })
    }
    test('must be given with a body', async () => {
      assertException(await server.send('POST', '/api/v1/thing/x', { body: '{}' }), 415, /not none/)
    })
    test('say nothing without a body', async () => {
      for (const [method, path] of [
        ['GET', '/me'],
        ['POST', '/login'],
        ['PUT', '/thing/x'],
        ['DELETE', '/thing/x'],
      ] as const) {
        for (const type of ['application/json', 'text/plain']) {
          const { status } = await server.send(method, `/api/v1${path}`, {
            headers: { 'content-type': type, 'content-length': '0' },
          })
          assert.ok(status < 300, `${method} ${path} ${type}: ${status}`)
        }
      }
    })
    test('with an encoding are refused', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      assertException(await server.send('POST', '/api/v1/thing/x', { headers, body: '{}' }), 415, /Content-Encoding gzip/)
    })
  })

  describe('bodies', () => {
    test('that are not JSON are told where', async () => {
      assertException(await server.send('POST', '/api/v1/thing/x', jsonBody('{"a":1,}')), 400, /not valid JSON.*line 1 column 8/)
    })
    test('keep large integers both ways', async () => {
      const received = await server.send('POST', '/api/v1/thing/x', jsonBody('{"n":9223372036854775807}'))
      assert.equal(received.text, '{"got":{"n":9223372036854775807}}')
    })
    test('that are too large are 413, announced or not', async () => {
      const body = `"${'x'.repeat(10_000)}"`
      const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
      assertException(await server.send('POST', '/api/v1/thing/x', jsonBody(body)), 413, /larger than the 10000 bytes/)
      assertException(await server.send('POST', '/api/v1/thing/x', { headers: chunked, body }), 413)
    })
    test('are not read from strangers', async () => {
      assertException(await server.send('POST', '/api/v1/thing/x', { ...jsonBody('{broken'), user: null }), 401)
    })
    test('are compressed when they are large and the client asks', async () => {
      const incoming = await new Promise<Buffer>((resolve, reject) => {
        const headers = { authorization: basic('alice'), 'accept-encoding': 'gzip, br' }
        request({ port: server.port, path: '/api/v1/large', headers, agent: false }, async (response) => {
          assert.equal(response.headers['content-encoding'], 'gzip')
          assert.equal(response.headers['vary'], 'Accept-Encoding')
          resolve(Buffer.concat(await response.toArray()))
        })
          .on('error', reject)
          .end()
      })
      assert.equal(JSON.parse(gunzipSync(incoming).toString()).text.length, 5000)
      const small = await server.send('GET', '/api/v1/me', { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(small.headers['content-encoding'], undefined)
    })
    test('that a route declares are checked', async () => {
      assertException(await server.send('GET', '/api/v1/token/x?limit=soon'), 400, 'The query parameter limit must be integer.')
    })
  })

  describe('headers', () => {
    const defaults = {
      'x-ua-compatible': 'IE=10; IE=11',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-xss-protection': '1; mode=block',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'content-security-policy':
        "img-src data: blob: *; default-src blob: *; script-src 'unsafe-inline' 'unsafe-eval' data: *; style-src 'unsafe-inline' *; font-src data: *",
    }
    for (const path of ['/api/v1/me', '/api/v1/nope', '/api/v1/boom', '/test']) {
      test(`protect every answer, errors included: ${path}`, async () => {
        const { headers } = await server.send('GET', path)
        assert.partialDeepStrictEqual(headers, defaults)
        assert.equal(headers['server'], undefined)
      })
    }
    test('that an answer brings replace the default', async () => {
      assert.equal((await server.send('GET', '/api/v1/file')).headers['cache-control'], 'private')
    })
    test('name the request, by its own name if it has one', async () => {
      assert.equal(
        (await server.send('GET', '/api/v1/me', { headers: { 'x-request-id': 'mine-1' } })).headers['x-request-id'],
        'mine-1',
      )
      const made = (await server.send('GET', '/api/v1/me', { headers: { 'x-request-id': 'not mine' } })).headers['x-request-id']
      assert.match(String(made), /^[0-9a-f-]{36}$/)
    })
    test('tell the base URL that links start with', async () => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'dms.example.com' }
      assert.equal((await server.send('GET', '/api/v1/thing/x', { headers })).json?.['base'], 'https://dms.example.com/')
    })
  })

  describe('failures', () => {
    test('that are unexpected say nothing but are logged', async () => {
      const received = await server.send('GET', '/api/v1/boom')
      assertException(received, 500, 'Internal Server Error')
      const line = server.logged.find(
        ({ requestId, level }) => requestId === received.headers['x-request-id'] && level === 'error',
      )
      assert.ok(line?.['err'] instanceof Error)
      assert.equal(line['err'].message, 'password=secret')
    })
    test('of a client that hangs up fire the signal', { timeout: 30_000 }, async () => {
      const outgoing = request({
        port: server.port,
        path: '/api/v1/wait',
        headers: { authorization: basic('alice') },
        agent: false,
      })
      outgoing.on('error', () => {})
      outgoing.end()
      await entered.promise
      outgoing.destroy()
      await disconnected.promise
    })
    test('are logged as refusals, without what may be secret', async () => {
      const { headers } = await server.send('DELETE', '/api/v1/token/s3cret?key=s3cret')
      await server.send('GET', '/api/v1/token/s3cret?key=s3cret')
      const lines = server.logged.filter(({ event }) => event === 'http.request')
      assert.partialDeepStrictEqual(
        lines.find(({ requestId }) => requestId === headers['x-request-id']),
        {
          level: 'info',
          method: 'DELETE',
          status: 405,
          user: 'alice',
        },
      )
      assert.equal(JSON.stringify(lines).includes('s3cret'), false)
      assert.partialDeepStrictEqual(lines.at(-1), { level: 'debug', path: '/api/v1/token/{token}', status: 200, user: 'alice' })
    })
  })
})

describe('a deployment with a context root and a vendor', () => {
  let server: TinyServer
  before(async () => {
    server = await startTinyServer({ settings: { basePath: '/acme' }, vendor: 'acme', showsStackTraces: true })
  })
  after(() => server.http.stop())

  test('serves everything below its context root and nothing outside', async () => {
    assert.equal((await server.send('GET', '/acme/api/v1/me')).status, 200)
    assert.equal((await server.send('GET', '/acme/runningstatus')).status, 200)
    assert.equal((await server.send('GET', '/api/v1/me', { user: null })).status, 404)
    assert.equal((await server.send('GET', '/acmeapi/v1/me', { user: null })).status, 404)
  })
  test('writes its own word into identifiers', async () => {
    const { headers, json: body } = await server.send('GET', '/acme/api/v1/thing/x')
    assert.equal(headers['content-type'], 'application/json; acme-entity=thing')
    assert.equal(body?.['base'], `http://127.0.0.1:${server.port}/acme/`)
    const refused = await server.send('GET', '/acme/api/v1/me', { user: null })
    assert.equal(refused.headers['www-authenticate'], 'Basic realm="Acme Automation"')
  })
  test('answers an unknown sub-path in the words its clients know', async () => {
    const { json: body } = await server.send('GET', '/acme/api/v1/me/other')
    assert.equal(
      body?.['message'],
      `com.sun.jersey.api.NotFoundException: null for uri: http://127.0.0.1:${server.port}/acme/api/v1/me/other`,
    )
  })
  test('shows stacks when told to', async () => {
    const { json: body } = await server.send('GET', '/acme/api/v1/thing/none')
    assert.deepEqual(body?.['exception'], { className: 'org.acme.ecm.core.api.DocumentNotFoundException', message: 'none' })
    assert.match(String(body?.['stacktrace']), /documentNotFound: none\n/)
  })
})

test('the id of a request tells nothing of the requests before it', async (context) => {
  const server = await startTinyServer()
  context.after(() => server.http.stop())
  const ids: string[] = []
  for (let index = 0; index < 20; index++) ids.push(String((await server.send('GET', '/api/v1/me')).headers['x-request-id']))
  assert.equal(new Set(ids).size, ids.length)
  // Random ids are in no order; the chance that twenty of them are is one in 10^18.
  assert.notDeepEqual(ids.toSorted(), ids)
  for (const place of ids[0]?.split('').keys() ?? []) {
    const prefixes = new Set(ids.map((id) => id.slice(0, place + 1)))
    assert.ok(place < 2 || prefixes.size > 1, `all begin with ${ids[0]?.slice(0, place + 1)}`)
  }
})
