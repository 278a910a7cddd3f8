import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'

const authorization = `Basic ${btoa('Administrator:Administrator')}`

// Which port answers what is decided before any database is asked.
describe('12.2 the management port', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ settings: { managementPort: 0, basePath: '/content' } })
  })
  after(() => server.stop())
  const statusAt = async (base: string | undefined, path: string, headers: Record<string, string> = { authorization }) =>
    (await fetch(new URL(path, base), { headers, redirect: 'manual' })).status

  for (const path of ['api/v1/management/probes', 'api/v1/management/configuration', 'metrics']) {
    test(`answers ${path}, and the other port does not`, async () => {
      assert.equal(await statusAt(server.managementUrl, path), 200)
      assert.equal(await statusAt(server.url, path), 404)
      assert.equal(await statusAt(server.managementUrl, path, {}), 401)
    })
  }

  for (const path of ['health/live', 'health/ready', 'runningstatus']) {
    test(`answers ${path}, and so does the other port`, async () => {
      assert.equal(await statusAt(server.managementUrl, path, {}), 200)
      assert.equal(await statusAt(server.url, path, {}), 200)
    })
  }

  for (const path of ['api/v1/path/default-domain', 'api/v1/me', 'api/v1/path/default-domain/@children']) {
    test(`does not answer ${path}, as the other port does`, async () => {
      assert.equal(await statusAt(server.managementUrl, path), 404)
      assert.equal(await statusAt(server.url, path), 200)
    })
  }

  test('is one of this machine unless told', () => {
    assert.equal(new URL(server.managementUrl ?? '').hostname, '127.0.0.1')
  })

  test('counts what both have answered', async () => {
    await statusAt(server.url, 'api/v1/me')
    const answer = await fetch(new URL('metrics', server.managementUrl), { headers: { authorization } })
    const text = await answer.text()
    assert.match(text, /^quire_http_requests_total\{method="GET",route="\/api\/v1\/me",status="200"\} \d+$/m)
    assert.match(text, /^quire_http_requests_total\{method="GET",route="\/metrics",status="200"\} \d+$/m)
  })
})
