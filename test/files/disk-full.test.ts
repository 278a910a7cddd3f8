import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { basic } from '../support/files.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { type Program, startProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { stopProgram } from '../support/server-programs.ts'

const limited = new URL('../support/limited-program.ts', import.meta.url).pathname
const mega = 1_000_000

describe('a disk without space', () => {
  let program: Program
  let folder = ''
  before(async () => {
    const place = await freshPlace('sqlite')
    folder = place.folder
    // Enough for the database, not for a large file.
    const blocks = String((8 * mega) / 512)
    program = await startProgram(limited, [blocks, quireProgram, 'serve', '--port', '0', '--log-level', 'error', ...place.flags])
  })
  after(() => stopProgram(program))

  async function call(method: string, path: string, body?: Uint8Array | FormData | string, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(`api/v1${path}`, program.url), {
      method,
      headers: { authorization: basic('Administrator'), ...headers },
      body: (body ?? null) as Uint8Array<ArrayBuffer> | null,
    })
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
  const newBatch = async () => (await call('POST', '/upload')).json.batchId
  const listArriving = () => readdir(join(folder, 'blobs', 'tmp'))

  test('refuses an upload with 507 and a sentence, and keeps nothing of it', async () => {
    const batch = await newBatch()
    const { status, json } = await call('POST', `/upload/${batch}/0`, randomBytes(20 * mega))
    assert.equal(status, 507)
    assert.match(json.message, /no space left for files.*nothing was stored/)
    assert.equal((await call('GET', `/upload/${batch}/0`)).status, 404)
    assert.equal((await call('GET', `/upload/${batch}`)).status, 204)
    assert.deepEqual(await listArriving(), [])
  })

  test('keeps what was there, and takes what has space', async () => {
    const batch = await newBatch()
    assert.equal((await call('POST', `/upload/${batch}/0`, randomBytes(100))).status, 201)
    assert.equal((await call('POST', `/upload/${batch}/0`, randomBytes(20 * mega))).status, 507)
    assert.equal((await call('GET', `/upload/${batch}/0`)).json.size, 100)
  })

  test('leaves a document as it was when its new file does not fit', async () => {
    const file = { data: 'small', name: 'a.txt', 'mime-type': 'text/plain' }
    const sent = { 'entity-type': 'document', type: 'File', name: 'f', properties: { 'file:content': file } }
    const json = { 'content-type': 'application/json' }
    const created = await call('POST', '/path/default-domain/workspaces', JSON.stringify(sent), json)
    assert.equal(created.status, 201, created.text)
    const form = new FormData()
    form.set('content', new Blob([randomBytes(20 * mega)]), 'large.bin')
    const { status } = await call('PUT', `/id/${created.json.uid}/@blob/file:content`, form)
    assert.equal(status, 507)
    assert.equal((await call('GET', `/id/${created.json.uid}/@blob/file:content`)).text, 'small')
    assert.deepEqual(await listArriving(), [])
  })

  test('lets a chunked upload go on once there is space: the chunks that came are still there', async () => {
    const batch = await newBatch()
    const chunk = (index: number, bytes: Uint8Array) =>
      call('POST', `/upload/${batch}/0`, bytes, {
        'x-upload-type': 'chunked',
        'x-file-size': '300',
        'x-upload-chunk-index': String(index),
        'x-upload-chunk-count': '2',
      })
    assert.equal((await chunk(0, randomBytes(100))).status, 202)
    assert.equal((await chunk(1, randomBytes(20 * mega))).status, 507)
    assert.deepEqual((await call('GET', `/upload/${batch}/0`)).json.uploadedChunkIds, [0])
    assert.equal((await chunk(1, randomBytes(200))).status, 201)
  })
})
