import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../src/base/ids.ts'
import { type ImportedDocument, importDocument } from '../../src/core/documents/import-document.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()

onEachServer(
  'importing a document with its id',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder')
      await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'Everything')] }])
    })
    const bring = (given: Partial<ImportedDocument> = {}, user = 'Administrator') =>
      server.inSession(user, async (session) => {
        const parent = await readDocument(session, folder.uid)
        return importDocument(session, { id: newId(), parent, type: 'File', name: 'brought', properties: {}, ...given })
      })

    test('9 gives it that id, and leaves creator and dates as they came', async () => {
      const id = newId()
      const properties = { 'dc:title': 'Brought', 'dc:creator': 'alice', 'dc:modified': '2011-11-11T11:11:11.000Z' }
      await bring({ id, name: 'old name', properties })
      const read = await bench.read(id, inFull)
      assert.deepEqual([read.uid, read.path, read.title], [id, `${folder.path}/old name`, 'Brought'])
      assert.deepEqual([read.properties['dc:creator'], read.properties['dc:lastContributor']], ['alice', null])
      assert.equal(read.properties['dc:modified'], '2011-11-11T11:11:11.000Z')
    })
    test('9 takes the state, version numbers, facets and rights that it came with', async () => {
      const { id } = await bring({
        facets: ['WebView'],
        acls: [{ name: 'local', aces: [grant('bob', 'Read')] }],
        history: { majorVersion: 2, minorVersion: 3 },
        options: { initialState: 'approved' },
      })
      const read = await bench.read(id, inFull)
      assert.deepEqual([read.state, read.versionLabel, read.facets.includes('WebView')], ['approved', '2.3+', true])
      const stored = await server.asSystem(({ tx }) => tx.documents.find(id))
      assert.deepEqual(stored?.acls[0]?.aces[0]?.username, 'bob')
      await assertRefusal(bring({ options: { initialState: 'nonsense' } }), 400, /nonsense/)
    })
    test('3 keeps no facet that its type has anyway, and refuses one that nobody can have with 400', async () => {
      const { id } = await bring({ facets: ['WebView', 'Versionable', 'WebView'] })
      assert.deepEqual((await server.asSystem(({ tx }) => tx.documents.find(id)))?.facets, ['WebView'])
      for (const facet of ['Nope', 'Immutable']) {
        await assertRefusal(bring({ facets: [facet] }), 400, `No such facet: ${facet}`)
      }
    })
    test('11.2 is for administrators: 403', async () => {
      await assertRefusal(bring({}, 'bob'), 403, /administrators/)
    })
    test('9 of an id that is there already is a conflict: 409', async () => {
      const { id } = await bring()
      await assertRefusal(bring({ id }), 409, new RegExp(id))
      await assertRefusal(bring({ id: folder.uid }), 409, /already/)
    })
    for (const id of ['', ' ', 'a/b', '..', 'a;id=b', 'ä', 'x'.repeat(101)]) {
      test(`9 of the id ${JSON.stringify(id.slice(0, 10))} is refused with 400: no address could name it`, async () => {
        await assertRefusal(bring({ id }), 400, /^A document cannot have the id /)
      })
    }
    describe('9 names', () => {
      test('that are taken get the time behind a dot', async () => {
        await bring({ name: 'taken' })
        assert.match((await bring({ name: 'taken' })).name, /^taken\.\d{13}$/)
      })
      test('that are empty become a random number, and a slash is refused with 400', async () => {
        assert.match((await bring({ name: '' })).name, /^[1-9]\d*$/)
        await assertRefusal(bring({ name: 'a/b' }), 400, /slash/)
      })
    })
    test('13 validates what came with it', async () => {
      await assertRefusal(bring({ properties: { 'dc:description': 'x'.repeat(2001) } }), 400, /dc:description/)
    })
    test('9 may be without a place', async () => {
      const { id } = await bring({ parent: null, name: 'nowhere' })
      assert.deepEqual((await bench.read(id)).path, 'nowhere')
    })
    test('16 tells aboutToImport and documentImported, and neither creation nor stamping', async () => {
      const events = await recorder.eventsOf(() => bring({ name: 'told' }))
      const names = events.map(({ name }) => name).filter((name) => name !== 'sessionSaved')
      assert.deepEqual(names, ['aboutToImport', 'documentImported'])
      const told = { destinationRef: folder.uid, destinationPath: folder.path, destinationName: 'told', destinationExists: false }
      for (const name of names) assert.deepEqual(readEvent(events, name).properties, told)
    })
  },
  { plugins: [recorder.plugin] },
)
