import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { defineDocumentType } from '../../src/model/document-type.ts'
import type { Properties } from '../../src/model/properties/property.ts'
import { grant } from '../../src/model/rights/acl.ts'
import type { VersioningPolicy } from '../../src/model/versioning.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel, minor, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const systemType = definePlugin({
  name: 'system-type',
  documentTypes: [
    defineDocumentType('Machine', { extends: 'File', facets: ['SystemDocument'], lifecycle: 'default' }),
    defineDocumentType('MachineNote', { extends: 'Note', lifecycle: 'default' }),
  ],
})

onEachServer(
  'the default versioning policies',
  (server) => {
    const bench = versionBenchOn(server)
    let shared: string
    before(async () => {
      await server.addUser('bob', ['members'])
      const folder = await bench.create('Folder')
      shared = folder.path
      await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    })
    const create = (type: string) => bench.create(type, { 'dc:title': 'first' }, { parent: shared, headers: fetchLabel })
    const saveAsBob = async (uid: string, properties: object) =>
      requireStatus(200, await server.as('bob').put(`/id/${uid}`, changesTo({ ...properties }), fetchLabel))
    const saveInSession = (uid: string, properties: Properties, options = {}) =>
      server.inSession('bob', (session) => saveDocument(session, uid, properties, options))

    describe('8.4 note-as-wiki', () => {
      test('8.4 makes a new Note 0.1 at once, and the next at each save', async () => {
        const note = await create('Note')
        assert.deepEqual([note.versionLabel, note.isCheckedOut], ['0.1', false])
        for (const label of ['0.2', '0.3']) {
          await bench.update(note.uid, { 'note:note': label })
          assert.equal(await bench.label(note.uid), label)
        }
        assert.deepEqual(await bench.listLabels(note.uid), ['0.1', '0.2', '0.3'])
      })
      test('8.4 is for Notes by their exact type', async () => {
        const { uid } = await create('MachineNote')
        assert.equal(await bench.label(uid), '0.0')
      })
    })

    describe('8.4 collaborative-save', () => {
      test('8.4 keeps the state of the contributor before', async () => {
        const { uid } = await create('File')
        assert.equal((await saveAsBob(uid, { 'dc:title': 'his' })).versionLabel, '0.1+')
        const [version] = await server.asSystem(({ tx }) => tx.documents.listVersions(uid))
        assert.deepEqual([version?.properties['dc:title'], version?.properties['dc:lastContributor']], ['first', 'Administrator'])
      })
      test('8.4 not while the contributor stays the same', async () => {
        const { uid } = await create('File')
        await bench.retitle(uid, 'again')
        assert.deepEqual(await bench.listLabels(uid), [])
      })
      test('8.4 is for documents that have the schema file', async () => {
        const { uid } = await create('Collection')
        await saveAsBob(uid, { 'dc:title': 'his' })
        assert.deepEqual(await bench.listLabels(uid), [])
      })
    })

    describe('8.4 what prevents versions', () => {
      test('8.2 a type that is not Versionable, though it has the schema file', async () => {
        const { uid } = await create('Section')
        await saveAsBob(uid, { 'dc:title': 'his' })
        assert.deepEqual(await bench.listLabels(uid), [])
      })
      test('8.4 no-versioning-for-system: a Workspace, though it has the schema file', async () => {
        const { uid } = await create('Workspace')
        await saveAsBob(uid, { 'dc:title': 'his' })
        assert.deepEqual(await bench.listLabels(uid), [])
      })
      test('8.4 no-versioning-for-system: a document with the facet SystemDocument', async () => {
        const { uid } = await create('Machine')
        await saveAsBob(uid, { 'dc:title': 'his', 'dc:lastContributor': 'bob' })
        assert.deepEqual(await bench.listLabels(uid), [])
        const { uid: note } = await create('Note')
        await bench.change(note, { facets: ['SystemDocument'] })
        await bench.retitle(note, 'changed')
        assert.deepEqual(await bench.listLabels(note), ['0.1'])
      })
      test('8.4 disable-versioning: a save whose context says DisableAutomaticVersioning', async () => {
        const { uid } = await create('File')
        await saveInSession(uid, { 'dc:title': 'his' }, { automaticVersioning: false })
        assert.deepEqual(await bench.listLabels(uid), [])
        const { uid: note } = await create('Note')
        await saveInSession(note, { 'dc:title': 'his' }, { automaticVersioning: false })
        assert.deepEqual([await bench.listLabels(note), await bench.label(note)], [['0.1'], '0.1+'])
      })
      test('8.4 disable-versioning: an explicit option counts all the same', async () => {
        const { uid } = await create('File')
        await saveInSession(uid, { 'dc:title': 'his' }, { automaticVersioning: false, versioning: 'major' })
        assert.deepEqual(await bench.listLabels(uid), ['1.0'])
      })
      test('8.4 no-versioning-for-collection: a change of what is in a collection', async () => {
        const { uid } = await create('Note')
        await bench.change(uid, { facets: ['CollectionMember'] })
        await bench.update(uid, { 'collectionMember:collectionIds': ['c'] })
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('8.4 no-versioning-for-faceted-tag: a save that only changes tags', async () => {
        const tags = [{ label: 'blue', username: 'bob' }]
        const { uid } = await create('Note')
        await saveInSession(uid, { 'nxtag:tags': tags })
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
        await saveInSession(uid, { 'nxtag:tags': [], 'dc:title': 'more than tags' })
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      })
    })

    test('8.4 the two moments decide for themselves: one may version before, the other after', async () => {
      const { uid } = await create('Note')
      await bench.change(uid, { facets: ['Picture'], isCheckedIn: false })
      await saveAsBob(uid, { 'dc:title': 'his' })
      assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2', '0.3'])
    })
  },
  { plugins: [systemType] },
)

const policies: readonly VersioningPolicy[] = [
  {
    id: 'audio-begins-at-one',
    order: 30,
    when: 'after',
    increment: 'none',
    types: ['Audio'],
    initialVersion: { major: 1, minor: 2 },
  },
  {
    id: 'audio-begins-later',
    order: 31,
    when: 'after',
    increment: 'none',
    types: ['Audio'],
    initialVersion: { major: 9, minor: 9 },
  },
  {
    id: 'approved-is-final',
    order: 40,
    when: 'after',
    increment: 'none',
    types: ['Note'],
    condition: ({ after }) => after.state === 'approved',
  },
  {
    id: 'pictures-are-major',
    order: 41,
    when: 'after',
    increment: 'major',
    facets: ['Picture'],
    condition: ({ before }) => before !== undefined,
  },
  { id: 'collections', order: 42, when: 'before', increment: 'major', schemas: ['collection'] },
  { id: 'folders-begin', order: 43, when: 'after', increment: 'none', types: ['Folder'], initialVersion: { major: 5, minor: 0 } },
]

onEachServer(
  'a versioning policy of a plugin',
  (server) => {
    const bench = versionBenchOn(server)

    test('8.4 gives new documents their first numbers; of several the first in order', async () => {
      const created = await bench.create('Audio', {}, { headers: { ...fetchLabel, properties: 'uid' } })
      assert.deepEqual([created.versionLabel, created.isCheckedOut], ['1.2+', true])
      assert.deepEqual([created.properties['uid:major_version'], created.properties['uid:minor_version']], [1, 2])
      assert.equal(created.changeToken, '0-0')
      await bench.retitle(created.uid, 'x', minor)
      assert.deepEqual(await bench.listLabels(created.uid), ['1.3'])
    })
    test('8.4 gives them before the version that is asked for at creation', async () => {
      const { versionLabel } = await bench.create('Audio', {}, { headers: { ...fetchLabel, ...minor } })
      assert.equal(versionLabel, '1.3')
    })
    test('8.4 gives no numbers to what is not Versionable', async () => {
      const { uid } = await bench.create('Folder')
      assert.equal((await bench.row(uid)).majorVersion, 0)
    })
    test('8.4 that comes first wins over the default ones', async () => {
      const { uid } = await bench.create('Note')
      await bench.change(uid, { state: 'approved', isCheckedIn: false })
      await bench.retitle(uid, 'final')
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
    })
    test('8.4 that does not match leaves it to the next', async () => {
      const { uid } = await bench.create('Note')
      await bench.retitle(uid, 'draft')
      assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
    })
    test('8.4 may match by facet and by what was before', async () => {
      const { uid } = await bench.create('Picture')
      assert.deepEqual(await bench.listLabels(uid), [], 'nothing was before it was created')
      await bench.retitle(uid, 'x')
      assert.deepEqual(await bench.listLabels(uid), ['1.0'])
    })
    test('8.4 may match by schema, and before the change', async () => {
      const { uid } = await bench.create('Collection', { 'dc:title': 'first' })
      await bench.retitle(uid, 'second')
      const [version] = await server.asSystem(({ tx }) => tx.documents.listVersions(uid))
      assert.deepEqual([version?.majorVersion, version?.properties['dc:title']], [1, 'first'])
      assert.equal(await bench.label(uid), '1.0+')
    })
    test('8.4 cannot undo what the reserved ones prevent', async () => {
      const { uid } = await bench.create('Picture')
      const options = { automaticVersioning: false }
      await server.inSession('Administrator', (session) => saveDocument(session, uid, { 'dc:title': 'x' }, options))
      assert.deepEqual(await bench.listLabels(uid), [])
    })
  },
  { plugins: [definePlugin({ name: 'policies', versioningPolicies: policies })] },
)
