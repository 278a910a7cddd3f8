import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { removeOrphanVersionsJob } from '../../src/core/jobs/housekeeping.ts'
import type { Repository } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { noProgress } from '../support/no-progress.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { namesOf, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder()

onEachServer(
  'removing a version',
  (server) => {
    const bench = versionBenchOn(server)
    before(async () => {
      for (const user of ['editor', 'restorer']) await server.addUser(user, ['members'])
    })
    const remove = (uid: string, user = 'Administrator') => server.as(user).delete(`/id/${uid}`)
    const statusOf = async (uid: string) => (await server.as('Administrator').get(`/id/${uid}`)).status
    const denied = (place: string, id: string, reason: string) =>
      `Failed to delete document ${place}, Permission denied: cannot remove document ${id}, ${reason}`
    /** A file changed since its version. */
    async function createChanged() {
      const file = await bench.create('File', { 'dc:title': 'first' })
      const { version } = await bench.checkIn(file.uid)
      await bench.retitle(file.uid, 'second')
      return { uid: file.uid as string, path: file.path as string, versionId: version.id }
    }

    describe('8.5', () => {
      test('8.5 takes away that version and nothing else', async () => {
        const { uid, versionId } = await createChanged()
        const { version: second } = await bench.checkIn(uid)
        requireStatus(204, await remove(versionId))
        assert.deepEqual([await statusOf(versionId), await statusOf(second.id), await statusOf(uid)], [404, 200, 200])
        assert.deepEqual(await bench.listLabels(uid), ['0.2'])
      })
      test('8.5 is refused with 403 while a proxy targets it', async () => {
        const { versionId } = await createChanged()
        const folder = (await bench.create('Folder')).uid
        const { id: proxy } = await server.inSession('Administrator', (session) => createProxy(session, versionId, folder))
        assertRefused(await remove(versionId), 403, denied(versionId, versionId, 'it is the target of a proxy'))
        assert.equal(await statusOf(versionId), 200)
        requireStatus(204, await remove(proxy))
        requireStatus(204, await remove(versionId))
      })
      test('8.5 is refused with 403 while the live document is checked in with it as base', async () => {
        const { uid } = await bench.create('File')
        const { version } = await bench.checkIn(uid)
        const reason = 'its live document is checked in on it'
        assertRefused(await remove(version.id), 403, denied(version.id, version.id, reason))
        await bench.retitle(uid, 'opened')
        requireStatus(204, await remove(version.id))
      })
      test('8.5 of a version that is not the base is allowed while the live document is checked in', async () => {
        const { uid, versionId } = await createChanged()
        await bench.checkIn(uid)
        requireStatus(204, await remove(versionId))
      })
      test('8.5 needs WriteVersion on the live document', async () => {
        const { uid, versionId } = await createChanged()
        await bench.restrict(
          uid,
          grant('editor', 'Read'),
          grant('editor', 'Remove'),
          grant('restorer', 'Read'),
          grant('restorer', 'WriteVersion'),
        )
        const answer = await remove(versionId, 'editor')
        assertRefused(answer, 403, `Failed to delete document ${versionId}, ${privilegeMissing('WriteVersion', 'editor')}`)
        requireStatus(204, await remove(versionId, 'restorer'))
      })
      test('8.5 tells who may not remove it nothing of what keeps or shows it', async () => {
        const { uid, versionId } = await createChanged()
        await bench.restrict(uid, grant('editor', 'Read'))
        await bench.change(versionId, { hasLegalHold: true })
        await bench.createProxy((await bench.create('Folder')).uid, versionId)
        const answer = await remove(versionId, 'editor')
        assertRefused(answer, 403, `Failed to delete document ${versionId}, ${privilegeMissing('WriteVersion', 'editor')}`)
        requireStatus(409, await remove(versionId))
      })
      test('8.5 is for administrators only once the live document is gone', async () => {
        const { uid, versionId } = await createChanged()
        const { version: other } = await bench.checkIn(uid)
        await bench.restrict(uid, grant('restorer', 'ReadWrite'))
        await bench.createProxy((await bench.create('Folder')).uid, other.id)
        requireStatus(204, await remove(uid))
        requireStatus(403, await remove(versionId, 'restorer'))
        requireStatus(204, await remove(versionId))
      })
      test('8.5 repeated is 404', async () => {
        const { versionId } = await createChanged()
        requireStatus(204, await remove(versionId))
        requireStatus(404, await remove(versionId))
      })
      test('8.5 leaves a document that can be checked in again, its numbers going on', async () => {
        const { uid, versionId } = await createChanged()
        requireStatus(204, await remove(versionId))
        await bench.checkIn(uid)
        assert.deepEqual(await bench.listLabels(uid), ['0.2'])
      })
    })

    test('16 tells of the version before, and of its live document and of itself after', async () => {
      const { uid, versionId } = await createChanged()
      const events = await recorder.eventsOf(() => remove(versionId))
      assert.deepEqual(namesOf(events), ['aboutToRemoveVersion', 'versionRemoved', 'documentRemoved'])
      const properties = { docTitle: 'first', docSource: uid, workingCopy: uid }
      for (const [name, id] of [
        ['aboutToRemoveVersion', versionId],
        ['versionRemoved', uid],
        ['documentRemoved', versionId],
      ] as const) {
        const event = readEvent(events, name)
        assert.deepEqual([event.document.id, event.comment], [id, '0.1'])
        assert.deepEqual(event.properties, properties)
      }
    })

    describe('8.5 with its live document', () => {
      test('8.5 goes when no proxy to the series remains', async () => {
        const { uid, versionId } = await createChanged()
        const { version: second } = await bench.checkIn(uid)
        requireStatus(204, await remove(uid))
        await untilIdle(server)
        assert.deepEqual([await statusOf(versionId), await statusOf(second.id)], [404, 404])
      })
      test('8.5 goes with those of everything below a removed folder', async () => {
        const { uid: folder, path } = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: path })
        const { version } = await bench.checkIn(uid)
        requireStatus(204, await remove(folder))
        await untilIdle(server)
        assert.equal(await statusOf(version.id), 404)
      })
      test('8.5 stays as an orphan while a proxy shows any version of the series, and goes with the last one', async () => {
        const { uid, versionId } = await createChanged()
        const { version: second } = await bench.checkIn(uid)
        const folder = (await bench.create('Folder')).uid
        const proxies = [await bench.createProxy(folder, second.id), await bench.createProxy(folder, second.id)]
        requireStatus(204, await remove(uid))
        await untilIdle(server)
        for (const proxy of proxies) {
          assert.deepEqual([await statusOf(versionId), await statusOf(second.id)], [200, 200])
          assert.equal((await bench.read(proxy)).title, 'second')
          requireStatus(204, await remove(proxy))
          await untilIdle(server)
        }
        assert.deepEqual([await statusOf(versionId), await statusOf(second.id)], [404, 404])
      })
      test('8.5 goes when the folder of the last proxy is removed', async () => {
        const { uid, versionId } = await createChanged()
        const folder = (await bench.create('Folder')).uid
        await bench.createProxy(folder, versionId)
        requireStatus(204, await remove(uid))
        requireStatus(204, await remove(folder))
        await untilIdle(server)
        assert.equal(await statusOf(versionId), 404)
      })
      test('8.5 stays when only a proxy goes and the live document is there', async () => {
        const { versionId } = await createChanged()
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, versionId)
        requireStatus(204, await remove(proxy))
        await untilIdle(server)
        assert.equal(await statusOf(versionId), 200)
      })
    })
  },
  { plugins: [recorder.plugin] },
)

