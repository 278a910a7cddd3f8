import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { whereCurlIs } from '../support/curl.ts'
import { readmeBlocks } from '../support/readme.ts'

const run = promisify(execFile)

describe('docs/retention.md', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.stop())

  test('has requests that work one after the other on a new server, as they stand', whereCurlIs, async () => {
    for (const { code } of await readmeBlocks('docs/retention.md')) {
      const here = code.replaceAll('http://127.0.0.1:8080', new URL(server.url).origin)
      await run('sh', ['-euc', here.replaceAll(/^curl /gm, 'curl --fail-with-body --silent --show-error ')]).catch(
        (error: { stdout: string; stderr: string }) => assert.fail(`${code}\n${error.stdout}${error.stderr}`),
      )
    }
    await untilIdle(server)
    const record = (await server.as('Administrator').get('/path/default-domain/workspaces/contract-7')).body
    const years = (Date.parse(record.retainUntil) - Date.now()) / (365.25 * 86_400_000)
    assert.equal(Math.round(years), 10, `retained until ${record.retainUntil}`)
  })
})
