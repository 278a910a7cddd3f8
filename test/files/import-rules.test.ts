import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import type { Importer } from '../../src/core/file-imports/importer.ts'
import { importers } from '../../src/features/file-import/importers.ts'
import { importAs, importFile, prepareImport, storedFile } from '../../src/features/file-import/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { type ImportOptions, importTestFile, type TestFile } from '../support/imported-file.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()

onEachServer(
  'importing a file',
  (server) => {
    const bench = workbenchOn(server)
    let space: Answered
    before(async () => {
      space = await bench.create('Workspace')
      await server.addUser('bob', ['members'])
    })
    const imported = (file: TestFile, options?: ImportOptions) => importTestFile(server, space.path, file, options)
    const childrenOf = async (path: string) => (await server.as('Administrator').get(`/path${path}/@children`)).body.entries

    const names: readonly [what: string, name: string, title: string][] = [
      ['its name', 'Plan of 2031.pdf', 'Plan of 2031.pdf'],
      ['its name without blanks around it', '  plan.pdf ', 'plan.pdf'],
      ['its name without folders', 'C:\\Users\\ann/docs\\plan.pdf', 'plan.pdf'],
      ['its name, composed', 'cafe\u0301.pdf', 'café.pdf'],
    ]
    for (const [what, name, title] of names) {
      test(`13 the title is ${what}`, async () => assert.equal((await imported({ name })).properties['dc:title'], title))
    }

    test('13 a file without a name is titled with a number of its own', async () => {
      const titles = []
      for (const name of [null, '', '   ', 'a/'])
        titles.push((await imported({ name, type: 'image/png' })).properties['dc:title'])
      for (const title of titles) assert.match(String(title), /^\d{5,}$/)
      assert.equal(new Set(titles).size, titles.length)
    })

    test('13 the file in the document has no folders in its name, which is composed', async () => {
      const { id } = await imported({ name: 'docs/cafe\u0301.pdf' })
      assert.equal((await bench.readProperties(id))['file:content'].name, 'café.pdf')
    })

    test('13 the path segment is made of the title and unique among the siblings', async () => {
      const first = await imported({ name: 'a title longer than twenty four.pdf' })
      const second = await imported({ name: 'a title longer than twenty four.pdf' })
      assert.equal(first.name, 'a title longer than twen')
      assert.match(second.name, /^a title longer than twen\.\d+$/)
      assert.notEqual(first.id, second.id)
    })

    test('13 a document that is no folder has its siblings grow', async () => {
      const note = await bench.create('Note', {}, { parent: space.path })
      const document = await importTestFile(server, note.path, { name: 'beside.pdf' })
      assert.equal(document.parentId, space.uid)
    })

    test('13 a version is neither a folder nor in one', async () => {
      const { uid, path } = await bench.create('File', {}, { parent: space.path })
      await bench.update(uid, { 'dc:title': 'v' }, { 'X-Versioning-Option': 'MINOR' })
      const version = await server.asSystem(({ tx }) => tx.documents.findLatestVersion(uid))
      assert.ok(version, path)
      const repository = server.services.repositories.get('default')
      assert.ok(repository)
      const blob = { ...(await repository.blobs.write(Buffer.from('x'))), name: 'a.pdf', 'mime-type': null, encoding: null }
      const prepared = await prepareImport(server.services, storedFile(repository.blobs, blob))
      assert.ok(prepared)
      await assert.rejects(
        server.asSystem((session) => importFile(session, prepared, { parent: version })),
        { kind: 'invalid', message: /neither in a folder nor one/ },
      )
    })

    test('13 whoever may not add to the folder is refused, and nothing is made', async () => {
      const folder = await bench.create('Folder', {}, { parent: space.path })
      await bench.restrict(folder.uid, grant('bob', 'Read'))
      await assert.rejects(importTestFile(server, folder.path, { name: 'a.pdf' }, { user: 'bob' }), {
        kind: 'forbidden',
        message: /'AddChildren' is not granted to 'bob'/,
      })
      assert.deepEqual(await childrenOf(folder.path), [])
    })

    test('13 whoever may not read the properties of the folder is refused', async () => {
      const folder = await bench.create('Folder', {}, { parent: space.path })
      await bench.restrict(folder.uid, grant('bob', 'Browse'), grant('bob', 'AddChildren'))
      const note = await bench.create('Note', {}, { parent: folder.path })
      await bench.setAcls(note.uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
      await assert.rejects(importTestFile(server, note.path, { name: 'a.pdf' }, { user: 'bob' }), {
        kind: 'forbidden',
        message: /'ReadProperties' is not granted to 'bob'/,
      })
    })

    test('13 a type that the folder does not hold is refused with both names, and no File is made instead', async () => {
      const book = await bench.create('PictureBook', {}, { parent: space.path })
      await assert.rejects(importTestFile(server, book.path, { name: 'a.mp3' }), {
        kind: 'invalid',
        message: /of type Audio, and \/.* of type PictureBook holds none/,
      })
      assert.deepEqual(await childrenOf(book.path), [])
      assert.equal((await importTestFile(server, book.path, { name: 'a.png' })).type, 'Picture')
    })

    test('13 properties that are given are set with the content, in the one save', async () => {
      const given = { 'dc:description': 'of note', 'dc:title': 'A' }
      const events = await recorder.eventsOf(() => imported({ name: 'a.pdf' }, { propertiesFor: () => given }))
      const { properties } = readEvent(events, 'documentCreated').document
      assert.deepEqual([properties['dc:title'], properties['dc:description']], ['A', 'of note'])
      assert.deepEqual(
        events.map(({ name }) => name),
        ['emptyDocumentModelCreated', 'aboutToCreate', 'documentCreated'],
      )
    })

    test('13 the save says which importer it comes from', async () => {
      const sources: unknown[] = []
      for (const name of ['a.png', 'a.mp4', 'a.mp3', 'a.txt', 'a.pdf']) {
        const events = await recorder.eventsOf(() => imported({ name }))
        sources.push(readEvent(events, 'documentCreated').options.source)
      }
      const names = ['Imageplugin', 'VideoImporter', 'AudioImporter', 'NoteImporter', 'DefaultFileImporter']
      assert.deepEqual(
        sources,
        names.map((name) => `fileimporter-${name}`),
      )
    })

    describe('over one that is there', () => {
      let folder: Answered
      const again = (file: TestFile, options: ImportOptions = { overwrite: true }) =>
        importTestFile(server, folder.path, file, options)
      const fresh = async () => {
        folder = await bench.create('Folder', {}, { parent: space.path })
      }

      test('13 without a wish to overwrite makes a second document', async () => {
        await fresh()
        await again({ name: 'a.pdf' }, {})
        await again({ name: 'a.pdf' }, {})
        assert.equal((await childrenOf(folder.path)).length, 2)
      })

      for (const name of ['a.pdf', 'a.png', 'a.mp4', 'a.mp3']) {
        test(`13 replaces the content of ${name}`, async () => {
          await fresh()
          const first = await again({ name, content: 'one' })
          const events = await recorder.eventsOf(() => again({ name, content: 'other' }))
          const { document, options } = readEvent(events, 'documentModified')
          assert.equal(document.id, first.id)
          assert.match(String(options.source), /^fileimporter-/)
          assert.equal((await bench.readProperties(first.id))['file:content'].length, '5')
        })
      }

      test('13 replaces the text of a note', async () => {
        await fresh()
        const first = await again({ name: 'a.md', content: 'one' })
        const second = await again({ name: 'a.md', content: 'other' })
        assert.deepEqual([second.id, second.properties['note:note']], [first.id, 'other'])
      })

      test('13 knows a File and a Picture by the name of the file, whatever the title is by now', async () => {
        await fresh()
        const first = await again({ name: "it's.pdf" })
        await bench.update(first.id, { 'dc:title': 'Renamed' })
        const second = await again({ name: "it's.pdf", content: 'other' })
        assert.deepEqual([second.id, second.properties['dc:title']], [first.id, 'Renamed'])
      })

      test('13 knows other documents by their titles', async () => {
        await fresh()
        const film = await again({ name: 'a.mp4' })
        await bench.update(film.id, { 'dc:title': 'b.mp4' })
        assert.equal((await again({ name: 'b.mp4', content: 'other' })).id, film.id)
        assert.notEqual((await again({ name: 'a.mp4' })).id, film.id)
      })

      test('13 leaves alone what is in the trash', async () => {
        await fresh()
        const first = await again({ name: 'a.pdf' })
        await server.asSystem((session) => trashDocument(session, first.id))
        assert.notEqual((await again({ name: 'a.pdf' })).id, first.id)
      })

      test('13 leaves alone what is elsewhere, what cannot hold the content, folders and proxies', async () => {
        await fresh()
        const inside = await bench.create('Folder', { 'dc:title': 'a.mp4' }, { parent: folder.path })
        const note = await bench.create('Note', { 'dc:title': 'a.mp4' }, { parent: folder.path })
        const elsewhere = await imported({ name: 'a.mp4' })
        await bench.createProxy(folder.uid, elsewhere.id)
        const made = await again({ name: 'a.mp4' })
        assert.equal([inside.uid, note.uid, elsewhere.id].includes(made.id), false)
        assert.equal(made.isProxy, false)
      })

      test('13 needs the right to write it', async () => {
        await fresh()
        const first = await again({ name: 'a.pdf', content: 'one' })
        await bench.restrict(folder.uid, grant('bob', 'Read'), grant('bob', 'AddChildren'))
        await assert.rejects(again({ name: 'a.pdf', content: 'other' }, { overwrite: true, user: 'bob' }), {
          kind: 'forbidden',
          message: /'WriteProperties' is not granted to 'bob'/,
        })
        assert.equal((await bench.readProperties(first.id))['file:content'].length, '3')
      })
    })
  },
  { plugins: [recorder.plugin] },
)

const invoiceImporter: Importer = {
  name: 'InvoiceImporter',
  order: 5,
  mimeTypes: ['application/pdf'],
  async prepare(file) {
    if (!file.name.startsWith('INV-')) return undefined
    const content = { 'file:content': await file.store(), 'dc:source': 'post' }
    return (session, target) => importAs(session, target, { type: 'File', content, existing: 'fileName' })
  },
}

onEachServer(
  'importers of a plugin',
  (server) => {
    test('are asked in their order, and pass on what is not for them', async () => {
      const { path } = await workbenchOn(server).create('Workspace')
      const [invoice, other] = [
        await importTestFile(server, path, { name: 'INV-1.pdf' }),
        await importTestFile(server, path, { name: 'a.pdf' }),
      ]
      assert.deepEqual([invoice.properties['dc:source'], other.properties['dc:source'] ?? null], ['post', null])
    })
  },
  { plugins: [definePlugin({ name: 'invoices', importers: [invoiceImporter] })] },
)

describe('a type', () => {
  const file = {
    name: 'a',
    mimeType: 'image/png',
    encoding: null,
    length: 0,
    read: () => Promise.reject(new Error('nobody reads it')),
    store: async () => ({ key: 'k', digest: 'k', digestAlgorithm: 'MD5', length: 0 }),
  }
  test('that no importer takes is nothing to import', async () => {
    assert.equal(await prepareImport({ importers: [] }, file), undefined)
  })
  test('is matched as a whole', async () => {
    const taking = (mimeTypes: readonly string[]) => [{ ...invoiceImporter, mimeTypes, prepare: importers[4]?.prepare ?? fail }]
    const fail = () => assert.fail('there is an importer for all files')
    assert.equal(await prepareImport({ importers: taking(['image/pn', 'mage/png', 'image/jpeg|pn']) }, file), undefined)
    assert.equal((await prepareImport({ importers: taking(['image/.*']) }, file))?.importer, 'InvoiceImporter')
  })
})
