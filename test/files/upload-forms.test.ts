import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'
import { assertError, beginBatch, chunkHeaders, fileOf, type SentBatch } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

const md5 = (content: string | Uint8Array) => hash('md5', content, 'hex')
const formType = { 'Content-Type': 'multipart/form-data; boundary=limit' }
const aForm = (...parts: readonly (readonly [headers: string, content: string])[]) =>
  `${parts.map(([headers, content]) => `--limit\r\n${headers}\r\n\r\n${content}\r\n`).join('')}--limit--\r\n`
const file = (content: string, name = 'a.txt', type?: string) =>
  [
    `Content-Disposition: form-data; name="file"; filename="${name}"${type === undefined ? '' : `\r\nContent-Type: ${type}`}`,
    content,
  ] as const
const field = (name: string, content: string) => [`Content-Disposition: form-data; name="${name}"`, content] as const

onEachServer('a file that is uploaded in a form', (server) => {
  const bench = workbenchOn(server)
  const blobOf = async (batch: SentBatch, index = 0) => {
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch, index) })
    return (await bench.readProperties(uid))['file:content']
  }

  test('1.2 is answered with a page around the same JSON', async () => {
    const batch = await beginBatch(server)
    const { status, headers, text } = await batch.send(0, aForm(file('hello')), formType)
    const json = { uploaded: 'true', batchId: batch.id, fileIdx: '0', uploadType: 'normal', uploadedSize: '5' }
    assert.equal(status, 201)
    assert.equal(headers.get('content-type'), 'text/html; charset=UTF-8')
    assert.equal(text, `<html>${JSON.stringify(json)}</html>`)
    assert.equal(headers.get('content-length'), String(text.length))
  })

  test('1.2 is answered so whatever a page accepts', async () => {
    const batch = await beginBatch(server)
    assert.equal((await batch.send(0, aForm(file('x')), { ...formType, Accept: 'text/html' })).status, 201)
  })

  test('1.2 is the first part that is a file', async () => {
    const batch = await beginBatch(server)
    await batch.send(
      0,
      aForm(field('title', 'no file'), file('one', 'one.txt'), file('two', 'two.txt'), field('x', 'y')),
      formType,
    )
    assert.deepEqual((await batch.get('/0')).body, { name: 'one.txt', size: 3, uploadType: 'normal' })
    assert.equal((await blobOf(batch)).digest, md5('one'))
  })

  describe('1.2 is called as its part says', () => {
    const names = ['plan v2.txt', 'a%20b+c.txt', 'été 😀 שלום.txt', "it's.txt"]
    for (const name of names) {
      test(name, async () => {
        const batch = await beginBatch(server)
        await batch.send(0, aForm(file('x', name)), { ...formType, 'X-File-Name': 'ignored.txt' })
        assert.equal((await batch.get('/0')).body.name, name)
      })
    }

    test('in chunks as X-File-Name says', async () => {
      const batch = await beginBatch(server)
      const headers = { ...formType, ...chunkHeaders({ at: 0, of: 2, fileSize: 2 }), 'X-File-Name': 'whole.txt' }
      const { status, text } = await batch.send(0, aForm(file('a', 'blob')), headers)
      assert.equal(status, 202)
      assert.match(text, /^<html>\{.*"uploadedSize":"1","uploadedChunkIds":\[0\],"chunkCount":2\}<\/html>$/)
      await batch.sendChunk(0, { at: 1, of: 2, content: 'b' })
      const { name, digest } = await blobOf(batch)
      assert.deepEqual([name, digest], ['whole.txt', md5('ab')])
    })
  })

  describe('1.2 is of the type', () => {
    const types: readonly (readonly [header: string | undefined, ofPart: string | undefined, type: string])[] = [
      ['text/x-own', 'text/x-part', 'text/x-own'],
      [undefined, 'text/x-part', 'text/x-part'],
      [undefined, undefined, 'application/octet-stream'],
      ['pdf', undefined, 'application/pdf'],
      ['', 'text/x-part', 'application/octet-stream'],
    ]
    for (const [header, ofPart, type] of types) {
      test(`${type} when X-File-Type is ${header} and its part says ${ofPart}`, async () => {
        const batch = await beginBatch(server)
        const headers = { ...formType, ...(header !== undefined && { 'X-File-Type': header }) }
        await batch.send(0, aForm(file('x', 'unheard.of', ofPart)), headers)
        const told = { fileSize: 1, md5: md5('x'), mimeType: type }
        assert.equal((await batch.post('/0/complete', told)).status, 200)
      })
    }

    test('that its name says, once a document has it and nothing else was told', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, aForm(file('x', 'a.txt')), formType)
      assert.equal((await blobOf(batch))['mime-type'], 'text/plain')
    })
  })

  test('1.2 may be sent by a client that makes the form itself', async () => {
    const batch = await beginBatch(server)
    const form = new FormData()
    form.set('title', 'a title')
    form.set('upload', new Blob([Buffer.alloc(300_000, 7)], { type: 'image/x-own' }), 'café.bin')
    const request = new Request('http://any', { method: 'POST', body: form })
    const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
    assert.equal((await batch.send(0, await request.bytes(), headers)).status, 201)
    const { name, digest, 'mime-type': type } = await blobOf(batch)
    assert.deepEqual([name, type, digest], ['café.bin', 'image/x-own', md5(Buffer.alloc(300_000, 7))])
  })

  describe('1.2 is taken', () => {
    const bare = { 'Content-Type': 'multipart/form-data' }
    const forms: readonly (readonly [what: string, body: string, headers: { [name: string]: string }])[] = [
      ['whose boundary only its first line names', aForm(file('x\ny')), bare],
      ['whose lines end with LF', aForm(file('x\ny')).replaceAll('\r\n', '\n'), formType],
      ['of both', aForm(file('x\ny')).replaceAll('\r\n', '\n'), bare],
      ['without its last boundary', aForm(file('x\ny')).slice(0, -'--limit--\r\n'.length), formType],
      ['whose last boundary is one like the others', aForm(file('x\ny')).replace('--limit--', '--limit'), formType],
    ]
    for (const [what, body, headers] of forms) {
      test(`a form ${what}`, async () => {
        const batch = await beginBatch(server)
        assert.equal((await batch.send(0, body, headers)).status, 201)
        assert.equal((await blobOf(batch)).digest, md5('x\ny'))
      })
    }
  })

  describe('1.2 is refused and leaves nothing', () => {
    const forms: readonly (readonly [what: string, body: string, headers: { [name: string]: string }, message: RegExp])[] = [
      ['without a file', aForm(field('a', 'b')), formType, /has no file/],
      ['where none was chosen', aForm(file('', '')), formType, /has no file/],
      ['without parts', '--limit--\r\n', formType, /has no file/],
      [
        'without a boundary',
        'hello',
        { 'Content-Type': 'multipart/form-data' },
        /names no boundary, and the body does not begin with one/,
      ],
      ['of another boundary', aForm(file('x')), { 'Content-Type': 'multipart/form-data; boundary=other' }, /ends in the middle/],
      ['without its end', aForm(file('x')).slice(0, -8), formType, /ends in the middle/],
      ['that ends in its file', aForm(file('x'.repeat(9000))).slice(0, 5000), formType, /ends in the middle/],
      ['that ends in a header', '--limit\r\nContent-Disposition: form', formType, /ends in the middle/],
      ['that is empty', '', formType, /it is empty/],
      ['that is none', 'hello', formType, /ends in the middle/],
    ]
    for (const [what, body, headers, message] of forms) {
      test(`a form ${what}: 400`, async () => {
        const batch = await beginBatch(server)
        assertError(await batch.send(0, body, headers), 400, message)
        assertError(await batch.get('/0'), 404, /./)
        assert.equal((await batch.send(0, 'next')).status, 201)
      })
    }
  })
})

test('1.2 a form is a file of its own where forms are not looked into', async (context) => {
  const server = await startTestServer({ settings: { batchUploadMultipartDisabled: true } })
  context.after(() => server.stop())
  const batch = await beginBatch(server)
  const form = aForm(file('x'))
  const { status, headers, body } = await batch.send(0, form, { ...formType, 'X-File-Name': 'form.bin' })
  assert.deepEqual([status, headers.get('content-type')], [201, 'application/json; charset=UTF-8'])
  assert.equal(body.uploadedSize, String(form.length))
  assert.deepEqual((await batch.get('/0')).body, { name: 'form.bin', size: form.length, uploadType: 'normal' })
})
