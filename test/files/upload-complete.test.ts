import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { assertError, batchOf, beginBatch, beginSlowUpload, chunkHeaders } from '../support/uploads.ts'

const md5 = (content: string) => hash('md5', content, 'hex')

onEachServer('an uploaded file', (server) => {
  before(() => server.addUser('alice', ['members']))

  describe('1.6 is said to be complete', () => {
    const told = { key: 'any', name: 'any', mimeType: 'text/x-own', fileSize: 5, md5: md5('hello'), bucket: 'b', etag: 'e' }
    const sent = async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'hello', { 'X-File-Type': 'text/x-own' })
      return batch
    }

    test('and it is, as size, type and digest agree', async () => {
      const batch = await sent()
      const { status, body } = await batch.post('/0/complete', told)
      assert.deepEqual([status, body], [200, { uploaded: 'true', batchId: batch.id, fileIdx: '0' }])
    })

    const wrong: readonly (readonly [what: string, body: unknown])[] = [
      ['another size', { ...told, fileSize: 6 }],
      ['another type', { ...told, mimeType: 'text/plain' }],
      ['another digest', { ...told, md5: md5('other') }],
      ['no size', { ...told, fileSize: undefined }],
      ['no type', { ...told, mimeType: undefined }],
      ['no digest', { ...told, md5: undefined }],
      ['nulls', { ...told, md5: null }],
      ['the size as a text', { ...told, fileSize: '5' }],
      ['a list', []],
      ['nothing', {}],
      ['no body', undefined],
    ]
    for (const [what, body] of wrong) {
      test(`but it is not the same: ${what} is 409`, async () =>
        assertError(await (await sent()).post('/0/complete', body), 409, /./))
    }

    test('in chunks, of which one is missing: 409', async () => {
      const batch = await beginBatch(server)
      const type = { 'X-File-Type': 'text/x-own' }
      await batch.sendChunk(0, { at: 1, of: 2, content: 'llo' }, type)
      assertError(await batch.post('/0/complete', told), 409, /./)
      await batch.sendChunk(0, { at: 0, of: 2, content: 'he' }, type)
      assert.equal((await batch.post('/0/complete', told)).status, 200)
    })

    test('but is unknown: 404', async () => {
      const batch = await sent()
      for (const index of ['1', 'x']) assertError(await batch.post(`/${index}/complete`, told), 404, /./)
      await batch.delete()
      assertError(await batch.post('/0/complete', told), 404, /./)
    })

    test('in what is no JSON', async () => {
      assert.equal((await (await sent()).post('/0/complete', '{broken')).status, 400)
    })
  })

  describe('1.7 is given to an operation', () => {
    const unknown = /operation.*No\.Such/i

    test('that does not exist: 404 that names it', async () => {
      for (const path of ['/execute/No.Such', '/0/execute/No.Such']) {
        const batch = await beginBatch(server)
        await batch.send(0, 'x')
        const answer = await batch.post(path, { params: {}, context: {} })
        assertError(answer, 404, unknown)
        assert.equal(answer.headers.get('content-type'), 'application/json')
      }
    })

    test('in either spelling of the content type, or without a body', async () => {
      for (const type of ['application/json', 'application/json+nxrequest']) {
        const batch = await beginBatch(server)
        assertError(await batch.post('/execute/No.Such', '{"params":{}}', { 'content-type': type }), 404, unknown)
      }
      assertError(await (await beginBatch(server)).post('/execute/No.Such'), 404, unknown)
    })

    test('of which the whole batch may be empty, or have files that are not complete', async () => {
      const batch = await beginBatch(server)
      assertError(await batch.post('/execute/No.Such', {}, { 'X-Batch-No-Drop': 'true' }), 404, unknown)
      await batch.sendChunk(0, { at: 0, of: 2, content: 'x' })
      assertError(await batch.post('/execute/No.Such'), 404, unknown)
    })

    test('but there is no such file, or it is not complete: 404 that says so', async () => {
      const batch = await beginBatch(server)
      await batch.sendChunk(1, { at: 0, of: 2, content: 'x' })
      for (const index of ['0', '1', 'x', '-1']) {
        const answer = await batch.post(`/${index}/execute/No.Such`, {}, { 'X-Batch-No-Drop': 'true' })
        assertError(answer, 404, new RegExp(`no complete file ${index}`))
      }
    })

    test('and its batch is dropped, whatever comes of it', async () => {
      for (const path of ['/execute/No.Such', '/0/execute/No.Such', '/7/execute/No.Such']) {
        const batch = await beginBatch(server)
        await batch.send(0, 'x')
        assert.equal((await batch.post(path)).status, 404)
        assertError(await batch.get(), 404, /./)
        assertError(await batch.post(path), 404, /./)
      }
    })

    test('and its batch is kept with X-Batch-No-Drop: true, and with nothing else', async () => {
      for (const [value, status] of [
        ['true', 200],
        ['TRUE', 200],
        ['false', 404],
        ['yes', 404],
        ['', 404],
      ] as const) {
        const batch = await beginBatch(server)
        await batch.send(0, 'x')
        await batch.post('/execute/No.Such', {}, { 'X-Batch-No-Drop': value })
        assert.equal((await batch.get()).status, status, value)
      }
    })

    test('by another user than the one who sent it', async () => {
      const { id } = await beginBatch(server)
      assertError(await batchOf(server, id, 'alice').post('/execute/No.Such'), 404, unknown)
    })

    test('as soon as it has come, which is waited for', async () => {
      const batch = await beginBatch(server)
      const upload = await beginSlowUpload(server, batch, 0)
      upload.write('some')
      const executed = batch.post('/0/execute/No.Such', {})
      setTimeout(() => void upload.finish(), 200)
      assertError(await executed, 404, unknown)
    })

    test('and its number is no word: execute is never a file', async () => {
      const batch = await beginBatch(server)
      assertError(await batch.post('/execute/complete'), 404, /operation.*complete/i)
    })
  })

  test('1.7 a chunk that is missing is not waited for when nobody is sending it', async () => {
    const batch = await beginBatch(server)
    await batch.send(0, 'x', chunkHeaders({ at: 0, of: 2 }))
    const startedAt = performance.now()
    assertError(await batch.post('/0/execute/No.Such'), 404, /no complete file 0/)
    assert.ok(performance.now() - startedAt < 2000)
  })
})
