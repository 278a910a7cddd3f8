import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Adapter } from '../adapter.ts'
import { noContent } from '../answer.ts'
import { createRegistry } from '../registry.ts'
import { documentSchema } from '../render/document-entity.ts'
import { documentPageSchema } from '../render/documents-entity.ts'
import type { ResourceRoot } from '../resource.ts'
import type { Route } from '../route.ts'
import { describeApi, headersOf, ownParameters } from './openapi.ts'
import { Type } from './schema.ts'

const handle = async () => noContent()
const user = Type.Object({ id: Type.String(), manager: Type.Optional(Type.Ref('User')) }, { $id: 'User' })

const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/user/{userId}',
    under: 'api',
    summary: 'Reads a user',
    query: Type.Object({ q: Type.String({ description: 'Words' }), limit: Type.Optional(Type.Integer({ minimum: 0 })) }),
    answers: { 200: user, 404: 'no such user' },
    handle,
  },
  { method: 'PUT', path: '/user/{userId}', under: 'api', summary: 'Changes a user', body: user, answers: { 200: user }, handle },
  { method: 'GET', path: '/runningstatus', under: 'server', isPublic: true, summary: 'Is it running', answers: {}, handle },
]
const documents: ResourceRoot = {
  segment: 'id',
  template: '/id/{docId}',
  yields: 'document',
  summary: 'A document',
  resolve: async () => ({ kind: 'root' }),
  methods: {
    GET: { summary: 'Reads it', answers: { 200: documentSchema }, handle },
    POST: { summary: 'Creates a child', body: Type.Optional(Type.Object({})), answers: { 201: documentSchema }, handle },
  },
}
const children: Adapter = {
  name: 'children',
  summary: 'Lists the children',
  accepts: ['document'],
  query: Type.Object({ page: Type.Optional(Type.String()) }),
  resolve: async () => ({ kind: 'root' }),
}
const provider: Adapter = {
  name: 'pp',
  summary: 'Runs a page provider',
  accepts: ['root', 'document'],
  tail: '{name}',
  methods: { POST: { summary: 'Runs it', answers: { 200: documentPageSchema }, handle } },
}

const api = describeApi(createRegistry({ routes, resources: [documents], adapters: [children, provider] }), {
  title: 'Test',
  version: '1',
  basePath: '/dms',
})

describe('the OpenAPI document', () => {
  test('lists every way to call every address', () => {
    const listed = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    assert.deepEqual(listed, [
      'post /api/v1/@pp/{name}',
      'get /api/v1/id/{docId}',
      'post /api/v1/id/{docId}',
      'get /api/v1/id/{docId}/@children',
      'post /api/v1/id/{docId}/@pp/{name}',
      'get /api/v1/user/{userId}',
      'put /api/v1/user/{userId}',
      'get /runningstatus',
    ])
  })
  test('gives each its own id', () => {
    const ids = Object.values(api.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    assert.equal(new Set(ids).size, ids.length)
  })
  test('describes parameters of path and query', () => {
    const read = api.paths['/api/v1/user/{userId}']?.['get']
    const children = api.paths['/api/v1/id/{docId}/@children']?.['get']
    assert(read !== undefined && children !== undefined)
    assert.deepEqual(ownParameters(read), [
      { name: 'userId', in: 'path', required: true, example: 'Administrator', schema: { type: 'string' } },
      { name: 'q', in: 'query', required: true, description: 'Words', schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
    ])
    assert.deepEqual(
      ownParameters(children).map(({ name }) => name),
      ['docId', 'page'],
    )
  })
  test('writes a header once and refers to it from every call that heeds it', () => {
    const change = api.paths['/api/v1/user/{userId}']?.['put']
    assert(change !== undefined)
    const { parameters } = api.components
    assert.equal(parameters['Idempotency-Key']?.in, 'header')
    const heeded = headersOf(api, change)
    assert.deepEqual(heeded, [
      parameters['X-NXRepository'],
      parameters['Platform-Transaction-Timeout'],
      parameters['Idempotency-Key'],
    ])
  })
  test('writes a named schema once and refers to it, also from within itself', () => {
    const answer = api.paths['/api/v1/user/{userId}']?.['get']?.responses['200']
    assert.deepEqual(answer, {
      description: 'OK',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
    })
    assert.deepEqual(api.components.schemas['User'], {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, manager: { $ref: '#/components/schemas/User' } },
    })
  })
  test('says which bodies may be left out', () => {
    assert.equal(api.paths['/api/v1/user/{userId}']?.['put']?.requestBody?.required, true)
    assert.equal(api.paths['/api/v1/id/{docId}']?.['post']?.requestBody?.required, false)
  })
  test('says which need no credentials, and how every error looks', () => {
    const operation = api.paths['/runningstatus']?.['get']
    assert.deepEqual(operation?.security, [])
    assert.equal(api.paths['/api/v1/id/{docId}']?.['get']?.security, undefined)
    const schema = { $ref: '#/components/schemas/Exception' }
    assert.deepEqual(operation?.responses['default'], { description: 'An error', content: { 'application/json': { schema } } })
  })
  test('is JSON', () => assert.deepEqual(JSON.parse(JSON.stringify(api)), api))
})
