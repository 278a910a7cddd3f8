import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type DownloadResult, storeDownloadResult } from '../../src/core/blobs/download-results.ts'
import type { BlobValue } from '../../src/model/properties/property.ts'
import { blobsOf, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('3.7 results of asynchronous downloads', (server) => {
  let made = 0
  const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

  async function keep(result: DownloadResult, seconds = 60, key = `key-${++made}`): Promise<string> {
    await server.asSystem(({ tx }) => storeDownloadResult(tx, key, result, secondsFromNow(seconds)))
    return key
  }
  async function done(bytes: Uint8Array): Promise<DownloadResult & { kind: 'done'; blob: BlobValue }> {
    const stored = await blobsOf(server).write(bytes)
    return { kind: 'done', blob: { ...stored, name: 'all.zip', 'mime-type': 'application/zip', encoding: null } }
  }
  const status = async (key: string) => {
    const answer = await download(server, `nxblobstatus/${key}`)
    return [answer.status, JSON.parse(answer.text)]
  }

  test('that are unknown or have expired are 404', async () => {
    const expired = await keep({ kind: 'underway' }, -1)
    for (const key of ['nothing', expired, '..%2Fnothing']) {
      for (const name of ['nxbigblob', 'nxbigzipfile', 'nxblobstatus']) {
        assert.equal((await download(server, `${name}/${key}`)).status, 404, `${name}/${key}`)
      }
    }
  })

  test('that are not finished are 202 without a body, and tell how far they are', async () => {
    const key = await keep({ kind: 'underway' })
    for (const name of ['nxbigblob', 'nxbigzipfile']) {
      const answer = await download(server, `${name}/${key}`)
      assert.deepEqual([answer.status, answer.bytes.length], [202, 0])
    }
    assert.deepEqual(await status(key), [200, { key, completed: false, progress: -1 }])
    await keep({ kind: 'underway', progress: 40 }, 60, key)
    assert.deepEqual(await status(key), [200, { key, completed: false, progress: 40 }])
  })

  test('are there for who had them made and for administrators, and nobody else uses them up', async () => {
    await server.addUser('alice', ['members'])
    await server.addUser('bob', ['members'])
    const key = await keep({ ...(await done(Buffer.from('for alice'))), owner: 'alice' })
    for (const name of ['nxbigblob', 'nxbigzipfile', 'nxblobstatus']) {
      const answer = await download(server, `${name}/${key}`, { user: 'bob' })
      assert.deepEqual([answer.status, answer.text.includes('fetched already')], [404, true], name)
    }
    assert.equal((await status(key))[0], 200)
    assert.equal((await download(server, `nxblobstatus/${key}`, { user: 'alice' })).status, 200)
    assert.equal((await download(server, `nxbigblob/${key}`, { user: 'alice' })).text, 'for alice')
    assert.equal((await download(server, `nxbigblob/${key}`, { user: 'alice' })).status, 404)
  })

  test('that failed are 500 with the reason, however often one asks', async () => {
    const key = await keep({ kind: 'failed', message: 'The archive would be larger than the disk.' })
    for (let times = 0; times < 2; times++) {
      const answer = await download(server, `nxbigblob/${key}`, { headers: { accept: 'application/zip' } })
      assert.equal(answer.status, 500)
      assert.deepEqual(JSON.parse(answer.text), {
        'entity-type': 'exception',
        status: 500,
        message: 'The archive would be larger than the disk.',
      })
    }
    assert.deepEqual(await status(key), [200, { key, completed: true, progress: -1 }])
  })

  for (const [what, size] of [
    ['a large one', 1_000_000],
    ['a small one', 10],
    ['an empty one', 0],
  ] as const) {
    test(`that are done are downloaded once: ${what}`, async () => {
      const bytes = randomBytes(size)
      const key = await keep(await done(bytes))
      assert.deepEqual(await status(key), [200, { key, completed: true, progress: 100 }])
      const answer = await download(server, `nxbigblob/${key}`)
      assert.equal(answer.status, 200)
      assert.ok(answer.bytes.equals(bytes))
      assert.equal(answer.headers.get('content-disposition'), 'attachment; filename=all.zip')
      assert.equal(answer.headers.get('content-type'), 'application/zip')
      assert.equal(answer.headers.get('content-length'), String(size))
      assert.equal(answer.headers.get('last-modified'), null)
      assert.equal((await download(server, `nxbigblob/${key}`)).status, 404)
      assert.equal((await download(server, `nxblobstatus/${key}`)).status, 404)
    })
  }

  test('stay when somebody only asks about them, has them already, or fetches a part', async () => {
    const bytes = randomBytes(1_000)
    const result = await done(bytes)
    const key = await keep(result)
    const path = `nxbigzipfile/${key}`
    assert.equal((await download(server, path, { method: 'HEAD' })).status, 200)
    assert.equal((await download(server, path, { headers: { 'if-none-match': `"${result.blob.digest}"` } })).status, 304)
    const part = await download(server, path, { headers: { range: 'bytes=500-' } })
    assert.deepEqual([part.status, part.bytes.equals(bytes.subarray(500))], [206, true])
    assert.ok((await download(server, path)).bytes.equals(bytes))
    assert.equal((await download(server, path)).status, 404)
  })

  test('stay when the client goes in the middle', async () => {
    const bytes = randomBytes(20_000_000)
    const key = await keep(await done(bytes))
    const gone = new AbortController()
    const headers = { authorization: `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}` }
    const response = await fetch(new URL(`nxbigblob/${key}`, server.url), { headers, signal: gone.signal })
    await response.body?.getReader().read()
    gone.abort()
    assert.ok((await download(server, `nxbigblob/${key}`)).bytes.equals(bytes))
  })
})
