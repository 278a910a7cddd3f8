import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { emptyTrash } from '../../src/core/documents/trash/empty-trash.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { canPurgeOrUntrash } from '../../src/core/documents/trash/trash-rights.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredChild } from '../support/stored-document.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const lock = { owner: 'carol', created: '2031-01-01T00:00:00.000Z' }

onEachServer(
  'the trash',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const trash = (...documents: readonly Answered[]) =>
      server.inSession('Administrator', async (session) => {
        for (const { uid } of documents) await trashDocument(session, uid)
      })
    const createIn = (parent: Answered, type = 'File') => bench.create(type, {}, { parent: parent.path })
    const statusOf = async ({ uid }: Answered) => (await server.as('Administrator').get(`/id/${uid}`)).status
    const statusesOf = (...documents: readonly Answered[]) => Promise.all(documents.map(statusOf))

    /** A folder that bob and carol may do everything in, and two files in it. */
    async function createShared() {
      const folder = await bench.create('Folder')
      await bench.restrict(folder.uid, grant('bob', 'Everything'), grant('carol', 'Everything'))
      return { folder, first: await createIn(folder), second: await createIn(folder) }
    }

    describe('7 can be purged or left by documents', () => {
      const may = (user: string, ...documents: readonly Answered[]) =>
        server.inSession(user, (session) =>
          canPurgeOrUntrash(
            session,
            documents.map(({ uid }) => uid),
          ),
        )
      test('that are all trashed', async () => {
        const { first, second } = await createShared()
        await trash(first)
        assert.deepEqual([await may('bob', first), await may('bob', first, second), await may('bob')], [true, false, false])
        await trash(second)
        assert.equal(await may('bob', first, second), true)
      })
      test('that the caller may remove, each of them and from its folder', async () => {
        const { folder, first, second } = await createShared()
        await trash(first, second)
        await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadRemove'), grant('carol', 'Read')] }])
        assert.deepEqual([await may('bob', first, second), await may('carol', first)], [true, false])
        await bench.setAcls(second.uid, [{ name: 'local', aces: [grant('carol', 'Remove')] }])
        assert.equal(await may('carol', second), false, 'RemoveChildren on the folder is missing')
        await bench.restrict(second.uid)
        assert.equal(await may('bob', first, second), false, 'Remove on the second is missing')
      })
      test('that no one else has locked, but for the owner of the lock and administrators', async () => {
        const { first } = await createShared()
        await trash(first)
        await bench.change(first.uid, { lock })
        const users = ['bob', 'carol', 'Administrator']
        assert.deepEqual(await Promise.all(users.map((user) => may(user, first))), [false, true, true])
      })
      test('that no retention keeps', async () => {
        const { first } = await createShared()
        await trash(first)
        await bench.change(first.uid, { isRecord: true, hasLegalHold: true })
        assert.equal(await may('Administrator', first), false)
      })
      test('that exist', async () => assertRefusal(may('bob', { uid: 'nothing' }), 404, 'nothing'))
    })

    describe('7 of a folder, emptied', () => {
      const empty = (user: string, { uid }: Answered) => server.inSession(user, (session) => emptyTrash(session, uid))
      test('loses what was trashed in it, for good and with its subtree, and nothing else', async () => {
        const { folder, first, second } = await createShared()
        const inner = await createIn(folder, 'Folder')
        const leaf = await createIn(inner)
        const living = await createIn(folder, 'Folder')
        const deeper = await createIn(living)
        await trash(first, inner, deeper)
        assert.equal(await empty('bob', folder), 2)
        assert.deepEqual(await statusesOf(first, inner, leaf), [404, 404, 404])
        assert.deepEqual(await statusesOf(second, living, deeper), [200, 200, 200])
        assert.equal(await empty('bob', folder), 0)
      })
      test('loses what only its own facet would hide, as the list of what is in the trash shows it', async () => {
        const { folder, first } = await createShared()
        await trash(first)
        await bench.change(first.uid, { facets: ['HiddenInNavigation'] })
        const inTrash = `ecm:parentId = '${folder.uid}' AND ecm:isTrashed = 1 AND ecm:mixinType != 'HiddenInNavigation'`
        const query = encodeURIComponent(`SELECT * FROM Document WHERE ${inTrash}`)
        const listed = async () => (await server.as('bob').get(`/search/lang/NXQL/execute?query=${query}`)).body.entries.length
        assert.equal(await listed(), 1)
        assert.equal(await empty('bob', folder), 1)
        assert.equal(await listed(), 0)
      })
      test('keeps what is hidden in navigation by its type', async () => {
        const { folder } = await createShared()
        const hidden = await createIn(folder, 'HiddenFolder')
        await trash(hidden)
        assert.equal(await empty('Administrator', folder), 0)
        assert.deepEqual(await statusesOf(hidden), [200])
      })
      test('keeps what the caller may not remove or not even see', async () => {
        const { folder, first, second } = await createShared()
        const third = await createIn(folder)
        await bench.restrict(first.uid, grant('bob', 'Read'))
        await bench.restrict(second.uid, grant('bob', 'Remove'))
        await trash(first, second, third)
        assert.equal(await empty('bob', folder), 1)
        assert.deepEqual(await statusesOf(first, second, third), [200, 200, 404])
      })
      test('keeps what others have locked, except from administrators', async () => {
        const { folder, first, second } = await createShared()
        await trash(first, second)
        await bench.change(first.uid, { lock })
        assert.equal(await empty('bob', folder), 1)
        assert.deepEqual(await statusesOf(first, second), [200, 404])
        assert.equal(await empty('Administrator', folder), 1)
        assert.deepEqual(await statusesOf(first), [404])
      })
      test('keeps what is kept', async () => {
        const { folder, first } = await createShared()
        await trash(first)
        await bench.change(first.uid, { isRecord: true, hasLegalHold: true })
        assert.equal(await empty('Administrator', folder), 0)
        assert.deepEqual(await statusesOf(first), [200])
      })
      test('stays full without RemoveChildren on the folder, silently', async () => {
        const { folder, first } = await createShared()
        await trash(first)
        await bench.restrict(folder.uid, grant('bob', 'Read'), grant('bob', 'AddChildren'))
        await bench.setAcls(first.uid, [{ name: 'local', aces: [grant('bob', 'Remove')] }])
        assert.equal(await empty('bob', folder), 0)
        assert.deepEqual(await statusesOf(first), [200])
      })
      test('is refused for what is no folder, what may not be read and what does not exist', async () => {
        const { folder, first } = await createShared()
        await assertRefusal(empty('bob', first), 400, `${first.uid} is a File, which is not Folderish and has no trash to empty`)
        await bench.restrict(folder.uid)
        await assertRefusal(empty('bob', folder), 403, privilegeMissing('Read', 'bob'))
        await assertRefusal(empty('bob', { uid: 'nothing' }), 404, 'nothing')
      })
      test('may hold more than is read at once, and some that stay', async () => {
        const { folder } = await createShared()
        const rows = await server.asSystem(async ({ tx }) => {
          const parent = (await tx.documents.find(folder.uid)) as Document
          const fields = (index: number) => ({ type: 'File', isTrashed: true, lock: index % 3 === 0 ? lock : null })
          const children = Array.from({ length: 1_300 }, (_, index) => aStoredChild(parent, `n${index}`, fields(index)))
          await tx.documents.insertMany(children)
          return children
        })
        const locked = rows.filter((row) => row.lock !== null)
        assert.equal(await empty('bob', folder), rows.length - locked.length)
        const left = await server.asSystem(({ tx }) => tx.documents.listChildIds(folder.uid))
        const expected = new Set(locked.map(({ id }) => id))
        assert.equal(left.filter((id) => expected.has(id)).length, locked.length)
        assert.equal(left.length, locked.length + 2)
      })
    })
  },
  { plugins: [recorder.plugin] },
)
