import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { damagedFiles, type HostileFile, hostileFiles } from '../support/conversion/hostile-files.ts'
import { attach, download } from '../support/files.ts'
import { workbenchOn } from '../support/workbench.ts'

// Those of a result, and those that tell the caller about the file. A conversion that has to be ended at its limit would be a 500.
const wellEnded = new Set([200, 400, 404, 413, 422])
const damagedTried = 21

describe('a hostile file ends in a result or a clear refusal', () => {
  let server: TestServer
  let remote: Server
  const fetched: string[] = []
  before(async () => {
    remote = createServer((request, response) => {
      fetched.push(String(request.url))
      response.end()
    })
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve))
    server = await startTestServer({ settings: { conversionPath: '/nowhere', conversionMemory: '600MB' } })
  })
  after(async () => {
    remote.close()
    await server.stop()
    assert.deepEqual(fetched, [], 'nothing that a file refers to was asked for')
  })

  async function endingsOf({ name, mimeType, bytes, queries }: HostileFile): Promise<readonly [status: number, text: string][]> {
    const { uid } = await workbenchOn(server).create('File', { 'dc:title': name })
    await attach(server, uid, bytes(), { name, 'mime-type': mimeType })
    const endings: [number, string][] = []
    for (const query of queries) {
      const { status, text } = await download(server, `api/v1/id/${uid}/@convert?${query}`)
      endings.push([status, text.slice(0, 300)])
    }
    return endings
  }

  for (const [index, { what }] of hostileFiles('').entries()) {
    test(what, async () => {
      const { port } = remote.address() as { port: number }
      const file = hostileFiles(`http://127.0.0.1:${port}`)[index]
      assert.ok(file)
      for (const [status, text] of await endingsOf(file)) {
        assert.ok(wellEnded.has(status), `${status} ${text}`)
        assert.doesNotMatch(text, /fetch\(|<script|onload/)
      }
    })
  }

  test('and so does one that is damaged, whatever it was', async () => {
    const files = damagedFiles(7).take(damagedTried)
    for (const file of files) {
      for (const [status, text] of await endingsOf(file)) assert.ok(wellEnded.has(status), `${file.what}: ${status} ${text}`)
    }
  })
})
