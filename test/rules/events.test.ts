import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import type { DocumentEvent } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { aDocument, changesTo, inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const { plugin, eventsOf } = createEventRecorder({ withSessionSaved: true })
const saved = 'sessionSaved'

onEachServer(
  'events',
  (server) => {
    const bench = workbenchOn(server)
    const minor = { 'X-Versioning-Option': 'MINOR' }
    let shared: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      shared = await bench.create('Folder', {}, { name: 'shared' })
      await bench.setAcls(shared.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    })
    const create = (type: string, properties = {}) => bench.create(type, properties, { parent: shared.path })
    const change = async (uid: string, title: string, headers = {}, user = 'Administrator') =>
      requireStatus(200, await server.as(user).put(`/id/${uid}`, changesTo({ 'dc:title': title }), headers))
    const remove = async (uid: string) => assert.equal((await server.as('Administrator').delete(`/id/${uid}`)).status, 204)
    const createCheckedIn = async (state = 'project') => {
      const { uid } = await create('File')
      await change(uid, 'checked in', minor)
      await bench.change(uid, { state })
      return uid
    }

    describe('16 come in this order when', () => {
      const modification = (...between: string[]) => ['beforeDocumentModification', ...between, 'documentModified', saved]
      const checkIn = ['aboutToCheckIn', 'documentCheckedIn', 'documentCreated']
      const checkOut = ['aboutToCheckout', 'documentCheckedOut']
      const creation = ['emptyDocumentModelCreated', 'aboutToCreate']
      const rows: readonly [
        what: string,
        prepare: () => Promise<string>,
        act: (uid: string) => Promise<unknown>,
        names: readonly string[],
      ][] = [
        ['a file is created', async () => '', () => create('File'), [...creation, 'documentCreated', saved]],
        [
          'a note is created, with its version',
          async () => '',
          () => create('Note'),
          [...creation, ...checkIn, 'documentCreated', saved],
        ],
        [
          'a domain is created, with its children',
          async () => '',
          () => create('Domain'),
          [
            ...creation,
            'documentCreated',
            ...[1, 2, 3].flatMap((child) => [
              ...creation,
              'documentCreated',
              ...(child === 2 ? ['beforeDocumentSecurityModification', 'documentSecurityUpdated'] : []),
            ]),
            saved,
          ],
        ],
        [
          'an empty document is asked for',
          async () => '',
          () => server.as('bob').get('/@emptyWithDefault?type=File'),
          ['emptyDocumentModelCreated'],
        ],
        ['a file is changed', async () => (await create('File')).uid, (uid) => change(uid, 'x'), modification()],
        [
          'nothing of a file is changed',
          async () => (await create('File', { 'dc:title': 'x' })).uid,
          (uid) => change(uid, 'x'),
          modification(),
        ],
        ['a checked-in file is changed', createCheckedIn, (uid) => change(uid, 'x'), modification(...checkOut)],
        [
          'an approved file is changed',
          () => createCheckedIn('approved'),
          (uid) => change(uid, 'x'),
          modification(...checkOut, 'lifecycle_transition_event'),
        ],
        [
          'a file is changed and versioned',
          async () => (await create('File')).uid,
          (uid) => change(uid, 'x', minor),
          modification(...checkIn),
        ],
        [
          'a checked-in file is changed and versioned',
          createCheckedIn,
          (uid) => change(uid, 'x', minor),
          modification(...checkOut, ...checkIn),
        ],
        [
          'a file is changed by another user',
          async () => (await create('File')).uid,
          (uid) => change(uid, 'x', {}, 'bob'),
          modification(...checkIn, ...checkOut),
        ],
        ['a file is removed', async () => (await create('File')).uid, remove, ['aboutToRemove', 'documentRemoved', saved]],
        [
          'a file is put into the trash',
          async () => (await create('File')).uid,
          (uid) => server.inSession('bob', (session) => trashDocument(session, uid)),
          ['aboutToMove', 'documentMoved', 'documentTrashed', saved],
        ],
        [
          'a version is removed',
          async () => {
            const { uid } = await create('File')
            const version = await change(uid, 'x', minor)
            await change(uid, 'y')
            return version.uid
          },
          remove,
          ['aboutToRemoveVersion', 'versionRemoved', 'documentRemoved', saved],
        ],
        [
          'a proxy is removed',
          async () => bench.createProxy(shared.uid, (await create('File')).uid),
          remove,
          ['aboutToRemove', 'proxyRemoved', 'documentRemoved', saved],
        ],
        [
          'rights are changed',
          async () => (await create('File')).uid,
          (uid) => bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'Read')] }]),
          ['beforeDocumentSecurityModification', 'documentSecurityUpdated', saved],
        ],
        ['a document is read', async () => (await create('File')).uid, (uid) => bench.read(uid, inFull), []],
      ]
      for (const [what, prepare, act, names] of rows) {
        test(what, async () => {
          const uid = await prepare()
          const events = await eventsOf(() => act(uid))
          assert.deepEqual(
            events.map((event) => event.name),
            names,
          )
        })
      }
      test('a folder is removed: for itself alone, not for what is below it', async () => {
        const folder = await create('Folder')
        await bench.create('File', {}, { parent: folder.path })
        const events = await eventsOf(() => remove(folder.uid))
        assert.deepEqual(
          events.map(({ name, document }) => [name, document.id]),
          [
            ['aboutToRemove', folder.uid],
            ['documentRemoved', folder.uid],
            [saved, folder.uid],
          ],
        )
      })
    })

    describe('16 sessionSaved', () => {
      test('comes once for all that a request does, at its end', async () => {
        const events = await eventsOf(() =>
          server.inSession('bob', async (session) => {
            for (const title of ['a', 'b']) await saveDocument(session, shared.uid, { 'dc:title': title })
            await session.asSystem().tx.documents.find(shared.uid)
          }),
        )
        const names = events.map((event) => event.name)
        assert.deepEqual(names.slice(-2), ['documentModified', saved])
        assert.equal(names.filter((name) => name === saved).length, 1)
        assert.deepEqual(readEvent(events, saved).properties, {})
      })
      test('does not come where nothing was saved, or where it was refused', async () => {
        const acts = [
          () => server.inSession('bob', (session) => readDocument(session, shared.uid)),
          () => server.as('bob').get(`/id/${shared.uid}/@emptyWithDefault?type=File`),
          () => server.as('bob').post(`/id/${shared.uid}`, aDocument({ properties: { 'dc:nature': 'nonsense' } })),
        ]
        for (const act of acts) assert.ok(!(await eventsOf(act)).some((event) => event.name === saved))
      })
    })

    describe('16 tell', () => {
      test('all of them who did what, where and when', async () => {
        const events = await eventsOf(() => server.as('bob').post(`/id/${shared.uid}`, aDocument()))
        assert.equal(new Set(events.map((event) => event.time)).size, 1)
        for (const event of events) {
          assert.deepEqual(
            [event.principal.name, event.repository, event.category, event.comment],
            ['bob', 'default', 'eventDocumentCategory', null],
          )
          assert.ok(Math.abs(Date.parse(event.time) - Date.now()) < 60_000)
          assert.deepEqual([event.document.type, event.documentLifeCycle], ['File', 'project'])
          assert.deepEqual(event.options, {})
        }
      })
      test('all of them in which session: one for a request, another for the next', async () => {
        const sessionsOf = async (act: () => Promise<unknown>) => new Set((await eventsOf(act)).map((event) => event.sessionId))
        const first = await sessionsOf(() => create('Domain'))
        const second = await sessionsOf(() => create('File'))
        assert.deepEqual([first.size, second.size], [1, 1])
        assert.notDeepEqual(first, second)
        for (const id of first) assert.match(id, /^[0-9a-f-]{36}$/)
      })
      test('the state of the document as it is at that moment, and none where the type has no lifecycle', async () => {
        const uid = await createCheckedIn('approved')
        const events = await eventsOf(() => change(uid, 'x'))
        assert.deepEqual(
          events.map(({ name, documentLifeCycle }) => [name, documentLifeCycle]),
          [
            ['beforeDocumentModification', 'approved'],
            ['aboutToCheckout', 'approved'],
            ['documentCheckedOut', 'approved'],
            ['lifecycle_transition_event', 'project'],
            ['documentModified', 'project'],
            [saved, 'project'],
          ],
        )
        const stateless = await eventsOf(() => create('SavedSearch'))
        assert.deepEqual(new Set(stateless.map(({ documentLifeCycle }) => documentLifeCycle)), new Set([null]))
      })
      test('of a system session who is behind it', async () => {
        const { uid } = await create('File')
        const events = await eventsOf(() =>
          server.inSession('bob', (session) => saveDocument(session.asSystem(), uid, { 'dc:title': 'x' })),
        )
        assert.deepEqual([events[0]?.principal.isSystem, events[0]?.principal.onBehalfOf], [true, 'bob'])
      })
      test('of a creation where it goes and under which name', async () => {
        const events = await eventsOf(() => server.as('bob').post(`/id/${shared.uid}`, aDocument({ name: 'told' })))
        const { document, properties } = readEvent(events, 'emptyDocumentModelCreated')
        assert.deepEqual(properties, { parentPath: shared.path, documentModelId: document.id, destinationName: 'told' })
        const destination = {
          destinationRef: shared.uid,
          destinationPath: shared.path,
          destinationName: 'told',
          destinationExists: false,
        }
        assert.deepEqual(readEvent(events, 'aboutToCreate').properties, destination)
        assert.deepEqual(readEvent(events, 'documentCreated').properties, destination)
        assert.equal(readEvent(events, 'documentCreated').document.path, `${shared.path}/told`)
        const again = await eventsOf(() => server.as('bob').post(`/id/${shared.uid}`, aDocument({ name: 'told' })))
        const { destinationName, destinationExists } = readEvent(again, 'aboutToCreate').properties
        assert.match(String(destinationName), /^told\.\d{13}$/)
        assert.equal(destinationExists, true)
      })
      test('of a change what was before and whether anything is new', async () => {
        const { uid, path } = await create('File', { 'dc:title': 'old' })
        const events = await eventsOf(() => change(uid, 'new'))
        for (const name of ['beforeDocumentModification', 'documentModified']) {
          const { properties, document, options } = readEvent(events, name)
          const previous = properties['previousDocumentModel'] as DocumentEvent['document']
          assert.equal(previous.properties['dc:title'], 'old')
          assert.equal(document.properties['dc:title'], 'new')
          assert.equal(properties['documentIsDirty'], true)
          assert.equal(properties['destinationName'], path.slice(shared.path.length + 1))
          assert.notEqual(options.audit, false)
        }
        const { properties, options } = readEvent(await eventsOf(() => change(uid, 'new')), 'documentModified')
        assert.equal(properties['documentIsDirty'], false)
        assert.equal(options.audit, false)
      })
      test('of a version its label, its comment and its id', async () => {
        const { uid } = await create('File')
        const events = await eventsOf(() => change(uid, 'x', { ...minor, 'Update-Comment': 'because' }))
        const checkedIn = readEvent(events, 'documentCheckedIn')
        const version = readEvent(events, 'documentCreated').document
        assert.equal(checkedIn.document.id, uid)
        assert.equal(checkedIn.comment, '0.1 because')
        assert.deepEqual(checkedIn.properties, {
          versionLabel: '0.1',
          checkInComment: 'because',
          checkedInVersionRef: version.id,
        })
        assert.deepEqual([version.isVersion, version.seriesId], [true, uid])
        const plain = await eventsOf(() => change(uid, 'y', minor))
        assert.equal(readEvent(plain, 'documentCheckedIn').comment, '0.2')
      })
      test('of a change the comment and the source that were sent, and of a creation no comment', async () => {
        const { uid } = await create('File')
        const headers = { 'Update-Comment': 'because', source: 'scanner' }
        const event = readEvent(await eventsOf(() => change(uid, 'x', headers)), 'documentModified')
        assert.equal(event.comment, 'because')
        assert.equal(event.options.source, 'scanner')
        const created = await eventsOf(() => server.as('bob').post(`/id/${shared.uid}`, aDocument(), headers))
        assert.equal(readEvent(created, 'documentCreated').comment, null)
        assert.equal(readEvent(created, 'documentCreated').options.source, 'scanner')
      })
      test('of a transition where from, where to and by which', async () => {
        const uid = await createCheckedIn('approved')
        const event = readEvent(await eventsOf(() => change(uid, 'x')), 'lifecycle_transition_event')
        assert.equal(event.category, 'eventLifeCycleCategory')
        assert.deepEqual(event.properties, { from: 'approved', to: 'project', transition: 'backToProject' })
        assert.equal(event.document.state, 'project')
      })
      test('of a removal what it was', async () => {
        const { uid } = await create('File', { 'dc:title': 'Doomed' })
        const events = await eventsOf(() => remove(uid))
        assert.equal(readEvent(events, 'aboutToRemove').properties['docTitle'], 'Doomed')
        assert.equal(readEvent(events, 'documentRemoved').properties['docTitle'], 'Doomed')
        assert.equal(readEvent(events, 'documentRemoved').document.id, uid)
      })
      test('of a removed version its live document and its label', async () => {
        const { uid } = await create('File')
        const version = await change(uid, 'x', minor)
        await change(uid, 'y')
        const events = await eventsOf(() => remove(version.uid))
        const removed = readEvent(events, 'versionRemoved')
        assert.deepEqual([removed.document.id, removed.comment, removed.properties['docSource']], [uid, '0.1', uid])
        assert.equal(readEvent(events, 'documentRemoved').document.id, version.uid)
      })
      test('of changed rights those before and after', async () => {
        const { uid } = await create('File')
        const acls = [{ name: 'local', aces: [grant('bob', 'Read')] }]
        const events = await eventsOf(() => bench.setAcls(uid, acls))
        for (const name of ['beforeDocumentSecurityModification', 'documentSecurityUpdated']) {
          assert.deepEqual(readEvent(events, name).properties, { oldACP: [], newACP: acls })
        }
      })
    })
  },
  { plugins: [plugin] },
)
