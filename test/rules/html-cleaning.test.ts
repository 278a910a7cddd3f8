import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { importDocument } from '../../src/core/documents/import-document.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { bulkOn } from '../support/bulk.ts'
import { callWithFiles, jsonOf } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused, changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { versionBenchOn } from '../support/version-bench.ts'
import { requireStatus, workspaces } from '../support/workbench.ts'

const hostile = '<p>read <b>this</b></p><script>alert(1)</script><img src="x.png" onerror="alert(2)">'
const clean = '<p>read <b>this</b></p><img src="x.png" />'

/** A listener that is as careless as a client. */
const careless = definePlugin({
  name: 'careless',
  listeners: [
    {
      name: 'careless',
      when: 'inline',
      events: ['aboutToCreate', 'beforeDocumentModification'],
      order: 1000,
      handle: ({ document }) =>
        document.properties['dc:source'] === 'careless'
          ? { ...document, properties: { ...document.properties, 'note:note': hostile } }
          : undefined,
    },
  ],
})

onEachServer(
  '16 HTML that is stored',
  (server) => {
    const bench = versionBenchOn(server)
    const bulk = bulkOn(server)
    const call = (operation: string, input: string, params: object = {}) => operationsOn(server)(operation, { input, params })
    const noteOf = async (uid: string) => (await bench.readProperties(uid))['note:note']
    const createNote = async (properties: object = {}) => (await bench.create('Note', properties)).uid as string
    before(() => server.addUser('bob'))

    /** Every way by which a text becomes that of a note; each gives the note. */
    const ways: { readonly [way: string]: () => Promise<string> } = {
      POST: () => createNote({ 'note:note': hostile }),
      'POST with a type of its own': () => createNote({ 'note:note': hostile, 'note:mime_type': 'text/html' }),
      'POST with a type that nobody knows': () => createNote({ 'note:note': hostile, 'note:mime_type': 'TEXT/PLAIN' }),
      PUT: async () => (await bench.update(await createNote(), { 'note:note': hostile })).uid,
      'PUT through a proxy': async () => {
        const uid = await createNote()
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, uid)
        await bench.update(proxy, { 'note:note': hostile })
        return uid
      },
      'PUT of a type alone': async () => {
        const uid = await createNote({ 'note:note': hostile, 'note:mime_type': 'text/plain' })
        assert.equal(await noteOf(uid), hostile)
        await bench.update(uid, { 'note:mime_type': 'text/html' })
        return uid
      },
      'Document.Create': async () => {
        const params = { type: 'Note', name: 'made', properties: { 'note:note': hostile } }
        return requireStatus(200, await call('Document.Create', workspaces, params)).uid
      },
      'Document.SetProperty': async () => {
        const uid = await createNote()
        requireStatus(200, await call('Document.SetProperty', uid, { xpath: 'note:note', value: hostile }))
        return uid
      },
      'Document.Update': async () => {
        const uid = await createNote()
        requireStatus(200, await call('Document.Update', uid, { properties: { 'note:note': hostile } }))
        return uid
      },
      'FileManager.Import': async () => {
        const file = { name: `${Math.random()}.html`, content: hostile, type: 'text/html' }
        const { path } = await bench.create('Folder')
        const context = { currentDocument: path }
        return jsonOf(await callWithFiles(server, 'FileManager.Import', [file], { context })).uid
      },
      'the bulk action setProperties': async () => {
        const uid = await createNote()
        const query = `SELECT * FROM Note WHERE ecm:uuid = '${uid}'`
        const parameters = JSON.stringify({ 'note:note': hostile })
        await bulk.ended(await bulk.start({ action: 'setProperties', query, parameters }, 'Administrator'))
        return uid
      },
      'an import under an id': async () => {
        const properties = { 'note:note': hostile }
        const imported = { id: `note-${Math.random()}`.replace('.', '-'), parent: null, type: 'Note', name: 'n', properties }
        return (await server.inSession('Administrator', (session) => importDocument(session, imported))).id
      },
      'a listener of creations': () => createNote({ 'dc:source': 'careless' }),
      'a listener of saves': async () => (await bench.update(await createNote(), { 'dc:source': 'careless' })).uid,
      'a version from before': async () => {
        const uid = await createNote({ 'note:note': 'first' })
        const { baseVersionId } = await bench.row(uid)
        const version = await bench.row(baseVersionId ?? '')
        await bench.change(version.id, { properties: { ...version.properties, 'note:note': hostile } })
        await bench.update(uid, { 'note:note': 'second' })
        await server.inSession('Administrator', (session) => restoreVersion(session, uid, version.id))
        return uid
      },
    }
    describe('has nothing in it that a browser would run, when it comes by', () => {
      for (const [way, store] of Object.entries(ways)) test(way, async () => assert.equal(await noteOf(await store()), clean))
    })
    test('is cleaned wherever a field is shown as HTML', async () => {
      for (const [type, property] of [
        ['Workspace', 'webc:welcomeText'],
        ['Comment', 'comment:text'],
      ] as const) {
        const { uid } = await bench.create(type, { [property]: hostile })
        assert.equal((await bench.readProperties(uid))[property], clean, property)
      }
    })
    test('is left as it is in notes of plain text, Markdown and XML, and where it is no markup at all', async () => {
      for (const type of ['text/plain', 'text/x-web-markdown', 'text/xml']) {
        assert.equal(await noteOf(await createNote({ 'note:note': hostile, 'note:mime_type': type })), hostile)
      }
      const plain = 'Research & Development > all &amp; everything'
      assert.equal(await noteOf(await createNote({ 'note:note': plain })), plain)
    })
    test('is refused where cleaning it would hold everybody up, and its file becomes one', async () => {
      const { uid } = await bench.create('Note')
      const put = (note: string) => server.as('Administrator').put(`/id/${uid}`, changesTo({ 'note:note': note }))
      assertRefused(await put('<b>'.repeat(1_001)), 400, /^note:note .* more than 1000 elements in each other/)
      assertRefused(await put(`<p>${'x'.repeat(300_000)}`), 400, /^note:note .* 300003 characters .* 300000 are allowed/)
      const { path } = await bench.create('Folder')
      const file = { name: 'deep.html', content: '<b>'.repeat(50_000), type: 'text/html' }
      const answer = await callWithFiles(server, 'FileManager.Import', [file], { context: { currentDocument: path } })
      assert.equal(jsonOf(answer).type, 'File')
    })
  },
  { plugins: [careless] },
)
