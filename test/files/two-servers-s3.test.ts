import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { useS3Server } from '../support/blob-places.ts'
import { basic } from '../support/files.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { type Program, startProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { stopProgram } from '../support/server-programs.ts'

const mega = 1_000_000

describe('two servers on one PostgreSQL and one bucket', () => {
  const s3 = useS3Server()
  const servers: Program[] = []
  before(async () => {
    // Each has a folder of its own: nothing but the database and the bucket is shared.
    const [first, second] = [await freshPlace('postgres'), await freshPlace('sqlite')]
    const [, , ...database] = first.flags
    for (const { folder } of [first, second]) {
      const flags = ['--data', folder, ...database, '--blobs', `s3://files/shared?endpoint=${s3().url}`]
      servers.push(await startProgram(quireProgram, ['serve', '--port', '0', '--log-level', 'warn', ...flags], s3().variables))
    }
  })
  after(() => Promise.all(servers.map(stopProgram)))

  /** By turns to the one and the other. */
  async function call(
    server: number,
    method: string,
    path: string,
    body?: Uint8Array | string,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(new URL(`api/v1${path}`, servers[server % 2]?.url), {
      method,
      headers: { authorization: basic('Administrator'), ...headers },
      body: (body ?? null) as Uint8Array<ArrayBuffer> | null,
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('utf8')
    // Not by how it begins: so do random bytes now and then.
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, bytes, text, json: isJson ? JSON.parse(text) : undefined }
  }

  const sendChunk = (server: number, batch: string, index: number, count: number, bytes: Uint8Array) =>
    call(server, 'POST', `/upload/${batch}/0`, bytes, {
      'x-file-name': 'film.bin',
      'x-upload-type': 'chunked',
      'x-file-size': String(bytes.length * count),
      'x-upload-chunk-index': String(index),
      'x-upload-chunk-count': String(count),
    })

  const attach = (server: number, batch: string) =>
    call(
      server,
      'POST',
      '/path/default-domain/workspaces',
      JSON.stringify({
        'entity-type': 'document',
        type: 'File',
        name: 'film',
        properties: { 'file:content': { 'upload-batch': batch, 'upload-fileId': '0' } },
      }),
      { 'content-type': 'application/json' },
    )

  test('make one correct file of chunks that are sent to both by turns', async () => {
    const chunks = Array.from({ length: 6 }, () => randomBytes(3 * mega))
    const { batchId } = (await call(0, 'POST', '/upload')).json
    for (const index of [3, 0, 5, 1, 4]) {
      const { status, text } = await sendChunk(index, batchId, index, 6, chunks[index] as Buffer)
      assert.equal(status, 202, text)
    }
    assert.deepEqual((await call(1, 'GET', `/upload/${batchId}/0`)).json.uploadedChunkIds, [0, 1, 3, 4, 5])
    const last = await sendChunk(0, batchId, 2, 6, chunks[2] as Buffer)
    assert.equal(last.status, 201, last.text)
    const created = await attach(1, batchId)
    assert.equal(created.status, 201, created.text)
    for (const server of [0, 1]) {
      const { status, bytes } = await call(server, 'GET', `/id/${created.json.uid}/@blob/file:content`)
      assert.equal(status, 200)
      assert.ok(bytes.equals(Buffer.concat(chunks)), `from server ${server}`)
    }
    const range = await call(1, 'GET', `/id/${created.json.uid}/@blob/file:content`, undefined, {
      range: 'bytes=5999990-6000009',
    })
    assert.equal(range.status, 206)
    assert.ok(range.bytes.equals(Buffer.concat(chunks).subarray(5_999_990, 6_000_010)))
  })

  test('make one correct file of chunks that are sent to both at once', async () => {
    const chunks = Array.from({ length: 10 }, () => randomBytes(100_000))
    const { batchId } = (await call(1, 'POST', '/upload')).json
    const answers = await Promise.all(chunks.map((chunk, index) => sendChunk(index, batchId, index, 10, chunk)))
    assert.ok(answers.every(({ status }) => status === 201 || status === 202))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1, 'one of them was the last')
    const created = await attach(0, batchId)
    assert.equal(created.status, 201, created.text)
    const { bytes } = await call(1, 'GET', `/id/${created.json.uid}/@blob/file:content`)
    assert.ok(bytes.equals(Buffer.concat(chunks)))
  })

  test('know the same of a batch, and of its end', async () => {
    const { batchId } = (await call(0, 'POST', '/upload')).json
    assert.equal((await call(1, 'POST', `/upload/${batchId}/0`, 'one', { 'x-file-name': 'one.txt' })).status, 201)
    assert.equal((await call(0, 'POST', `/upload/${batchId}/1`, 'two', { 'x-file-name': 'two.txt' })).status, 201)
    const lists = await Promise.all([0, 1].map((server) => call(server, 'GET', `/upload/${batchId}`)))
    assert.deepEqual(
      lists[0]?.json.map(({ name }: { name: string }) => name),
      ['one.txt', 'two.txt'],
    )
    assert.deepEqual(lists[0]?.json, lists[1]?.json)
    assert.equal((await call(1, 'DELETE', `/upload/${batchId}`)).status, 204)
    assert.equal((await call(0, 'GET', `/upload/${batchId}`)).status, 404)
  })

  test('keep for each other what either needs when one collects', async () => {
    const { batchId } = (await call(0, 'POST', '/upload')).json
    await call(0, 'POST', `/upload/${batchId}/0`, 'waiting')
    const objects = s3().bucket('files').objects
    for (const [key, object] of objects) objects.set(key, { ...object, touched: new Date('2020-01-01') })
    const { status, json } = await call(1, 'DELETE', '/management/blobs/orphaned')
    assert.equal(status, 200)
    assert.ok(json.numBinaries > 0)
    const created = await attach(0, batchId)
    assert.equal((await call(1, 'GET', `/id/${created.json.uid}/@blob/file:content`)).text, 'waiting')
  })
})
