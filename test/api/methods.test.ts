import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ApiAnswer } from '../../src/testing.ts'
import { aDocument, assertRefused, changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const workspaces = '/path/default-domain/workspaces'

onEachServer('requests to documents', (server) => {
  const bench = workbenchOn(server)
  let id = ''
  let hidden = ''
  before(async () => {
    await server.addUser('bob', ['members'])
    id = (await bench.create('File')).uid
    hidden = (await bench.create('File')).uid
    await bench.restrict(hidden)
  })
  const call = (method: string, path: string, headers = {}) =>
    server.as('Administrator').call(method, `api/v1${path}`, { headers })
  const methodsOf = (answer: ApiAnswer) => answer.headers.get('allow')?.split(', ').sort()

  describe('with the method', () => {
    const json = { 'content-type': 'application/json' }
    const document = 'application/json; platform-entity=document'

    test('GET are answered 200 with the document', async () => {
      const answer = await call('GET', `/id/${id}`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), document)
      assert.equal(answer.body.uid, id)
    })
    test('POST are answered 201 with the new document', async () => {
      const answer = await server.as('Administrator').post(workspaces, aDocument())
      assert.equal(answer.status, 201)
      assert.equal(answer.headers.get('content-type'), document)
      assert.notEqual(answer.body.uid, id)
    })
    test('PUT are answered 200 with the changed document', async () => {
      const answer = await server.as('Administrator').put(`/id/${id}`, changesTo({ 'dc:title': 'put' }))
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), document)
      assert.equal(answer.body.title, 'put')
    })
    test('DELETE are answered 204 without a body, also when they announce JSON', async () => {
      for (const headers of [{}, json]) {
        const answer = await call('DELETE', `/id/${(await bench.create('File')).uid}`, headers)
        assert.equal(answer.status, 204)
        assert.equal(answer.text, '')
        assert.equal(answer.headers.get('content-type'), null)
      }
    })
    const headRows: readonly [what: string, path: () => string, user: string, status: number][] = [
      ['a document', () => `/id/${id}`, 'Administrator', 200],
      ['a list', () => `/id/${id}/@children`, 'Administrator', 200],
      ['nothing', () => '/id/nonsense', 'Administrator', 404],
      ['what may not be read', () => `/id/${hidden}`, 'bob', 403],
    ]
    for (const [what, path, user, status] of headRows) {
      test(`HEAD are answered ${status} for ${what}, as GET is but without the body`, async () => {
        const get = await server.as(user).get(path())
        const head = await server.as(user).call('HEAD', `api/v1${path()}`)
        assert.equal(head.status, status)
        assert.equal(get.status, status)
        assert.equal(head.text, '')
        assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
      })
    }
    const ofDocuments = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']
    const ofReadings = ['GET', 'HEAD', 'OPTIONS']
    const optionRows: readonly [what: string, path: () => string, methods: readonly string[]][] = [
      ['a document by id', () => `/id/${id}`, ofDocuments],
      ['a document by path', () => workspaces, ofDocuments],
      ['its children', () => `/id/${id}/@children`, ofReadings],
      ['an empty document', () => '/@emptyWithDefault', ofReadings],
      ['the capabilities', () => '/capabilities', ofReadings],
    ]
    for (const [what, path, methods] of optionRows) {
      test(`OPTIONS are answered with what is allowed for ${what}: ${methods.join(', ')}`, async () => {
        const answer = await call('OPTIONS', path())
        assert.equal(answer.status, 200)
        assert.equal(answer.text, '')
        assert.deepEqual(methodsOf(answer), methods)
      })
    }
    const refusedRows: readonly [method: string, what: string, path: () => string, allowed: string][] = [
      ['PATCH', 'a document by id', () => `/id/${id}`, 'PUT'],
      ['PATCH', 'a document by path', () => workspaces, 'PUT'],
      ['POST', 'children', () => `/id/${id}/@children`, 'GET'],
      ['PUT', 'children', () => `/id/${id}/@children`, 'GET'],
      ['DELETE', 'children', () => `/id/${id}/@children`, 'GET'],
      ['PUT', 'an empty document', () => `/id/${id}/@emptyWithDefault`, 'GET'],
      ['POST', 'an empty document', () => '/@emptyWithDefault', 'GET'],
      ['POST', 'several documents', () => `/bulk;id=${id}`, 'PUT'],
      ['POST', 'the capabilities', () => '/capabilities', 'GET'],
      ['GET', 'the login', () => '/automation/login', 'POST'],
    ]
    for (const [method, what, path, allowed] of refusedRows) {
      test(`${method} are answered 405 for ${what}, with what is allowed`, async () => {
        const answer = await call(method, path())
        assertRefused(answer, 405, new RegExp(`^${method} is not supported here`))
        assert.ok(methodsOf(answer)?.includes(allowed))
        assert.ok(!methodsOf(answer)?.includes(method))
      })
    }
  })

  describe('that accept', () => {
    const accepted = [
      '*/*',
      'application/json',
      'application/json+esentity',
      'application/json+nxentity',
      'text/plain,application/json',
      'application/*',
      'text/html;q=0.9, */*;q=0.1',
      'application/json;charset=UTF-8',
    ]
    for (const accept of accepted) {
      test(`${accept} get JSON`, async () => {
        const answer = await call('GET', `/id/${id}`, { accept })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=document')
      })
    }
    for (const accept of ['text/html', 'application/xml', 'image/*', 'application/json;q=0']) {
      test(`only ${accept} are answered 406 and change nothing`, async () => {
        assertRefused(await call('GET', `/id/${id}`, { accept }), 406, /Accept/)
        assertRefused(await call('GET', '/path/@children', { accept }), 406, /Accept/)
        const name = `not ${accept}`.replaceAll('/', '-')
        assertRefused(await server.as('Administrator').post(workspaces, aDocument({ name }), { accept }), 406, /Accept/)
        assert.equal((await call('GET', `${workspaces}/${encodeURIComponent(name)}`)).status, 404)
        const before = await bench.read(id, { properties: '*' })
        const changed = await server.as('Administrator').put(`/id/${id}`, changesTo({ 'dc:title': 'no' }), { accept })
        assertRefused(changed, 406, /Accept/)
        assert.deepEqual(await bench.read(id, { properties: '*' }), before)
      })
    }
    test('nothing in particular get JSON', async () => {
      const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
      const response = await fetch(new URL(`api/v1/id/${id}`, server.url), { headers: { authorization, accept: '' } })
      assert.equal(response.status, 200)
    })
  })

  describe('whose body', () => {
    const send = (method: string, path: string, type: string | undefined, body: string) =>
      server.as('Administrator').call(method, `api/v1${path}`, {
        headers: type === undefined ? {} : { 'content-type': type },
        // Bytes, because a client adds a type of its own to text.
        body: new TextEncoder().encode(body),
      })
    for (const type of ['application/json', 'application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/json+nxentity']) {
      test(`is ${type} are taken`, async () => {
        assert.equal((await send('POST', workspaces, type, JSON.stringify(aDocument()))).status, 201)
      })
    }
    for (const type of [undefined, 'text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'text/json']) {
      test(`is ${type ?? 'of no type'} are answered 415`, async () => {
        const expected = /^A request body must have the Content-Type application\/json/
        assertRefused(await send('POST', workspaces, type, JSON.stringify(aDocument({ name: 'untyped' }))), 415, expected)
        assertRefused(await send('PUT', `/id/${id}`, type, JSON.stringify(changesTo({}))), 415, expected)
        assert.equal((await call('GET', `${workspaces}/untyped`)).status, 404)
      })
    }
    const notAnObject = 'Json does not contain an object as expected'
    const untyped = 'Json object does not contain an entity-type field as expected'
    const rows: readonly [body: string, message: string | RegExp][] = [
      ['', notAnObject],
      ['{', /^The request body is not valid JSON: /],
      ['{"entity-type":"document",}', /^The request body is not valid JSON: /],
      ['nonsense', /^The request body is not valid JSON: /],
      ['null', notAnObject],
      ['[]', notAnObject],
      ['"document"', notAnObject],
      ['1', notAnObject],
      ['{}', untyped],
      ['{"entity-type":1}', untyped],
      ['{"entity-type":null}', untyped],
      ['{"entity-type":"user"}', 'Json object entity-type is wrong. Expected is document but was user'],
      ['{"entity-type":"Document"}', 'Json object entity-type is wrong. Expected is document but was Document'],
    ]
    for (const [body, message] of rows) {
      test(`is ${body || 'empty'} are answered 400 and told why`, async () => {
        assertRefused(await send('POST', workspaces, 'application/json', body), 400, message)
        assertRefused(await send('PUT', `/id/${id}`, 'application/json', body), 400, message)
        assertRefused(await send('PUT', `/bulk;id=${id}`, 'application/json', body), 400, message)
      })
    }
  })

  describe('are answered with headers that', () => {
    const expected = {
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-xss-protection': '1; mode=block',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'content-security-policy':
        "img-src data: blob: *; default-src blob: *; script-src 'unsafe-inline' 'unsafe-eval' data: *; style-src 'unsafe-inline' *; font-src data: *",
    }
    const rows: readonly [what: string, answer: () => Promise<{ readonly headers: Headers }>][] = [
      ['a document', () => call('GET', `/id/${id}`)],
      ['a list', () => call('GET', '/path/@children')],
      ['a new document', () => server.as('Administrator').post(workspaces, aDocument())],
      ['a refusal', () => call('GET', '/id/nonsense')],
      ['a missing login', () => fetch(new URL(`api/v1/id/${id}`, server.url))],
    ]
    for (const [what, answer] of rows) {
      test(`protect ${what}`, async () => {
        const { headers } = await answer()
        for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
        assert.equal(headers.get('server'), null)
      })
    }
    test('let nobody keep a document', async () => {
      const { headers } = await call('GET', `/id/${id}`)
      assert.equal(headers.get('etag'), null)
      assert.equal(headers.get('last-modified'), null)
    })
    test('are the same whatever the client says it has', async () => {
      const conditions = { 'if-none-match': '*', 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() }
      assert.equal((await call('GET', `/id/${id}`, conditions)).status, 200)
      const unmatched = await server.as('Administrator').put(`/id/${id}`, changesTo({}), { 'if-match': '"other"' })
      assert.equal(unmatched.status, 200)
    })
  })
})
