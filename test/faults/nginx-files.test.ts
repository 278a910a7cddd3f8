import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { BlobStore } from '../../src/store/blobs/blob-store.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { attach, basic, blobsOf } from '../support/files.ts'
import { hasNginx, type Nginx, startNginx } from '../support/nginx.ts'
import { workbenchOn } from '../support/workbench.ts'

const skip = hasNginx() ? false : 'nginx is not installed'

type Headers = { readonly [name: string]: string }

/** `fetch` would decode and follow what nginx sends. */
function ask(url: URL, headers: Headers = {}, user = 'Administrator', method = 'GET') {
  return new Promise<{ status: number | undefined; headers: { [name: string]: unknown }; bytes: Buffer }>((resolve, reject) => {
    get(url, { method, headers: { authorization: basic(user), ...headers } }, async (answer) =>
      resolve({ status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }),
    ).on('error', reject)
  })
}

describe('nginx that hands over files itself', { skip, timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-nginx-files-'))
  let server: TestServer
  let proxy: Nginx
  let passing: Nginx
  let reads = 0
  const bytes = randomBytes(300_000)
  let uid = ''
  let digest = ''

  const path = (name = 'file:content') => `nxfile/default/${uid}/${name}`
  const through = (headers?: Headers, user?: string, method?: string) => ask(new URL(path(), proxy.url), headers, user, method)
  const direct = (headers?: Headers, user?: string, method?: string) => ask(new URL(path(), server.url), headers, user, method)

  /** Who sends the bytes: the store of the server is read, or not. */
  async function readsDuring<Result>(body: () => Promise<Result>): Promise<{ result: Result; sentBy: 'nginx' | 'server' }> {
    const before = reads
    const result = await body()
    return { result, sentBy: reads === before ? 'nginx' : 'server' }
  }

  before(async () => {
    server = await startTestServer({ settings: { nginxAccelEnabled: true, data: folder } })
    const blobs: BlobStore = blobsOf(server)
    const { read } = blobs
    Object.assign(blobs, {
      read: (...wanted: Parameters<typeof read>) => {
        reads += 1
        return read.apply(blobs, wanted)
      },
    })
    const bench = workbenchOn(server)
    uid = (await bench.create('File')).uid
    digest = (await attach(server, uid, bytes)).digest
    await server.addUser('stranger', ['members'])
    await bench.restrict(uid)
    const stored = await blobs.findPath?.((await blobKeyOf(uid)) ?? '', bytes.length)
    assert.ok(stored)
    const files = join(folder, 'blobs')
    assert.ok(readdirSync(files).includes('data'))
    proxy = await startNginx([server.url, server.url], { files })
    passing = await startNginx([server.url, server.url], { files, asks: false })
  })
  after(async () => {
    await proxy?.stop()
    await passing?.stop()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function blobKeyOf(id: string): Promise<string | undefined> {
    const document = await server.asSystem(({ tx }) => tx.documents.find(id))
    const content = document?.properties['file:content'] as { key: string } | null | undefined
    return content?.key
  }

  test('sends all bytes with the name, tag, type and date that the server says', async () => {
    const { result, sentBy } = await readsDuring(() => through())
    const { headers: expected } = await direct()
    assert.equal(sentBy, 'nginx')
    assert.equal(result.status, 200)
    assert.ok(result.bytes.equals(bytes))
    assert.equal(result.headers['etag'], `"${digest}"`)
    for (const name of [
      'etag',
      'last-modified',
      'content-type',
      'content-disposition',
      'content-length',
      'accept-ranges',
      'cache-control',
    ])
      assert.equal(result.headers[name], expected[name], name)
    assert.equal(result.headers['x-content-type-options'], 'nosniff')
    assert.equal(result.headers['x-accel-redirect'], undefined)
  })

  test('sends the parts that are asked for', async () => {
    const rows = [
      ['bytes=10-19', 10, 20],
      ['bytes=299990-', 299_990, 300_000],
      ['bytes=-5', 299_995, 300_000],
      ['bytes=0-', 0, 300_000],
    ] as const
    for (const [range, start, end] of rows) {
      const { result, sentBy } = await readsDuring(() => through({ range }))
      assert.deepEqual([sentBy, result.status], ['nginx', 206], range)
      assert.ok(result.bytes.equals(bytes.subarray(start, end)), range)
      assert.equal(result.headers['content-range'], `bytes ${start}-${end - 1}/300000`)
      assert.equal(result.headers['etag'], `"${digest}"`)
    }
    assert.equal((await through({ range: 'bytes=400000-' })).status, 416)
  })

  test('has conditions judged by the server', async () => {
    assert.equal((await through({ 'if-none-match': `"${digest}"` })).status, 304)
    assert.equal((await through({ 'if-match': '"other"' })).status, 412)
    for (const headers of [
      { 'if-match': `"${digest}"` },
      { 'if-none-match': '"other"' },
      { 'if-range': `"${digest}"`, range: 'bytes=1-2' },
    ]) {
      const expected = await direct(headers)
      const found = await through(headers)
      assert.deepEqual([found.status, found.bytes.length], [expected.status, expected.bytes.length], JSON.stringify(headers))
    }
  })

  test('is asked for nothing that the caller may not have', async () => {
    const { result, sentBy } = await readsDuring(() => through({}, 'stranger'))
    assert.deepEqual([result.status, sentBy], [404, 'nginx'])
    assert.equal((await through({}, 'nobody')).status, 401)
    // The location is nginx's own.
    const key = (await blobKeyOf(uid)) ?? ''
    const inside = new URL(`quire-files/data/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`, proxy.url)
    assert.equal((await ask(inside)).status, 404)
  })

  test('leaves to the server what it sandboxes, and the head alone', async () => {
    const page = (await workbenchOn(server).create('File')).uid
    await attach(server, page, '<script>alert(1)</script>', { name: 'a.html', 'mime-type': 'text/html' })
    const address = new URL(`nxfile/default/${page}/file:content?inline=true`, proxy.url)
    const inline = await readsDuring(() => ask(address))
    assert.deepEqual([inline.result.status, inline.sentBy], [200, 'server'])
    assert.match(String(inline.result.headers['content-security-policy']), /^sandbox/)
    const head = await through({}, 'Administrator', 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, '300000', 0])
  })

  test('never sends what a client names instead', async () => {
    for (const location of ['/etc', '/quire-files/..', '/quire-files/', '/nxstartup', 'quire-files']) {
      const { result } = await readsDuring(() => ask(new URL(path(), passing.url), { 'x-accel-location': location }))
      assert.deepEqual([result.status, result.bytes.equals(bytes)], [200, true], location)
    }
    const forged = await ask(new URL(path(), server.url), { 'x-accel-location': '/etc' })
    assert.deepEqual([forged.headers['x-accel-redirect'], forged.bytes.length], [undefined, 300_000])
  })

  test('has downloads told as any other', async () => {
    const { body } = await server.as('Administrator').get(`/id/${uid}/@audit?pageSize=100`)
    const downloads = body.entries.filter(({ eventId }: { eventId: string }) => eventId === 'download')
    assert.ok(downloads.length > 0)
  })
})

describe('a server without the hand-off, or one that does not trust its caller', () => {
  for (const [sentence, settings] of [
    ['takes no notice of the header', {}],
    ['believes no caller whom it does not trust', { nginxAccelEnabled: true, trustedProxies: ['192.0.2.1'] }],
  ] as const) {
    test(sentence, async () => {
      const server = await startTestServer({ settings })
      try {
        const { uid } = await workbenchOn(server).create('File')
        await attach(server, uid, 'hello')
        const answer = await ask(new URL(`nxfile/default/${uid}/file:content`, server.url), {
          'x-accel-location': '/quire-files',
        })
        assert.deepEqual([answer.headers['x-accel-redirect'], answer.bytes.toString()], [undefined, 'hello'])
      } finally {
        await server.stop()
      }
    })
  }
})
