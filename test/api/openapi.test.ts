import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { gatherPlugins } from '../../src/plugin/gather-plugins.ts'
import type { Adapter } from '../../src/rest/adapter.ts'
import { json } from '../../src/rest/answer.ts'
import { Type } from '../../src/rest/openapi/schema.ts'
import type { Route } from '../../src/rest/route.ts'
import { onEachServer } from '../support/servers.ts'
import type { Answered } from '../support/workbench.ts'

const ping: Route = {
  method: 'POST',
  path: '/ping/{name}',
  under: 'api',
  summary: 'Answers pong',
  answers: { 200: Type.Object({ pong: Type.Boolean() }) },
  handle: async () => json({ pong: true }),
}
const firstOf: Adapter = {
  name: 'firstOf',
  summary: 'The first of several',
  accepts: ['documents'],
  resolve: async ({ resource }) => resource,
}
const plugin = definePlugin({ name: 'pinging', routes: [ping], adapters: [firstOf] })

const { routes, resources, adapters } = gatherPlugins([...builtinPlugins, plugin])

/** The one handler that there is has no credentials to renew. */
const endsInRefusal: ReadonlySet<string> = new Set(['/api/v1/upload/{batchId}/refreshToken', '/oauth2/authorize_submit'])

const withoutBody: ReadonlySet<string> = new Set([
  'delete /api/v1/bulk;id={docId} 200',
  'post /api/v1/automation/{id}/@async 202',
  'put /api/v1/task/{id}/reassign 200',
  'put /api/v1/task/{id}/delegate 200',
  'get /nxbigblob/{key} 202',
  'get /nxbigzipfile/{key} 202',
  'get /login 200',
  'get /logout 200',
  'get /startup 200',
  'get /nxdoc/{repository}/{address} 200',
  'get /nxpath/{repository}/{address} 200',
  'post /startup 200',
])

const isShape = (schema: Answered) => ['type', '$ref', 'anyOf'].some((keyword) => keyword in schema)

