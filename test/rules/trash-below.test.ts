import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../src/base/ids.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredChild } from '../support/stored-document.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const minor = { 'X-Versioning-Option': 'MINOR' }
const told: { readonly event: string; readonly id?: unknown }[] = []
const log: Log = { ...silentLog, info: (fields) => told.push(fields) }

onEachServer(
  '7.8 what is below a trashed folder',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
    })
    const trash = (id: string, user = 'Administrator') => server.inSession(user, (session) => trashDocument(session, id))
    const createIn = (parent: Answered, type = 'File') => bench.create(type, {}, { parent: parent.path })
    const flagsOf = (...documents: readonly Answered[]) =>
      Promise.all(documents.map(async ({ uid }) => (await bench.read(uid)).isTrashed))
    const trashedIds = async (act: () => Promise<unknown>) =>
      (await recorder.eventsOf(act)).filter(({ name }) => name === 'documentTrashed').map(({ document }) => document.id)

    /** A folder with a file and a folder in it, and a file in that. */
    async function createTree() {
      const folder = await bench.create('Folder')
      const inner = await createIn(folder, 'Folder')
      return { folder, file: await createIn(folder), inner, leaf: await createIn(inner) }
    }

    test('is trashed in the same transaction, and nothing beside it', async () => {
      const { folder, file, inner, leaf } = await createTree()
      const beside = await bench.create('Folder', {}, { name: `${folder.path.split('/').at(-1)}-b` })
      await trash(folder.uid)
      assert.deepEqual(await flagsOf(folder, file, inner, leaf, beside), [true, true, true, true, false])
    })
    test('is told of one by one, after the folder and from the top, each with its flag', async () => {
      const { folder, file, inner, leaf } = await createTree()
      const events = await recorder.eventsOf(() => trash(folder.uid))
      const trashed = events.filter(({ name }) => name === 'documentTrashed').map(({ document }) => document)
      assert.equal(trashed[0]?.id, folder.uid)
      assert.deepEqual(new Set(trashed.map(({ id }) => id)), new Set([folder, file, inner, leaf].map(({ uid }) => uid)))
      assert.ok(trashed.findIndex(({ id }) => id === inner.uid) < trashed.findIndex(({ id }) => id === leaf.uid))
      for (const { isTrashed, path } of trashed) assert.deepEqual([isTrashed, path?.includes('_.trashed')], [true, true])
      assert.equal(events.filter(({ name }) => name === 'documentMoved').length, 1)
    })
    test('is in the database when listeners hear of it', async () => {
      const { folder, leaf } = await createTree()
      recorder.afterCommit.length = 0
      await trash(folder.uid)
      const late = recorder.afterCommit.filter(({ event }) => event.name === 'documentTrashed')
      assert.ok(late.some(({ event, isStored }) => event.document.id === leaf.uid && isStored))
    })
    test('and was trashed before is left as it is and not told of again', async () => {
      const { folder, file, inner, leaf } = await createTree()
      await trash(inner.uid)
      const before = await bench.read(inner.uid)
      assert.deepEqual((await trashedIds(() => trash(folder.uid))).toSorted(), [folder.uid, file.uid].toSorted())
      const { path, changeToken } = await bench.read(inner.uid)
      assert.deepEqual([path.split('/').at(-1), changeToken], [before.path.split('/').at(-1), before.changeToken])
      assert.deepEqual(await flagsOf(leaf), [true])
    })
    test('raises the first part of its change token alone, and is not stamped', async () => {
      const { folder, leaf } = await createTree()
      const stamped = await bench.readProperties(leaf.uid)
      await trash(folder.uid)
      assert.equal((await bench.read(leaf.uid)).changeToken, '1-0')
      assert.equal((await bench.readProperties(leaf.uid))['dc:modified'], stamped['dc:modified'])
    })
    test('and is a version of it is never trashed', async () => {
      const { folder, leaf } = await createTree()
      const version = await bench.update(leaf.uid, { 'dc:title': 'one' }, minor)
      await trash(folder.uid)
      assert.deepEqual(await flagsOf(leaf, version), [true, false])
    })
    test('is found by an editor that had read it before: only a stale user change is a conflict', async () => {
      const { folder, leaf } = await createTree()
      await trash(folder.uid)
      const body = { 'entity-type': 'document', uid: leaf.uid, changeToken: leaf.changeToken, properties: { 'dc:title': 'new' } }
      assert.equal((await server.as('Administrator').put(`/id/${leaf.uid}`, body)).status, 200)
      assert.deepEqual(await flagsOf(leaf), [true])
    })

    describe('and is a proxy', () => {
      test('is removed, told of as removed, and leaves what it shows', async () => {
        const { folder, inner } = await createTree()
        const shown = await bench.create('File')
        const proxy = await bench.createProxy(inner.uid, shown.uid)
        const events = await recorder.eventsOf(() => trash(folder.uid))
        const names = events.filter(({ document }) => [proxy, shown.uid].includes(document.id)).map(({ name }) => name)
        assert.deepEqual(names, ['aboutToRemove', 'proxyRemoved', 'documentRemoved'])
        assert.equal((await server.as('Administrator').get(`/id/${proxy}`)).status, 404)
        assert.deepEqual(await flagsOf(shown), [false])
      })
      test('stays when the caller may not remove it, which is only logged', async () => {
        const { folder, inner } = await createTree()
        const shown = await bench.create('File')
        const [kept, removed] = [await bench.createProxy(inner.uid, shown.uid), await bench.createProxy(inner.uid, shown.uid)]
        await bench.restrict(folder.uid, grant('bob', 'ReadWrite'))
        await bench.setAcls((await bench.read(folder.uid)).parentRef, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
        await bench.restrict(kept, grant('bob', 'Read'))
        await trash(folder.uid, 'bob')
        assert.deepEqual(await flagsOf(folder, inner, { uid: kept }), [true, true, false])
        assert.equal((await server.as('Administrator').get(`/id/${removed}`)).status, 404)
        assert.deepEqual(
          told.filter(({ event }) => event === 'trash.proxyKept').map(({ id }) => id),
          [kept],
        )
        told.length = 0
      })
      test('outside of it does not keep what it shows from being trashed', async () => {
        const { folder, file } = await createTree()
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, file.uid)
        await trash(folder.uid)
        assert.deepEqual(await flagsOf(file, { uid: proxy }), [true, false])
      })
    })

    test('may be more than is read at once: each is told of once, there and back', async () => {
      const folder = await bench.create('Folder')
      const count = 1_203
      await server.asSystem(async ({ tx }) => {
        const parent = (await tx.documents.find(folder.uid)) as Document
        const rows = Array.from({ length: count }, (_, index) => aStoredChild(parent, `n${index}`, { id: newId(), type: 'File' }))
        await tx.documents.insertMany(rows)
      })
      const told = await trashedIds(() => trash(folder.uid))
      assert.deepEqual([told.length, new Set(told).size], [count + 1, count + 1])
      const events = await recorder.eventsOf(() =>
        server.inSession('Administrator', (session) => untrashDocument(session, folder.uid)),
      )
      const back = events.filter(({ name }) => name === 'documentUntrashed').map(({ document }) => document.id)
      assert.deepEqual([back.length, new Set(back).size], [count + 1, count + 1])
    })
  },
  { plugins: [recorder.plugin], log },
)
