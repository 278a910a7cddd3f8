import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { requestBytes, sendBytes } from '../support/raw-http.ts'
import { onEachServer } from '../support/servers.ts'
import { assertEmpty, assertError, beginBatch, fileOf, type SentBatch } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

const md5 = (content: string | Uint8Array) => hash('md5', content, 'hex')

onEachServer('a file that is uploaded in one piece', (server) => {
  const bench = workbenchOn(server)
  const blobOf = async (batch: SentBatch, index: number | string = 0) => {
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch, index) })
    return (await bench.readProperties(uid))['file:content']
  }
  const nameAfter = async (header: string) => {
    const batch = await beginBatch(server)
    assert.equal((await batch.send(0, 'x', { 'X-File-Name': header })).status, 201)
    return (await batch.get('/0')).body.name
  }

  test('1.3 is answered with 201 and what was done, in texts', async () => {
    const batch = await beginBatch(server)
    const { status, body, headers, text } = await batch.send(0, 'x'.repeat(2048), { 'X-File-Name': 'a.txt' })
    assert.equal(status, 201)
    assert.deepEqual(Object.entries(body), [
      ['uploaded', 'true'],
      ['batchId', batch.id],
      ['fileIdx', '0'],
      ['uploadType', 'normal'],
      ['uploadedSize', '2048'],
    ])
    assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
    assert.equal(headers.get('content-length'), String(text.length))
  })

  test('1.2 may be empty', async () => {
    const batch = await beginBatch(server)
    assert.equal((await batch.send(0, '', { 'X-File-Name': 'e.txt' })).body.uploadedSize, '0')
    assert.deepEqual((await batch.get('/0')).body, { name: 'e.txt', size: 0, uploadType: 'normal' })
    const { length, digest } = await blobOf(batch)
    assert.deepEqual([length, digest], ['0', md5('')])
  })

  test('1.3 counts the bytes that came, whatever the headers promise', async () => {
    const batch = await beginBatch(server)
    const authorization = `Authorization: Basic ${btoa('Administrator:Administrator')}`
    const head = [authorization, 'Transfer-Encoding: chunked', 'X-File-Size: 7']
    const request = requestBytes({
      method: 'POST',
      path: `/api/v1/upload/${batch.id}/0`,
      headers: head,
      body: '5\r\nhello\r\n0\r\n\r\n',
    })
    const { status, json } = await sendBytes(Number(new URL(server.url).port), request)
    assert.deepEqual([status, json?.['uploadedSize']], [201, '5'])
    assert.equal((await batch.get('/0')).body.size, 5)
  })

  test('1.2 arrives byte for byte', async () => {
    const batch = await beginBatch(server)
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256))
    await batch.send(0, bytes, { 'Content-Type': 'application/json' })
    const { digest, length } = await blobOf(batch)
    assert.deepEqual([digest, length], [md5(bytes), '1000'])
  })

  describe('1.2 is called', () => {
    const raw = (name: string) => Buffer.from(name, 'utf8').toString('latin1')
    const names: readonly (readonly [header: string, name: string])[] = [
      ['plan.txt', 'plan.txt'],
      ['plan%20v2.txt', 'plan v2.txt'],
      ['plan+v2.txt', 'plan v2.txt'],
      ['a%2Bb.txt', 'a+b.txt'],
      [encodeURIComponent('été 😀 שלום "quoted".txt'), 'été 😀 שלום "quoted".txt'],
      [raw('été 😀.txt'), 'été 😀.txt'],
      [raw('50% off'.replace('%', '%25')), '50% off'],
      ['\u00e9.txt', 'é.txt'],
      ['a%2Fb%5Cc.txt', 'a/b\\c.txt'],
      ['%0Aline.txt', '\nline.txt'],
      ['', ''],
    ]
    for (const [header, name] of names) {
      test(`${JSON.stringify(name)} when X-File-Name is ${header}`, async () => assert.equal(await nameAfter(header), name))
    }

    test('nothing when X-File-Name is absent', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'x')
      assert.equal((await batch.get('/0')).body.name, null)
      assert.equal((await blobOf(batch)).name, null)
    })

    for (const header of ['%', '%zz', 'a%2', '%c3', '%00', '%ed%a0%80']) {
      test(`nothing that ${header} could mean: 400`, async () => {
        const batch = await beginBatch(server)
        assertError(await batch.send(0, 'x', { 'X-File-Name': header }), 400, /X-File-Name is not percent-encoded UTF-8/)
        assertError(await batch.get('/0'), 404, /./)
      })
    }
  })

  describe('1.2 is of the type', () => {
    const types: readonly (readonly [header: string | undefined, name: string, type: string])[] = [
      ['text/x-own', 'a', 'text/x-own'],
      ['pdf', 'a', 'application/pdf'],
      ['', 'a.pdf', 'application/pdf'],
      [undefined, 'a.pdf', 'application/pdf'],
      ['pdf', 'a.txt', 'application/pdf'],
      ['x-unheard-of', 'a', 'application/x-unheard-of'],
    ]
    for (const [header, name, type] of types) {
      test(`${type} when X-File-Type is ${header} and its name ${name}`, async () => {
        const batch = await beginBatch(server)
        const headers = { 'X-File-Name': name, ...(header !== undefined && { 'X-File-Type': header }) }
        await batch.send(0, 'no PDF', { ...headers, 'Content-Type': 'image/png' })
        assert.equal((await blobOf(batch))['mime-type'], type)
      })
    }

    test('of nothing, as long as no document has it', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'x', { 'X-File-Name': 'a.pdf' })
      const complete = (mimeType?: string) => batch.post('/0/complete', { fileSize: 1, md5: md5('x'), mimeType })
      assert.equal((await complete('application/pdf')).status, 409)
      assert.equal((await complete()).status, 200)
    })

    for (const type of ['pdf', '', 'no type at all', '/', 'multipart/related; boundary=x', 'multipart/mixed']) {
      test(`that its header says, whatever the Content-Type: ${type}`, async () => {
        const batch = await beginBatch(server)
        const { status, body } = await batch.send(0, '--x', { 'Content-Type': type, 'X-File-Type': 'text/x-own' })
        assert.deepEqual([status, body.uploadedSize], [201, '3'])
        const blob = await blobOf(batch)
        assert.deepEqual([blob['mime-type'], blob.digest], ['text/x-own', md5('--x')])
      })
    }
  })

  describe('1.2 is taken to be so', () => {
    for (const type of ['normal', 'Chunked', 'CHUNKED', 'other', '']) {
      test(`when X-Upload-Type is ${JSON.stringify(type)}`, async () => {
        const batch = await beginBatch(server)
        const { status, body } = await batch.send(0, 'x', { 'X-Upload-Type': type, 'X-Upload-Chunk-Index': 'no number' })
        assert.deepEqual([status, body.uploadType], [201, 'normal'])
      })
    }
  })

  test('3.8 is what came with the request, whatever file of the server a header names', async () => {
    const batch = await beginBatch(server)
    const { status } = await batch.send(0, 'sent', { 'X-Request-Body-File': '/etc/hostname', 'X-Content-MD5': md5('other') })
    assert.equal(status, 201)
    assert.equal((await blobOf(batch)).digest, md5('sent'))
  })

  describe('1.3 has an index', () => {
    for (const index of ['x', '-1', '1.5', '1e3', ' 1', '0x1', '%D9%A1', '9'.repeat(16), '9'.repeat(5000)]) {
      test(`that is a number, not ${index.slice(0, 20)}: 400 in plain text`, async () => {
        const batch = await beginBatch(server)
        const { status, headers, text } = await batch.send(index, 'x')
        assert.deepEqual([status, headers.get('content-type')], [400, 'text/plain; charset=UTF-8'])
        assert.match(text, /index of a file must be a number/)
        assertError(await batch.get(`/${index}`), 404, /./)
        assertError(await batch.delete(`/${index}`), 404, /./)
        assertEmpty(await batch.get(), 204)
      })
    }

    test('which is looked at after the batch and before the headers', async () => {
      const batch = await beginBatch(server)
      const wrong = { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': 'x', 'X-File-Name': '%' }
      assert.match((await batch.send('x', 'x', wrong)).text, /index of a file/)
      await batch.delete()
      assertError(await batch.send('x', 'x', wrong), 404, /./)
    })

    test('as large as 15 digits can say, and repeated as it was sent', async () => {
      const batch = await beginBatch(server)
      assert.equal((await batch.send('999999999999999', 'x')).body.fileIdx, '999999999999999')
      assert.equal((await batch.send('007', 'seven')).body.fileIdx, '007')
      assert.equal((await batch.get('/7')).body.size, 5)
      assert.equal((await batch.get()).body.length, 2)
    })
  })

  describe('1.3 replaces', () => {
    test('one that was there', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'first', { 'X-File-Name': 'first.txt' })
      assert.equal((await batch.send(0, 'later', { 'X-File-Name': 'later.txt' })).status, 201)
      assert.equal((await batch.get()).body.length, 1)
      const { name, digest } = await blobOf(batch)
      assert.deepEqual([name, digest], ['later.txt', md5('later')])
    })

    test('one that came in chunks, complete or not, and their chunks with it', async () => {
      for (const count of [1, 2]) {
        const batch = await beginBatch(server)
        await batch.sendChunk(0, { at: 0, of: count, content: 'chunk' })
        assert.equal((await batch.send(0, 'whole')).status, 201)
        assert.deepEqual((await batch.get('/0')).body, { name: null, size: 5, uploadType: 'normal' })
        assert.equal((await blobOf(batch)).digest, md5('whole'))
      }
    })
  })
})
