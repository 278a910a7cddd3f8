import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { checkOutDocument } from '../../src/core/documents/versions/check-out.ts'
import { findLastVersion, listVersions } from '../../src/core/documents/versions/list-versions.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import { readWorkingCopy } from '../../src/core/documents/versions/working-copy.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { minor, namesOf, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder()
const unknownId = '00000000-0000-4000-8000-000000000000'

onEachServer(
  'checking in and out',
  (server) => {
    const bench = versionBenchOn(server)
    before(async () => {
      for (const user of ['alice', 'editor', 'historian']) await server.addUser(user)
    })
    const as = <Result>(user: string, act: (session: WriteSession) => Promise<Result>) => server.inSession(user, act)
    const checkOut = (uid: string, user = 'Administrator') => as(user, (session) => checkOutDocument(session, uid))
    const idsOf = (documents: readonly { id: string }[]) => documents.map(({ id }) => id)
    /** A file that each of the three may do something else with. */
    async function createShared() {
      const file = await bench.create('File', { 'dc:title': 'first' })
      await bench.restrict(
        file.uid,
        grant('alice', 'Read'),
        grant('editor', 'Read'),
        grant('editor', 'WriteProperties'),
        grant('historian', 'ReadVersion'),
      )
      return file
    }

    describe('8.5 check-in', () => {
      test('8.5 needs WriteProperties, and no more', async () => {
        const { uid } = await createShared()
        await assertRefusal(
          as('alice', (session) => checkInDocument(session, uid)),
          403,
          privilegeMissing('WriteProperties', 'alice'),
        )
        await as('editor', (session) => checkInDocument(session, uid))
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      for (const [option, label] of [
        [undefined, '0.1'],
        ['minor', '0.1'],
        ['major', '1.0'],
        ['none', '0.0'],
      ] as const) {
        test(`8.5 with the option ${option} makes ${label}`, async () => {
          const { uid } = await bench.create('File')
          const { live, version } = await bench.checkIn(uid, option)
          assert.deepEqual(await bench.listLabels(uid), [label])
          assert.deepEqual([live.isCheckedIn, live.baseVersionId], [true, version.id])
        })
      }
      test('8.5 NONE keeps the numbers of an earlier version', async () => {
        const { uid } = await bench.create('File')
        await bench.checkIn(uid, 'minor')
        await bench.retitle(uid, 'x')
        await bench.checkIn(uid, 'none')
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.1'])
      })
      test('8.5 twice is refused with 409', async () => {
        const { uid } = await bench.create('File')
        const { version } = await bench.checkIn(uid)
        await assertRefusal(bench.checkIn(uid), 409, `Already checked in: ${uid}`)
        await assertRefusal(bench.checkIn(version.id), 409, `Already checked in: ${version.id}`)
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('8.5 of several at the same time makes one version, and the others learn of it', async () => {
        const { uid } = await bench.create('File')
        const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => bench.checkIn(uid)))
        assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1)
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('8.5 of what does not exist is 404', () => assertRefusal(bench.checkIn(unknownId), 404, unknownId))
      test('8.5 keeps properties, facets, tags and state as they are', async () => {
        const tags = [{ label: 'blue', username: 'Administrator' }]
        const { uid } = await bench.create('File', { 'dc:title': 'frozen' })
        const row = await bench.row(uid)
        await bench.change(uid, {
          state: 'approved',
          facets: ['Thumbnail'],
          properties: { ...row.properties, 'nxtag:tags': tags },
        })
        const { version } = await bench.checkIn(uid)
        await bench.update(uid, { 'dc:title': 'changed' })
        const shown = await bench.read(version.id, inFull)
        assert.deepEqual([shown.state, shown.title, shown.properties['nxtag:tags']], ['approved', 'frozen', tags])
        assert.ok(shown.facets.includes('Thumbnail'))
        assert.ok(shown.schemas.some(({ name }: { name: string }) => name === 'thumbnail'))
      })
      test('8.5 is of the document itself and not of its children', async () => {
        const { uid, path } = await bench.create('Folder')
        const { uid: child } = await bench.create('File', {}, { parent: path })
        const { version } = await bench.checkIn(uid)
        assert.deepEqual(await bench.listLabels(child), [])
        const { entries } = requireStatus(200, await server.as('Administrator').get(`/id/${version.id}/@children`))
        assert.deepEqual(entries, [])
      })
      test('8.5 through a live proxy is of what it points to, by the rights at both', async () => {
        const { uid } = await bench.create('File')
        const folder = (await bench.create('Folder')).uid
        const proxy = await bench.createProxy(folder, uid)
        await bench.restrict(uid, grant('editor', 'WriteProperties'))
        await bench.restrict(folder, grant('editor', 'WriteProperties'))
        await as('editor', (session) => checkInDocument(session, proxy))
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('16 tells before and after, with label, comment and version', async () => {
        const { uid } = await bench.create('File')
        const events = await recorder.eventsOf(() => bench.checkIn(uid, 'major', 'done'))
        assert.deepEqual(namesOf(events), ['aboutToCheckIn', 'documentCheckedIn', 'documentCreated'])
        const [version] = await as('Administrator', (session) => listVersions(session, uid))
        const properties = { versionLabel: '1.0', checkInComment: 'done', checkedInVersionRef: version?.id }
        const after = readEvent(events, 'documentCheckedIn')
        assert.deepEqual([after.document.id, after.comment], [uid, '1.0 done'])
        assert.deepEqual(after.properties, properties)
        assert.deepEqual(readEvent(events, 'documentCreated').document.id, version?.id)
        const before = readEvent(events, 'aboutToCheckIn')
        assert.deepEqual([before.document.id, before.properties], [uid, { checkInComment: 'done' }])
      })
      test('16 has the label alone as its comment when none was given', async () => {
        const { uid } = await bench.create('File')
        const events = await recorder.eventsOf(() => bench.checkIn(uid))
        assert.equal(readEvent(events, 'documentCheckedIn').comment, '0.1')
      })
    })

    describe('8.5 check-out', () => {
      test('8.5 needs WriteProperties, and no more', async () => {
        const { uid } = await createShared()
        await bench.checkIn(uid)
        await assertRefusal(checkOut(uid, 'alice'), 403, privilegeMissing('WriteProperties', 'alice'))
        assert.equal((await checkOut(uid, 'editor')).isCheckedIn, false)
        assert.equal(await bench.label(uid), '0.1+')
      })
      test('8.5 twice is refused with 409', async () => {
        const { uid } = await bench.create('File')
        await assertRefusal(checkOut(uid), 409, `Already checked out: ${uid}`)
      })
      test('8.5 of a version is refused with 400', async () => {
        const { uid } = await bench.create('File')
        const { version } = await bench.checkIn(uid)
        await assertRefusal(checkOut(version.id), 400, /cannot be checked out/)
        assert.equal((await bench.row(version.id)).isCheckedIn, true)
      })
      test('8.5 on an older version takes the numbers of the latest, so that the next check-in continues after it', async () => {
        const { uid } = await bench.create('File')
        const { version: first } = await bench.checkIn(uid)
        await bench.retitle(uid, 'x')
        await bench.checkIn(uid, 'major')
        await as('Administrator', (session) => restoreVersion(session, uid, first.id))
        assert.equal(await bench.label(uid), '0.1')
        await checkOut(uid)
        assert.equal(await bench.label(uid), '1.0+')
        await bench.checkIn(uid)
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '1.0', '1.1'])
      })
      test('16 tells before and after', async () => {
        const { uid } = await bench.create('File', {}, { headers: minor })
        const events = await recorder.eventsOf(() => checkOut(uid))
        assert.deepEqual(namesOf(events), ['aboutToCheckout', 'documentCheckedOut'])
        assert.equal(readEvent(events, 'aboutToCheckout').document.isCheckedIn, true)
        assert.equal(readEvent(events, 'documentCheckedOut').document.isCheckedIn, false)
      })
    })

    describe('8.5 listing versions', () => {
      async function createWithVersions() {
        const file = await createShared()
        const { version: first } = await bench.checkIn(file.uid)
        await bench.retitle(file.uid, 'second')
        const { version: second } = await bench.checkIn(file.uid)
        return { ...file, versions: [first.id, second.id] as const }
      }
      test('8.5 is in the order of their creation, for the live document and for each of its versions', async () => {
        const { uid, versions } = await createWithVersions()
        for (const id of [uid, ...versions]) {
          assert.deepEqual(idsOf(await as('Administrator', (session) => listVersions(session, id))), versions)
        }
      })
      test('8.5 needs ReadVersion, as do the last version and the working copy', async () => {
        const { uid, versions } = await createWithVersions()
        const verbs: readonly ((session: WriteSession) => Promise<unknown>)[] = [
          async (session: WriteSession) => idsOf(await listVersions(session, uid)),
          async (session: WriteSession) => (await findLastVersion(session, uid))?.id,
          async (session: WriteSession) => (await readWorkingCopy(session, versions[0])).id,
        ]
        const expected = [versions, versions[1], uid]
        for (const [index, verb] of verbs.entries()) {
          assert.deepEqual(await as('historian', verb), expected[index])
          assert.deepEqual(await as('alice', verb), expected[index], 'it is part of Read')
        }
        await bench.restrict(uid, grant('alice', 'Browse'))
        for (const verb of verbs) await assertRefusal(as('alice', verb), 403, privilegeMissing('ReadVersion', 'alice'))
      })
      test('8.5 is empty where there is none, and 404 where there is no document', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual(await as('Administrator', (session) => listVersions(session, uid)), [])
        assert.equal(await as('Administrator', (session) => findLastVersion(session, uid)), undefined)
        await assertRefusal(
          as('Administrator', (session) => listVersions(session, unknownId)),
          404,
          unknownId,
        )
      })
      test('8.5 through a proxy is for those who may see the versions themselves, not only what is published', async () => {
        const { uid, versions } = await createWithVersions()
        const folder = (await bench.create('Folder')).uid
        const proxy = await bench.createProxy(folder, versions[0])
        await bench.restrict(folder, grant('alice', 'Read'))
        assert.deepEqual(idsOf(await as('alice', (session) => listVersions(session, proxy))), versions)
        await bench.restrict(uid)
        await assertRefusal(
          as('alice', (session) => listVersions(session, proxy)),
          403,
          privilegeMissing('ReadVersion', 'alice'),
        )
      })
    })

    describe('8.5 the working copy', () => {
      test('8.5 is the live document, for itself, its versions and its proxies', async () => {
        const { uid } = await bench.create('File')
        const { version } = await bench.checkIn(uid)
        const folder = (await bench.create('Folder')).uid
        const proxies = [await bench.createProxy(folder, uid), await bench.createProxy(folder, version.id)]
        for (const id of [uid, version.id, ...proxies]) {
          assert.equal((await as('Administrator', (session) => readWorkingCopy(session, id))).id, uid)
        }
      })
      test('8.5 is not there once the live document is gone', async () => {
        const { uid } = await bench.create('File')
        const { version } = await bench.checkIn(uid)
        await bench.createProxy((await bench.create('Folder')).uid, version.id)
        requireStatus(204, await server.as('Administrator').delete(`/id/${uid}`))
        await assertRefusal(
          as('Administrator', (session) => readWorkingCopy(session, version.id)),
          404,
          uid,
        )
      })
    })
  },
  { plugins: [recorder.plugin] },
)
