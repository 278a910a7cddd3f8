import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const lists = ['/config/types', '/docType', '/config/schemas', '/schema', '/config/facets', '/facet']
const singles = [
  '/config/types/File',
  '/docType/File',
  '/config/schemas/file',
  '/schema/file',
  '/config/facets/Picture',
  '/facet/Picture',
]

onEachServer(
  'definitions',
  (server) => {
    before(async () => {
      await server.addUser('bob')
      await server.addUser('root', ['administrators'])
    })

    for (const path of [...lists, ...singles]) {
      describe(`at ${path}`, () => {
        test('are for every user, and the same for all of them', async () => {
          const [bob, root] = [await server.as('bob').get(path), await server.as('root').get(path)]
          assert.deepEqual([bob.status, root.status], [200, 200])
          assert.equal(bob.text, root.text)
        })
        test('are for nobody without credentials', async () => {
          const response = await fetch(new URL(`api/v1${path}`, server.url))
          assert.equal(response.status, 401)
        })
        for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
          test(`cannot be changed with ${method}`, async () => {
            const headers = { 'content-type': 'application/json' }
            const answer = await server
              .as('root')
              .call(method, `api/v1${path}`, { headers, ...(method !== 'DELETE' && { body: '{}' }) })
            assertRefused(answer, 405, /./)
            assert.equal(answer.headers.get('allow'), 'HEAD, GET, OPTIONS')
          })
        }
        test('answer HEAD without a body and OPTIONS with the methods', async () => {
          const head = await server.as('bob').call('HEAD', `api/v1${path}`)
          assert.deepEqual([head.status, head.text], [200, ''])
          const options = await server.as('bob').call('OPTIONS', `api/v1${path}`)
          assert.equal(options.headers.get('allow'), 'HEAD, GET, OPTIONS')
        })
        test('are the same in every repository and below /site', async () => {
          const { text } = await server.as('bob').get(path)
          assert.equal((await server.as('bob').get(`/repo/archive${path}`)).text, text)
          assert.equal((await server.as('bob').call('GET', `site/api/v1${path}`)).text, text)
        })
      })
    }

    describe('that do not exist', () => {
      const rows: readonly [path: string, noun: string, list: string][] = [
        ['/config/types', 'document type', '/config/types'],
        ['/docType', 'document type', '/config/types'],
        ['/config/schemas', 'schema', '/config/schemas'],
        ['/schema', 'schema', '/config/schemas'],
        ['/config/facets', 'facet', '/config/facets'],
        ['/facet', 'facet', '/config/facets'],
      ]
      for (const [path, noun, list] of rows) {
        for (const name of [
          'Nope',
          'file ',
          'FILE',
          'toString',
          '__proto__',
          'constructor',
          '..%2f',
          'a%00b',
          'ü€😀',
          'x'.repeat(4000),
        ]) {
          test(`are 404 at ${path}: ${JSON.stringify(name.slice(0, 20))}`, async () => {
            const encoded = name.includes('%') ? name : encodeURIComponent(name)
            const answer = await server.as('bob').get(`${path}/${encoded}`)
            const message = `There is no ${noun} named ${decodeURIComponent(encoded)}. GET ${list} lists those there are; upper and lower case differ.`
            assertRefused(answer, 404, message)
          })
        }
      }
      test('are 404 also for the facet that versions only seem to have', async () => {
        assert.equal((await server.as('bob').get('/config/facets/Immutable')).status, 404)
      })
      for (const path of ['/config', '/config/properties', '/config/types/File/schemas', '/docType/File/x']) {
        test(`are 404 at ${path}`, async () => {
          assertRefused(await server.as('bob').get(path), 404, /./)
        })
      }
    })

    test('come compressed to whoever takes that', async () => {
      const plain = await server.as('bob').get('/config/types', { 'accept-encoding': 'identity' })
      const zipped = await server.as('bob').get('/config/types', { 'accept-encoding': 'gzip' })
      assert.equal(zipped.headers.get('content-encoding'), 'gzip')
      assert.equal(zipped.text, plain.text)
    })

    test('are refused as another type than JSON', async () => {
      assertRefused(await server.as('bob').get('/config/types', { accept: 'text/html' }), 406, /application\/json/)
    })

    test('are described with their parameters in the documentation', async () => {
      const { paths, components } = (await server.as('bob').get('/openapi.json')).body
      const { parameters, responses } = paths['/api/v1/config/types/{name}'].get
      const described = (parameters as { name?: string; $ref?: string }[]).map(
        ({ name, $ref = '' }) => name ?? components.parameters[$ref.split('/').at(-1) ?? ''].name,
      )
      for (const name of ['name', 'fetch.schema']) assert.ok(described.includes(name), `${name} of ${described}`)
      assert.equal(responses['200'].content['application/json'].schema.$ref, '#/components/schemas/DocumentType')
      for (const name of ['DocumentType', 'Schema', 'Facet', 'FieldDefinitions', 'ValidationConstraint']) {
        assert.ok(name in components.schemas, name)
      }
    })
  },
  { settings: { repositories: ['default', 'archive'] } },
)
