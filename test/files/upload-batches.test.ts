import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { assertEmpty, assertError, batchOf, beginBatch } from '../support/uploads.ts'

const idShape = /^batchId-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const unknownId = 'batchId-00000000-0000-4000-8000-000000000000'

onEachServer('an upload batch', (server) => {
  const admin = () => server.as('Administrator')
  before(() => server.addUser('alice', ['members']))

  describe('1.1 is begun', () => {
    const bodies: readonly (readonly [what: string, path: string, body: string | undefined, type: string])[] = [
      ['without a body', 'api/v1/upload', undefined, 'application/json'],
      ['at the address with a slash', 'api/v1/upload/', undefined, 'application/json'],
      ['with an empty JSON', 'api/v1/upload', '{}', 'application/json'],
      ['with a body that is ignored', 'api/v1/upload', '{broken', 'application/json'],
      ['with a body of any type', 'api/v1/upload', 'x', 'text/plain'],
      ['below the other root of the API', 'site/api/v1/upload', undefined, 'application/json'],
      ['for a repository', 'api/v1/repo/default/upload', undefined, 'application/json'],
    ]
    for (const [what, path, body, type] of bodies) {
      test(what, async () => {
        const headers = { 'content-type': type }
        const answer = await admin().call('POST', path, { headers, ...(body !== undefined && { body }) })
        assert.equal(answer.status, 201)
        assert.deepEqual(Object.keys(answer.body), ['batchId'])
        assert.match(answer.body.batchId, idShape)
      })
    }

    test('with an answer that says its charset and its exact length', async () => {
      const { headers, text } = await admin().post('/upload')
      assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
      assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)))
    })

    test('with an id of its own that the client cannot choose', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, async () => (await beginBatch(server)).id))
      assert.equal(new Set(ids).size, 20)
      assertError(await batchOf(server, 'mine').send(0, 'x'), 404, /./)
      assertError(await batchOf(server, unknownId).send(0, 'x'), 404, /./)
      assertError(await batchOf(server, unknownId).get(), 404, /./)
    })

    test('by nobody who is not known', async () => {
      const response = await fetch(new URL('api/v1/upload', server.url), { method: 'POST' })
      assert.equal(response.status, 401)
      await response.text()
    })
  })

  describe('1.1 of a handler', () => {
    test('is one of those that are listed, the default one first', async () => {
      const { status, body, headers } = await admin().get('/upload/handlers')
      assert.deepEqual([status, body], [200, { handlers: [{ name: 'default' }] }])
      assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
    })

    test('can be looked up by its name', async () => {
      assert.deepEqual((await admin().get('/upload/handlers/default')).body, { name: 'default' })
      for (const name of ['s3', 'Default', 'new']) assertError(await admin().get(`/upload/handlers/${name}`), 404, /./)
    })

    test('is begun with 200 and told as it is', async () => {
      const { status, body } = await admin().post('/upload/new/default')
      assert.equal(status, 200)
      assert.match(body.batchId, idShape)
      assert.deepEqual(body, { provider: 'default', batchId: body.batchId, fileEntries: [] })
      assert.equal((await batchOf(server, body.batchId).send(0, 'x')).status, 201)
    })

    test('that does not exist is refused by its name', async () => {
      for (const name of ['s3', 'DEFAULT', '0'])
        assertError(await admin().post(`/upload/new/${name}`), 400, new RegExp(` ${name}\\.`))
    })
  })

  describe('1.4 shows its files', () => {
    test('not at all while it has none: 204', async () => {
      const batch = await beginBatch(server)
      assertEmpty(await batch.get(), 204)
      await batch.send(0, 'x')
      await batch.delete('/0')
      assertEmpty(await batch.get(), 204)
    })

    test('in the order of their numbers, whatever the order in which they came', async () => {
      const batch = await beginBatch(server)
      for (const index of [10, 2, 0, 100]) await batch.send(index, 'x', { 'X-File-Name': `f${index}` })
      const { status, body, headers } = await batch.get()
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=UTF-8'])
      assert.deepEqual(
        body.map(({ name }: { name: string }) => name),
        ['f0', 'f2', 'f10', 'f100'],
      )
    })

    test('without gaps where one was removed', async () => {
      const batch = await beginBatch(server)
      for (const index of [0, 1, 2]) await batch.send(index, 'x', { 'X-File-Name': `f${index}` })
      assertEmpty(await batch.delete('/1'), 204)
      assert.deepEqual((await batch.get()).body, [
        { name: 'f0', size: 1, uploadType: 'normal' },
        { name: 'f2', size: 1, uploadType: 'normal' },
      ])
    })

    test('each with name, size and way of upload, chunks only where there are any', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'hello', { 'X-File-Name': 'plan.txt', 'X-File-Type': 'text/plain' })
      await batch.sendChunk(1, { at: 1, of: 3, content: 'x', fileSize: 900 }, { 'X-File-Name': 'film.mov' })
      await batch.send(2, '')
      assert.deepEqual((await batch.get()).body, [
        { name: 'plan.txt', size: 5, uploadType: 'normal' },
        { name: 'film.mov', size: 900, uploadType: 'chunked', uploadedChunkIds: [1], chunkCount: 3 },
        { name: null, size: 0, uploadType: 'normal' },
      ])
    })
  })

  test('1.5 tells its handler and its files, also when it is empty', async () => {
    const batch = await beginBatch(server)
    assert.deepEqual((await batch.get('/info')).body, { provider: 'default', batchId: batch.id, fileEntries: [] })
    await batch.send(0, 'hello', { 'X-File-Name': 'plan.txt' })
    const { status, body } = await batch.get('/info')
    const fileEntries = [{ name: 'plan.txt', size: 5, uploadType: 'normal' }]
    assert.deepEqual([status, body], [200, { provider: 'default', batchId: batch.id, fileEntries }])
    assert.deepEqual(Object.keys(body), ['provider', 'batchId', 'fileEntries'])
  })

  describe('1.4 is removed', () => {
    test('with all its files, once', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'x')
      await batch.sendChunk(1, { at: 0, of: 2, content: 'x' })
      assertEmpty(await batch.delete(), 204)
      for (const path of ['', '/0', '/1', '/info']) assertError(await batch.get(path), 404, /./)
      assertError(await batch.delete(), 404, /./)
      assertError(await batch.send(0, 'x'), 404, /./)
    })

    test('without touching another', async () => {
      const [one, other] = [await beginBatch(server), await beginBatch(server)]
      await other.send(0, 'x')
      await one.delete()
      assert.equal((await other.get('/0')).status, 200)
    })

    test('file by file, each once', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'x')
      assertError(await batch.delete('/1'), 404, /./)
      assertEmpty(await batch.delete('/0'), 204)
      assertError(await batch.delete('/0'), 404, /./)
      assertError(await batch.get('/0'), 404, /./)
    })
  })

  test('1.1 belongs to whoever knows its id', async () => {
    const { id } = await beginBatch(server)
    const alices = batchOf(server, id, 'alice')
    assert.equal((await alices.send(0, 'hers')).status, 201)
    assert.equal((await alices.get()).status, 200)
    assertEmpty(await alices.delete(), 204)
  })

  describe('1.1 that does not exist is 404 and nothing more', () => {
    for (const id of [
      unknownId,
      'x',
      'batchId-',
      `${unknownId}x`,
      'batchId-%2F',
      '%00',
      unknownId.toUpperCase(),
      'a'.repeat(5000),
    ]) {
      test(id.slice(0, 50), async () => {
        const batch = batchOf(server, id)
        for (const path of ['', '/info', '/0']) assertError(await batch.get(path), 404, /./)
        for (const path of ['', '/0']) assertError(await batch.delete(path), 404, /./)
        for (const path of ['/0', '/refreshToken', '/0/complete', '/execute/X', '/0/execute/X'])
          assertError(await batch.post(path, {}), 404, /./)
      })
    }
  })

  describe('1.1 has segments of its own', () => {
    const notAllowed: readonly (readonly [method: string, path: string])[] = [
      ['GET', '/upload'],
      ['PUT', '/upload'],
      ['DELETE', '/upload'],
      ['POST', '/upload/handlers'],
      ['DELETE', '/upload/handlers'],
      ['POST', '/upload/handlers/default'],
      ['GET', '/upload/new/default'],
      ['PUT', `/upload/${unknownId}`],
      ['POST', `/upload/${unknownId}/info`],
      ['DELETE', `/upload/${unknownId}/info`],
      ['GET', `/upload/${unknownId}/refreshToken`],
      ['GET', `/upload/${unknownId}/0/complete`],
      ['GET', `/upload/${unknownId}/execute/X`],
      ['GET', `/upload/${unknownId}/0/execute/X`],
      ['PUT', `/upload/${unknownId}/0`],
      ['PATCH', `/upload/${unknownId}/0`],
    ]
    for (const [method, path] of notAllowed) {
      test(`${method} ${path.replace(unknownId, '{batchId}')} is 405`, async () => {
        const answer = await admin().call(method, `api/v1${path}`)
        assertError(answer, 405, /not supported/)
        assert.ok(answer.headers.get('allow')?.includes('OPTIONS'))
      })
    }

    test('which are read as neither batches nor files', async () => {
      for (const word of ['new', 'info', 'execute']) assertError(await admin().get(`/upload/${word}`), 404, /./)
      const batch = await beginBatch(server)
      for (const word of ['complete', 'execute']) assertError(await batch.get(`/${word}`), 404, /./)
    })
  })

  test('1.1 has no token to refresh: 501', async () => {
    assertError(await (await beginBatch(server)).post('/refreshToken'), 501, /./)
  })
})
