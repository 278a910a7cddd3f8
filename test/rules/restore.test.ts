import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type RestoreOptions, restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel, namesOf, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder()
const unknownId = '00000000-0000-4000-8000-000000000000'

onEachServer(
  'restoring a version',
  (server) => {
    const bench = versionBenchOn(server)
    before(async () => {
      for (const user of ['editor', 'restorer']) await server.addUser(user, ['members'])
    })
    const restore = (uid: string, versionId: string, options?: RestoreOptions, user = 'Administrator') =>
      server.inSession(user, (session) => restoreVersion(session, uid, versionId, options))
    /** A file changed since its version 0.1. */
    async function createChanged() {
      const { uid, path } = await bench.create('File', { 'dc:title': 'first', 'dc:description': 'then' })
      const { version } = await bench.checkIn(uid)
      await bench.update(uid, { 'dc:title': 'second', 'dc:description': null, 'dc:rights': 'since' })
      return { uid, path, versionId: version.id }
    }

    test('8.5 needs WriteVersion', async () => {
      const { uid, versionId } = await createChanged()
      await bench.restrict(uid, grant('editor', 'Read'), grant('editor', 'WriteProperties'), grant('restorer', 'WriteVersion'))
      await assertRefusal(restore(uid, versionId, {}, 'editor'), 403, privilegeMissing('WriteVersion', 'editor'))
      assert.equal((await bench.read(uid)).title, 'second')
      assert.equal((await restore(uid, versionId, {}, 'restorer')).properties['dc:title'], 'first')
    })

    test('8.5 replaces all properties by the version’s', async () => {
      const { uid, versionId } = await createChanged()
      const then = (await bench.row(versionId)).properties
      await restore(uid, versionId)
      assert.deepEqual((await bench.row(uid)).properties, then)
      const { title, properties } = await bench.read(uid, inFull)
      assert.deepEqual([title, properties['dc:description'], properties['dc:rights']], ['first', 'then', null])
    })

    test('8.5 replaces facets and lifecycle state by the version’s', async () => {
      const { uid } = await bench.create('File')
      await bench.change(uid, { state: 'approved', facets: ['Thumbnail'] })
      const { version } = await bench.checkIn(uid)
      await bench.change(uid, { state: 'obsolete', facets: ['HiddenInNavigation'] })
      await restore(uid, version.id)
      const { state, facets } = await bench.read(uid)
      assert.equal(state, 'approved')
      assert.ok(facets.includes('Thumbnail') && !facets.includes('HiddenInNavigation'))
    })

    test('8.5 keeps id, place, type, rights and what the law keeps', async () => {
      const { uid: folder, path } = await bench.create('OrderedFolder')
      await bench.create('File', {}, { parent: path })
      const { uid } = await bench.create('File', {}, { parent: path, name: 'placed' })
      const { version } = await bench.checkIn(uid)
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('editor', 'Read')] }])
      const lock = { owner: 'Administrator', created: '2030-01-01T00:00:00.000Z' }
      await bench.change(uid, { hasLegalHold: true, retainUntil: '2099-01-01T00:00:00.000Z', isTrashed: true, lock })
      const before = await bench.row(uid)
      await restore(uid, version.id)
      const after = await bench.row(uid)
      const kept = (document: Document) => {
        const { id, parentId, name, path, position, type, acls, acpId, seriesId } = document
        const { hasLegalHold, retainUntil, isRecord, isTrashed, lock } = document
        return [
          id,
          parentId,
          name,
          path,
          position,
          type,
          acls,
          acpId,
          seriesId,
          hasLegalHold,
          retainUntil,
          isRecord,
          isTrashed,
          lock,
        ]
      }
      assert.deepEqual(kept(after), kept(before))
      assert.deepEqual([after.parentId, after.position], [folder, 1])
    })

    test('8.5 first keeps what would be lost as a minor version', async () => {
      const { uid, versionId } = await createChanged()
      await restore(uid, versionId)
      assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      const latest = await server.asSystem(({ tx }) => tx.documents.findLatestVersion(uid))
      assert.equal(latest?.properties['dc:title'], 'second')
    })

    test('8.5 keeps nothing when the snapshot is skipped, or when there is nothing new', async () => {
      const { uid, versionId } = await createChanged()
      await restore(uid, versionId, { skipSnapshot: true })
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      await restore(uid, versionId)
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
    })

    test('8.5 leaves the document checked in on the restored version', async () => {
      const { uid, versionId } = await createChanged()
      const restored = await restore(uid, versionId)
      assert.deepEqual([restored.isCheckedIn, restored.baseVersionId], [true, versionId])
      const shown = await bench.read(uid, fetchLabel)
      assert.deepEqual([shown.isCheckedOut, shown.versionLabel, shown.isVersion], [false, '0.1', false])
    })

    test('8.5 checks it out afterwards when asked to, and then the numbers go on from the latest', async () => {
      const { uid, versionId } = await createChanged()
      const restored = await restore(uid, versionId, { checkOut: true })
      assert.deepEqual([restored.isCheckedIn, restored.baseVersionId], [false, versionId])
      assert.equal(await bench.label(uid), '0.2+')
      await bench.checkIn(uid)
      assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2', '0.3'])
    })

    test('8.5 leaves the versions as they are, and the latest flags with them', async () => {
      const { uid, versionId } = await createChanged()
      const before = await bench.row(versionId)
      await restore(uid, versionId, { skipSnapshot: true })
      assert.deepEqual(await bench.row(versionId), before)
      assert.equal(before.isLatestVersion, true)
    })

    test('8.5 is refused with 409 over a record', async () => {
      const { uid, versionId } = await createChanged()
      await bench.change(uid, { isRecord: true })
      await assertRefusal(restore(uid, versionId), 409, `${uid} is a record: no version can be restored over it`)
      assert.equal((await bench.read(uid)).title, 'second')
    })

    describe('8.5 what is no version of the document', () => {
      test('8.5 is refused with 400: another’s version, itself, another document, a proxy, a version in its place', async () => {
        const { uid, versionId } = await createChanged()
        const other = await createChanged()
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, versionId)
        for (const [live, version] of [
          [uid, other.versionId],
          [uid, uid],
          [uid, other.uid],
          [uid, proxy],
          [versionId, versionId],
        ] as const) {
          await assertRefusal(
            restore(live, version),
            400,
            `${version} is not a version of ${live}. Restore one of its own versions.`,
          )
        }
      })
      test('8.5 is 404 when it does not exist at all', async () => {
        const { uid, versionId } = await createChanged()
        await assertRefusal(restore(uid, unknownId), 404, unknownId)
        await assertRefusal(restore(unknownId, versionId), 404, unknownId)
      })
    })

    test('16 tells before and after, with the version and its label', async () => {
      const { uid, versionId } = await createChanged()
      const events = await recorder.eventsOf(() => restore(uid, versionId, { checkOut: true }))
      assert.deepEqual(namesOf(events), [
        'aboutToCheckIn',
        'documentCheckedIn',
        'documentCreated',
        'beforeRestoringDocument',
        'aboutToCheckout',
        'documentCheckedOut',
        'documentRestored',
      ])
      for (const name of ['beforeRestoringDocument', 'documentRestored']) {
        const { document, comment, properties } = readEvent(events, name)
        assert.deepEqual([document.id, comment], [uid, '0.1'])
        assert.equal(properties['restoredVersionUUID'], versionId)
      }
      assert.equal(readEvent(events, 'beforeRestoringDocument').document.properties['dc:title'], 'second')
      assert.equal(readEvent(events, 'documentRestored').document.properties['dc:title'], 'first')
    })

    test('15 is a change of the blob to those who hold a token, when it is one', async () => {
      const hello = { name: 'hello.txt', 'mime-type': 'text/plain', data: 'hello' }
      const { uid } = await bench.create('File', { 'file:content': hello })
      const { version } = await bench.checkIn(uid)
      await bench.update(uid, { 'file:content': null })
      const { changeToken } = await bench.read(uid)
      await restore(uid, version.id, { skipSnapshot: true })
      const answer = await server.as('Administrator').put(`/id/${uid}`, changesTo({ 'dc:title': 'x' }, { uid, changeToken }))
      requireStatus(409, answer)
    })
  },
  { plugins: [recorder.plugin] },
)
