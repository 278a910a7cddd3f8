import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { noSpaceLeft } from '../../src/store/blobs/blob-store.ts'
import type { TestServer } from '../../src/testing.ts'
import { requestBytes, sendBytes } from '../support/raw-http.ts'
import { onEachServer } from '../support/servers.ts'
import { assertEmpty, assertError, beginBatch, fileOf } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

const kilobytes = (count: number) => Buffer.alloc(count * 1000, 'x')

onEachServer(
  '1.9 an upload batch that lives four seconds',
  (server) => {
    // Side by side: each of them is mostly waiting.
    describe('in its time', { concurrency: 8 }, () => {
      test('is gone when nobody used it for so long', async () => {
        const batch = await beginBatch(server)
        await batch.send(0, 'x')
        await wait(4_300)
        assertError(await batch.get(), 404, /./)
        assertError(await batch.get('/0'), 404, /./)
        assertError(await batch.get('/info'), 404, /./)
        assertError(await batch.send(1, 'x'), 404, /./)
        assertError(await batch.delete(), 404, /./)
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
        assert.equal((await bench.readProperties(uid))['file:content'], null)
      })

      const uses: readonly (readonly [
        what: string,
        use: (batch: Awaited<ReturnType<typeof beginBatch>>, turn: number) => unknown,
      ])[] = [
        ['looked at', (batch) => batch.get()],
        ['looked at file by file', (batch) => batch.get('/0')],
        ['asked about', (batch) => batch.get('/info')],
        ['filled', (batch, turn) => batch.send(turn + 5, 'more')],
        ['filled with chunks', (batch, turn) => batch.sendChunk(9, { at: turn, of: 99, content: 'more' })],
      ]
      for (const [what, use] of uses) {
        test(`lives on with all its files while it is ${what}`, async () => {
          const batch = await beginBatch(server)
          await batch.send(0, 'x')
          await batch.sendChunk(1, { at: 0, of: 2, content: 'x' })
          for (let turn = 0; turn < 6; turn++) {
            await wait(800)
            await use(batch, turn)
          }
          assert.equal((await batch.get('/0')).status, 200)
          assert.deepEqual((await batch.get('/1')).body.uploadedChunkIds, [0])
        })
      }
    })

    test('is swept away once it has expired', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'x')
      const rows = () => server.asSystem(({ tx }) => tx.transient.list(`upload/${batch.id}/`, '2000-01-01T00:00:00.000Z'))
      assert.ok((await rows()).length > 0)
      await server.asSystem(({ tx }) => tx.transient.sweep('2100-01-01T00:00:00.000Z'))
      assert.deepEqual(await rows(), [])
    })
  },
  { settings: { transientstoreTtl: '4s' } },
)