onEachServer(
  'orphaned versions',
  (server) => {
    const bench = versionBenchOn(server)

    test('19 are removed so many in one transaction, until none is left', async () => {
      const { uid } = await bench.create('Note')
      for (const title of ['b', 'c', 'd', 'e']) await bench.retitle(uid, title)
      assert.equal((await bench.listLabels(uid)).length, 5)
      await server.asSystem(({ tx }) => tx.documents.remove(uid))
      const removed = await removedInTransactions(server.services.repositories.get('default'), uid)
      assert.deepEqual(removed, [2, 2, 1])
      assert.deepEqual(await server.asSystem(({ tx }) => tx.documents.listVersions(uid)), [])
    })

    /** How many versions each transaction of the job removed. */
    async function removedInTransactions(repository: Repository | undefined, seriesId: string): Promise<readonly number[]> {
      assert.ok(repository)
      const { store } = repository
      const counts: number[] = []
      const left = async () => (await store.reader.documents.listVersions(seriesId)).length
      const watched: Repository['store'] = {
        ...store,
        async transact(body, options) {
          const before = await left()
          const result = await store.transact(body, options)
          counts.push(before - (await left()))
          return result
        },
      }
      const { signal } = new AbortController()
      await removeOrphanVersionsJob.run({ seriesIds: [seriesId] }, { ...repository, store: watched }, signal, noProgress)
      return counts
    }
  },
  { settings: { orphanVersionsCleanupCommitSize: 2 } },
)
