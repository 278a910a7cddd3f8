import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Listener } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { Route } from '../../src/rest/route.ts'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { aDocument, assertRefused, changesTo, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const workspaces = '/path/default-domain/workspaces'

/** What nobody foresaw: a route and a listener that break. */
const broken: Route = {
  method: 'GET',
  path: '/broken',
  under: 'api',
  summary: 'Always breaks',
  answers: {},
  handle: () => Promise.reject(new Error('foo', { cause: new Error('deeper') })),
}
const breakingListener: Listener = {
  name: 'breaking',
  when: 'inline',
  events: ['documentCreated'],
  handle({ document }) {
    if (document.name === 'breaking') throw new TypeError('a listener broke')
  },
}
const breaking = definePlugin({ name: 'breaking', routes: [broken], listeners: [breakingListener] })

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

async function callWith(server: TestServer, path: string, headers: { [name: string]: string }) {
  const response = await fetch(new URL(path, server.url), { headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

onEachServer(
  'an error',
  (server) => {
    const bench = workbenchOn(server)
    let id = ''
    let hidden = ''
    before(async () => {
      await server.addUser('bob', ['members'])
      id = (await bench.create('File')).uid
      hidden = (await bench.create('File')).uid
      await bench.restrict(hidden)
    })
    const administrator = () => server.as('Administrator')

    describe('is told by its status and a sentence, and nothing more:', () => {
      const rows: readonly [status: number, what: string, call: () => Promise<ApiAnswer>, message: string | RegExp][] = [
        [
          400,
          'a missing name',
          () => administrator().post(workspaces, { 'entity-type': 'document', type: 'File' }),
          'type or name property is missing',
        ],
        [400, 'an unknown type', () => administrator().post(workspaces, aDocument({ type: 'Foo' })), 'Type: Foo does not exist'],
        [
          400,
          'a value of another kind',
          () => administrator().put(`/id/${id}`, changesTo({ 'dc:created': 'x' })),
          'Unable to deserialize property: dc:created',
        ],
        [400, 'no type', () => administrator().get('/@emptyWithDefault'), 'Missing type parameter'],
        [
          403,
          'a missing right',
          () => server.as('bob').put(`/id/${id}`, changesTo({})),
          privilegeMissing('WriteProperties', 'bob'),
        ],
        [403, 'a document that may not be read', () => server.as('bob').get(`/id/${hidden}`), privilegeMissing('Read', 'bob')],
        [404, 'an unknown path', () => administrator().get('/path/default-domain/nope'), '/default-domain/nope'],
        [404, 'an unknown address', () => administrator().get('/wrongpath/x'), 'Type not found: wrongpath'],
        [404, 'an unknown repository', () => administrator().get('/repo/nowhere/path/'), 'Repository nowhere not found'],
        [405, 'another method', () => administrator().call('PATCH', `api/v1/id/${id}`), /^PATCH is not supported here/],
        [406, 'another media type', () => administrator().get(`/id/${id}`, { accept: 'text/html' }), /text\/html/],
        [
          409,
          'an old change token',
          () => administrator().put(`/id/${id}`, changesTo({ 'dc:title': 'no' }, { uid: id, changeToken: '9999-1234' })),
          /^.{36}$/,
        ],
        [
          415,
          'a body that is not JSON',
          () => administrator().post(workspaces, '<document/>', { 'content-type': 'text/xml' }),
          /text\/xml/,
        ],
      ]
      for (const [status, what, call, message] of rows) {
        test(`${what} (${status})`, async () => {
          assertRefused(await call(), status, message)
        })
      }
      test('what nobody foresaw (500)', async () => {
        assertRefused(await administrator().get('/broken'), 500, /./)
      })
      test('a failing listener (500), and nothing is created', async () => {
        assertRefused(await administrator().post(workspaces, aDocument({ name: 'breaking' })), 500, /./)
        assert.equal((await administrator().get(`${workspaces}/breaking`)).status, 404)
      })
    })

    describe('of who asks', () => {
      const rows: readonly [what: string, headers: { [name: string]: string }][] = [
        ['says nothing', {}],
        ['has the wrong password', { authorization: basic('Administrator', 'wrong') }],
        ['does not exist', { authorization: basic('nobody', 'nobody') }],
        ['is the server itself', { authorization: basic('system', 'system') }],
        ['has an impossible name', { authorization: basic('a\u0000b', 'x') }],
        ['is garbled', { authorization: 'Basic !!!' }],
        ['uses a scheme that there is not', { authorization: 'Digest username="bob"' }],
      ]
      for (const [what, headers] of rows) {
        test(`and ${what} is 401 and asks for a password`, async () => {
          const answer = await callWith(server, 'api/v1/path/', headers)
          assertRefused(answer, 401, 'Unauthorized')
          assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="Platform Automation"')
        })
      }
      for (const path of ['site/api/v1/path/', 'api/v1/wrongpath', 'api/v1', 'api/v1/path/nowhere', 'api/v1/me', 'json/cmis']) {
        test(`tells nothing about ${path} before that is known`, async () => {
          assertRefused(await callWith(server, path, {}), 401, 'Unauthorized')
        })
      }
    })

    describe('of the client is never the fault of the server:', () => {
      const neverFails = async (answer: ApiAnswer) => {
        assert.ok(answer.status < 500, answer.text)
        if (answer.status >= 400 && answer.body['entity-type'] === 'exception') assert.notEqual(answer.body.message, '')
      }
      const names = fc.constantFrom(
        'dc:title',
        'dc:created',
        'dc:subjects',
        'dc:contributors',
        'file:content',
        'files:files',
        'uid:major_version',
      )
      const runs = { numRuns: 60 }
      test('any JSON as a body', async () => {
        await fc.assert(
          fc.asyncProperty(fc.jsonValue(), async (json) => {
            await neverFails(await administrator().post(workspaces, JSON.stringify(json)))
            await neverFails(await administrator().put(`/id/${id}`, JSON.stringify(json)))
          }),
          runs,
        )
      })
      test('any value of any field', async () => {
        const fields = fc.constantFrom('type', 'name', 'uid', 'changeToken', 'properties')
        await fc.assert(
          fc.asyncProperty(fields, fc.jsonValue(), async (field, value) => {
            await neverFails(await administrator().post(workspaces, aDocument({ [field]: value })))
            await neverFails(await administrator().put(`/id/${id}`, { ...changesTo({}), [field]: value }))
          }),
          runs,
        )
      })
      test('any value of any property', async () => {
        await fc.assert(
          fc.asyncProperty(names, fc.jsonValue(), async (name, value) => {
            await neverFails(await administrator().post(workspaces, aDocument({ properties: { [name]: value } })))
            await neverFails(await administrator().put(`/id/${id}`, changesTo({ [name]: value })))
          }),
          runs,
        )
      })
      test('any text as a path, id, parameter or name', async () => {
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
            const encoded = encodeURIComponent(text)
            for (const path of [
              '/path/',
              '/id/',
              '/bulk;id=',
              '/@emptyWithDefault?type=',
              '/path/@children?sortBy=',
              '/path/@children?pageSize=',
            ]) {
              await neverFails(await administrator().get(`${path}${encoded}`))
            }
            await neverFails(await administrator().post(workspaces, aDocument({ name: text })))
          }),
          runs,
        )
      })
    })
  },
  { plugins: [breaking] },
)

onEachServer(
  'an error, shown with its stack,',
  (server) => {
    const administrator = () => server.as('Administrator')
    test('tells where it comes from and of which class it is', async () => {
      const { status, body } = await administrator().get('/path/wrongID')
      assert.equal(status, 404)
      assert.deepEqual(Object.keys(body), ['entity-type', 'status', 'message', 'stacktrace', 'exception'])
      assert.equal(body.message, '/wrongID')
      assert.equal(body.status, 404)
      assert.match(body.stacktrace, /\n {4}at /)
      assert.equal(body.exception.className, 'org.platform.ecm.core.api.DocumentNotFoundException')
      assert.equal(body.exception.message, '/wrongID')
    })
    test('tells its causes too', async () => {
      const { status, body } = await administrator().get('/broken')
      assert.equal(status, 500)
      assert.match(body.stacktrace, /foo[\s\S]*Caused by: .*deeper/)
      assert.equal(body.exception.message, 'foo')
    })
    test('is no other where the body is too large (413)', async () => {
      const { status, body } = await administrator().post(
        workspaces,
        aDocument({ properties: { 'dc:description': 'x'.repeat(3_000) } }),
      )
      assert.equal(status, 413)
      assert.equal(body['entity-type'], 'exception')
      assert.match(body.message, /2000 bytes/)
    })
  },
  { plugins: [breaking], settings: { restStackEnable: true, jsonMaxSize: '2 kB' } },
)