onEachServer(
  'an upload beyond the limits',
  (server) => {
    const port = () => Number(new URL(server.url).port)
    const authorization = `Authorization: Basic ${btoa('Administrator:Administrator')}`

    describe('of a request', () => {
      test('is 413 and leaves nothing', async () => {
        const batch = await beginBatch(server)
        assert.equal((await batch.send(0, kilobytes(10))).status, 201)
        assertError(await batch.send(1, Buffer.alloc(10_001)), 413, /larger than the 10000 bytes/)
        assertError(await batch.sendChunk(2, { at: 0, of: 2, content: kilobytes(11) }), 413, /larger than/)
        assert.equal((await batch.get()).body.length, 1)
      })

      test('is 413 as soon as that is known: before the body when its length is told', async () => {
        const batch = await beginBatch(server)
        const headers = [authorization, 'Content-Length: 99999999999', 'Expect: 100-continue']
        const bytes = requestBytes({ method: 'POST', path: `/api/v1/upload/${batch.id}/0`, headers, body: '' })
        const { status, json } = await sendBytes(port(), bytes)
        assert.deepEqual([status, json?.['status']], [413, 413])
      })

      test('is 413 when its length is not told', async () => {
        const batch = await beginBatch(server)
        const body = `3000\r\n${'x'.repeat(0x3000)}\r\n0\r\n\r\n`
        const headers = [authorization, 'Transfer-Encoding: chunked']
        const { status } = await sendBytes(
          port(),
          requestBytes({ method: 'POST', path: `/api/v1/upload/${batch.id}/0`, headers, body }),
        )
        assert.equal(status, 413)
        assertError(await batch.get('/0'), 404, /./)
      })

      test('is 413 for a form, too', async () => {
        const batch = await beginBatch(server)
        const head = '--limit\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'
        const form = Buffer.concat([Buffer.from(head), kilobytes(10), Buffer.from('\r\n--limit--\r\n')])
        const type = { 'Content-Type': 'multipart/form-data; boundary=limit' }
        assertError(await batch.send(0, form, type), 413, /larger than/)
        assertError(await batch.get('/0'), 404, /./)
      })
    })

    describe('of a batch', () => {
      test('in bytes is 413, and what is there stays', async () => {
        const batch = await beginBatch(server)
        await batch.send(0, kilobytes(10))
        await batch.sendChunk(1, { at: 0, of: 3, content: kilobytes(9) })
        assertError(await batch.send(2, kilobytes(2)), 413, /batch may hold 20000 bytes/)
        assertError(await batch.sendChunk(1, { at: 1, of: 3, content: kilobytes(2) }), 413, /batch may hold 20000 bytes/)
        assert.equal((await batch.send(2, kilobytes(1))).status, 201)
        assertError(await batch.send(3, 'x'), 413, /batch may hold/)
        assertError(await batch.send(3, ''), 413, /batch may hold/)
        assert.equal((await batch.get()).body.length, 3)
      })

      test('in bytes counts what is removed and what is replaced no more', async () => {
        const batch = await beginBatch(server)
        for (const index of [0, 1]) await batch.send(index, kilobytes(9))
        await batch.delete('/1')
        assert.equal((await batch.sendChunk(1, { at: 0, of: 1, content: kilobytes(9) })).status, 201)
        await batch.delete('/1')
        await batch.sendChunk(1, { at: 1, of: 2, content: kilobytes(9) })
        await batch.send(1, 'x')
        assert.equal((await batch.send(2, kilobytes(9))).status, 201)
      })

      test('in files is 413, but those that are there may be replaced', async () => {
        const batch = await beginBatch(server)
        for (const index of [0, 1, 2]) await batch.send(index, 'x')
        assertError(await batch.send(3, 'x'), 413, /3 files at most/)
        assertError(await batch.sendChunk(3, { at: 0, of: 2, content: 'x' }), 413, /3 files at most/)
        assert.equal((await batch.send(2, 'y')).status, 201)
        await batch.delete('/0')
        assert.equal((await batch.sendChunk(3, { at: 0, of: 2, content: 'x' })).status, 202)
        assert.equal((await batch.sendChunk(3, { at: 1, of: 2, content: 'x' })).status, 201)
      })

      test('in chunks is 413 before any of them is sent', async () => {
        const batch = await beginBatch(server)
        assertError(await batch.sendChunk(0, { at: 0, of: 6, content: 'x' }), 413, /5 chunks at most/)
        assert.equal((await batch.sendChunk(0, { at: 0, of: 5, content: 'x' })).status, 202)
        assertError(await batch.sendChunk(1, { at: 0, of: 9_007_199_254_740_991, content: 'x' }), 413, /5 chunks at most/)
      })
    })
  },
  { settings: { uploadMaxBytes: '10KB', uploadBatchMaxBytes: '20KB', uploadMaxFiles: 3, uploadMaxChunks: 5 } },
)

onEachServer(
  '1.9 all batches together',
  (server) => {
    test('hold no more than the setting says: 507', async () => {
      const [one, other] = [await beginBatch(server), await beginBatch(server)]
      await one.send(0, kilobytes(3))
      assertError(await other.send(0, kilobytes(3)), 507, /All upload batches together may hold 5000 bytes/)
      assertError(await other.get('/0'), 404, /./)
      await one.delete()
      assert.equal((await other.send(0, kilobytes(3))).status, 201)
      await other.delete()
    })
  },
  { settings: { uploadTotalMaxBytes: '5KB' } },
)

onEachServer('a store without space', (server) => {
  /** Takes some bytes, as a disk does before it is full. */
  const fillUp = ({ services }: TestServer) =>
    mock.method(services.uploads.blobs, 'write', async (content: AsyncIterable<Uint8Array>) => {
      for await (const _ of content) break
      throw noSpaceLeft(undefined)
    })

  test('refuses an upload with 507, and takes it when there is space again', async () => {
    const batch = await beginBatch(server)
    const filled = fillUp(server)
    const form = '--limit\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nx\r\n--limit--\r\n'
    assertError(await batch.send(0, kilobytes(2000)), 507, /no space left/)
    assertError(await batch.sendChunk(1, { at: 0, of: 2, content: kilobytes(2000) }), 507, /no space left/)
    assertError(await batch.send(2, form, { 'Content-Type': 'multipart/form-data; boundary=limit' }), 507, /no space left/)
    assertEmpty(await batch.get(), 204)
    filled.mock.restore()
    assert.equal((await batch.send(0, 'x')).status, 201)
  })

  test('refuses to put chunks together with 507; whoever needs the file later does it', async () => {
    const bench = workbenchOn(server)
    const batch = await beginBatch(server)
    await batch.sendChunk(0, { at: 0, of: 2, content: 'a' })
    const { blobs } = server.services.uploads
    const last = await blobs.write(Buffer.from('b'))
    const write = blobs.write.bind(blobs)
    let writes = 0
    const full = mock.method(blobs, 'write', async (content: never) => {
      if (++writes > 1) throw noSpaceLeft(undefined)
      return write(content)
    })
    assertError(await batch.sendChunk(0, { at: 1, of: 2, content: 'b' }), 507, /no space left/)
    full.mock.restore()
    assert.deepEqual((await batch.get('/0')).body.uploadedChunkIds, [0, 1])
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
    assert.equal((await bench.readProperties(uid))['file:content'].length, '2')
    assert.equal(last.length, 1)
  })
})
