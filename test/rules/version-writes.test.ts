import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../src/core/documents/locks/unlock-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { Properties } from '../../src/model/properties/property.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { major, minor, namesOf, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder()
const hello = { name: 'hello.txt', 'mime-type': 'text/plain', data: 'hello' }

onEachServer(
  'writing to a version',
  (server) => {
    const bench = versionBenchOn(server)
    before(() => server.addUser('alice', ['members']))
    async function createVersion() {
      const { uid } = await bench.create('File', { 'dc:title': 'frozen', 'dc:subjects': ['art/cinema'], 'file:content': hello })
      const { version } = await bench.checkIn(uid, 'major')
      return { uid: uid as string, id: version.id }
    }
    const put = (id: string, properties: object, headers = {}, others = {}) =>
      server.as('Administrator').put(`/id/${id}`, changesTo({ ...properties }, others), { ...inFull, ...headers })
    const save = (id: string, properties: Properties, options = {}) =>
      server.asSystem((session) => saveDocument(session, id, properties, options))

    describe('8.6 is refused', () => {
      const rows: readonly [name: string, value: unknown][] = [
        ['dc:title', 'changed'],
        ['dc:title', null],
        ['dc:subjects', []],
        ['file:content', null],
        ['file:content', { ...hello, data: 'other' }],
        ['files:files', [{ file: hello }]],
        ['uid:uid', 'x'],
        ['nxtag:tags', [{ label: 'blue', username: 'alice' }]],
      ]
      for (const [name, value] of rows) {
        test(`8.6 with 400 for ${name} = ${JSON.stringify(value)}, and nothing is stored`, async () => {
          const { id } = await createVersion()
          const before = await bench.read(id, inFull)
          assertRefused(await put(id, { [name]: value }), 400, `Cannot set property on a version: ${name}`)
          assert.deepEqual(await bench.read(id, inFull), before)
        })
      }
      test('8.6 as a whole when one of several changes is not allowed', async () => {
        const { id } = await createVersion()
        const answer = await put(id, { 'dc:issued': '2030-01-01T00:00:00.000Z', 'dc:title': 'changed' })
        assertRefused(answer, 400, 'Cannot set property on a version: dc:title')
        assert.equal((await bench.readProperties(id))['dc:issued'], null)
      })
      test('8.6 in the session too, even for the server itself', async () => {
        const { id } = await createVersion()
        await assertRefusal(save(id, { 'dc:title': 'changed' }), 400, 'Cannot set property on a version: dc:title')
      })
      test('8.6 with 403 to who may not write the live document', async () => {
        const { uid, id } = await createVersion()
        await bench.restrict(uid, grant('alice', 'Read'))
        const answer = await server.as('alice').put(`/id/${id}`, changesTo({ 'dc:issued': '2030-01-01T00:00:00.000Z' }))
        assertRefused(answer, 403, privilegeMissing('WriteProperties', 'alice'))
      })
    })

    describe('8.6 is accepted', () => {
      test('8.6 for dc:issued', async () => {
        const { id } = await createVersion()
        const issued = '2030-01-01T00:00:00.000Z'
        assert.equal(requireStatus(200, await put(id, { 'dc:issued': issued })).properties['dc:issued'], issued)
        assert.equal((await bench.readProperties(id))['dc:issued'], issued)
      })
      test('8.6 for related text', async () => {
        const { id } = await createVersion()
        const texts = [{ relatedtextid: 'c1', relatedtext: 'said of it' }]
        requireStatus(200, await put(id, { 'relatedtext:relatedtextresources': texts }))
        assert.deepEqual((await bench.readProperties(id))['relatedtext:relatedtextresources'], texts)
      })
      test('8.6 for the schemas that say so', async () => {
        const { id } = await createVersion()
        await bench.change(id, { facets: ['CollectionMember', 'Notifiable'] })
        const sent = {
          'collectionMember:collectionIds': ['c1'],
          'notif:notifications': [{ name: 'Modification', subscribers: ['user:alice'] }],
        }
        requireStatus(200, await put(id, sent))
        const properties = await bench.readProperties(id)
        for (const [name, value] of Object.entries(sent)) assert.deepEqual(properties[name], value)
      })
      test('8.6 for values equal to the stored ones, which are ignored', async () => {
        const { id } = await createVersion()
        const before = await bench.read(id, inFull)
        const stamps = {
          'dc:modified': before.properties['dc:modified'],
          'dc:contributors': before.properties['dc:contributors'],
        }
        requireStatus(200, await put(id, { 'dc:title': 'frozen', 'dc:subjects': ['art/cinema'], ...stamps }))
        requireStatus(200, await put(id, before.properties))
        assert.deepEqual(await bench.read(id, inFull), before)
      })
      test('8.6 for the lifecycle state', async () => {
        const { uid, id } = await createVersion()
        await server.inSession('Administrator', (session) => followTransition(session, id, 'approve'))
        assert.deepEqual([(await bench.read(id)).state, (await bench.read(uid)).state], ['approved', 'project'])
      })
      test('8.6 for the lock', async () => {
        const { uid, id } = await createVersion()
        await server.inSession('Administrator', (session) => lockDocument(session, id))
        assert.equal((await bench.read(id, inFull)).lockOwner, 'Administrator')
        assert.equal((await bench.read(uid, inFull)).lockOwner, undefined)
        await server.inSession('Administrator', (session) => unlockDocument(session, id))
        assert.equal((await bench.read(id, inFull)).lockOwner, undefined)
      })
      test('8.6 for the flags of trash, record, retention and hold', async () => {
        const { id } = await createVersion()
        await bench.change(id, { isTrashed: true, hasLegalHold: true, retainUntil: '2099-01-01T00:00:00.000Z' })
        const { isTrashed, hasLegalHold, retainUntil } = await bench.read(id)
        assert.deepEqual([isTrashed, hasLegalHold, retainUntil], [true, true, '2099-01-01T00:00:00.000Z'])
      })
      test('8.6 for anything where trusted code lifts the rule', async () => {
        const { id } = await createVersion()
        await save(id, { 'dc:title': 'mended' }, { versionWrite: true })
        assert.equal((await bench.read(id)).title, 'mended')
      })
    })

    test('8.6 stamps nobody, checks nothing out and makes no version of the version', async () => {
      const { uid } = await bench.create('Note')
      const { id } = (await server.asSystem(({ tx }) => tx.documents.findLatestVersion(uid))) ?? { id: '' }
      const before = await bench.readProperties(id)
      const events = await recorder.eventsOf(() => put(id, { 'dc:issued': '2030-01-01T00:00:00.000Z' }))
      assert.deepEqual(namesOf(events), ['beforeDocumentModification', 'documentModified'])
      assert.deepEqual(await bench.readProperties(id), { ...before, 'dc:issued': '2030-01-01T00:00:00.000Z' })
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      assert.deepEqual([(await bench.read(id)).isVersion, (await bench.read(id)).isCheckedOut], [true, false])
    })

    for (const [name, header] of [
      ['MINOR', minor],
      ['MAJOR', major],
    ] as const) {
      test(`8.6 with the option ${name} makes none either, and answers the last version`, async () => {
        const { uid, id } = await createVersion()
        const answer = requireStatus(200, await put(id, { 'dc:issued': '2030-01-01T00:00:00.000Z' }, header))
        assert.equal(answer.uid, id)
        assert.deepEqual(await bench.listLabels(uid), ['1.0'])
      })
    }

    test('15 compares the version’s own change token', async () => {
      const { id } = await createVersion()
      const { changeToken } = await bench.read(id)
      const issue = (day: string, token: string) =>
        put(id, { 'dc:issued': `2030-01-${day}T00:00:00.000Z` }, {}, { uid: id, changeToken: token })
      requireStatus(200, await issue('01', changeToken))
      assertRefused(await issue('02', changeToken), 409, id)
    })
  },
  { plugins: [recorder.plugin] },
)
