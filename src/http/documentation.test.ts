import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { aRoute, startTinyServer, type TinyServer } from '../../test/support/tiny-server.ts'
import { json } from '../rest/answer.ts'

type Paths = { readonly [path: string]: { readonly [method: string]: unknown } }

describe('the documentation', () => {
  let server: TinyServer
  before(async () => {
    const tricky = aRoute('GET', '/tricky', async () => json({}), { summary: '</script><img src=x>' })
    server = await startTinyServer({ settings: { basePath: '/dms' }, routes: [tricky] })
  })
  after(() => server.http.stop())

  test('is public as an OpenAPI document, at two addresses', async () => {
    for (const path of ['/dms/api/v1/openapi.json', '/dms/api/v1/doc/openapi.json', '/dms/site/api/v1/openapi.json']) {
      const { status, json: body, headers } = await server.send('GET', path, { user: null })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(body?.['openapi'], '3.1.1')
      assert.deepEqual(body?.['servers'], [{ url: '/dms' }])
    }
  })
  test('lists what is served: every path in it answers with its methods', async () => {
    const { json: body } = await server.send('GET', '/dms/api/v1/openapi.json')
    const paths = body?.['paths'] as Paths
    for (const expected of ['/api/v1/me', '/api/v1/thing/{id}', '/api/v1/thing/{id}/@upper', '/runningstatus', '/api/v1/doc']) {
      assert.ok(expected in paths, expected)
    }
    for (const [path, methods] of Object.entries(paths)) {
      const { status, headers } = await server.send('OPTIONS', `/dms${path.replaceAll(/\{\w+\}/g, 'x')}`)
      assert.equal(status, 200, path)
      const allowed = String(headers['allow'])
        .toLowerCase()
        .split(', ')
        .filter((method) => method !== 'head' && method !== 'options')
      assert.deepEqual(allowed.sort(), Object.keys(methods).sort(), path)
    }
  })
  test('is a page that needs nothing from elsewhere, with every path on it', async () => {
    const { status, text, headers } = await server.send('GET', '/dms/api/v1/doc')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html;charset=UTF-8')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
    assert.doesNotMatch(text, /(?:src|href)="(?!#|openapi\.json)/)
    assert.match(text, /<code>\/api\/v1\/thing\/<var>\{id\}<\/var><\/code>/)
    assert.match(text, /&lt;\/script&gt;&lt;img src=x&gt;/)
  })
  test('needs a login at /doc and none below it', async () => {
    assert.equal((await server.send('GET', '/dms/api/v1/doc', { user: null })).status, 401)
    assert.equal((await server.send('GET', '/dms/api/v1/doc/', { user: null })).status, 200)
  })
})
