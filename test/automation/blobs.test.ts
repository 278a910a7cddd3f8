import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { attach } from '../support/files.ts'
import { assertCallRefused, callForFile, callWithFiles, jsonOf } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { beginBatch, fileOf } from '../support/uploads.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const aText = { name: 'naïve 文.txt', content: 'some text' }
const another = { name: 'b.txt', content: 'another text' }
const inline = { data: 'inline text', name: 'inline.txt', 'mime-type': 'text/plain' }

const thrice = definePlugin({
  name: 'thrice',
  chains: [
    {
      id: 'attachThrice',
      steps: [
        { operation: 'Blob.AttachOnDocument', params: { xpath: 'files:files', save: false } },
        { operation: 'Blob.AttachOnDocument', params: { xpath: 'files:files', save: false } },
        { operation: 'Blob.AttachOnDocument', params: { xpath: 'files:files', save: true } },
      ],
    },
    { id: 'attachNever', steps: [{ operation: 'Blob.AttachOnDocument', params: { save: false } }] },
  ],
})

onEachServer(
  '2.5 putting files into documents',
  (server) => {
    const call = operationsOn(server)
    const bench = workbenchOn(server)
    const mainOf = async (uid: string) => (await bench.readProperties(uid))['file:content']
    const namesOf = async (uid: string) =>
      (await bench.readProperties(uid))['files:files'].map(({ file }: { file: { name: string } }) => file.name)

    describe('Blob.AttachOnDocument', () => {
      test('3.8 sets the file and gives it back, its name in any script', async () => {
        const { uid } = await bench.create('File')
        const answer = await callWithFiles(server, 'Blob.AttachOnDocument', [aText], { params: { document: uid } })
        assert.deepEqual([answer.status, answer.text], [200, 'some text'])
        assert.match(answer.headers.get('content-disposition') ?? '', /filename\*=UTF-8''na%C3%AFve%20%E6%96%87\.txt/)
        const { name, length, 'mime-type': type } = await mainOf(uid)
        assert.deepEqual([name, Number(length), type], ['naïve 文.txt', 9, 'text/plain'])
        const downloaded = await callForFile(server, 'Document.GetBlob', { input: uid })
        assert.deepEqual([downloaded.status, downloaded.text], [200, 'some text'])
        assert.match(downloaded.headers.get('content-disposition') ?? '', /na%C3%AFve%20%E6%96%87\.txt/)
      })

      test('3.8 answers 204 to who wants no answer', async () => {
        const { uid } = await bench.create('File')
        const headers = { 'X-NXVoidOperation': 'true' }
        const answer = await callWithFiles(server, 'Blob.Attach', [aText], { params: { document: uid } }, { headers })
        assert.deepEqual([answer.status, answer.text], [204, ''])
        assert.equal((await mainOf(uid)).name, aText.name)
      })

      test('adds to a list, all files of a list at once', async () => {
        const { uid } = await bench.create('File')
        const params = { document: uid, xpath: 'files:files' }
        await callWithFiles(server, 'Blob.AttachOnDocument', [aText], { params })
        const { status, headers } = await callWithFiles(server, 'Blob.AttachOnDocument', [another, aText], { params })
        assert.equal(status, 200)
        assert.match(headers.get('content-type') ?? '', /^multipart\/mixed; boundary="/)
        assert.deepEqual(await namesOf(uid), [aText.name, 'b.txt', aText.name])
      })

      test('puts a file into an item of a list', async () => {
        const { uid } = await bench.create('File')
        await callWithFiles(server, 'Blob.Attach', [aText, aText], { params: { document: uid, xpath: 'files:files' } })
        await callWithFiles(server, 'Blob.Attach', [another], { params: { document: uid, xpath: 'files:files/1/file' } })
        await callWithFiles(server, 'Blob.Attach', [another], { params: { document: uid, xpath: 'files:files/0' } })
        assert.deepEqual(await namesOf(uid), ['b.txt', 'b.txt'])
      })

      test('leaves the last of several files where there is room for one', async () => {
        const { uid } = await bench.create('File')
        await callWithFiles(server, 'Blob.AttachOnDocument', [aText, another], { params: { document: uid } })
        assert.equal((await mainOf(uid)).name, 'b.txt')
      })

      test('takes files of an upload batch, and the document as an entity whose properties are saved with it', async () => {
        const { uid } = await bench.create('File')
        const batch = await beginBatch(server)
        await batch.send(0, 'uploaded', { 'X-File-Name': 'up.txt' })
        const document = { 'entity-type': 'document', uid, properties: { 'dc:title': 'titled' } }
        const answer = await call('Blob.AttachOnDocument', { input: fileOf(batch), params: { document } })
        assert.deepEqual([answer.status, answer.text], [200, 'uploaded'])
        const properties = await bench.readProperties(uid)
        assert.deepEqual([properties['dc:title'], properties['file:content'].name], ['titled', 'up.txt'])
      })

      test('3.11 works on a file of a batch, or on all of them', async () => {
        const { uid } = await bench.create('File')
        const batch = await beginBatch(server)
        await batch.send(0, 'first', { 'X-File-Name': '0.txt' })
        await batch.send(1, 'second', { 'X-File-Name': '1.txt' })
        const params = { document: uid, xpath: 'files:files' }
        const one = await batch.post('/1/execute/Blob.AttachOnDocument', { params }, { 'X-Batch-No-Drop': 'true' })
        assert.deepEqual([one.status, one.text], [200, 'second'])
        assert.equal((await batch.post('/execute/Blob.AttachOnDocument', { params })).status, 200)
        assert.deepEqual(await namesOf(uid), ['1.txt', '0.txt', '1.txt'])
        assert.equal((await batch.get()).status, 404)
      })

      test('without save is lost unless a later step saves, and adds to what an earlier step left', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await call('attachNever', { input: inline, params: { document: uid } })).status, 200)
        assert.equal(await mainOf(uid), null)
        assert.equal((await call('attachThrice', { input: inline, params: { document: uid } })).status, 200)
        assert.deepEqual(await namesOf(uid), ['inline.txt', 'inline.txt', 'inline.txt'])
      })

      test('loses no file of many that are added at the same time', async () => {
        const { uid } = await bench.create('File')
        const names = Array.from({ length: 8 }, (_, index) => `${index}.txt`)
        const answers = await Promise.all(
          names.map((name) =>
            callWithFiles(server, 'Blob.Attach', [{ name, content: name }], { params: { document: uid, xpath: 'files:files' } }),
          ),
        )
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        assert.deepEqual((await namesOf(uid)).toSorted(), names)
      })

      const refusals: [what: string, params: (uid: string) => object, status: number, words: RegExp][] = [
        ['no document', () => ({}), 400, /Failed to inject parameter 'document'/],
        ['a document that is not there', () => ({ document: '/nowhere' }), 404, /\/nowhere$/],
        ['an xpath that nothing has', (document) => ({ document, xpath: 'no:where' }), 400, /Property not found: no:where/],
        ['an xpath that this document has not', (document) => ({ document, xpath: 'picture:views' }), 400, /Property not found/],
        ['a text', (document) => ({ document, xpath: 'dc:title' }), 400, /dc:title is no place for files/],
        ['a list of texts', (document) => ({ document, xpath: 'dc:subjects' }), 400, /dc:subjects is no place for files/],
        ['a place absurdly far', (document) => ({ document, xpath: 'files:files/999999/file' }), 400, /the list has 0 item/],
      ]
      for (const [what, params, status, words] of refusals) {
        test(`refuses ${what}`, async () => {
          const { uid } = await bench.create('File')
          const answer = await callWithFiles(server, 'Blob.AttachOnDocument', [aText], { params: params(uid) })
          assertCallRefused(answer, status, words)
          assert.equal(await mainOf(uid), null)
        })
      }

      test('refuses an input that is no file', async () => {
        const { uid } = await bench.create('File')
        assertCallRefused(
          await call('Blob.AttachOnDocument', { input: uid, params: { document: uid } }),
          400,
          /no method found for operation 'Blob.AttachOnDocument' and for first input type 'string'/,
        )
      })

      test('takes the right to write, and the one to read', async () => {
        const { uid } = await bench.create('File')
        await server.addUser('ben')
        await bench.restrict(uid, grant('ben', 'Read'))
        const params = { document: uid }
        const refused = await callWithFiles(server, 'Blob.AttachOnDocument', [aText], { params }, { user: 'ben' })
        assertCallRefused(refused, 403, /Privilege 'WriteProperties' is not granted to 'ben'/)
        await bench.restrict(uid)
        const hidden = await callWithFiles(server, 'Blob.AttachOnDocument', [aText], { params }, { user: 'ben' })
        assertCallRefused(hidden, 403, /Privilege 'Read' is not granted/)
        assert.equal(await mainOf(uid), null)
      })
    })

    describe('Document.SetBlob', () => {
      test('sets a file that is described by the parameter, and gives the document', async () => {
        const { uid } = await bench.create('File')
        const body = requireStatus(200, await call('Document.SetBlob', { input: uid, params: { file: inline } }))
        assert.deepEqual([body['entity-type'], body.uid], ['document', uid])
        assert.equal((await mainOf(uid)).name, 'inline.txt')
      })

      test('adds it to a list, of each document of a list', async () => {
        const [one, two] = [await bench.create('File'), await bench.create('File')]
        const input = `docs:${one.uid},${two.uid}`
        const params = { file: inline, xpath: 'files:files' }
        const { entries } = requireStatus(200, await call('Blob.Set', { input, params }))
        assert.equal(entries.length, 2)
        await call('Blob.Set', { input, params })
        assert.deepEqual(await namesOf(one.uid), ['inline.txt', 'inline.txt'])
        assert.deepEqual(await namesOf(two.uid), ['inline.txt', 'inline.txt'])
      })

      test('takes the address of a download', async () => {
        const [from, to] = [await bench.create('File'), await bench.create('File')]
        await attach(server, from.uid, 'linked', { name: 'l.txt', 'mime-type': 'text/plain' })
        const { data: file } = await mainOf(from.uid)
        requireStatus(200, await call('Document.SetBlob', { input: to.uid, params: { file } }))
        assert.equal((await mainOf(to.uid)).name, 'l.txt')
      })

      test('refuses what describes no file, and a note, whose file is its text', async () => {
        const { uid } = await bench.create('File')
        assertCallRefused(await call('Document.SetBlob', { input: uid }), 400, /Failed to inject parameter 'file'/)
        assertCallRefused(
          await call('Document.SetBlob', { input: uid, params: { file: { no: 'file' } } }),
          400,
          /cannot be taken for a blob/,
        )
        const note = await bench.create('Note', { 'note:note': 'text' })
        const params = { file: inline, xpath: 'blobholder:0' }
        assertCallRefused(await call('Document.SetBlob', { input: note.uid, params }), 400, /made of the text in note:note/)
      })

      test('takes the right to write', async () => {
        const { uid } = await bench.create('File')
        await server.addUser('cleo')
        await bench.restrict(uid, grant('cleo', 'Read'))
        const answer = await operationsOn(server, 'cleo')('Document.SetBlob', { input: uid, params: { file: inline } })
        assertCallRefused(answer, 403, /WriteProperties/)
      })
    })

    describe('BlobHolder.AttachOnCurrentDocument', () => {
      const held = (currentDocument: string, files: Parameters<typeof callWithFiles>[2], params: object = {}) =>
        callWithFiles(server, 'BlobHolder.AttachOnCurrentDocument', files, { params, context: { currentDocument } })

      test('makes the file the main one, and gives the document', async () => {
        const { uid, path } = await bench.create('File')
        const answer = await held(path, [aText])
        assert.deepEqual([answer.status, jsonOf(answer).uid], [200, uid])
        assert.equal((await mainOf(uid)).name, aText.name)
      })

      test('of a list makes the first the main one and adds the rest', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await held(uid, [aText, another, another])).status, 200)
        assert.equal((await mainOf(uid)).name, aText.name)
        assert.deepEqual(await namesOf(uid), ['b.txt', 'b.txt'])
      })

      test('adds all of them when told to leave the main one', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await held(uid, [aText, another], { useMainBlob: false })).status, 200)
        assert.equal(await mainOf(uid), null)
        assert.deepEqual(await namesOf(uid), [aText.name, 'b.txt'])
      })

      test('leaves the rest out where there is no list for it', async () => {
        const { uid } = await bench.create('Bare')
        assert.equal((await held(uid, [aText, another])).status, 200)
        assert.equal((await mainOf(uid)).name, aText.name)
      })

      const noteOf = async (uid: string) => {
        const { 'note:note': text, 'note:mime_type': type } = await bench.readProperties(uid)
        return [text, type]
      }

      test('of a note changes the text and its type', async () => {
        for (const before of [{ 'note:note': 'before', 'note:mime_type': 'text/html' }, {}]) {
          const { uid } = await bench.create('Note', before)
          assert.equal((await held(uid, [{ ...aText, type: 'text/plain' }])).status, 200)
          assert.deepEqual(await noteOf(uid), ['some text', 'text/plain'])
          const page = { name: 'a.html', content: '<p>new</p><script>bad()</script>', type: 'text/html; charset=utf-8' }
          assert.equal((await held(uid, [page, another])).status, 200)
          assert.deepEqual(await noteOf(uid), ['<p>new</p>', 'text/html'])
        }
      })

      test('of a note refuses what is no text, is too long for one, or comes from who may only read', async () => {
        const { uid } = await bench.create('Note', { 'note:note': 'before', 'note:mime_type': 'text/plain' })
        const refused = [
          { name: 'a.bin', content: 'PK\u0003\u0004', type: 'application/zip' },
          { name: 'zeros.txt', content: 'a\0\0b', type: 'text/plain' },
          { name: 'long.txt', content: 'x'.repeat(1024 ** 2 + 1), type: 'text/plain' },
        ]
        for (const file of refused) {
          assertCallRefused(await held(uid, [file]), 400, new RegExp(`${file.name} cannot be the text of a note`))
        }
        await server.addUser('nora')
        await bench.restrict(uid, grant('nora', 'Read'))
        const context = { currentDocument: uid }
        const byReader = await callWithFiles(server, 'BlobHolder.Attach', [aText], { context }, { user: 'nora' })
        assertCallRefused(byReader, 403, /WriteProperties/)
        assert.deepEqual(await noteOf(uid), ['before', 'text/plain'])
      })

      test('refuses to work without a document, on one that is not there, and on a folder', async () => {
        const missing = await callWithFiles(server, 'BlobHolder.Attach', [aText])
        assertCallRefused(missing, 400, /context variable currentDocument, and there is none/)
        assertCallRefused(await held('/nowhere', [aText]), 404, /\/nowhere$/)
        assertCallRefused(await held('/default-domain', [aText]), 400, /Property not found: blobholder:0/)
      })
    })
  },
  {
    plugins: [
      thrice,
      definePlugin({
        name: 'bare',
        documentTypes: [
          { name: 'Bare', extends: 'Document', schemas: ['file'], facets: [], subtypes: [], forbiddenSubtypes: [] },
        ],
      }),
    ],
  },
)
