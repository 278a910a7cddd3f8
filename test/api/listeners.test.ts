import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Log, silentLog } from '../../src/base/log.ts'
import { defineProblem } from '../../src/base/problem.ts'
import { accessTo } from '../../src/core/access.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { Listener } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { createEventRecorder, readEvent, until } from '../support/event-recorder.ts'
import { aDocument, assertRefused, changesTo, inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const refusedByListener = defineProblem('refusedByListener', 'conflict', (of: { name: string }) => `not while ${of.name}`)

const { plugin: recording, eventsOf, failingAt, afterCommit } = createEventRecorder()

/** Changes what it is offered when the title asks for it. */
const editor: Listener = {
  name: 'editor',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification'],
  handle({ document }) {
    if (document.properties['dc:title'] !== 'edit me') return undefined
    return { ...document, name: 'edited', properties: { ...document.properties, 'dc:title': 'edited', 'dc:rights': 'edited' } }
  },
}
/** On behalf of whoever changes a folder, writes to a place where that one may not. */
const delegate: Listener = {
  name: 'delegate',
  when: 'inline',
  events: ['documentModified'],
  async handle({ document }, session) {
    if (document.properties['dc:title'] !== 'delegate') return
    const journal = await readDocumentByPath(session.asSystem(), '/default-domain/workspaces/journal')
    await saveDocument(session.asSystem(), journal.id, { 'dc:description': document.id })
  },
}
/** Breaks when the title asks for it, but only when everything is over. */
const latecomer: Listener = {
  name: 'latecomer',
  when: 'afterCommit',
  events: ['documentCreated'],
  handle({ document }) {
    if (document.properties['dc:title'] === 'break late') throw new Error('too late to matter')
  },
}
const seenBySourceWatcher: string[] = []
/** Is for one property alone. */
const sourceWatcher: Listener = {
  name: 'sourceWatcher',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification', 'documentModified'],
  changes: ({ name }) => name === 'dc:source',
  handle: ({ name }) => void seenBySourceWatcher.push(name),
}
const listening = definePlugin({ name: 'listening', listeners: [editor, delegate, latecomer, sourceWatcher] })

const failures: { readonly event: string; readonly listener?: unknown }[] = []
const log: Log = { ...silentLog, error: (fields) => failures.push(fields) }

onEachServer(
  'listeners',
  (server) => {
    const bench = workbenchOn(server)
    const minor = { 'X-Versioning-Option': 'MINOR' }
    let shared: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      shared = await bench.create('Folder', {}, { name: 'shared' })
      await bench.setAcls(shared.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
      await bench.create('Folder', {}, { name: 'journal' })
    })
    beforeEach(() => {
      afterCommit.length = 0
      failures.length = 0
    })
    const create = (type: string, properties = {}) => bench.create(type, properties, { parent: shared.path })
    const change = async (uid: string, title: string, headers = {}, user = 'Administrator') =>
      requireStatus(200, await server.as(user).put(`/id/${uid}`, changesTo({ 'dc:title': title }), headers))

    describe('inside the request', () => {
      test('change what is about to be created, its name included', async () => {
        const created = await create('File', { 'dc:title': 'edit me' })
        assert.deepEqual([created.title, created.path], ['edited', `${shared.path}/edited`])
        assert.equal((await bench.readProperties(created.uid))['dc:rights'], 'edited')
      })
      test('change what is about to be saved', async () => {
        const { uid } = await create('File')
        assert.equal((await change(uid, 'edit me')).title, 'edited')
        assert.equal((await bench.readProperties(uid))['dc:rights'], 'edited')
      })
      test('are not called where a save changes none of the properties that they are for', async () => {
        seenBySourceWatcher.length = 0
        const { uid } = await create('File')
        await change(uid, 'another title')
        assert.deepEqual(seenBySourceWatcher.splice(0), ['aboutToCreate'])
        requireStatus(200, await server.as('Administrator').put(`/id/${uid}`, changesTo({ 'dc:source': 'here' })))
        assert.deepEqual(seenBySourceWatcher, ['beforeDocumentModification', 'documentModified'])
      })

      const creating = () => server.as('bob').post(`/id/${shared.uid}`, aDocument({ type: 'Note', name: 'never' }))
      const changing = (uid: string) => server.as('Administrator').put(`/id/${uid}`, changesTo({ 'dc:title': 'never' }), minor)
      const removing = (uid: string) => server.as('Administrator').delete(`/id/${uid}`)
      const stages: readonly [event: string, what: string, act: (uid: string) => Promise<ApiAnswer>][] = [
        ['emptyDocumentModelCreated', 'creating', creating],
        ['aboutToCreate', 'creating', creating],
        ['documentCheckedIn', 'creating', creating],
        ['documentCreated', 'creating', creating],
        ['beforeDocumentModification', 'changing', changing],
        ['aboutToCheckIn', 'changing', changing],
        ['documentCheckedIn', 'changing', changing],
        ['documentModified', 'changing', changing],
        ['aboutToRemove', 'removing', removing],
        ['documentRemoved', 'removing', removing],
      ]
      for (const [event, what, act] of stages) {
        test(`that throw at ${event} stop ${what}, and nothing of it stays`, async () => {
          const { uid } = await create('File')
          const before = await bench.read(uid, inFull)
          const versions = () => server.asSystem(({ tx }) => tx.documents.listVersions(uid))
          for (const [error, status] of [
            [new Error('broken'), 500],
            [refusedByListener({ name: event }), 409],
          ] as const) {
            afterCommit.length = 0
            assert.equal((await failingAt(event, error, () => act(uid))).status, status)
            assert.deepEqual(await bench.read(uid, inFull), before)
            assert.equal((await server.as('Administrator').get(`/id/${shared.uid}/never`)).status, 404)
            assert.deepEqual(await versions(), [])
            await wait(20)
            assert.deepEqual(afterCommit, [])
          }
        })
      }
      test('refuse with a sentence of their own', async () => {
        const act = () => server.as('bob').post(`/id/${shared.uid}`, aDocument())
        const answer = await failingAt('aboutToCreate', refusedByListener({ name: 'busy' }), act)
        assertRefused(answer, 409, 'not while busy')
      })
      test('write on behalf of a user where that user may not', async () => {
        const { uid } = await create('Folder')
        await change(uid, 'delegate', {}, 'bob')
        const journal = (await server.as('Administrator').get('/path/default-domain/workspaces/journal', inFull)).body
        assert.equal(journal.properties['dc:description'], uid)
        assert.equal(journal.properties['dc:lastContributor'], 'bob')
        assertRefused(await server.as('bob').put(`/id/${journal.uid}`, changesTo({ 'dc:title': 'no' })), 403, /WriteProperties/)
      })
    })

    describe('after the commit', () => {
      test('come when what they are told of is stored, and only for what was done', async () => {
        const { uid } = await create('Note')
        await until(() => afterCommit.length >= 3)
        assert.deepEqual(
          afterCommit.map(({ event }) => event.name),
          ['documentCheckedIn', 'documentCreated', 'documentCreated'],
        )
        assert.ok(afterCommit.every(({ isStored }) => isStored))
        assert.ok(afterCommit.some(({ event }) => event.document.id === uid))
      })
      test('do not come when the request is refused', async () => {
        const refused = await server.as('bob').post(`/id/${shared.uid}`, aDocument({ properties: { 'dc:nature': 'nonsense' } }))
        assert.equal(refused.status, 400)
        await wait(50)
        assert.deepEqual(afterCommit, [])
      })
      test('come too late to fail the request, and are logged when they break', async () => {
        const created = await create('File', { 'dc:title': 'break late' })
        await until(() => failures.length > 0)
        assert.deepEqual([failures[0]?.event, failures[0]?.listener], ['listener.failed', 'latecomer'])
        assert.equal((await bench.read(created.uid)).uid, created.uid)
      })
    })

    describe('of what the server does by itself', () => {
      const save = (uid: string, options = {}) =>
        server.asSystem((session) => saveDocument(session, uid, { 'dc:source': crypto.randomUUID() }, options))
      test('stamp no contributor when a document changes', async () => {
        const { uid } = await create('File')
        const before = await bench.readProperties(uid)
        await save(uid)
        const after = await bench.readProperties(uid)
        assert.notEqual(after['dc:source'], before['dc:source'])
        for (const name of ['dc:modified', 'dc:lastContributor', 'dc:contributors']) assert.deepEqual(after[name], before[name])
      })
      test('stamp the server as the creator of what it creates, in the state it asks for', async () => {
        const created = await server.asSystem(async (session) => {
          const parent = await readDocumentByPath(session, shared.path)
          const wanted = { parent, type: 'File', name: 'by the server', properties: {}, options: { initialState: 'approved' } }
          return createDocument(session, wanted)
        })
        assert.equal(created.properties['dc:creator'], 'system')
        assert.equal((await bench.read(created.id)).state, 'approved')
      })
      test('are told how the change was asked for', async () => {
        const { uid } = await create('File')
        const options = { audit: false, media: false, dublincore: false, comment: 'quietly' }
        const { options: told, comment } = readEvent(await eventsOf(() => save(uid, options)), 'documentModified')
        assert.deepEqual(told, options)
        assert.equal(comment, 'quietly')
      })
      test('stamp nothing of a user where the change asks for that', async () => {
        const { uid } = await create('Folder')
        const [bob, repository] = [await server.services.principals.find('bob'), server.services.repositories.get('default')]
        assert.ok(bob && repository)
        for (const [options, contributors] of [
          [{ dublincore: false }, ['Administrator']],
          [{}, ['Administrator', 'bob']],
        ] as const) {
          await accessTo(repository, bob).write((session) =>
            saveDocument(session, uid, { 'dc:source': crypto.randomUUID() }, options),
          )
          assert.deepEqual((await bench.readProperties(uid))['dc:contributors'], contributors)
        }
      })
      test('see no version of a note and no check-out where the change asks for none', async () => {
        const { uid } = await create('Note')
        await save(uid, { automaticVersioning: false })
        assert.equal((await bench.read(uid, inFull)).versionLabel, '0.1+')
        const other = (await create('Note')).uid
        await save(other, { checkout: false })
        const { isCheckedOut, versionLabel } = await bench.read(other, inFull)
        assert.deepEqual([isCheckedOut, versionLabel], [false, '0.1'])
      })
      test('see a version change only where the change insists', async () => {
        const { uid } = await create('File')
        const version = await change(uid, 'x', minor)
        await assert.rejects(save(version.uid), /Cannot set property on a version/)
        await save(version.uid, { versionWrite: true })
        assert.match((await bench.readProperties(version.uid))['dc:source'], /-/)
      })
    })
  },
  { plugins: [recording, listening], log },
)
