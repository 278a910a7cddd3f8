import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { type RawAnswer, requestBytes, sendBytes } from '../support/raw-http.ts'
import { onEachServer } from '../support/servers.ts'
import { assertEmpty, assertError, beginBatch, beginSlowUpload, chunkHeaders, type SentBatch } from '../support/uploads.ts'

const authorization = `Authorization: Basic ${btoa('Administrator:Administrator')}`
const formType = 'multipart/form-data; boundary=limit'
const formHead = '--limit\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'

onEachServer(
  'a hostile upload',
  (server) => {
    const port = () => Number(new URL(server.url).port)
    const sendRaw = (
      { id }: SentBatch,
      headers: readonly string[],
      body: string | Uint8Array,
      thenEnd = false,
    ): Promise<RawAnswer> => {
      const path = `/api/v1/upload/${id}/0`
      return sendBytes(port(), requestBytes({ method: 'POST', path, headers: [authorization, ...headers], body }), { thenEnd })
    }
    /** The server has noticed. */
    const settled = async ({ id }: SentBatch) => {
      while (await server.services.uploads.inProgress.next(id, 1000));
    }
    const assertUntouched = async (batch: SentBatch) => {
      await settled(batch)
      assertEmpty(await batch.get(), 204)
      assert.equal((await batch.send(0, 'sound')).status, 201)
    }

    describe('that is cut off leaves nothing', () => {
      const chunk = chunkHeaders({ at: 0, of: 1 })
      const ways: readonly (readonly [what: string, headers: { [name: string]: string }, begin: string])[] = [
        ['in a file', {}, 'some'],
        ['before a file', {}, ''],
        ['in a large file', {}, 'x'.repeat(500_000)],
        ['in a chunk', chunk, 'some'],
        ['in a form', { 'content-type': formType }, `${formHead}some`],
        ['in the head of a form', { 'content-type': formType }, '--limit\r\nContent-Dispo'],
        ['behind a form without end', { 'content-type': formType }, `${formHead}some\r\n--limit`],
      ]
      for (const [what, headers, begin] of ways) {
        test(what, async () => {
          const batch = await beginBatch(server)
          const upload = await beginSlowUpload(server, batch, 0, headers)
          upload.write(begin)
          await wait(50)
          upload.cut()
          await assertUntouched(batch)
        })
      }

      test('though its length was promised', async () => {
        const batch = await beginBatch(server)
        for (const end of [true, false]) {
          const answered = sendRaw(batch, ['Content-Length: 1000'], 'less', end)
          if (!end) await wait(50)
          const { status } = await answered
          assert.ok(status === undefined || status === 400, String(status))
        }
        await assertUntouched(batch)
      })

      test('by the server when it stalls', async () => {
        const batch = await beginBatch(server)
        const upload = await beginSlowUpload(server, batch, 0)
        upload.write('and then nothing')
        await assert.rejects(Promise.race([upload.finishLater(), wait(5000)]), /socket hang up|ECONNRESET/)
        await assertUntouched(batch)
      })
    })

    describe('in wrong encodings is refused', () => {
      const wrong: readonly (readonly [headers: readonly string[], body: string, statuses: readonly number[]])[] = [
        [['Content-Encoding: gzip'], 'x', [415]],
        [['Content-Encoding: x-unheard-of'], 'x', [415]],
        [['Transfer-Encoding: gzip, chunked'], '1\r\nx\r\n0\r\n\r\n', [415]],
        [['Transfer-Encoding: chunked'], 'zz\r\nx\r\n0\r\n\r\n', [400]],
        [['Transfer-Encoding: chunked'], '-1\r\nx\r\n0\r\n\r\n', [400]],
        [['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\nx', [400]],
        [['Transfer-Encoding: chunked', 'Content-Length: 1'], '1\r\nx\r\n0\r\n\r\n', [400]],
        [['Content-Length: -1'], 'x', [400]],
        [['Content-Length: 1e3'], 'x', [400]],
        [['Content-Length: 1', 'Content-Length: 2'], 'xy', [400]],
        [['Content-Length: 99999999999999999999999'], 'x', [400, 413]],
        [['Expect: the-unexpected'], 'x', [417]],
      ]
      for (const [headers, body, statuses] of wrong) {
        test(headers.join(', '), async () => {
          const batch = await beginBatch(server)
          const { status } = await sendRaw(batch, headers, body)
          assert.ok(status !== undefined && statuses.includes(status), `${status}`)
          await assertUntouched(batch)
        })
      }
    })

    describe('with headers of any size', () => {
      test('is taken as far as a header may be', async () => {
        const batch = await beginBatch(server)
        const name = '%C3%A9'.repeat(1500)
        assert.equal((await batch.send(0, 'x', { 'X-File-Name': name, 'X-File-Type': 't/'.repeat(1000) })).status, 201)
        assert.equal((await batch.get('/0')).body.name, 'é'.repeat(1500))
      })

      test('is refused beyond: 431', async () => {
        const { status } = await sendRaw(await beginBatch(server), [`X-File-Name: ${'a'.repeat(100_000)}`], 'x')
        assert.equal(status, 431)
      })

      test('is refused in a form whose heads are larger than any: 400', async () => {
        const batch = await beginBatch(server)
        const odd = `--limit\r\nX-Odd: ${'a'.repeat(300_000)}\r\n\r\nx\r\n`
        const sent = await batch.send(0, `${odd}${formHead}file\r\n--limit--\r\n`, { 'Content-Type': formType })
        assertError(sent, 400, /more than the 81920 bytes allowed/)
      })

      test('is taken in a form of many parts', async () => {
        const batch = await beginBatch(server)
        const odd = `--limit\r\nX-Odd: ${'a'.repeat(70_000)}\r\n\r\nx\r\n${'--limit\r\nA: b\r\n\r\nx\r\n'.repeat(2000)}`
        const { status } = await batch.send(0, `${odd}${formHead}file\r\n--limit--\r\n`, { 'Content-Type': formType })
        assert.equal(status, 201)
        assert.deepEqual((await batch.get('/0')).body, { name: 'a', size: 4, uploadType: 'normal' })
      })
    })

    test('that is a form of any bytes is answered, and never with a failure of ours', async () => {
      const batch = await beginBatch(server)
      const piece = fc.constantFrom(
        '--limit',
        '\r\n',
        '--',
        'Content-Disposition: form-data; filename="a"',
        '\r\n\r\n',
        ':',
        '"',
        '\0',
        'x',
      )
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
          const { status } = await batch.send(0, pieces.join(''), { 'Content-Type': formType })
          assert.ok(status === 201 || status === 400, String(status))
        }),
        { numRuns: 60 },
      )
    })

    test('with headers of any value is answered, and never with a failure of ours', async () => {
      const batch = await beginBatch(server)
      const value = fc.oneof(
        fc.constantFrom('', '0', '1', '-1', '9999999999', 'chunked', '%', '%00', 'a/b', '+', '\u00ff'),
        fc.string({ maxLength: 20 }).map((text) => text.replace(/[^\x20-\x7e]/g, '').trim()),
      )
      const names = ['X-Upload-Type', 'X-Upload-Chunk-Index', 'X-Upload-Chunk-Count', 'X-File-Size', 'X-File-Name', 'X-File-Type']
      const headers = fc.tuple(...names.map(() => fc.option(value)))
      await fc.assert(
        fc.asyncProperty(headers, fc.nat(3), async (values, index) => {
          const given = names.flatMap((name, place) => (values[place] === null ? [] : [[name, values[place] as string]]))
          const { status } = await batch.send(index, 'x', Object.fromEntries(given))
          assert.ok([201, 202, 400, 409, 413].includes(status), String(status))
        }),
        { numRuns: 60 },
      )
    })

    test('that is sent behind a refusal does not become a request of its own', async () => {
      const batch = await beginBatch(server)
      await batch.delete()
      const body = 'DELETE /api/v1/path/default-domain HTTP/1.1\r\nHost: x\r\n\r\n'
      const socket = connect(port(), '127.0.0.1')
      const lines = [
        `POST /api/v1/upload/${batch.id}/0 HTTP/1.1`,
        'Host: localhost',
        authorization,
        `Content-Length: ${body.length}`,
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
      socket.write(`GET /api/v1/upload/handlers HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nConnection: close\r\n\r\n`)
      const answers = String(await buffer(socket)).match(/HTTP\/1\.1 \d+/g)
      assert.deepEqual(answers, ['HTTP/1.1 404', 'HTTP/1.1 200'])
    })

    test('of hundreds of small files is only that', async () => {
      const batch = await beginBatch(server)
      for (let start = 0; start < 200; start += 20) {
        const sent = await Promise.all(Array.from({ length: 20 }, (_, index) => batch.send(start + index, 'x')))
        assert.ok(sent.every(({ status }) => status === 201))
      }
      assert.equal((await batch.get()).body.length, 200)
    })

    test('leaves nothing half-written where files are kept', async () => {
      // Those of the last moment may still be on their way out.
      await wait(1500)
      assert.equal(await server.services.uploads.blobs.removeUnfinished(new Date(Date.now() - 1000)), 0)
    })
  },
  { settings: { connectionUploadTimeout: '1s' } },
)
