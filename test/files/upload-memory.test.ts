import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { beginBatch, chunkHeaders, fileOf } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

const megabyte = 1024 * 1024
const piece = Buffer.alloc(64 * 1024, 'a piece of a large file')

describe('a file of 64 MB', { timeout: 60_000 }, () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.stop())

  function* framed(megabytes: number, [head, tail]: readonly [string, string]) {
    yield Buffer.from(head)
    yield* pieces(megabytes)
    yield Buffer.from(tail)
  }
  function* pieces(megabytes: number) {
    for (let sent = 0; sent < megabytes * megabyte; sent += piece.length) yield piece
  }
  const digestOf = (megabytes: number) => {
    const digest = createHash('md5')
    for (const one of pieces(megabytes)) digest.update(one)
    return digest.digest('hex')
  }

  /** Sends a file without ever having it, and gives the status. */
  async function send(
    path: string,
    megabytes: number,
    headers: object,
    around: readonly [string, string] = ['', ''],
  ): Promise<number> {
    const authorization = `Basic ${btoa('Administrator:Administrator')}`
    const outgoing = request(new URL(path, server.url), { method: 'POST', headers: { authorization, ...headers } })
    const answered = new Promise<number>((resolve, reject) => {
      outgoing.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject)
    })
    await pipeline(Readable.from(framed(megabytes, around), { objectMode: false }), outgoing)
    return answered
  }

  /** How much more memory was in use at most while something was done. */
  async function growthDuring(work: () => Promise<unknown>): Promise<number> {
    const used = () => {
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const before = used()
    let max = before
    const watching = setInterval(() => {
      max = Math.max(max, used())
    }, 5)
    await work()
    clearInterval(watching)
    return (max - before) / megabyte
  }

  const check = async (batch: { id: string }) => {
    const bench = workbenchOn(server)
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
    const { digest, length } = (await bench.readProperties(uid))['file:content']
    assert.deepEqual([digest, length], [digestOf(64), String(64 * megabyte)])
  }

  test('is uploaded in one piece without being in memory', async () => {
    const batch = await beginBatch(server)
    const growth = await growthDuring(async () => assert.equal(await send(`api/v1/upload/${batch.id}/0`, 64, {}), 201))
    assert.ok(growth < 30, `${growth} MB`)
    await check(batch)
  })

  test('is uploaded in chunks and put together without being in memory', async () => {
    const batch = await beginBatch(server)
    const growth = await growthDuring(async () => {
      for (let at = 0; at < 8; at++) {
        const status = await send(`api/v1/upload/${batch.id}/0`, 8, chunkHeaders({ at, of: 8 }))
        assert.equal(status, at === 7 ? 201 : 202)
      }
    })
    assert.ok(growth < 30, `${growth} MB`)
    await check(batch)
  })

  test('is uploaded in a form without being in memory', async () => {
    const batch = await beginBatch(server)
    const around: [string, string] = [
      '--limit\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n',
      '\r\n--limit--\r\n',
    ]
    const type = { 'Content-Type': 'multipart/form-data; boundary=limit' }
    const growth = await growthDuring(async () => assert.equal(await send(`api/v1/upload/${batch.id}/0`, 64, type, around), 201))
    assert.ok(growth < 30, `${growth} MB`)
    await check(batch)
  })
})
