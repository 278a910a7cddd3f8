import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { removeLegalHold, setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { makeRecord } from '../../src/core/documents/records/make-record.ts'
import { setRetention } from '../../src/core/documents/records/set-retention.ts'
import type { WriteSession } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { assertRefusal, emptyReference } from '../support/refusal.ts'
import { assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const unknownId = '00000000-0000-4000-8000-000000000000'
const [sooner, later] = ['2090-01-01T00:00:00.000Z', '2095-06-01T12:00:00.000Z']
const indeterminate = '9999-01-01T00:00:00.000Z'

type Verb = (session: WriteSession, id: string) => Promise<Document>
const verbs: readonly [name: string, permission: string, verb: Verb][] = [
  ['makeRecord', 'MakeRecord', makeRecord],
  ['setRetention', 'SetRetention', (session, id) => setRetention(session, id, sooner)],
  ['setLegalHold', 'ManageLegalHold', (session, id) => setLegalHold(session, id)],
  ['removeLegalHold', 'ManageLegalHold', (session, id) => removeLegalHold(session, id)],
]

onEachServer(
  'records and retention',
  (server) => {
    const bench = workbenchOn(server)
    let shared: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('clerk', ['members'])
      shared = await bench.create('Folder')
      const clerk = ['ReadWrite', 'MakeRecord', 'SetRetention', 'ManageLegalHold'].map((permission) => grant('clerk', permission))
      await bench.setAcls(shared.uid, [{ name: 'local', aces: [...clerk, grant('bob', 'ReadWrite')] }])
    })
    const create = async (type = 'File', properties = {}): Promise<string> =>
      (await bench.create(type, properties, { parent: shared.path })).uid
    const act = <Result>(body: (session: WriteSession) => Promise<Result>, user = 'clerk') => server.inSession(user, body)
    const retain = (id: string, until: string, comment?: string) =>
      act((session) => setRetention(session, id, until, comment === undefined ? {} : { comment }))
    const createRecord = async (retainUntil?: string): Promise<string> => {
      const id = await create()
      await act((session) => makeRecord(session, id))
      if (retainUntil !== undefined) await retain(id, retainUntil)
      return id
    }
    const shown = async (id: string) => {
      const { isRecord, retainUntil, hasLegalHold, isUnderRetentionOrLegalHold } = await bench.read(id)
      return { isRecord, retainUntil, hasLegalHold, isUnderRetentionOrLegalHold }
    }
    const free = { isRecord: false, retainUntil: null, hasLegalHold: false, isUnderRetentionOrLegalHold: false }
    const namesOf = async (body: () => Promise<unknown>) => (await recorder.eventsOf(body)).map(({ name }) => name)

    describe('17 every verb', () => {
      for (const [name, permission, verb] of verbs) {
        test(`${name} takes ${permission}, which Write does not contain`, async () => {
          const id = await createRecord()
          await assertRefusal(
            act((session) => verb(session, id), 'bob'),
            403,
            privilegeMissing(permission, 'bob'),
          )
          await act((session) => verb(session, id), 'Administrator')
        })
        for (const id of [unknownId, '', 'a\0b', '\ud800', 'x'.repeat(10_000)]) {
          test(`${name} of what is no document is not found: ${JSON.stringify(id.slice(0, 36))}`, async () => {
            await assertRefusal(
              act((session) => verb(session, id)),
              404,
              id || emptyReference,
            )
          })
        }
      }
    })

    describe('17 making a record', () => {
      test('is shown, and told before and after', async () => {
        const id = await create()
        assert.deepEqual(await shown(id), free)
        const events = await recorder.eventsOf(() => act((session) => makeRecord(session, id)))
        assert.deepEqual(
          events.map(({ name, document }) => [name, document.id, document.isRecord]),
          [
            ['beforeMakeRecord', id, false],
            ['afterMakeRecord', id, true],
          ],
        )
        assert.deepEqual(await shown(id), { ...free, isRecord: true })
      })
      test('of one that is a record already changes nothing and tells nothing', async () => {
        const id = await createRecord()
        const before = await bench.read(id, inFull)
        assert.deepEqual(await namesOf(() => act((session) => makeRecord(session, id))), [])
        assert.deepEqual(await bench.read(id, inFull), before)
      })
      test('of a version is refused with 400, through a proxy too', async () => {
        const { uid } = await bench.update(await create(), { 'dc:title': 'v' }, { 'X-Versioning-Option': 'MINOR' })
        const proxy = await bench.createProxy(shared.uid, uid)
        for (const id of [uid, proxy]) {
          const message = `${uid} is a version and cannot become a record. Make its live document one.`
          await assertRefusal(
            act((session) => makeRecord(session, id)),
            400,
            message,
          )
        }
      })
      test('through a proxy to a live document makes that one a record', async () => {
        const id = await create()
        const proxy = await bench.createProxy(shared.uid, id)
        const record = await act((session) => makeRecord(session, proxy))
        assert.deepEqual([record.id, record.isProxy, record.isRecord], [proxy, true, true])
        assert.equal((await shown(id)).isRecord, true)
      })
      test('gives its versions nothing of it', async () => {
        const id = await createRecord(sooner)
        await act((session) => setLegalHold(session, id))
        const version = await bench.update(id, { 'dc:title': 'v' }, { 'X-Versioning-Option': 'MINOR' })
        assert.equal(version.isVersion, true)
        assert.deepEqual(await shown(version.uid), free)
        assert.equal((await shown(id)).isUnderRetentionOrLegalHold, true)
      })
      test('stopped by a listener leaves no record', async () => {
        const id = await create()
        const make = () => act((session) => makeRecord(session, id))
        for (const event of ['beforeMakeRecord', 'afterMakeRecord']) {
          await recorder.failingAt(event, new Error('not now'), () => assert.rejects(make(), /not now/))
          assert.deepEqual(await shown(id), free)
        }
      })
    })

    describe('17 retention', () => {
      test('is for records only: anything else is refused with 409', async () => {
        const id = await create()
        await assertRefusal(retain(id, sooner), 409, `${id} is not a record and cannot be retained. Make it a record first.`)
        assert.deepEqual(await shown(id), free)
      })
      test('is shown as a date and as being kept', async () => {
        const id = await createRecord('2090-01-01')
        const kept = { isRecord: true, retainUntil: sooner, hasLegalHold: false, isUnderRetentionOrLegalHold: true }
        assert.deepEqual(await shown(id), kept)
      })
      test('can be extended', async () => {
        const id = await createRecord(sooner)
        await retain(id, later)
        assert.equal((await shown(id)).retainUntil, later)
        await retain(id, indeterminate)
        assert.equal((await shown(id)).retainUntil, indeterminate)
      })
      test('cannot be shortened: 409, and it stays', async () => {
        const id = await createRecord(later)
        const message = `${id} is retained until ${later}. Retention can be extended, not shortened.`
        await assertRefusal(retain(id, sooner), 409, message)
        assert.equal((await shown(id)).retainUntil, later)
      })
      test('cannot be shortened by making it indeterminate first, by nobody', async () => {
        const id = await createRecord(later)
        await retain(id, indeterminate)
        await assertRefusal(retain(id, sooner), 409, new RegExp(`retained until ${later}`))
        const administrator = server.as('Administrator')
        const facet = { input: id, params: { facet: 'RetainedAtLeast' } }
        const removal = await administrator.post('/automation/Document.RemoveFacet', facet)
        assertRefused(removal, 403, /retention can be extended, not shortened/)
        const put = await administrator.put(`/id/${id}`, changesTo({ 'retention:atLeastUntil': null }))
        assertRefused(put, 403, /retention can be extended, not shortened/)
        await assertRefusal(retain(id, sooner), 409, /not shortened/)
        assert.equal((await bench.read(id)).retainUntil, indeterminate)
        await retain(id, later)
        assert.equal((await bench.read(id)).retainUntil, later)
      })
      test('that is indeterminate may be replaced by any date to come', async () => {
        const id = await createRecord('9999-01-01T00:00Z')
        assert.equal((await shown(id)).retainUntil, indeterminate)
        await retain(id, sooner)
        assert.equal((await shown(id)).retainUntil, sooner)
      })
      for (const until of ['2001-01-01', 'tomorrow', '', '2090-13-01', '\0', '99999-01-01']) {
        test(`until ${JSON.stringify(until)} is refused with 400`, async () => {
          const id = await createRecord()
          await assertRefusal(retain(id, until), 400, /^A record can be retained until a date that is yet to come/)
          assert.deepEqual(await shown(id), { ...free, isRecord: true })
        })
      }
      test('is told with its date and comment: set when it is new, extended when it is longer, nothing when it is the same', async () => {
        const id = await createRecord()
        const set = await recorder.eventsOf(() => retain(id, sooner, 'by law'))
        assert.deepEqual(
          set.map(({ name, properties, comment }) => [name, properties, comment]),
          [
            ['beforeSetRetention', { retainUntil: sooner }, 'by law'],
            ['afterSetRetention', { retainUntil: sooner }, 'by law'],
          ],
        )
        const extended = await recorder.eventsOf(() => retain(id, later))
        assert.deepEqual(
          extended.map(({ name, properties, comment, document }) => [name, properties, comment, document.retainUntil]),
          [
            ['beforeExtendRetention', { retainUntil: later }, null, sooner],
            ['afterExtendRetention', { retainUntil: later }, null, later],
          ],
        )
        assert.deepEqual(await namesOf(() => retain(id, later)), [])
      })
    })

    describe('17 a legal hold', () => {
      test('is set and removed, and told with its comment, on a record or not', async () => {
        for (const id of [await create(), await createRecord()]) {
          const { isRecord } = await shown(id)
          const comment = 'case 7'
          const set = await recorder.eventsOf(() => act((session) => setLegalHold(session, id, { comment })))
          assert.deepEqual(
            set.map((event) => [event.name, event.comment, event.document.hasLegalHold]),
            [
              ['beforeSetLegalHold', comment, false],
              ['afterSetLegalHold', comment, true],
            ],
          )
          assert.deepEqual(await shown(id), { ...free, isRecord, hasLegalHold: true, isUnderRetentionOrLegalHold: true })
          const removed = await recorder.eventsOf(() => act((session) => removeLegalHold(session, id)))
          assert.deepEqual(
            removed.map((event) => [event.name, event.comment, event.document.hasLegalHold]),
            [
              ['beforeRemoveLegalHold', null, true],
              ['afterRemoveLegalHold', null, false],
            ],
          )
          assert.deepEqual(await shown(id), { ...free, isRecord })
        }
      })
      test('that is there already, or not there, changes nothing and tells nothing', async () => {
        const id = await create()
        assert.deepEqual(await namesOf(() => act((session) => removeLegalHold(session, id))), [])
        await act((session) => setLegalHold(session, id))
        const before = await bench.read(id, inFull)
        assert.deepEqual(await namesOf(() => act((session) => setLegalHold(session, id))), [])
        assert.deepEqual(await bench.read(id, inFull), before)
      })
      test('on a version keeps that version, also when its live document goes', async () => {
        const id = await create()
        const version = await bench.update(id, { 'dc:title': 'v' }, { 'X-Versioning-Option': 'MINOR' })
        await bench.update(id, { 'dc:title': 'w' })
        await act((session) => setLegalHold(session, version.uid))
        const refused = await server.as('Administrator').delete(`/id/${version.uid}`)
        assertRefused(refused, 409, /it is under retention \/ hold$/)
        assert.equal((await server.as('Administrator').delete(`/id/${id}`)).status, 204)
        const removed = await server.asSystem(({ tx }) => tx.documents.lockOrphanVersions([id]))
        assert.deepEqual(removed, [])
        assert.equal((await bench.read(version.uid)).hasLegalHold, true)
        await server.inSession('Administrator', (session) => removeLegalHold(session, version.uid))
        await untilIdle(server)
        assert.equal((await server.as('Administrator').get(`/id/${version.uid}`)).status, 404)
      })
    })

    describe('17 the main file of a record', () => {
      const file = { name: 'a.txt', 'mime-type': 'text/plain', data: 'a' }
      const another = { ...file, data: 'b' }
      const keep: readonly [why: string, keep: (id: string) => Promise<unknown>][] = [
        ['under retention', (id) => retain(id, sooner)],
        ['under legal hold', (id) => act((session) => setLegalHold(session, id))],
      ]
      for (const [why, keepIt] of keep) {
        test(`${why} cannot be replaced or removed, by nobody and through nothing; what describes it can`, async () => {
          const id = await create('File', { 'file:content': file })
          await act((session) => makeRecord(session, id))
          await keepIt(id)
          const proxy = await bench.createProxy(shared.uid, id)
          for (const user of ['clerk', 'Administrator']) {
            for (const address of [id, proxy]) {
              for (const content of [another, null]) {
                const put = await server.as(user).put(`/id/${address}`, changesTo({ 'file:content': content, 'dc:title': 'no' }))
                assertRefused(put, 403, new RegExp(`main file of record ${id} cannot be changed`))
              }
            }
          }
          const described = await server.as('clerk').put(`/id/${id}`, changesTo({ 'dc:title': 'described' }), inFull)
          const { title, properties } = requireStatus(200, described)
          assert.deepEqual([title, properties['file:content'].name], ['described', 'a.txt'])
        })
      }
      test('is replaceable where nothing keeps the record, and may be added to what is held', async () => {
        for (const id of [await createRecord(), await create()]) await bench.update(id, { 'file:content': another })
        const held = await create()
        await act((session) => setLegalHold(session, held))
        await bench.update(held, { 'file:content': another })
      })
    })
  },
  { plugins: [recorder.plugin] },
)
