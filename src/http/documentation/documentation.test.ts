import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { aRoute, startTinyServer, type TinyServer } from '../../../test/support/tiny-server.ts'
import { json } from '../../rest/answer.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'

type Paths = { readonly [path: string]: { readonly [method: string]: unknown } }

describe('the documentation', () => {
  let server: TinyServer
  before(async () => {
    const tricky = aRoute('GET', '/tricky', async () => json({}), { summary: '</script><img src=x>' })
    const marked = aRoute('GET', '/marked', async () => json({}), {
      summary: 'Says `a < b`',
      answers: { 200: emptyAnswer('with `c`') },
      query: Type.Object({ words: Type.Optional(Type.String({ description: 'such as `d`' })) }),
    })
    server = await startTinyServer({ settings: { basePath: '/dms' }, routes: [tricky, marked] })
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
  test('is a page whose own style and script are the only ones that count', async () => {
    const { text, headers } = await server.send('GET', '/dms/api/v1/doc')
    const digestIn = (tag: string) => {
      const [, content = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) ?? []
      return `'sha256-${hash('sha256', content, 'base64')}'`
    }
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; style-src ${digestIn('style')}; script-src ${digestIn('script')}; base-uri 'none'; form-action 'none'`,
    )
    assert.doesNotMatch(text, /\s(?:style|on\w+)=/)
  })
  test('is a page on which what stands between back-quotes is code, wherever it is said', async () => {
    const { text } = await server.send('GET', '/dms/api/v1/doc')
    for (const code of ['a &lt; b', 'c', 'd']) assert.ok(text.includes(`<code>${code}</code>`), code)
    assert.ok(!text.includes('`'))
  })
  test('is a page with the server first reached by the client in its lines for a shell', async () => {
    const { text } = await server.send('GET', '/dms/api/v1/doc', { headers: { host: 'docs.example:81' } })
    assert.ok(text.includes('<pre class="shell">curl -u Administrator http://docs.example:81/dms/api/v1/marked</pre>'))
    assert.ok(text.includes('<pre class="shell">curl http://docs.example:81/dms/runningstatus</pre>'))
  })
  test('is a page that fits a phone, and whose links lead to places that no bar covers', async () => {
    const { text } = await server.send('GET', '/dms/api/v1/doc')
    assert.match(text, /<meta name="viewport" content="width=device-width/)
    assert.match(text, /@media \(max-width: 40rem\)/)
    assert.match(text, /\[id\] \{ scroll-margin-top: /)
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, link = '']) => link)
    assert.ok(links.length > 10)
    for (const link of links) assert.ok(ids.has(link), link)
  })
  test('needs a login at /doc and none below it', async () => {
    assert.equal((await server.send('GET', '/dms/api/v1/doc', { user: null })).status, 401)
    assert.equal((await server.send('GET', '/dms/api/v1/doc/', { user: null })).status, 200)
  })
})
