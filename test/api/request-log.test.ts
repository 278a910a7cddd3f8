import assert from 'node:assert/strict'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type LogFields, silentLog } from '../../src/base/log.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { filledDatabase } from '../support/filled-database.ts'

describe('the request log', () => {
  let folder: string
  let file: string
  let server: TestServer
  const failures: LogFields[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-request-log-'))
    file = join(folder, 'requests.log')
    const settings = { ...(await filledDatabase('sqlite')), requestLog: file }
    server = await startTestServer({ settings, log: { ...silentLog, error: (fields) => failures.push(fields) } })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function linesOf(path: string, wanted: (line: string) => boolean): Promise<readonly string[]> {
    for (const patience = AbortSignal.timeout(10_000); ; await pause(20, undefined, { signal: patience })) {
      const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1)
      if (lines.some(wanted)) return lines.filter(wanted)
    }
  }

  test('has a line for each answer in the combined form, with the id and the milliseconds behind it', async () => {
    const headers = { 'x-request-id': 'one-of-mine', referer: 'http://127.0.0.1/ui/?token=hush', 'user-agent': 'tester/1' }
    const { status } = await server.as('Administrator').get('/path/default-domain?enrichers.document=acls', headers)
    assert.equal(status, 200)
    const [line = ''] = await linesOf(file, (one) => one.includes('one-of-mine'))
    assert.match(
      line,
      /^127\.0\.0\.1 - Administrator \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/api\/v1\/path\/default-domain HTTP\/1\.1" 200 [1-9]\d+ "http:\/\/127\.0\.0\.1\/ui\/" "tester\/1" one-of-mine \d+$/,
    )
  })

  test('names no user where nobody was known, and has refusals too', async () => {
    await fetch(`${server.url}api/v1/path/`, { headers: { 'x-request-id': 'nobody' } })
    const [line = ''] = await linesOf(file, (one) => one.includes('nobody'))
    assert.match(line, /^127\.0\.0\.1 - - \[.*"GET \/api\/v1\/path\/ HTTP\/1\.1" 401 /)
  })

  test('has one line for one request, whatever a client sends', async () => {
    const headers = { 'x-request-id': 'quotes', 'user-agent': 'a" 200 0 "\\ \u00e9' }
    await fetch(`${server.url}api/v1/path/x%0Ay%22`, { headers })
    const [line = ''] = await linesOf(file, (one) => one.includes('quotes'))
    assert.ok(line.includes('"a\\" 200 0 \\"\\\\ \\xc3\\xa9"'), line)
    assert.match(line, /"GET \/api\/v1\/path\/\S+ HTTP\/1\.1" 401 /)
  })

  test('goes on in a new file when somebody has moved it away', async () => {
    await rename(file, `${file}.1`)
    await server.as('Administrator').get('/path/', { 'x-request-id': 'after-the-move' })
    assert.equal((await linesOf(file, (one) => one.includes('after-the-move'))).length, 1)
    assert.ok(!(await readFile(`${file}.1`, 'utf8')).includes('after-the-move'))
  })

  test('that cannot be written stops nobody, and is told of', async () => {
    await rename(folder, `${folder}-away`)
    try {
      assert.equal((await server.as('Administrator').get('/path/')).status, 200)
      while (failures.length === 0) await pause(20)
      assert.deepEqual([failures[0]?.event, failures[0]?.['lost']], ['requestLog.failed', 1])
    } finally {
      await rename(`${folder}-away`, folder)
    }
  })

  test('is whole when the server has stopped', async () => {
    await server.as('Administrator').get('/path/', { 'x-request-id': 'the-last' })
    await server.stop()
    assert.ok((await readFile(file, 'utf8')).includes('the-last'))
  })
})
