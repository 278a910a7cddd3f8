import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { operationBenchOn } from '../support/operation-bench.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'

const set = (xpath: string, value: string, save: boolean): ChainStep => ({
  operation: 'Document.SetProperty',
  params: { xpath, value, save },
})
const create: ChainStep = { operation: 'Document.Create', params: { type: 'Note', name: 'made' } }

const chains: { readonly [id: string]: readonly ChainStep[] } = {
  saveLater: [set('dc:title', 'one', false), set('dc:source', 'two', false), { operation: 'Document.Save' }],
  saveWithTheLast: [set('dc:title', 'one', false), set('dc:source', 'two', true)],
  neverSave: [set('dc:title', 'one', false), { operation: 'Document.Lock' }],
  reloadInBetween: [set('dc:title', 'one', false), { operation: 'Document.Reload' }, set('dc:source', 'two', true)],
  saveElsewhereInBetween: [set('dc:title', 'one', false), { operation: 'Document.Lock' }, { operation: 'Document.Save' }],
  facetThenProperty: [
    { operation: 'Document.AddFacet', params: { facet: 'Picture', save: false } },
    set('picture:cropCoords', 'all', false),
    { operation: 'Document.Save' },
  ],
  facetTakenBack: [
    { operation: 'Document.AddFacet', params: { facet: 'Picture', save: false } },
    { operation: 'Document.RemoveFacet', params: { facet: 'Picture', save: false } },
    { operation: 'Document.Save' },
  ],
  wordsOneByOne: [
    { operation: 'AddEntryToMultivaluedProperty', params: { xpath: 'spc:words', value: 'a', save: false } },
    { operation: 'AddEntryToMultivaluedProperty', params: { xpath: 'spc:words', value: 'b', save: true } },
  ],
  versionLater: [
    { operation: 'Document.CreateVersion', params: { increment: 'Major', saveDocument: false } },
    set('dc:title', 'one', true),
  ],
  fetchTheVersion: [
    { operation: 'Document.CheckIn', params: { version: 'minor', comment: 'kept', versionVarName: 'made' } },
    { operation: 'Repository.GetDocument', params: { value: 'expr:Context["made"]' } },
  ],
  tokenLater: [
    { operation: 'Document.Update', params: { properties: 'dc:title=one', changeToken: '0-7', save: false } },
    { operation: 'Document.Save' },
  ],
  createAndFail: [create, { operation: 'Document.FollowLifecycleTransition', params: { value: 'nope' } }],
  createApproveAndPublish: [
    create,
    { operation: 'Document.FollowLifecycleTransition', params: { value: 'approve' } },
    { operation: 'Document.PublishToSection', params: { target: '/default-domain/sections' } },
    { operation: 'Proxy.GetSourceDocument' },
  ],
  childrenIntoTrash: [{ operation: 'Document.GetChildren' }, { operation: 'Document.Trash' }],
  noteOfChildren: [
    { operation: 'Document.GetChildren' },
    { operation: 'Document.Filter', params: { types: 'Note' } },
    { operation: 'Document.Delete' },
  ],
}

const plugin = definePlugin({
  name: 'chainsOfDocuments',
  chains: Object.entries(chains).map(([id, steps]) => defineChain({ id, steps })),
})

