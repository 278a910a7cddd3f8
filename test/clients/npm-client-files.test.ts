import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { seededDigest, seededStream } from '../support/seeded-bytes.ts'
import { onEachServer } from '../support/servers.ts'
import {
  type Client,
  type ClientBatchBlob,
  type ClientDocument,
  createBlob,
  createClient,
  refusalOf,
  refusedStatus,
} from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }
const workspaces = '/default-domain/workspaces'
const large = 100_000_000

const aBlob = (content: Uint8Array | string, name: string, mimeType = 'text/plain') =>
  createBlob({ content, name, mimeType, size: Buffer.byteLength(content) })

onEachServer(
  'files with the published npm client',
  (server) => {
    let client: Client
    before(() => {
      client = createClient(server.url, 'Administrator').schemas(['file', 'files'])
    })
    let created = 0
    const create = (properties: object = {}) =>
      client.repository().create(workspaces, { type: 'File', name: `file-${++created}`, properties })
    const upload = async (blob: ReturnType<typeof createBlob>): Promise<ClientBatchBlob> =>
      (await client.batchUpload().upload(blob)).blob
    const createWith = async (blob: ReturnType<typeof createBlob>) => create({ 'file:content': await upload(blob) })
    const bytesOf = async (document: ClientDocument, xpath?: string) => buffer((await document.fetchBlob(xpath)).body)

    describe('a file', () => {
      test('is uploaded, attached to a new document and fetched back byte for byte', async () => {
        const text = 'Grüße aus Köln\r\n\0and the end'
        const document = await createWith(aBlob(text, 'letter.txt'))
        const { name, length, digestAlgorithm } = document.get('file:content')
        assert.deepEqual([name, length, digestAlgorithm], ['letter.txt', String(Buffer.byteLength(text)), 'MD5'])
        assert.equal((await bytesOf(document)).toString(), text)
      })
      test('replaces the one that a document had', async () => {
        const document = await createWith(aBlob('first', 'first.txt'))
        const saved = await document.set({ 'file:content': await upload(aBlob('second', 'second.txt')) }).save()
        assert.equal(saved.get('file:content').name, 'second.txt')
        assert.equal((await bytesOf(saved)).toString(), 'second')
      })
      test('stays when the document is sent back as it was fetched', async () => {
        const { uid } = await createWith(aBlob('staying', 'staying.txt'))
        const { properties } = await client.repository().fetch(uid)
        const updated = await client.repository().update({ uid, properties })
        assert.deepEqual({ ...updated.get('file:content'), data: '' }, { ...properties['file:content'], data: '' })
        assert.equal((await bytesOf(updated)).toString(), 'staying')
      })
      test('is taken away by null', async () => {
        const document = await createWith(aBlob('leaving', 'leaving.txt'))
        const saved = await document.set({ 'file:content': null }).save()
        assert.equal(saved.get('file:content'), null)
        assert.equal(await refusedStatus(saved.fetchBlob()), 404)
      })
      test('of bytes of every kind comes with the type it was sent with', async () => {
        const bytes = Buffer.from(Array.from({ length: 512 }, (_, byte) => byte % 256))
        const document = await createWith(aBlob(bytes, 'all.bin', 'application/x-all'))
        const { headers, body } = await document.fetchBlob('file:content')
        assert.equal(headers.get('content-type'), 'application/x-all')
        assert.equal(headers.get('content-length'), '512')
        assert.ok(bytes.equals(await buffer(body)))
      })
      test('of JSON is told like any JSON, because the client reads what says that it is JSON', async () => {
        const document = await createWith(aBlob('{"a":[1]}', 'a.json', 'application/json'))
        assert.deepEqual(await document.fetchBlob(), { a: [1] })
        const asked = await document.fetchBlob('blobholder:0', { resolveWithFullResponse: true })
        assert.equal((await buffer(asked.body)).toString(), '{"a":[1]}')
      })
      test(`of ${large / 1_000_000} MB that nobody could guess comes back byte for byte`, async () => {
        const blob = createBlob({
          content: seededStream(6, large),
          name: 'large.bin',
          mimeType: 'application/x-large',
          size: large,
        })
        const digest = seededDigest(6, large)
        const document = await createWith(blob)
        assert.equal(document.get('file:content').digest, digest)
        const { headers, body } = await document.fetchBlob()
        assert.equal(headers.get('content-length'), String(large))
        assert.equal(await digestOf(body), digest)
      })
    })

    describe('the name of a file', () => {
      const names = [
        'plain.txt',
        'with spaces  and more.txt',
        `it's "quoted".txt`,
        'emoji 😀👩‍👩‍👧.txt',
        'ملف عربي.txt',
        'קובץ-עברי.txt',
        'mixed עברית and latin.txt',
        'Grüße.txt',
        'e\u0301te\u0301.txt',
        '漢字.txt',
        'a+b%20c%.txt',
        'a;b & c?d=e#f.txt',
        '.hidden',
        'no extension',
        `${'long'.repeat(60)}.txt`,
      ]
      for (const name of names) {
        test(`is kept in the property, the answer and the link: ${name.slice(0, 40)}`, async () => {
          const document = await createWith(aBlob(name, name))
          const content = document.get('file:content')
          assert.equal(content.name, name)
          const { headers, body } = await document.fetchBlob('file:content')
          assert.equal(nameIn(headers.get('content-disposition') ?? ''), name)
          assert.equal((await buffer(body)).toString(), name)
          const linked = await fetchAs('Administrator', content.data)
          assert.equal(nameIn(linked.headers.get('content-disposition') ?? ''), name)
          assert.equal(await linked.text(), name)
        })
      }
    })

    describe('several files', () => {
      const texts = Array.from({ length: 12 }, (_, index) => `text of number ${index}`)
      const blobs = texts.map((text, index) => aBlob(text, `number ${index}.txt`))

      test('are uploaded side by side and attached in their order', async () => {
        const batch = client.batchUpload()
        const { blobs: uploaded } = await batch.upload(...blobs)
        assert.deepEqual(
          uploaded.map((blob: ClientBatchBlob) => blob['upload-fileId']),
          texts.map((_, index) => String(index)),
        )
        const document = await create({ 'files:files': uploaded.map((file: ClientBatchBlob) => ({ file })) })
        for (const [index, text] of texts.entries()) {
          assert.equal((await bytesOf(document, `files:files/${index}/file`)).toString(), text)
        }
      })
      test('are each handed to a document of its own, as long as the batch is kept', async () => {
        const { blobs: uploaded } = await client.batchUpload().upload(...blobs.slice(0, 3))
        for (const [index, blob] of uploaded.entries()) {
          const repository = client.repository().header('X-Batch-No-Drop', 'true')
          const properties = { 'file:content': blob }
          const document = await repository.create(workspaces, { type: 'File', name: `kept-${index}`, properties })
          assert.equal((await bytesOf(document)).toString(), texts[index])
        }
      })
      test('can be waited for', async () => {
        const batch = client.batchUpload({ concurrency: 2 })
        for (const blob of blobs) batch.upload(blob)
        assert.equal(batch.isFinished(), false)
        assert.equal((await batch.done()).blobs.length, texts.length)
        assert.equal(batch.isFinished(), true)
      })
    })

    describe('a batch', () => {
      test('tells what is in it', async () => {
        const batch = client.batchUpload()
        await batch.upload(aBlob('one', 'one.txt'), aBlob('three', 'three.txt'))
        const { blobs } = await batch.fetchBlobs()
        assert.deepEqual(
          blobs.map(({ name, size, uploadType }) => ({ name, size, uploadType })),
          [
            { name: 'one.txt', size: 3, uploadType: 'normal' },
            { name: 'three.txt', size: 5, uploadType: 'normal' },
          ],
        )
        assert.equal((await batch.fetchBlob(1)).blob['name'], 'three.txt')
        assert.equal(await refusedStatus(batch.fetchBlob(2)), 404)
      })
      test('gives a file up', async () => {
        const batch = client.batchUpload()
        await batch.upload(aBlob('one', 'one.txt'), aBlob('two', 'two.txt'))
        assert.equal((await batch.removeBlob(0)).status, 204)
        assert.equal(await refusedStatus(batch.fetchBlob(0)), 404)
        assert.equal((await batch.fetchBlob(1)).blob['name'], 'two.txt')
        assert.equal(await refusedStatus(batch.removeBlob(0)), 404)
      })
      test('is given up as a whole', async () => {
        const batch = client.batchUpload()
        const { blob } = await batch.upload(aBlob('given up', 'a.txt'))
        await batch.cancel()
        assert.equal((await create({ 'file:content': blob })).get('file:content'), null)
      })
      test('is gone once a document has a file of it', async () => {
        const batch = client.batchUpload()
        const { blob } = await batch.upload(aBlob('used', 'used.txt'))
        await create({ 'file:content': blob })
        assert.equal(await refusedStatus(batch.fetchBlob(0)), 404)
      })
    })

    describe('what is not there', () => {
      test('is refused with 404: no file, no such property, no such place in a list', async () => {
        const document = await create()
        for (const xpath of [undefined, 'file:content', 'files:files/0/file', 'blobholder:7', 'no:such']) {
          assert.equal((await refusalOf(document.fetchBlob(xpath))).status, 404)
        }
      })
      test('is a file of somebody who may not read the document', async () => {
        await server.addUser('stranger')
        const { uid } = await createWith(aBlob('secret', 'secret.txt'))
        const stranger = createClient(server.url, 'stranger')
        assert.equal((await refusalOf(stranger.request(`id/${uid}/@blob/file:content`).get())).status, 403)
      })
    })
  },
  asTheOriginal,
)

function fetchAs(user: string, address: string): Promise<Response> {
  return fetch(address, { headers: { authorization: `Basic ${btoa(`${user}:${user}`)}` } })
}

/** As RFC 6266 has it read: the extended form, or the plain one. */
function nameIn(disposition: string): string {
  const extended = /filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1]
  return extended === undefined ? (/filename=(\S+)$/.exec(disposition)?.[1] ?? '') : decodeURIComponent(extended)
}

async function digestOf(stream: Readable): Promise<string> {
  const digest = createHash('md5')
  for await (const chunk of stream) digest.update(chunk)
  return digest.digest('hex')
}