onEachServer(
  'the description of the API',
  (server) => {
    let described: Answered
    before(async () => {
      const response = await fetch(new URL('api/v1/openapi.json', server.url))
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/json')
      described = await response.json()
    })
    const operations = (): readonly { path: string; method: string; operation: Answered }[] =>
      Object.entries<Answered>(described.paths).flatMap(([path, methods]) =>
        Object.entries<Answered>(methods).map(([method, operation]) => ({ path, method, operation })),
      )

    test('is an OpenAPI document, open to all, at both of its addresses', async () => {
      assert.match(described.openapi, /^3\.1\.\d$/)
      assert.equal(described.info.title, 'Platform REST API')
      assert.equal(described.info.version, '10.10')
      for (const path of ['api/v1/doc/openapi.json', 'site/api/v1/openapi.json']) {
        const response = await fetch(new URL(path, server.url))
        assert.deepEqual(await response.json(), described)
      }
    })

    describe('holds', () => {
      for (const { method, path, under } of routes.filter(({ isUndocumented }) => !isUndocumented)) {
        test(`the route ${method} ${path}`, () => {
          const template = path.replaceAll('+}', '}')
          const shown = under === 'api' ? `/api/v1${template}` : template
          assert.ok(described.paths[shown]?.[method.toLowerCase()]?.summary)
        })
      }
      for (const { template, methods } of resources) {
        for (const [method, { summary }] of Object.entries(methods)) {
          test(`the resource ${method} ${template}`, () => {
            assert.equal(described.paths[`/api/v1${template}`]?.[method.toLowerCase()]?.summary, summary)
          })
        }
      }
      for (const { name, accepts, tail, resolve, methods } of adapters) {
        const onResources = resources.filter(({ yields }) => accepts.includes(yields)).map(({ template }) => template)
        for (const base of accepts.includes('root') ? ['', ...onResources] : onResources) {
          const path = `/api/v1${base}/@${name}${tail === undefined ? '' : `/${tail.replace(/^\//, '')}`}`
          const called = new Set([...Object.keys(methods ?? {}), ...(resolve === undefined ? [] : ['GET'])])
          for (const method of called) {
            test(`the adapter ${method} ${path}`, () => {
              assert.ok(described.paths[path]?.[method.toLowerCase()]?.summary)
            })
          }
        }
      }
      test('nothing that is not served', async () => {
        const administrator = server.as('Administrator')
        for (const { path, method, operation } of operations().filter((one) => one.method === 'get')) {
          // It has no end to wait for.
          if (operation.responses[200]?.content?.['text/event-stream'] !== undefined) continue
          const { uid } = (await administrator.get('/path/')).body
          const filled = path
            .replace('{docId}', uid)
            .replace('{docPath}', 'default-domain')
            .replace(/\{\w+\}/g, 'Administrator')
          const answer = await administrator.call(method, filled.slice(1))
          assert.notEqual(answer.status, 405, path)
          assert.ok(!/^(Type not found|Service|Nothing found)/.test(answer.body?.message ?? ''), `${path}: ${answer.text}`)
        }
      })
    })

    describe('describes each call so that', () => {
      test('it has a name of its own, a summary, a tag and an error', () => {
        const ids = operations().map(({ operation }) => operation.operationId)
        assert.equal(new Set(ids).size, ids.length)
        assert.deepEqual(
          ids.filter((id) => !/^[a-z]+(?:[A-Z]|$)/.test(id) || /By\w+And[A-Z]/.test(id)),
          [],
        )
        for (const { path, method, operation } of operations()) {
          assert.ok(operation.summary, `${method} ${path}`)
          assert.equal(operation.tags.length, 1)
          assert.ok(described.tags.some((tag: { name: string }) => tag.name === operation.tags[0]))
          assert.deepEqual(operation.responses.default.content['application/json'].schema, {
            $ref: '#/components/schemas/Exception',
          })
        }
      })
      test('every success says what it brings: JSON of a shape, bytes of a media type, or nothing', () => {
        for (const { path, method, operation } of operations()) {
          const successes = Object.entries<Answered>(operation.responses).filter(([status]) => /^2\d\d$/.test(status))
          assert.ok(successes.length > 0 || endsInRefusal.has(path), `${method} ${path} has no success`)
          for (const [status, { content }] of successes) {
            const isEmpty = content === undefined && (status === '204' || withoutBody.has(`${method} ${path} ${status}`))
            const shapes = Object.values<Answered>(content ?? {}).map(({ schema }) => schema)
            assert.ok(isEmpty || (shapes.length > 0 && shapes.every(isShape)), `${method} ${path} ${status}`)
          }
        }
      })
      test('its path has exactly the parameters that are described', () => {
        for (const { path, operation } of operations()) {
          const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
          const inPath = operation.parameters.filter((one: { in: string }) => one.in === 'path')
          assert.deepEqual(
            inPath.map((one: { name: string }) => one.name),
            named,
          )
          for (const parameter of inPath) assert.equal(parameter.required, true)
        }
      })
      test('headers that may as well be parameters are shown as both', () => {
        const { parameters } = described.components
        const shared = (path: string) =>
          described.paths[path].get.parameters.flatMap((one: Answered) =>
            '$ref' in one ? parameters[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)] : [],
          )
        const named = (path: string, place: string) =>
          shared(path)
            .filter((one: { in: string }) => one.in === place)
            .map((one: { name: string }) => one.name)
        const wishes = ['properties', 'enrichers.document', 'fetch.document', 'translate.directoryEntry', 'depth']
        for (const place of ['header', 'query']) {
          const heeded = named('/api/v1/id/{docId}', place)
          assert.deepEqual(
            wishes.filter((name) => !heeded.includes(name)),
            [],
          )
          assert.ok(named('/api/v1/user/{userId}', place).includes('enrichers.user'))
          assert.ok(named('/api/v1/group/{groupId}', place).includes('fetch.group'))
        }
        assert.match(parameters.properties.description, /X-NXDocumentProperties/)
      })
      test('what enrichers add has the shape that each declares', () => {
        const { DocumentContextParameters: ofDocuments, UserContextParameters: ofUsers } = described.components.schemas
        assert.equal(ofDocuments.additionalProperties, undefined)
        const expected = ['acls', 'breadcrumb', 'children', 'favorites', 'permissions', 'tags', 'thumbnail']
        assert.deepEqual(
          expected.filter((key) => !isShape(ofDocuments.properties[key] ?? {})),
          [],
        )
        assert.deepEqual(Object.keys(ofUsers.properties).toSorted(), ['hasDefaultPassword', 'userprofile'])
      })
      test('a download says which conditions it heeds', () => {
        const conditions = ['Range', 'If-Range', 'If-None-Match', 'If-Modified-Since', 'Want-Digest']
        for (const path of ['/nxfile/{repository}/{docId}/{blob}', '/api/v1/id/{docId}/@blob/{xpath}']) {
          const references = described.paths[path].get.parameters.map((one: Answered) => one.$ref)
          for (const name of conditions) assert.ok(references.includes(`#/components/parameters/${name}`), `${path} ${name}`)
        }
      })
      test('what it refers to is there', () => {
        const references = [...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/(schemas|parameters)\/([^"]+)"/g)]
        assert.ok(references.length > 0)
        for (const [, kind = '', name = ''] of references) assert.ok(name in described.components[kind], name)
      })
      test('it needs no credentials just where it can be called without', async () => {
        for (const { path, method, operation } of operations().filter((one) => one.method === 'get')) {
          const isOpen = operation.security?.length === 0
          const response = await fetch(new URL(path.slice(1).replace(/[{}]/g, ''), server.url), { method, redirect: 'manual' })
          assert.equal(response.status === 401, !isOpen, `${path} ${response.status}`)
        }
      })
    })

    describe('as a page', () => {
      test('needs a login at its address and none below it', async () => {
        assert.equal((await fetch(new URL('api/v1/doc', server.url))).status, 401)
        const page = await server.as('Administrator').call('GET', 'api/v1/doc')
        assert.equal(page.status, 200)
        assert.equal(page.headers.get('content-type'), 'text/html;charset=UTF-8')
        const open = await fetch(new URL('api/v1/doc/', server.url))
        assert.equal(open.status, 200)
        assert.equal(await open.text(), page.text)
      })
      test('shows every path and brings everything with it', async () => {
        const { text, headers } = await server.as('Administrator').call('GET', 'api/v1/doc')
        const words = text.replace(/<[^>]+>/g, '')
        for (const path of Object.keys(described.paths)) assert.ok(words.includes(path), path)
        assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
        assert.ok(!/<(?:script|link|img)[^>]+(?:src|href)=/.test(text))
      })
    })
  },
  { plugins: [plugin] },
)
