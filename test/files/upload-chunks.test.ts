import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { assertEmpty, assertError, beginBatch, chunkHeaders, fileOf, type SentBatch } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

const md5 = (content: string | Uint8Array) => hash('md5', content, 'hex')

onEachServer('a file that is uploaded in chunks', (server) => {
  const bench = workbenchOn(server)
  const blobOf = async (batch: SentBatch, index = 0) => {
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch, index) })
    return (await bench.readProperties(uid))['file:content']
  }

  test('1.3 is 202 with the chunks that are here until the last one comes, then 201', async () => {
    const batch = await beginBatch(server)
    const chunk = (at: number, content: string) => batch.sendChunk(3, { at, of: 3, content, fileSize: 9 })
    const first = await chunk(0, 'abc')
    assert.equal(first.status, 202)
    assert.deepEqual(Object.entries(first.body), [
      ['uploaded', 'true'],
      ['batchId', batch.id],
      ['fileIdx', '3'],
      ['uploadType', 'chunked'],
      ['uploadedSize', '3'],
      ['uploadedChunkIds', [0]],
      ['chunkCount', 3],
    ])
    assert.equal(first.headers.get('content-type'), 'application/json; charset=UTF-8')
    const second = await chunk(2, 'gh')
    assert.deepEqual([second.status, second.body.uploadedChunkIds, second.body.uploadedSize], [202, [0, 2], '2'])
    const last = await chunk(1, 'def')
    assert.deepEqual([last.status, last.body.uploadedChunkIds], [201, [0, 1, 2]])
    const { digest, length } = await blobOf(batch, 3)
    assert.deepEqual([digest, length], [md5('abcdefgh'), '8'])
  })

  describe('1.3 is put together in order', () => {
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]
    for (const order of orders) {
      test(`when its chunks come as ${order.join(', ')}`, async () => {
        const batch = await beginBatch(server)
        const statuses = []
        for (const at of order) statuses.push((await batch.sendChunk(0, { at, of: 3, content: `part ${at}.` })).status)
        assert.deepEqual(statuses, [202, 202, 201])
        assert.equal((await blobOf(batch)).digest, md5('part 0.part 1.part 2.'))
      })
    }

    test('of more chunks than have one digit, some of them empty', async () => {
      const batch = await beginBatch(server)
      const texts = Array.from({ length: 25 }, (_, at) => (at % 5 === 0 ? '' : `${at},`))
      for (const [at, content] of texts.entries()) await batch.sendChunk(0, { at, of: 25, content })
      assert.equal((await blobOf(batch)).digest, md5(texts.join('')))
    })

    test('of the same chunk time and again', async () => {
      const batch = await beginBatch(server)
      for (let at = 0; at < 4; at++) await batch.sendChunk(0, { at, of: 4, content: 'again ' })
      assert.equal((await blobOf(batch)).digest, md5('again '.repeat(4)))
    })

    test('of one single chunk, at once', async () => {
      const batch = await beginBatch(server)
      const { status, body } = await batch.sendChunk(0, { at: 0, of: 1, content: 'all' })
      assert.deepEqual([status, body.uploadType, body.uploadedChunkIds], [201, 'chunked', [0]])
      assert.equal((await blobOf(batch)).digest, md5('all'))
    })
  })

  describe('1.4 shows', () => {
    test('what is missing: 202, and 200 when nothing is', async () => {
      const batch = await beginBatch(server)
      const shown = { name: 'film.mov', size: 900, uploadType: 'chunked', chunkCount: 3 }
      for (const [at, ids, status] of [
        [2, [2], 202],
        [0, [0, 2], 202],
        [1, [0, 1, 2], 200],
      ] as const) {
        await batch.sendChunk(0, { at, of: 3, content: 'x', fileSize: 900 }, { 'X-File-Name': 'film.mov' })
        const answer = await batch.get('/0')
        assert.deepEqual([answer.status, answer.body], [status, { ...shown, uploadedChunkIds: ids }])
        assert.deepEqual((await batch.get()).body, [{ ...shown, uploadedChunkIds: ids }])
      }
    })

    test('the size that was told, which is never checked', async () => {
      const batch = await beginBatch(server)
      for (const [index, fileSize] of [-1, 0, 5, 999_999_999_999].entries()) {
        await batch.sendChunk(index, { at: 0, of: 1, content: 'x', fileSize })
        assert.equal((await batch.get(`/${index}`)).body.size, fileSize)
        await batch.sendChunk(index + 10, { at: 0, of: 2, content: 'x', fileSize })
        assert.equal((await batch.get(`/${index + 10}`)).body.size, fileSize)
      }
      assert.equal((await blobOf(batch, 3)).length, '1')
    })
  })

  describe('1.4 is resumed', () => {
    test('with the chunks that are missing', async () => {
      const batch = await beginBatch(server)
      assertError(await batch.get('/0'), 404, /./)
      for (const at of [0, 3]) await batch.sendChunk(0, { at, of: 5, content: `${at}` })
      const { status, body } = await batch.get('/0')
      assert.equal(status, 202)
      const missing = Array.from({ length: body.chunkCount }, (_, at) => at).filter((at) => !body.uploadedChunkIds.includes(at))
      for (const at of missing) await batch.sendChunk(0, { at, of: body.chunkCount, content: `${at}` })
      assert.equal((await blobOf(batch)).digest, md5('01234'))
    })

    test('from the beginning once it was removed', async () => {
      const batch = await beginBatch(server)
      await batch.sendChunk(0, { at: 0, of: 2, content: 'old' })
      assertEmpty(await batch.delete('/0'), 204)
      assertError(await batch.get('/0'), 404, /./)
      const { status, body } = await batch.sendChunk(0, { at: 0, of: 3, content: 'new' })
      assert.deepEqual([status, body.uploadedChunkIds, body.chunkCount], [202, [0], 3])
    })
  })

  describe('1.3 refuses a chunk', () => {
    const outOfRange: readonly (readonly [at: number | string, of: number | string])[] = [
      [3, 3],
      [-1, 3],
      [0, 0],
      [0, -3],
      [999_999_999_999, 3],
    ]
    for (const [at, of] of outOfRange) {
      test(`number ${at} of ${of}: 400`, async () => {
        const batch = await beginBatch(server)
        assertError(await batch.sendChunk(0, { at, of, content: 'x' }), 400, new RegExp(`index ${at} .*count is ${of}`))
        assertError(await batch.get('/0'), 404, /./)
      })
    }

    const headers = ['X-Upload-Chunk-Index', 'X-Upload-Chunk-Count', 'X-File-Size']
    for (const header of headers) {
      for (const value of ['x', '', '1.5', '1e3', '0x10', '9'.repeat(400), '9007199254740993', 'NaN', '1 2']) {
        test(`whose ${header} is ${JSON.stringify(value.slice(0, 20))}: 400`, async () => {
          const batch = await beginBatch(server)
          const sent = { ...chunkHeaders({ at: 0, of: 2 }), [header]: value }
          assertError(await batch.send(0, 'x', sent), 400, new RegExp(`${header} of a chunk must be a whole number`))
          assertError(await batch.get('/0'), 404, /./)
        })
      }

      test(`without ${header}: 400`, async () => {
        const batch = await beginBatch(server)
        const { [header]: _, ...sent } = chunkHeaders({ at: 0, of: 2 })
        assertError(await batch.send(0, 'x', sent), 400, new RegExp(header))
      })
    }

    test('that is here already: 409, and the one that is here stays', async () => {
      const batch = await beginBatch(server)
      await batch.sendChunk(0, { at: 0, of: 2, content: 'first' })
      assertError(await batch.sendChunk(0, { at: 0, of: 2, content: 'other' }), 409, /already exists/)
      await batch.sendChunk(0, { at: 1, of: 2, content: ' second' })
      assertError(await batch.sendChunk(0, { at: 1, of: 2, content: 'other' }), 409, /already exists/)
      assert.equal((await blobOf(batch)).digest, md5('first second'))
    })

    test('for a file that was sent in one piece: 409', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'whole')
      assertError(await batch.sendChunk(0, { at: 0, of: 2, content: 'chunk' }), 409, /one piece/)
      assert.equal((await blobOf(batch)).digest, md5('whole'))
    })

    test('without its batch before anything else', async () => {
      const batch = await beginBatch(server)
      await batch.delete()
      assertError(await batch.send(0, 'x', { 'X-Upload-Type': 'chunked' }), 404, /./)
    })
  })

  test('1.3 is what its first chunk says: another count, name, type or size is of no account', async () => {
    const batch = await beginBatch(server)
    const first = { 'X-File-Name': 'first.txt', 'X-File-Type': 'text/x-first' }
    await batch.sendChunk(0, { at: 1, of: 2, content: 'b', fileSize: 2 }, first)
    const other = { 'X-File-Name': 'other.txt', 'X-File-Type': 'text/x-other' }
    const { status, body } = await batch.sendChunk(0, { at: 0, of: 9, content: 'a', fileSize: 99 }, other)
    assert.deepEqual([status, body.chunkCount], [201, 2])
    const shown = { name: 'first.txt', size: 2, uploadType: 'chunked', uploadedChunkIds: [0, 1], chunkCount: 2 }
    assert.deepEqual((await batch.get('/0')).body, shown)
    const { name, digest, 'mime-type': type } = await blobOf(batch)
    assert.deepEqual([name, type, digest], ['first.txt', 'text/x-first', md5('ab')])
  })

  test('1.3 takes a chunk that the first count allows, whatever its own says, and no other', async () => {
    const batch = await beginBatch(server)
    await batch.sendChunk(0, { at: 0, of: 3, content: 'a' })
    assert.equal((await batch.sendChunk(0, { at: 2, of: 1, content: 'c' })).status, 202)
    assertError(await batch.sendChunk(0, { at: 3, of: 9, content: 'd' }), 400, /count is 3/)
  })

  test('1.3 stands beside others of the batch', async () => {
    const batch = await beginBatch(server)
    await batch.sendChunk(1, { at: 0, of: 2, content: 'one' })
    await batch.sendChunk(11, { at: 1, of: 2, content: 'eleven' })
    await batch.send(0, 'zero')
    assert.deepEqual(
      (await batch.get()).body.map(({ uploadedChunkIds = null }) => uploadedChunkIds),
      [null, [0], [1]],
    )
  })
})
