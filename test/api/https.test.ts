import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { whereCurlIs } from '../support/curl.ts'
import { authority, callEncrypted, certificateFiles, type EncryptedRequest } from '../support/encrypted-call.ts'
import { freePort } from '../support/free-port.ts'
import { type Program, runProgram, startProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'

const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`

describe('a whole server that speaks TLS, with two workers', { timeout: 60_000 }, () => {
  let program: Program
  let folder = ''
  let port = 0
  const call = (method: string, path: string, { headers = {}, ...sent }: EncryptedRequest = {}) =>
    callEncrypted(port, method, path, { headers: { authorization, ...headers }, ...sent })
  const json = { 'content-type': 'application/json' }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-https-'))
    port = await freePort()
    const { certificate, key } = certificateFiles
    const bindings = JSON.stringify({ 'Document.GetChildren': { secure: true } })
    program = await startProgram(quireProgram, [
      ...['serve', '--port', '0', '--data', join(folder, 'data'), '--workers', '2', '--automation-bindings', bindings],
      ...['--https-port', String(port), '--https-certificate', certificate, '--https-key', key],
    ])
  })
  after(async () => {
    program.kill('SIGTERM')
    assert.equal((await program.ended).code, 0)
    await rm(folder, { recursive: true })
  })

  test('says where it listens, both ways', () => {
    assert.ok(program.startLine.includes(`listens on ${program.url} and https://127.0.0.1:${port}/ (`), program.startLine)
  })

  test('writes and reads over many connections, whichever worker has them', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        const statuses: number[] = []
        // More than it takes for a connection without TLS to be handed to the worker that writes.
        for (let turn = 0; turn < 12; turn += 1) {
          const body = JSON.stringify({ 'entity-type': 'document', type: 'Note', name: `n-${index}-${turn}` })
          const path = '/api/v1/path/default-domain/workspaces'
          statuses.push((await call('POST', path, { body, headers: json, agent })).status)
        }
        agent.destroy()
        return statuses
      }),
    )
    assert.deepEqual([...new Set(made.flat())], [201])
    const { text } = await call(
      'GET',
      `/api/v1/query?query=${encodeURIComponent("SELECT * FROM Note WHERE ecm:name LIKE 'n-%' AND ecm:isVersion = 0")}&pageSize=1`,
    )
    assert.equal(JSON.parse(text).resultsCount, 144)
  })

  test('takes a large file and gives it back, whole or in part', async () => {
    const bytes = randomBytes(12_000_000)
    const { batchId } = JSON.parse((await call('POST', '/api/v1/upload')).text)
    const headers = { 'content-type': 'application/octet-stream', 'x-file-name': 'large.bin' }
    assert.equal((await call('POST', `/api/v1/upload/${batchId}/0`, { body: bytes, headers })).status, 201)
    const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
    const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'large', properties })
    assert.equal((await call('POST', '/api/v1/path/default-domain/workspaces', { body, headers: json })).status, 201)
    const blob = '/api/v1/path/default-domain/workspaces/large/@blob/file:content'
    assert.ok(bytes.equals((await call('GET', blob)).bytes))
    const part = await call('GET', blob, { headers: { range: 'bytes=5000000-5000099' } })
    assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(5_000_000, 5_000_100)])
  })

  test('tells of events as they happen', async () => {
    const headers = { authorization, accept: 'text/event-stream', host: `localhost:${port}` }
    const place = { port, host: '127.0.0.1', servername: 'localhost', ca: authority, agent: false as const }
    const sent = request({ ...place, path: '/api/v1/events', headers }).end()
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 200)
    const body = JSON.stringify({ 'entity-type': 'document', type: 'Note', name: 'told' })
    await call('POST', '/api/v1/path/default-domain/workspaces', { body, headers: json })
    let heard = ''
    for await (const chunk of answer) {
      heard += chunk
      if (heard.includes('"event":"documentCreated"')) break
    }
    assert.match(heard, /"path":"\/default-domain\/workspaces\/told"/)
  })

  test('lets operations be called that want https, and without TLS does not', async () => {
    const body = JSON.stringify({ input: '/default-domain' })
    const path = '/api/v1/automation/Document.GetChildren'
    assert.equal((await call('POST', path, { body, headers: json })).status, 200)
    const plain = await fetch(new URL(path, program.url), { method: 'POST', body, headers: { authorization, ...json } })
    assert.equal(plain.status, 404)
  })

  test('is answered to curl, with links that it can follow', whereCurlIs, async () => {
    const { stdout } = await promisify(execFile)('curl', [
      ...['--silent', '--fail', '--include', '--cacert', join(import.meta.dirname, '../support/tls/ca.pem')],
      ...['--user', 'Administrator:Administrator', '--header', 'properties: *', '--resolve', `localhost:${port}:127.0.0.1`],
      `https://localhost:${port}/api/v1/path/default-domain/workspaces/large`,
    ])
    assert.match(stdout, /^HTTP\/1\.1 200 /)
    assert.match(stdout, /Strict-Transport-Security: max-age=2592000\r\n/i)
    assert.ok(stdout.includes(`https://localhost:${port}/`))
  })
})

describe('a server that is told of TLS what cannot be', { timeout: 60_000 }, () => {
  const { certificate, key } = certificateFiles
  const mistakes = [
    [['--https-port', '8443'], /quire: --https-port needs --https-certificate, a file with the certificate in PEM/],
    [['--plain-http', 'off'], /quire: --plain-http=off needs --https-port, or nobody could be served/],
    [
      ['--https-port', '8443', '--https-certificate', certificate],
      /quire: The certificate for https cannot be used: there is no private key in PEM in \S+localhost\.pem\.\n/,
    ],
    [
      ['--https-port', '8443', '--https-certificate', '/none.pem', '--https-key', key],
      /quire: The certificate for https cannot be used: \/none\.pem cannot be read \(ENOENT\)\.\n/,
    ],
  ] as const
  for (const [flags, sentence] of mistakes) {
    test(`does not start, and says why: ${flags.join(' ')}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'quire-https-'))
      const { code, complained } = await runProgram(quireProgram, ['serve', '--port', '0', '--data', join(folder, 'd'), ...flags])
      await rm(folder, { recursive: true })
      assert.match(complained, sentence)
      assert.ok(code)
    })
  }
})
