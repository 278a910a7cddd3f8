import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertCallRefused, callWithFiles, jsonOf, type SentFile } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { beginBatch } from '../support/uploads.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const aNote: SentFile = { name: 'naïve 文.txt', content: 'some text' }
const aPicture: SentFile = { name: 'p.png', content: 'not really', type: 'image/png' }
const aFile: SentFile = { name: 'f.pdf', content: 'not really', type: 'application/pdf' }
const aSound: SentFile = { name: 's.mp3', content: 'not really', type: 'audio/mpeg' }

const importThenFail = definePlugin({
  name: 'importThenFail',
  chains: [
    {
      id: 'importThenFail',
      steps: [
        { operation: 'FileManager.ImportWithProperties' },
        { operation: 'Document.SetProperty', params: { xpath: 'no:where' } },
      ],
    },
  ],
})

onEachServer(
  '2.7 importing files',
  (server) => {
    const call = operationsOn(server)
    const bench = workbenchOn(server)
    const everySchema = { headers: { properties: '*' } }

    async function childrenOf(uid: string): Promise<readonly Answered[]> {
      const answer = await server.as('Administrator').get(`/id/${uid}/@children`, { properties: '*' })
      return requireStatus(200, answer).entries
    }
    const titlesIn = async (uid: string) => (await childrenOf(uid)).map(({ title }) => title).toSorted()
    const importInto = (
      currentDocument: string,
      files: readonly SentFile[],
      params: object = {},
      options: object = everySchema,
    ) => callWithFiles(server, 'FileManager.Import', files, { params, context: { currentDocument } }, options)

    describe('FileManager.Import', () => {
      const types: [file: SentFile, type: string][] = [
        [aNote, 'Note'],
        [aPicture, 'Picture'],
        [aSound, 'Audio'],
        [aFile, 'File'],
        [{ name: 'nothing', content: '' }, 'Note'],
      ]
      for (const [file, type] of types) {
        test(`makes a ${type} of ${file.name}, titled like the file`, async () => {
          const folder = await bench.create('Folder')
          const answer = await importInto(folder.path, [file])
          assert.equal(answer.status, 200, answer.text)
          const { type: made, title, parentRef } = jsonOf(answer)
          assert.deepEqual([made, title, parentRef], [type, file.name, folder.uid])
        })
      }

      test('makes a document of each file of a list, in their order', async () => {
        const { uid } = await bench.create('Folder')
        const { entries, 'entity-type': type } = jsonOf(await importInto(uid, [aNote, aFile, aPicture]))
        assert.equal(type, 'documents')
        assert.deepEqual(
          entries.map((document: Answered) => document.type),
          ['Note', 'File', 'Picture'],
        )
      })

      test('3.11 works on an upload batch, or on a file of one', async () => {
        const { uid, path } = await bench.create('Folder')
        const batch = await beginBatch(server)
        await batch.send(0, 'first', { 'X-File-Name': 'a.txt', 'X-File-Type': 'text/plain' })
        await batch.send(1, 'second', { 'X-File-Name': 'b.txt', 'X-File-Type': 'text/plain' })
        const context = { currentDocument: path }
        const one = await batch.post('/1/execute/FileManager.Import', { context }, { 'X-Batch-No-Drop': 'true' })
        assert.deepEqual([one.status, one.body.title], [200, 'b.txt'])
        const all = requireStatus(200, await batch.post('/execute/FileManager.Import', { context }))
        assert.deepEqual(
          all.entries.map((document: Answered) => document.title),
          ['a.txt', 'b.txt'],
        )
        assert.deepEqual(await titlesIn(uid), ['a.txt', 'b.txt', 'b.txt'])
      })

      test('makes a second document of the same file, or gives the first its new content', async () => {
        const { uid } = await bench.create('Folder')
        const [first, second] = [jsonOf(await importInto(uid, [aNote])), jsonOf(await importInto(uid, [aNote]))]
        assert.notEqual(first.uid, second.uid)
        const over = jsonOf(await importInto(uid, [{ ...aNote, content: 'newer' }], { overwite: true }))
        assert.deepEqual([over.uid, over.properties['note:note']], [first.uid, 'newer'])
        assert.equal((await childrenOf(uid)).length, 2)
      })

      for (const file of [aNote, aFile]) {
        test(`makes one document of ${file.name} when many overwrite at the same time`, async () => {
          const { uid } = await bench.create('Folder')
          const answers = await Promise.all(Array.from({ length: 6 }, () => importInto(uid, [file], { overwite: true })))
          for (const { status, text } of answers) assert.equal(status, 200, text)
          assert.equal((await childrenOf(uid)).length, 1)
        })
      }

      test('finds out what a file is, or takes the word of its sender', async () => {
        const { uid } = await bench.create('Folder')
        const disguised = { name: 'p.png', content: 'a text', type: 'text/plain' }
        assert.equal(jsonOf(await importInto(uid, [disguised])).type, 'Picture')
        assert.equal(jsonOf(await importInto(uid, [disguised], { noMimeTypeCheck: true })).type, 'Note')
      })

      test('goes beside a document that is no folder', async () => {
        const folder = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: folder.path })
        assert.equal(jsonOf(await importInto(uid, [aNote])).parentRef, folder.uid)
      })

      test('keeps what came before a file that cannot be imported', async () => {
        const { uid } = await bench.create('Books')
        const answer = await importInto(uid, [aPicture, aSound, { ...aPicture, name: 'never.png' }])
        assertCallRefused(answer, 400, /of type Audio, and .* of type Books holds none/)
        assert.deepEqual(await titlesIn(uid), ['p.png'])
      })

      test('refuses to work without a folder, in one that is not there, and without a file', async () => {
        const answer = await callWithFiles(server, 'FileManager.Import', [aNote])
        assertCallRefused(answer, 400, /context variable currentDocument, and there is none/)
        assertCallRefused(await importInto('/nowhere', [aNote]), 404, /\/nowhere$/)
        const { uid } = await bench.create('Folder')
        const none = await call('FileManager.Import', { context: { currentDocument: uid } })
        assertCallRefused(none, 400, /no method found for operation 'FileManager.Import'/)
      })

      test('takes the right to add to the folder', async () => {
        const { uid } = await bench.create('Folder')
        await server.addUser('max')
        await bench.restrict(uid, grant('max', 'Read'))
        assertCallRefused(await importInto(uid, [aNote], {}, { user: 'max' }), 403, /'AddChildren' is not granted to 'max'/)
        await bench.restrict(uid, grant('max', 'ReadWrite'))
        assert.equal((await importInto(uid, [aNote], {}, { user: 'max' })).status, 200)
      })
    })

    describe('FileManager.ImportWithProperties', () => {
      const described = (
        currentDocument: string,
        files: readonly SentFile[],
        params: object,
        id = 'FileManager.ImportWithProperties',
      ) => callWithFiles(server, id, files, { params, context: { currentDocument } }, everySchema)

      test('sets the properties with the content, in one save', async () => {
        const { uid } = await bench.create('Folder')
        const properties = { 'dc:title': 'Titled', 'dc:subjects': ['art/comics'] }
        const answer = await described(uid, [aFile], { properties })
        assert.equal(answer.status, 200, answer.text)
        const { properties: made, changeToken, title } = jsonOf(answer)
        assert.deepEqual([title, made['dc:subjects'], made['file:content'].name], ['Titled', ['art/comics'], 'f.pdf'])
        assert.match(changeToken, /^0-/)
      })

      test('takes them as text, and sets them on a document that is overwritten', async () => {
        const { uid } = await bench.create('Folder')
        const first = jsonOf(await described(uid, [aFile], { properties: 'dc:description=one' }))
        const again = { properties: 'dc:description=two\ndc:source=here', overwrite: true }
        const over = jsonOf(await described(uid, [aFile], again))
        assert.equal(over.uid, first.uid)
        assert.deepEqual([over.properties['dc:description'], over.properties['dc:source']], ['two', 'here'])
      })

      test('makes all documents or none', async () => {
        const { uid } = await bench.create('Books')
        const answer = await described(uid, [aPicture, aSound], { properties: {} })
        assertCallRefused(answer, 400, /of type Books holds none/)
        assert.deepEqual(await titlesIn(uid), [])
      })

      test('is taken back with the chain that it is a part of', async () => {
        const { uid } = await bench.create('Folder')
        const answer = await described(uid, [aNote], { properties: {} }, 'importThenFail')
        assertCallRefused(answer, 400, /Property not found: no:where/)
        assert.deepEqual(await titlesIn(uid), [])
      })

      test('takes the word of the sender when it is told not to check', async () => {
        const { uid } = await bench.create('Folder')
        const disguised = { name: 'p.png', content: 'a text', type: 'text/plain' }
        const { type } = jsonOf(await described(uid, [disguised], { properties: {}, mimeTypeCheck: false }))
        assert.equal(type, 'Note')
      })

      test('refuses properties that are unknown or that the document has not, and a call without any', async () => {
        const { uid } = await bench.create('Folder')
        assertCallRefused(await described(uid, [aNote], { properties: { 'no:where': 1 } }), 400, /Property not found: no:where/)
        assertCallRefused(await described(uid, [aNote], { properties: { 'picture:views': [] } }), 400, /Property not found/)
        assertCallRefused(await described(uid, [aNote], {}), 400, /Failed to inject parameter 'properties'/)
        assert.deepEqual(await titlesIn(uid), [])
      })
    })

    describe('FileManager.CreateFolder', () => {
      const created = (input: string, params: object, user = 'Administrator') =>
        operationsOn(server, user)('FileManager.CreateFolder', { input, params }, { properties: '*' })

      test('makes a folder with the title and the properties', async () => {
        const { uid } = await bench.create('Workspace')
        const params = { title: 'Tax / 2031', properties: 'dc:description=paid' }
        const folder = requireStatus(200, await created(uid, params))
        assert.deepEqual([folder.type, folder.title, folder.parentRef], ['Folder', 'Tax / 2031', uid])
        assert.deepEqual([folder.properties['dc:description'], folder.path.split('/').at(-1)], ['paid', 'Tax - 2031'])
      })

      test('is of the type that the place holds', async () => {
        assert.equal(requireStatus(200, await created('/default-domain/workspaces', { title: 'w' })).type, 'Workspace')
        assert.equal(requireStatus(200, await created('/default-domain/sections', { title: 's' })).type, 'Section')
      })

      test('makes a second one of that title, or reuses the first when told to overwrite', async () => {
        const { uid } = await bench.create('Workspace')
        const first = requireStatus(200, await created(uid, { title: 'same' }))
        const second = requireStatus(200, await created(uid, { title: 'same' }))
        assert.notEqual(first.uid, second.uid)
        const over = requireStatus(
          200,
          await created(uid, { title: 'same', overwrite: true, properties: { 'dc:source': 'again' } }),
        )
        assert.deepEqual([over.uid, over.properties['dc:source']], [first.uid, 'again'])
        assert.equal((await childrenOf(uid)).length, 2)
      })

      test('does not take a file or what is in the trash for the folder', async () => {
        const { uid, path } = await bench.create('Workspace')
        const file = await bench.create('File', { 'dc:title': 'same' }, { parent: path })
        const gone = await bench.create('Folder', { 'dc:title': 'same' }, { parent: path })
        await bench.change(gone.uid, { isTrashed: true })
        const made = requireStatus(200, await created(uid, { title: 'same', overwrite: true }))
        assert.ok(![file.uid, gone.uid].includes(made.uid))
      })

      test('makes one folder when many overwrite at the same time', async () => {
        const { uid } = await bench.create('Workspace')
        const answers = await Promise.all(Array.from({ length: 6 }, () => created(uid, { title: 'once', overwrite: true })))
        assert.equal(new Set(answers.map((answer) => requireStatus(200, answer).uid)).size, 1)
      })

      test('refuses a place that holds no folders, a call without a title, and who may not add to it', async () => {
        const books = await bench.create('Books')
        assertCallRefused(await created(books.uid, { title: 'x' }), 400, /of type Folder, and .* of type Books holds none/)
        assertCallRefused(await created(books.uid, {}), 400, /Failed to inject parameter 'title'/)
        assertCallRefused(await created('/nowhere', { title: 'x' }), 404, /\/nowhere$/)
        const { uid } = await bench.create('Workspace')
        await server.addUser('nora')
        await bench.restrict(uid, grant('nora', 'Read'))
        assertCallRefused(await created(uid, { title: 'x' }, 'nora'), 403, /'AddChildren' is not granted to 'nora'/)
      })
    })
  },
  {
    plugins: [
      importThenFail,
      definePlugin({
        name: 'books',
        documentTypes: [
          { name: 'Books', extends: 'Folder', schemas: [], facets: [], subtypes: ['Picture'], forbiddenSubtypes: [] },
        ],
      }),
    ],
  },
)
