import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { Listener } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel, minor, namesOf, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus, workspaces } from '../support/workbench.ts'

const recorder = createEventRecorder()
/** Does to a document what its `dc:source` says. */
const obedient: Listener = {
  name: 'obedient',
  when: 'inline',
  events: ['beforeDocumentModification'],
  handle({ document }) {
    const order = document.properties['dc:source']
    if (typeof order !== 'string') return undefined
    const [verb, word = ''] = order.split(' ')
    if (verb === 'rename') return { ...document, name: word }
    if (verb === 'nature') return { ...document, properties: { ...document.properties, 'dc:nature': word } }
    if (verb === 'facet') return { ...document, facets: [...new Set([...document.facets, word])] }
    return undefined
  },
}

onEachServer(
  'the save algorithm',
  (server) => {
    const bench = versionBenchOn(server)
    before(async () => {
      for (const user of ['alice', 'bob']) await server.addUser(user, ['members'])
    })
    const put = (uid: string, properties: object, headers = {}, others = {}) =>
      server.as('Administrator').put(`/id/${uid}`, changesTo({ ...properties }, others), { ...inFull, ...headers })
    const eventsOfPut = async (uid: string, properties: object, headers = {}) =>
      recorder.eventsOf(async () => requireStatus(200, await put(uid, properties, headers)))
    const changeInSession = (uid: string, options: Parameters<typeof saveDocument>[3]) =>
      server.inSession('Administrator', (session) => saveDocument(session, uid, { 'dc:title': crypto.randomUUID() }, options))

    describe('8.3.1', () => {
      test('8.3.1 WriteProperties is checked before anything happens', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'first' })
        const events = await recorder.eventsOf(async () => {
          const answer = await server.as('alice').put(`/id/${uid}`, changesTo({ 'dc:title': 'no' }))
          assertRefused(answer, 403, privilegeMissing('WriteProperties', 'alice'))
        })
        assert.deepEqual(namesOf(events), [])
        assert.equal((await bench.read(uid)).title, 'first')
      })
      test('8.3.1 dirty texts are sanitised before listeners see them', async () => {
        const { uid } = await bench.create('File')
        const events = await eventsOfPut(uid, { 'dc:title': 'a\u0007b', 'dc:subjects': [] })
        assert.equal(readEvent(events, 'beforeDocumentModification').document.properties['dc:title'], 'ab')
        assert.equal((await bench.read(uid)).title, 'ab')
      })
    })

    describe('8.3.2', () => {
      test('8.3.2 listeners may change what is saved, and are told what was before', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'old' })
        const events = await eventsOfPut(uid, { 'dc:title': 'new', 'dc:source': 'nature article' })
        const { properties } = readEvent(events, 'beforeDocumentModification')
        assert.equal((properties['previousDocumentModel'] as Document).properties['dc:title'], 'old')
        assert.deepEqual([properties['documentIsDirty'], typeof properties['destinationName']], [true, 'string'])
        assert.equal((await bench.readProperties(uid))['dc:nature'], 'article')
      })
      test('8.3.2 a listener that fails stops the save', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'first' })
        const answer = await recorder.failingAt('beforeDocumentModification', new Error('no'), () =>
          put(uid, { 'dc:title': 'x' }),
        )
        assert.equal(answer.status, 500)
        assert.equal((await bench.read(uid)).title, 'first')
      })
      test('8.3.2 a facet that a listener adds is stored, even when no property changes', async () => {
        const { uid } = await bench.create('File', { 'dc:source': 'facet Thumbnail' })
        requireStatus(200, await put(uid, {}))
        assert.ok((await bench.read(uid)).facets.includes('Thumbnail'))
      })
    })

    describe('8.3.3', () => {
      test('8.3.3 what listeners made of the document is validated', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'first' })
        const answer = await put(uid, { 'dc:title': 'x', 'dc:source': 'nature nonsense' })
        assert.deepEqual([answer.status, answer.body['entity-type']], [400, 'validation_report'])
        assert.equal((await bench.read(uid)).title, 'first')
      })
      test('8.3.3 only dirty properties are validated', async () => {
        const { uid } = await bench.create('File')
        await bench.change(uid, { properties: { 'dc:nature': 'nonsense' } })
        requireStatus(200, await put(uid, { 'dc:title': 'x' }))
      })
      test('8.3.3 comes before the versioning option and the change token', async () => {
        const { uid } = await bench.create('Folder')
        const answer = await put(uid, { 'dc:nature': 'nonsense' }, minor, { uid, changeToken: '9999-1234' })
        assert.equal(answer.body['entity-type'], 'validation_report')
      })
    })

    describe('8.3.4', () => {
      test('8.3.4 a document that listeners gave another name is renamed, with all below it', async () => {
        const { uid } = await bench.create('Folder', {}, { name: 'before' })
        const { uid: child } = await bench.create('File', {}, { parent: `${workspaces}/before`, name: 'child' })
        const saved = requireStatus(200, await put(uid, { 'dc:source': 'rename after' }))
        assert.equal(saved.path, `${workspaces}/after`)
        assert.equal((await bench.read(uid)).path, `${workspaces}/after`)
        assert.equal((await bench.read(child)).path, `${workspaces}/after/child`)
        requireStatus(404, await server.as('Administrator').get(`/path${workspaces}/before`))
      })
      test('8.3.4 a name that is taken is varied', async () => {
        await bench.create('File', {}, { name: 'taken' })
        const { uid } = await bench.create('File')
        const saved = requireStatus(200, await put(uid, { 'dc:source': 'rename taken' }))
        assert.match(saved.path, new RegExp(`^${workspaces}/taken\\.\\d{13}$`))
      })
      test('8.3.4 the renamed document is versioned and told under its new name', async () => {
        const { uid } = await bench.create('File')
        const events = await eventsOfPut(uid, { 'dc:source': 'rename told' }, minor)
        const { document, properties } = readEvent(events, 'documentModified')
        assert.deepEqual([document.name, properties['destinationName']], ['told', 'told'])
        assert.ok(!namesOf(events).includes('documentMoved'), 'nobody moved it')
        const [version] = await server.asSystem(({ tx }) => tx.documents.listVersions(uid))
        assert.equal(version?.name, 'told')
      })
      test('8.3.4 a name with a slash is refused with 400', async () => {
        const { uid } = await bench.create('File')
        assertRefused(await put(uid, { 'dc:source': 'rename a/b' }), 400, /slash/)
      })
    })

    describe('8.3.5', () => {
      async function createByAlice(change: Partial<Document> = {}) {
        const { uid } = await bench.create('File', { 'dc:title': 'hers' })
        const row = await bench.row(uid)
        await bench.change(uid, { properties: { ...row.properties, 'dc:lastContributor': 'alice' }, ...change })
        return uid
      }
      test('8.3.5 a policy before the save versions what is about to be overwritten, and checks it out again', async () => {
        const uid = await createByAlice()
        const events = await eventsOfPut(uid, { 'dc:title': 'mine' }, { 'Update-Comment': 'because' })
        assert.deepEqual(namesOf(events), [
          'beforeDocumentModification',
          'aboutToCheckIn',
          'documentCheckedIn',
          'documentCreated',
          'aboutToCheckout',
          'documentCheckedOut',
          'documentModified',
        ])
        const [version] = await server.asSystem(({ tx }) => tx.documents.listVersions(uid))
        assert.deepEqual([version?.properties['dc:title'], version?.versionComment], ['hers', null])
        const live = await bench.read(uid, fetchLabel)
        assert.deepEqual([live.title, live.versionLabel], ['mine', '0.1+'])
      })
      test('8.3.5 not where it is checked in already', async () => {
        const uid = await createByAlice()
        await bench.checkIn(uid)
        await bench.retitle(uid, 'mine')
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('8.3.5 not where it is a record', async () => {
        const uid = await createByAlice({ isRecord: true })
        await bench.retitle(uid, 'mine')
        assert.deepEqual(await bench.listLabels(uid), [])
      })
      test('8.3.5 not where an option is given and nothing is dirty', async () => {
        const uid = await createByAlice()
        await bench.retitle(uid, 'hers', { 'X-Versioning-Option': 'NONE' })
        assert.deepEqual(await bench.listLabels(uid), [])
      })
      test('8.3.5 also where an option is given and something is dirty', async () => {
        const uid = await createByAlice()
        await bench.retitle(uid, 'mine', minor)
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      })
    })

    describe('8.3.6', () => {
      const opening = ['beforeDocumentModification', 'aboutToCheckout', 'documentCheckedOut']
      test('8.3.6 a checked-in document that changes is checked out', async () => {
        const { uid } = await bench.create('File', {}, { headers: minor })
        const events = await eventsOfPut(uid, { 'dc:title': 'x' })
        assert.deepEqual(namesOf(events), [...opening, 'documentModified'])
        assert.equal((await bench.read(uid)).isCheckedOut, true)
      })
      test('8.3.6 not where that is switched off for the save', async () => {
        const { uid } = await bench.create('File', {}, { headers: minor })
        const saved = await changeInSession(uid, { checkout: false })
        assert.deepEqual([saved.isCheckedIn, saved.minorVersion], [true, 1])
        assert.equal(await bench.label(uid), '0.1')
      })
      for (const state of ['approved', 'obsolete']) {
        test(`8.3.6 one in state ${state} goes back to project, and that is told`, async () => {
          const { uid } = await bench.create('File')
          await bench.change(uid, { state })
          await bench.checkIn(uid)
          const events = await eventsOfPut(uid, { 'dc:title': 'x' })
          assert.deepEqual(namesOf(events), [...opening, 'lifecycle_transition_event', 'documentModified'])
          const { properties } = readEvent(events, 'lifecycle_transition_event')
          assert.deepEqual(properties, { from: state, to: 'project', transition: 'backToProject' })
          const live = await bench.read(uid)
          assert.deepEqual([live.state, live.title], ['project', 'x'])
        })
        test(`8.3.6 one in state ${state} that is checked out stays there`, async () => {
          const { uid } = await bench.create('File')
          await bench.change(uid, { state })
          await bench.retitle(uid, 'x')
          assert.equal((await bench.read(uid)).state, state)
        })
      }
      test('8.3.6 one whose lifecycle has no way back stays where it is', async () => {
        const { uid } = await bench.create('UserInvitation')
        await bench.change(uid, { state: 'approved' })
        await bench.checkIn(uid)
        await bench.retitle(uid, 'x')
        assert.equal((await bench.read(uid)).state, 'approved')
      })
    })

    describe('8.3.7', () => {
      test('8.3.7 an outdated change token is a conflict, and nothing of the save remains', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'first' }, { headers: minor })
        const events = await recorder.eventsOf(async () => {
          assertRefused(await put(uid, { 'dc:title': 'no' }, minor, { uid, changeToken: '0-7' }), 409, uid)
        })
        assert.ok(namesOf(events).includes('documentCheckedOut'), 'it was opened before')
        assert.ok(!namesOf(events).includes('documentCheckedIn'))
        const live = await bench.read(uid, fetchLabel)
        assert.deepEqual([live.title, live.versionLabel, live.isCheckedOut], ['first', '0.1', false])
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('8.3.7 a current one is taken, whatever versions the save makes', async () => {
        const { uid, changeToken } = await bench.create('File')
        requireStatus(200, await put(uid, { 'dc:title': 'x' }, minor, { uid, changeToken }))
      })
    })

    describe('8.3.8', () => {
      test('8.3.8 an explicit option checks in what was written', async () => {
        const { uid } = await bench.create('File')
        const events = await eventsOfPut(uid, { 'dc:title': 'x' }, minor)
        assert.deepEqual(namesOf(events), [
          'beforeDocumentModification',
          'aboutToCheckIn',
          'documentCheckedIn',
          'documentCreated',
          'documentModified',
        ])
        const created = readEvent(events, 'documentCreated').document
        assert.deepEqual([created.isVersion, created.properties['dc:title']], [true, 'x'])
      })
      test('8.3.8 an explicit option keeps the policies after the save out', async () => {
        const { uid } = await bench.create('Note')
        await bench.retitle(uid, 'x', { 'X-Versioning-Option': 'MAJOR' })
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '1.0'])
      })
      test('8.3.8 without one the policies after the save decide', async () => {
        const { uid } = await bench.create('Note')
        await bench.retitle(uid, 'x')
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      })
    })

    describe('8.3.9', () => {
      test('8.3.9 the change is told at the end, and kept from the audit log when nothing was dirty', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'same' })
        const before = await bench.read(uid, inFull)
        const events = await eventsOfPut(uid, { 'dc:title': 'same' })
        assert.deepEqual(namesOf(events), ['beforeDocumentModification', 'documentModified'])
        const { options, properties } = readEvent(events, 'documentModified')
        assert.deepEqual([options.audit, properties['documentIsDirty']], [false, false])
        assert.deepEqual(await bench.read(uid, inFull), before, 'no stamp, no token, no check-out')
      })
      test('8.3.9 saving a checked-in document unchanged leaves it checked in', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'same' }, { headers: minor })
        requireStatus(200, await put(uid, { 'dc:title': 'same' }))
        assert.equal((await bench.read(uid)).isCheckedOut, false)
      })
      test('8.3.9 each proxy that is not immutable is told of, as it is seen now', async () => {
        const { uid } = await bench.create('File')
        const { version } = await bench.checkIn(uid)
        const folder = (await bench.create('Folder')).uid
        const live = [await bench.createProxy(folder, uid), await bench.createProxy(folder, uid)]
        await bench.createProxy(folder, version.id)
        const events = await eventsOfPut(uid, { 'dc:title': 'now' })
        const told = events.filter(({ name }) => name === 'documentProxyUpdated').map(({ document }) => document)
        assert.deepEqual(told.map(({ id }) => id).sort(), live.sort())
        for (const proxy of told) assert.deepEqual([proxy.isProxy, proxy.properties['dc:title']], [true, 'now'])
        assert.equal(namesOf(events).at(-1), 'documentProxyUpdated')
      })
      test('8.3.9 saving through one of them tells of all', async () => {
        const { uid } = await bench.create('File')
        const folder = await bench.create('Folder')
        for (const place of [uid, folder.uid]) {
          await bench.setAcls(place, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
        }
        const proxies = [await bench.createProxy(folder.uid, uid), await bench.createProxy(folder.uid, uid)]
        const events = await recorder.eventsOf(async () => {
          requireStatus(200, await server.as('alice').put(`/id/${proxies[0]}`, changesTo({ 'dc:title': 'now' })))
        })
        assert.equal(events.filter(({ name }) => name === 'documentProxyUpdated').length, 2)
        const modified = readEvent(events, 'documentModified')
        assert.deepEqual([modified.document.id, modified.principal.name], [uid, 'alice'])
      })
    })
  },
  { plugins: [recorder.plugin, definePlugin({ name: 'obedient', listeners: [obedient] })] },
)
