import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../src/base/ids.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { checkOutDocument } from '../../src/core/documents/versions/check-out.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredDocument } from '../support/stored-document.ts'
import { fetchLabel, major, minor, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

onEachServer('the versioning state of a document', (server) => {
  const bench = versionBenchOn(server)
  before(() => server.addUser('alice', ['members']))

  async function createVersioned(option: 'minor' | 'major' = 'minor') {
    const file = await bench.create('File', { 'dc:title': 'first' })
    const { version } = await bench.checkIn(file.uid, option)
    return { file, version }
  }

  describe('8.1 isCheckedOut', () => {
    test('8.1 is true after creation, false after check-in, and true again with the next change', async () => {
      const { uid, isCheckedOut } = await bench.create('File')
      assert.equal(isCheckedOut, true)
      await bench.checkIn(uid)
      assert.equal((await bench.read(uid)).isCheckedOut, false)
      await bench.retitle(uid, 'changed')
      assert.equal((await bench.read(uid)).isCheckedOut, true)
    })
    test('8.1 is false on a version, whatever happens to its live document', async () => {
      const { file, version } = await createVersioned()
      await bench.retitle(file.uid, 'changed')
      assert.equal((await bench.read(version.id)).isCheckedOut, false)
    })
  })

  describe('8.1 the numbers', () => {
    test('8.1 start at 0.0 and are frozen on a version', async () => {
      const file = await bench.create('File', {}, { headers: { properties: 'uid' } })
      const numbers = ({ properties }: typeof file) => [properties['uid:major_version'], properties['uid:minor_version']]
      assert.deepEqual(numbers(file), [0, 0])
      const { version } = await bench.checkIn(file.uid, 'minor')
      await bench.update(file.uid, { 'dc:title': 'x' }, major)
      assert.deepEqual(numbers(await bench.read(version.id, { properties: 'uid' })), [0, 1])
      assert.deepEqual(numbers(await bench.read(file.uid, { properties: 'uid' })), [1, 0])
    })
    test('8.1 are kept even where the type has no place to show them', async () => {
      const { uid } = await bench.create('Folder')
      const { live, version } = await bench.checkIn(uid, 'major')
      assert.deepEqual([live.majorVersion, live.minorVersion, version.majorVersion], [1, 0, 1])
      assert.equal((await bench.row(uid)).majorVersion, 1)
      assert.equal(await bench.label(uid), '')
    })
    test('8.1 make the label, with a + once the document has changed since its version', async () => {
      const { uid } = await bench.create('File')
      assert.equal(await bench.label(uid), '0.0')
      await bench.retitle(uid, 'saved')
      assert.equal(await bench.label(uid), '0.0')
      await bench.checkIn(uid, 'minor')
      assert.equal(await bench.label(uid), '0.1')
      await bench.retitle(uid, 'edited')
      assert.equal(await bench.label(uid), '0.1+')
      await bench.checkIn(uid, 'major')
      assert.equal(await bench.label(uid), '1.0')
      await bench.retitle(uid, 'edited again')
      assert.equal(await bench.label(uid), '1.0+')
      assert.deepEqual(await bench.listLabels(uid), ['0.1', '1.0'])
    })
  })

  describe('8.1 the series and the base', () => {
    test('8.1 a version belongs to the series of its live document, which is its own', async () => {
      const { file, version } = await createVersioned()
      const shown = await bench.read(version.id)
      assert.deepEqual([shown.isVersion, shown.versionableId], [true, file.uid])
      const live = await bench.read(file.uid)
      assert.deepEqual([live.isVersion, 'versionableId' in live], [false, false])
      assert.equal((await bench.row(file.uid)).seriesId, null)
    })
    test('8.1 the base is the version it was last checked in as or restored from', async () => {
      const { uid } = await bench.create('File')
      const baseOf = async () => (await bench.row(uid)).baseVersionId
      assert.equal(await baseOf(), null)
      const { version: first } = await bench.checkIn(uid)
      await bench.retitle(uid, 'changed')
      assert.equal(await baseOf(), first.id)
      const { version: second } = await bench.checkIn(uid)
      assert.equal(await baseOf(), second.id)
      await server.inSession('Administrator', (session) => restoreVersion(session, uid, first.id))
      assert.equal(await baseOf(), first.id)
    })
  })

  describe('8.1 the place', () => {
    test('8.1 of a version is shown as that of its live document, also when that moves', async () => {
      const { file, version } = await createVersioned()
      const { uid: folder, path } = await bench.create('Folder')
      assert.deepEqual(await placeOf(version.id), [file.path, file.parentRef])
      await server.inSession('Administrator', (session) =>
        moveDocument(session, file.uid, { parentId: folder, name: 'elsewhere' }),
      )
      assert.deepEqual(await placeOf(version.id), [`${path}/elsewhere`, folder])
    })
    test('8.1 of a version is null once its live document is gone', async () => {
      const { file, version } = await createVersioned()
      await bench.createProxy((await bench.create('Folder')).uid, version.id)
      requireStatus(204, await server.as('Administrator').delete(`/id/${file.uid}`))
      assert.deepEqual(await placeOf(version.id), [null, null])
    })
    test('8.1 of a version does not exist in the store: it is nobody’s child and below nothing', async () => {
      const { uid: folder, path } = await bench.create('Folder')
      const { uid } = await bench.create('File', {}, { parent: path })
      const { version } = await bench.checkIn(uid)
      const { parentId, path: stored, position } = await bench.row(version.id)
      assert.deepEqual([parentId, stored, position], [null, null, null])
      const { entries } = requireStatus(200, await server.as('Administrator').get(`/id/${folder}/@children`))
      assert.deepEqual(
        entries.map((entry: { uid: string }) => entry.uid),
        [uid],
      )
      const below = await server.asSystem(({ tx }) => tx.documents.listBelow(path, undefined, 10))
      assert.deepEqual(
        below.map(({ id }) => id),
        [uid],
      )
    })
    test('8.1 of a placeless document that is no version is its bare name', async () => {
      const placeless = aStoredDocument({ id: newId(), type: 'File', path: null, name: 'nowhere' })
      await server.asSystem(({ tx }) => tx.documents.insert(placeless))
      assert.deepEqual(await placeOf(placeless.id), ['nowhere', null])
      await server.asSystem((session) => removeDocument(session, placeless.id))
    })
    async function placeOf(uid: string) {
      const { path, parentRef } = await bench.read(uid)
      return [path, parentRef]
    }
  })

  describe('8.1 what a version remembers', () => {
    test('8.1 when it was made, why, and under which label', async () => {
      const { uid } = await bench.create('File')
      const { version } = await bench.checkIn(uid, 'major', 'for the archive')
      const { versionCreated, versionComment } = await bench.row(version.id)
      assert.ok(Math.abs(Date.parse(versionCreated ?? '') - Date.now()) < 60_000)
      assert.equal(versionComment, 'for the archive')
      assert.equal((await bench.read(version.id, fetchLabel)).versionLabel, '1.0')
      const live = await bench.row(uid)
      assert.deepEqual([live.versionCreated, live.versionComment], [null, null])
    })
    test('8.1 the facet Immutable, which the live document does not have', async () => {
      const { file, version } = await createVersioned()
      assert.ok((await bench.read(version.id)).facets.includes('Immutable'))
      assert.ok(!(await bench.read(file.uid)).facets.includes('Immutable'))
      assert.deepEqual((await bench.row(version.id)).facets, [], 'it is shown and never stored')
    })
    test('8.1 neither lock nor trash nor retention, which are the live document’s', async () => {
      const { uid } = await bench.create('File')
      const lock = { owner: 'Administrator', created: '2030-01-01T00:00:00.000Z' }
      await bench.change(uid, { lock, isTrashed: true, isRecord: true, retainUntil: '2030-01-01T00:00:00.000Z' })
      const { version } = await bench.checkIn(uid)
      const row = await bench.row(version.id)
      assert.deepEqual([row.lock, row.isTrashed, row.isRecord, row.retainUntil], [null, false, false, null])
    })
  })

  describe('8.1 the latest flags', () => {
    const flagsOf = async (uid: string) => {
      const { isLatestVersion, isLatestMajorVersion } = await bench.row(uid)
      return [isLatestVersion, isLatestMajorVersion]
    }
    test('8.1 are set anew at each check-in', async () => {
      const { uid } = await bench.create('File')
      const { version: one } = await bench.checkIn(uid, 'major')
      assert.deepEqual(await flagsOf(one.id), [true, true])
      await bench.retitle(uid, 'a')
      const { version: oneOne } = await bench.checkIn(uid, 'minor')
      assert.deepEqual(
        [await flagsOf(one.id), await flagsOf(oneOne.id)],
        [
          [false, true],
          [true, false],
        ],
      )
      await bench.retitle(uid, 'b')
      const { version: two } = await bench.checkIn(uid, 'major')
      assert.deepEqual(
        [await flagsOf(one.id), await flagsOf(oneOne.id), await flagsOf(two.id)],
        [
          [false, false],
          [false, false],
          [true, true],
        ],
      )
      assert.deepEqual(await flagsOf(uid), [false, false], 'the live document has none')
    })
    test('8.1 are set anew when the latest version is removed', async () => {
      const { uid } = await bench.create('File')
      const { version: first } = await bench.checkIn(uid, 'major')
      const second = await bench.retitle(uid, 'a', major)
      await bench.retitle(uid, 'b')
      requireStatus(204, await server.as('Administrator').delete(`/id/${second.uid}`))
      assert.deepEqual(await flagsOf(first.id), [true, true])
    })
    test('8.1 tell versions of one moment apart by the order of their making', async () => {
      const { uid } = await bench.create('File')
      const versions = await server.inSession('Administrator', async (session) => {
        const first = await checkInDocument(session, uid)
        await checkOutDocument(session, uid)
        const second = await checkInDocument(session, uid)
        return [first.version.id, second.version.id] as const
      })
      assert.deepEqual(
        [await flagsOf(versions[0]), await flagsOf(versions[1])],
        [
          [false, false],
          [true, false],
        ],
      )
    })
  })

  describe('8.1 the rights on a version', () => {
    test('8.1 are those of its live document, as they change', async () => {
      const { file, version } = await createVersioned()
      requireStatus(200, await server.as('alice').get(`/id/${version.id}`))
      await bench.restrict(file.uid)
      requireStatus(403, await server.as('alice').get(`/id/${version.id}`))
      await bench.restrict(file.uid, grant('alice', 'Read'))
      requireStatus(200, await server.as('alice').get(`/id/${version.id}`))
    })
    test('8.1 follow those of a folder above the live document', async () => {
      const { uid: folder, path } = await bench.create('Folder')
      const { uid } = await bench.create('File', {}, { parent: path, headers: minor })
      const [version] = await server.asSystem(({ tx }) => tx.documents.listVersions(uid))
      assert.ok(version)
      requireStatus(200, await server.as('alice').get(`/id/${version.id}`))
      await bench.restrict(folder)
      requireStatus(403, await server.as('alice').get(`/id/${version.id}`))
    })
    test('8.1 are gone with the live document, but for administrators', async () => {
      const { file, version } = await createVersioned()
      await bench.createProxy((await bench.create('Folder')).uid, version.id)
      requireStatus(204, await server.as('Administrator').delete(`/id/${file.uid}`))
      requireStatus(403, await server.as('alice').get(`/id/${version.id}`))
      requireStatus(200, await server.as('Administrator').get(`/id/${version.id}`))
    })
  })
})
