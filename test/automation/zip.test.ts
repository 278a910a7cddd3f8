import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DocumentEvent } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { attach, download } from '../support/files.ts'
import { assertCallRefused, callForFile, callWithFiles } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'
import { namesIn, readArchived } from '../support/zip-archive.ts'

const heard: DocumentEvent[] = []
const watching = definePlugin({
  name: 'watching',
  downloadRules: [{ name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.txt' }],
  listeners: [{ name: 'hears', when: 'inline', events: ['download'], handle: (event) => void heard.push(event) }],
  chains: [{ id: 'zipOfFiles', steps: [{ operation: 'Document.GetBlobs' }, { operation: 'Blob.CreateZip' }] }],
})

onEachServer(
  '2.5 archives of files',
  (server) => {
    const bench = workbenchOn(server)

    async function aFile(name: string | null, content = `text of ${name}`): Promise<string> {
      const { uid } = await bench.create('File')
      await attach(server, uid, content, { name, 'mime-type': 'text/plain' })
      return uid
    }
    const bulk = (uids: readonly string[], params: object = {}, user = 'Administrator') =>
      callForFile(server, 'Blob.BulkDownload', { input: `docs:${uids.join(',')}`, params }, { user })

    describe('Blob.BulkDownload', () => {
      test('gives the main files of the documents, each under its name and with its bytes', async () => {
        const { status, headers, bytes } = await bulk([await aFile('a.txt'), await aFile('文.txt')], { filename: 'both.zip' })
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip'])
        assert.match(headers.get('content-disposition') ?? '', /both\.zip/)
        assert.deepEqual(namesIn(bytes), ['a.txt', '文.txt'])
        assert.equal(readArchived(bytes, '文.txt').text, 'text of 文.txt')
      })

      test('is called by a number and the user when nobody says how', async () => {
        const { headers } = await bulk([await aFile('a.txt')])
        assert.match(headers.get('content-disposition') ?? '', /BlobListZip-[0-9a-f-]{36}-Administrator/)
      })

      test('renames files of the same name, numbers those without, and takes no folders along', async () => {
        const uids = [
          await aFile('a.txt'),
          await aFile('a.txt'),
          await aFile(null),
          await aFile('../../a.txt'),
          await aFile('C:\\b.txt'),
        ]
        const { bytes } = await bulk(uids)
        assert.deepEqual(namesIn(bytes), ['a.txt', 'renamed_1_a.txt', 'Unknown_1', 'renamed_2_a.txt', 'b.txt'])
      })

      test('has a file once, however often it is named', async () => {
        const uid = await aFile('a.txt')
        assert.deepEqual(namesIn((await bulk(Array.from({ length: 200 }, () => uid))).bytes), ['a.txt'])
      })

      test('is refused when the files are larger together than an archive may be', async () => {
        const uids = [await aFile('a.txt', 'x'.repeat(600_000)), await aFile('b.txt', 'x'.repeat(600_000))]
        const { status, text } = await bulk(uids)
        assert.equal(status, 413)
        assert.match(text, /1000000 bytes that one archive may hold/)
        assert.equal((await bulk(uids.slice(1))).status, 200)
      })

      test('has the text of a note, and leaves out what has no file', async () => {
        const note = await bench.create('Note', { 'dc:title': 'noted', 'note:note': 'so it is' })
        const folder = await bench.create('Folder')
        const { bytes } = await bulk([folder.uid, note.uid, (await bench.create('File')).uid])
        assert.deepEqual(namesIn(bytes), ['noted.txt'])
        assert.equal(readArchived(bytes, 'noted.txt').text, 'so it is')
      })

      test('has a folder as an archive of its own, and tells of what is in it', async () => {
        const folder = await bench.create('Folder', {}, { name: 'packed' })
        const { uid } = await bench.create('File', {}, { parent: folder.path })
        await attach(server, uid, 'within', { name: 'within.txt', 'mime-type': 'text/plain' })
        heard.length = 0
        const { bytes } = await bulk([folder.uid, await aFile('a.txt')])
        assert.deepEqual(namesIn(bytes), ['packed.zip', 'a.txt'])
        assert.deepEqual(namesIn(readArchived(bytes, 'packed.zip').bytes), ['within.txt'])
        assert.deepEqual(
          heard.map(({ comment }) => comment),
          ['packed.zip', 'within.txt', 'a.txt'],
        )
      })

      test('leaves out what may not be downloaded', async () => {
        const { bytes } = await bulk([await aFile('secret.txt'), await aFile('open.txt')])
        assert.deepEqual(namesIn(bytes), ['open.txt'])
      })

      test('answers 204 when nothing is left', async () => {
        const { status, bytes } = await bulk([await aFile('secret.txt'), (await bench.create('Folder')).uid])
        assert.deepEqual([status, bytes.length], [204, 0])
      })

      test('tells of each file as of a download', async () => {
        const uids = [await aFile('a.txt'), await aFile('b.txt'), await aFile('secret.txt')]
        heard.length = 0
        await bulk(uids)
        assert.deepEqual(
          heard.map(({ document, properties }) => [document.id, properties['blobFilename'], properties['downloadReason']]),
          [
            [uids[0], 'a.txt', 'download'],
            [uids[1], 'b.txt', 'download'],
          ],
        )
      })

      test('refuses documents that may not be read, and those that are not there', async () => {
        const uid = await aFile('a.txt')
        await bench.restrict(uid)
        await server.addUser('gus')
        assertCallRefused(await bulk([uid], {}, 'gus'), 403, /Privilege 'Read' is not granted to 'gus'/)
        assertCallRefused(await bulk(['/nowhere']), 404, /\/nowhere$/)
      })
    })

    describe('Blob.CreateZip', () => {
      const [one, two] = [
        { name: 'one.txt', content: 'first' },
        { name: 'two.bin', content: new Uint8Array([0, 1, 2, 255]), type: 'application/octet-stream' },
      ]

      test('3.9 has both files, and is called like the first', async () => {
        const { status, headers, bytes } = await callWithFiles(server, 'Blob.CreateZip', [one, two])
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip'])
        assert.match(headers.get('content-disposition') ?? '', /one\.txt/)
        assert.deepEqual(namesIn(bytes), ['one.txt', 'two.bin'])
        assert.deepEqual([...readArchived(bytes, 'two.bin').bytes], [0, 1, 2, 255])
      })

      test('of one file is called as it is told', async () => {
        const { headers, bytes } = await callWithFiles(server, 'Blob.CreateZip', [one], { params: { filename: 'one.zip' } })
        assert.match(headers.get('content-disposition') ?? '', /one\.zip/)
        assert.deepEqual(namesIn(bytes), ['one.txt'])
      })

      test('renames files of the same name', async () => {
        const { bytes } = await callWithFiles(server, 'Blob.CreateZip', [one, one, one])
        assert.deepEqual(namesIn(bytes), ['one.txt', 'renamed_1_one.txt', 'renamed_2_one.txt'])
      })

      test('of files of a document is a download of them, which listeners hear of', async () => {
        const uid = await aFile('a.txt')
        heard.length = 0
        const { status, bytes } = await callForFile(server, 'zipOfFiles', { input: uid })
        assert.deepEqual([status, namesIn(bytes)], [200, ['a.txt']])
        assert.deepEqual(
          heard.map(({ document }) => document.id),
          [uid],
        )
        const secret = { input: await aFile('secret.txt'), params: { filename: 'a.zip' } }
        assertCallRefused(await callForFile(server, 'zipOfFiles', secret), 403, /Permission denied/)
      })

      test('of a file of a document at its own address is one, too', async () => {
        const uid = await aFile('a.txt')
        heard.length = 0
        const body = JSON.stringify({ params: { filename: 'a.zip' } })
        const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
        const { status, bytes } = await download(server, `api/v1/id/${uid}/@blob/file:content/@op/Blob.CreateZip`, asked)
        assert.deepEqual([status, namesIn(bytes)], [200, ['a.txt']])
        assert.equal(heard.length, 1)
        const secret = await aFile('secret.txt')
        const refused = await download(server, `api/v1/id/${secret}/@blob/file:content/@op/Blob.CreateZip`, asked)
        assertCallRefused(refused, 403, /Permission denied/)
      })

      test('refuses what is no file', async () => {
        const answer = await callForFile(server, 'Blob.CreateZip', { input: 'a text' })
        assertCallRefused(answer, 400, /no method found for operation 'Blob.CreateZip' and for first input type 'string'/)
      })
    })
  },
  { plugins: [watching], settings: { archiveMaxBytes: '1MB', conversionPath: '/nowhere' } },
)