onEachServer(
  'documents in chains',
  (server) => {
    const bench = operationBenchOn(server)
    const make = async (properties: object = { 'dc:title': 'stored' }): Promise<string> =>
      (await bench.make('Specimen', properties)).uid
    const titleAndSource = async (uid: string) => {
      const { 'dc:title': title, 'dc:source': source } = await bench.readProperties(uid)
      return [title, source]
    }

    describe('changes that are not saved at once', () => {
      test('are stored together by Document.Save, in one change', async () => {
        const uid = await make()
        const { changeToken } = await bench.run('saveLater', uid)
        assert.deepEqual([await titleAndSource(uid), changeToken], [['one', 'two'], '1-0'])
      })
      test('are stored by the next step that saves', async () => {
        const uid = await make()
        await bench.run('saveWithTheLast', uid)
        assert.deepEqual(await titleAndSource(uid), ['one', 'two'])
      })
      test('are lost when no step saves', async () => {
        const uid = await make()
        await bench.run('neverSave', uid)
        assert.deepEqual(await titleAndSource(uid), ['stored', null])
      })
      test('are forgotten by Document.Reload', async () => {
        const uid = await make()
        await bench.run('reloadInBetween', uid)
        assert.deepEqual(await titleAndSource(uid), ['stored', 'two'])
      })
      test('wait while other steps store something else', async () => {
        const uid = await make()
        await bench.run('saveElsewhereInBetween', uid)
        assert.deepEqual(await titleAndSource(uid), ['one', null])
      })
      test('of several documents are those of each', async () => {
        const uids = [await make(), await make()]
        await bench.run('saveLater', uids)
        for (const uid of uids) assert.deepEqual(await titleAndSource(uid), ['one', 'two'])
      })
      test('add up in a list', async () => {
        const uid = await make({})
        await bench.run('wordsOneByOne', uid)
        assert.deepEqual((await bench.readProperties(uid))['spc:words'], ['a', 'b'])
      })
      test('may be facets, whose properties can be set before they are stored', async () => {
        const uid = await make()
        await bench.run('facetThenProperty', uid)
        const { facets, properties } = await bench.row(uid)
        assert.deepEqual([facets, properties['picture:cropCoords']], [['Picture'], 'all'])
      })
      test('may take themselves back', async () => {
        const uid = await make()
        await bench.run('facetTakenBack', uid)
        assert.deepEqual((await bench.row(uid)).facets, [])
      })
      test('may be a version, made when the document is saved', async () => {
        const uid = await make()
        await bench.run('versionLater', uid)
        assert.deepEqual(await bench.listLabels(uid), ['1.0'])
        assert.equal((await bench.run('Document.GetLastVersion', uid)).title, 'one')
      })
      test('are refused by a stale token when they are stored', async () => {
        const uid = await make()
        assertRefused(await bench.call('tokenLater', uid), 409, new RegExp(`Document\\.Save, ${uid}$`))
        assert.deepEqual(await titleAndSource(uid), ['stored', null])
      })
    })

    describe('Document.Save', () => {
      test('without anything to store gives the document as it is', async () => {
        const uid = await make()
        const before = await bench.read(uid, { properties: '*' })
        await bench.run('Document.Save', [uid], {}, { as: 'writer' })
        assert.deepEqual(await bench.read(uid, { properties: '*' }), before)
      })
      test('is refused to who can only read', async () => {
        assertRefused(await bench.call('Document.Save', await make(), {}, { as: 'reader' }), 403, /WriteProperties/)
      })
    })

    describe('Document.Reload', () => {
      test('gives what is stored, not what was sent', async () => {
        const uid = await make()
        const input = { 'entity-type': 'document', uid, properties: { 'dc:title': 'sent' } }
        assert.equal((await bench.run('Document.Reload', input, {}, { as: 'reader' })).title, 'stored')
      })
      test('is refused for what was never stored', async () => {
        const answer = await bench.call('Document.Reload', { 'entity-type': 'document', type: 'File', name: 'new' })
        assert.equal(answer.status, 404)
      })
    })

    describe('nothing is kept about what was never stored', () => {
      const draft = { 'entity-type': 'document', type: 'File', name: 'draft', properties: { 'dc:title': 'Draft' } }
      test('no task', async () => {
        const params = { 'task name': 'about nothing', 'additional list of actors prefixed ids': ['user:reader'] }
        assertRefused(await bench.call('Task.Create', draft, params), 400, /The File was never stored/)
        const query = "SELECT * FROM TaskDoc WHERE nt:name = 'about nothing'"
        assert.deepEqual((await bench.run('Repository.Query', undefined, { query })).entries, [])
      })
      test('no row of the audit log', async () => {
        const params = { event: 'reviewedNothing' }
        assertRefused(await bench.call('Audit.LogEvent', draft, params), 400, /The File was never stored/)
        const query = "from LogEntry log where log.eventId = 'reviewedNothing'"
        assert.deepEqual(await bench.run('Audit.Query', undefined, { query }), [])
      })
    })

    describe('steps work on what the one before gave', () => {
      test('the version of a check-in is in the variable that was asked for', async () => {
        const uid = await make()
        const version = await bench.run('fetchTheVersion', uid)
        assert.deepEqual([version.isVersion, version.versionableId], [true, uid])
        assert.equal((await bench.run('fetchTheVersion', uid)).uid, version.uid)
      })
      test('a document is created, approved, published, and found again', async () => {
        const folder = await bench.make('Folder')
        const made = await bench.run('createApproveAndPublish', folder.uid)
        assert.deepEqual([made.parentRef, made.state, made.type], [folder.uid, 'approved', 'Note'])
      })
      test('all children of a folder go into the trash', async () => {
        const folder = await bench.make('Folder')
        const uids = []
        for (const type of ['File', 'Note']) uids.push((await bench.make(type, {}, { parent: folder.path })).uid)
        await bench.run('childrenIntoTrash', folder.uid, {}, { as: 'writer' })
        for (const uid of uids) assert.equal((await bench.read(uid)).isTrashed, true)
      })
      test('of the children only those that pass the filter are removed', async () => {
        const folder = await bench.make('Folder')
        const [file, note] = [
          await bench.make('File', {}, { parent: folder.path }),
          await bench.make('Note', {}, { parent: folder.path }),
        ]
        await bench.run('noteOfChildren', folder.uid)
        assert.deepEqual([await bench.exists(file.uid), await bench.exists(note.uid)], [true, false])
      })
    })

    test('a chain that fails leaves nothing of what it made', async () => {
      const folder = await bench.make('Folder')
      const message =
        'Failed to invoke operation: createAndFail, ' +
        'Failed to invoke operation Document.FollowLifecycleTransition with aliases [Document.SetLifeCycle], ' +
        'Not allowed to follow transition nope from state project'
      assertRefused(await bench.call('createAndFail', folder.uid), 409, message)
      assert.deepEqual(await bench.listChildren(folder.uid), [])
    })
  },
  { plugins: [specimens, plugin] },
)
