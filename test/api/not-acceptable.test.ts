import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { gatherPlugins } from '../../src/plugin/gather-plugins.ts'
import { isAlwaysJson } from '../../src/rest/openapi/answers.ts'
import type { Route } from '../../src/rest/route.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'

/** What stands for the variables of a path where that leads somewhere on a new server. */
const values: { readonly [variable: string]: string } = {
  directory: 'nature',
  'id+': 'article',
  providerName: 'default_search',
  queryLanguage: 'NXQL',
  '/config/types/{name}': 'File',
  '/docType/{name}': 'File',
  '/config/schemas/{name}': 'dublincore',
  '/schema/{name}': 'dublincore',
  '/config/facets/{name}': 'Folderish',
  '/facet/{name}': 'Folderish',
  '/automation/{id}': 'Document.Fetch',
}

/** Uploads are answered with plain text that holds JSON: browsers that send forms ask for HTML and show what comes. */
const isOfUploads = ({ path }: Route) => path.startsWith('/upload/')

const { routes } = gatherPlugins(builtinPlugins)
const isSafe = ({ method }: Route) => method === 'GET'
const named = (route: Route) => `${route.method} ${route.under === 'api' ? '/api/v1' : ''}${route.path}`

describe('a client that takes nothing but HTML', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.stop())

  function ask({ method, under, path }: Route, accept: string): Promise<Response> {
    const filled = path.replaceAll(/\{([^}]+)\}/g, (_, variable: string) => values[path] ?? values[variable] ?? 'none')
    const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
    const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {}
    const headers = { accept, authorization, ...(method !== 'GET' && { 'content-type': 'application/json' }) }
    return fetch(new URL(`${under === 'api' ? 'api/v1' : ''}${filled}`.replace(/^\//, ''), server.url), {
      method,
      headers,
      ...body,
    })
  }

  const changing = routes.filter((route) => !isSafe(route) && isAlwaysJson(route.answers))
  for (const route of changing) {
    test(`is refused by ${named(route)} before anything is done`, async () => {
      const answer = await ask(route, 'text/html')
      assert.equal(answer.status, 406)
      assert.match(await answer.text(), /Accept/)
    })
  }

  const reading = routes.filter(isSafe)
  for (const route of reading) {
    test(`is refused by ${named(route)} where that has an entity to give`, async () => {
      const usual = await ask(route, '*/*')
      const isGiven = usual.ok && isAlwaysJson(route.answers) && !isOfUploads(route)
      await usual.body?.cancel()
      const answer = await ask(route, 'text/html')
      await answer.body?.cancel()
      assert.equal(answer.status, isGiven ? 406 : usual.status)
    })
  }
})
