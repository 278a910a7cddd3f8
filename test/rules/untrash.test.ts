import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument, untrashDocuments } from '../../src/core/documents/trash/untrash-document.ts'
import type { SaveOptions } from '../../src/core/save-options.ts'
import { type Ace, grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const minor = { 'X-Versioning-Option': 'MINOR' }
type Wishes = SaveOptions & { user?: string }

onEachServer(
  'untrashing a document',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const trash = (id: string, { user = 'Administrator', ...options }: Wishes = {}) =>
      server.inSession(user, (session) => trashDocument(session, id, options))
    const untrash = (id: string, { user = 'Administrator', ...options }: Wishes = {}) =>
      server.inSession(user, (session) => untrashDocument(session, id, options))
    const createIn = (parent: Answered, type = 'File', name = type.toLowerCase()) =>
      bench.create(type, {}, { parent: parent.path, name })
    const find = (id: string) => server.asSystem(({ tx }) => tx.documents.find(id))
    const setRights = (uid: string, ...aces: readonly Ace[]) => bench.setAcls(uid, [{ name: 'local', aces }])
    const assertRestored = async (...documents: readonly Answered[]) => {
      for (const { uid, path } of documents) {
        const { isTrashed, path: now } = await bench.read(uid)
        assert.deepEqual([isTrashed, now], [false, path])
      }
    }
    const assertTrashed = async (...documents: readonly Answered[]) => {
      for (const { uid } of documents) assert.equal((await bench.read(uid)).isTrashed, true, uid)
    }
    const namesAbout = async (uid: string, act: () => Promise<unknown>) =>
      (await recorder.eventsOf(act)).filter(({ document }) => document.id === uid).map(({ name }) => name)

    /** A folder with a file in it. */
    async function createPair() {
      const folder = await bench.create('Folder')
      return { folder, file: await createIn(folder) }
    }

    describe('7 untrash 1 gives back its name', () => {
      test('and path, and leaves everything else as it was', async () => {
        const { file } = await createPair()
        await bench.update(file.uid, { 'dc:title': 'one' }, minor)
        await bench.change(file.uid, { state: 'approved' })
        const before = await find(file.uid)
        await trash(file.uid)
        const restored = await untrash(file.uid)
        await assertRestored(file)
        assert.ok(before)
        assert.deepEqual(restored, { ...before, changeToken: restored.changeToken })
      })
      test('so that it is listed again', async () => {
        const { folder, file } = await createPair()
        await trash(file.uid)
        await untrash(file.uid)
        const { body } = await server.as('Administrator').get(`/id/${folder.uid}/@children`)
        assert.deepEqual(
          body.entries.map(({ uid }: Answered) => uid),
          [file.uid],
        )
      })
      test('without the number of an earlier collision, when the plain name is free', async () => {
        const { folder, file } = await createPair()
        const second = await createIn(folder)
        assert.match(second.path, /\/file\.\d{13,}$/)
        for (const { uid } of [file, second]) await trash(uid)
        await untrash(second.uid)
        assert.equal((await bench.read(second.uid)).path, file.path)
      })
      test('with the number of an earlier collision, when the plain name is taken', async () => {
        const { folder } = await createPair()
        const second = await createIn(folder)
        await trash(second.uid)
        await untrash(second.uid)
        await assertRestored(second)
      })
      test('with a number of its own, when another took the name meanwhile', async () => {
        const { folder, file } = await createPair()
        await trash(file.uid)
        const next = await createIn(folder)
        await untrash(file.uid)
        await assertRestored(next)
        const { path, isTrashed } = await bench.read(file.uid)
        assert.match(path, new RegExp(`^${RegExp.escape(file.path)}\\.\\d{13,}$`))
        assert.equal(isTrashed, false)
      })
      test('also one that looks marked itself', async () => {
        const { file } = await createPair()
        const name = 'odd._1234567890123_.trashed'
        await server.inSession('Administrator', (session) => moveDocument(session, file.uid, { name }))
        await trash(file.uid)
        assert.equal((await untrash(file.uid)).name, name)
      })
      test('which it has already when it was trashed without renaming', async () => {
        const { file } = await createPair()
        await trash(file.uid, { trashRenaming: false })
        const names = await namesAbout(file.uid, () => untrash(file.uid))
        assert.ok(!names.includes('documentMoved'))
        await assertRestored(file)
      })
    })

    describe('7 untrash 2 clears the flag', () => {
      test('and tells of a move, then that it is out of the trash', async () => {
        const { file } = await createPair()
        await trash(file.uid)
        const events = await recorder.eventsOf(() => untrash(file.uid, { comment: 'needed' }))
        const names = events.map(({ name }) => name).filter((name) => name !== 'sessionSaved')
        assert.deepEqual(names, ['aboutToMove', 'documentMoved', 'documentUntrashed'])
        const { document, comment, category } = readEvent(events, 'documentUntrashed')
        assert.deepEqual([document.id, document.isTrashed, document.path], [file.uid, false, file.path])
        assert.deepEqual([comment, category], ['needed', 'eventDocumentCategory'])
      })
      test('and does not stamp the document', async () => {
        const { file } = await createPair()
        const before = await bench.readProperties(file.uid)
        await trash(file.uid)
        await untrash(file.uid)
        assert.deepEqual(await bench.readProperties(file.uid), before)
      })
      test('of what is not trashed does nothing, and is no mistake', async () => {
        const { file } = await createPair()
        const before = await find(file.uid)
        const events = await recorder.eventsOf(async () => assert.equal((await untrash(file.uid)).id, file.uid))
        assert.deepEqual(events, [])
        assert.deepEqual(await find(file.uid), before)
      })
      test('of what does not exist is 404', async () => assertRefusal(untrash('nothing'), 404, 'nothing'))
    })

    describe('7 untrash 3 brings back what is below it', () => {
      test('and tells of each', async () => {
        const { folder, file } = await createPair()
        const inner = await createIn(folder, 'Folder')
        const leaf = await createIn(inner)
        await trash(folder.uid)
        const events = await recorder.eventsOf(() => untrash(folder.uid))
        await assertRestored(folder, file, inner, leaf)
        const told = events.filter(({ name }) => name === 'documentUntrashed').map(({ document }) => document.id)
        assert.deepEqual(told.toSorted(), [folder, file, inner, leaf].map(({ uid }) => uid).toSorted())
        assert.equal(told[0], folder.uid)
      })
      test('also what was trashed before the folder was: each gets its name back', async () => {
        const { folder, file } = await createPair()
        const inner = await createIn(folder, 'Folder')
        const leaf = await createIn(inner)
        for (const { uid } of [leaf, inner, file, folder]) await trash(uid)
        const names = await namesAbout(leaf.uid, () => untrash(folder.uid))
        assert.deepEqual(names, ['aboutToMove', 'documentMoved', 'documentUntrashed'])
        await assertRestored(folder, file, inner, leaf)
      })
      test('but does not rename what only looks trashed', async () => {
        const { folder } = await createPair()
        await trash(folder.uid)
        const { path } = await bench.read(folder.uid)
        const odd = await createIn({ path })
        const name = 'odd._1234567890123_.trashed'
        await server.inSession('Administrator', (session) => moveDocument(session, odd.uid, { name }))
        const names = await namesAbout(odd.uid, () => untrash(folder.uid))
        assert.deepEqual(names, [])
        assert.equal((await bench.read(odd.uid)).path, `${folder.path}/${name}`)
      })
    })

    describe('7 untrash 4 brings back its trashed ancestors', () => {
      test('as containers only: what else is in them stays trashed', async () => {
        const outer = await bench.create('Folder')
        const inner = await createIn(outer, 'Folder')
        const leaf = await createIn(inner)
        const others = [await createIn(outer), await createIn(inner, 'Note')]
        await trash(outer.uid)
        const events = await recorder.eventsOf(async () => assert.equal((await untrash(leaf.uid)).path, leaf.path))
        await assertRestored(outer, inner, leaf)
        await assertTrashed(...others)
        const told = events.filter(({ name }) => name === 'documentUntrashed').map(({ document }) => document.id)
        assert.deepEqual(told, [leaf.uid, inner.uid, outer.uid])
      })
      test('each under the name it had', async () => {
        const outer = await bench.create('Folder')
        const inner = await createIn(outer, 'Folder')
        const leaf = await createIn(inner)
        for (const { uid } of [leaf, inner, outer]) await trash(uid)
        await untrash(leaf.uid)
        await assertRestored(outer, inner, leaf)
      })
      test('also past one that is not trashed', async () => {
        const outer = await bench.create('Folder')
        await trash(outer.uid)
        const inner = await createIn(await bench.read(outer.uid), 'Folder')
        const leaf = await createIn(inner)
        await trash(leaf.uid)
        await untrash(leaf.uid)
        await assertRestored(outer, { ...leaf, path: `${outer.path}/folder/file` })
      })
      test('by the same rights, or not at all', async () => {
        const { folder, file } = await createPair()
        await bench.restrict(folder.uid, grant('bob', 'Everything'))
        await trash(folder.uid)
        await assertRefusal(untrash(file.uid, { user: 'bob' }), 403, privilegeMissing('RemoveChildren', 'bob'))
        await assertTrashed(folder, file)
      })
    })

    describe('7 untrash 5 needs the rights', () => {
      const rows: readonly [onFolder: readonly string[], onFile: readonly string[], missing: string | undefined][] = [
        [[], [], 'Remove'],
        [['RemoveChildren', 'AddChildren'], [], 'Remove'],
        [['AddChildren'], ['Remove'], 'RemoveChildren'],
        [['RemoveChildren'], ['Remove'], 'AddChildren'],
        [['RemoveChildren', 'AddChildren'], ['Remove'], undefined],
        [['Write'], [], undefined],
      ]
      for (const [onFolder, onFile, missing] of rows) {
        const given = `${onFolder.join(', ') || 'nothing'} on the folder and ${onFile.join(', ') || 'nothing'} on the file`
        test(`Remove on it, RemoveChildren and AddChildren on its parent: ${given} ${missing ? `lack ${missing}` : 'will do'}`, async () => {
          const { folder, file } = await createPair()
          await bench.restrict(folder.uid, ...['Read', ...onFolder].map((permission) => grant('bob', permission)))
          await setRights(file.uid, ...onFile.map((permission) => grant('bob', permission)))
          await trash(file.uid)
          if (missing === undefined) await untrash(file.uid, { user: 'bob' })
          else await assertRefusal(untrash(file.uid, { user: 'bob' }), 403, privilegeMissing(missing, 'bob'))
          assert.equal((await bench.read(file.uid)).isTrashed, missing !== undefined)
        })
      }
      test('that a lock of someone else takes away', async () => {
        const { folder, file } = await createPair()
        await bench.restrict(folder.uid, grant('bob', 'Everything'), grant('carol', 'Everything'))
        await bench.change(file.uid, { lock: { owner: 'carol', created: '2031-01-01T00:00:00.000Z' } })
        await trash(file.uid)
        await assertRefusal(untrash(file.uid, { user: 'bob' }), 403, privilegeMissing('Remove', 'bob'))
        await untrash(file.uid, { user: 'carol' })
        await assertRestored(file)
      })
    })

    describe('several at once', () => {
      const untrashAll = (ids: readonly string[], user = 'Administrator') =>
        server.inSession(user, (session) => untrashDocuments(session, ids))
      test('brings back a folder and what is in it, whatever comes first', async () => {
        const { folder, file } = await createPair()
        const other = await createIn(folder, 'Note')
        await trash(folder.uid)
        const restored = await untrashAll([file.uid, folder.uid])
        assert.deepEqual(
          restored.map(({ id, path }) => [id, path]),
          [file, folder].map(({ uid, path }) => [uid, path]),
        )
        await assertRestored(folder, file, other)
      })
      test('is refused when one of them is not trashed or may not be removed', async () => {
        const { folder, file } = await createPair()
        await trash(file.uid)
        await assertRefusal(untrashAll([file.uid, folder.uid]), 403, 'Cannot untrash these documents')
        await assertRefusal(untrashAll([file.uid], 'bob'), 403, 'Cannot untrash these documents')
        await assertRefusal(untrashAll([file.uid, 'nothing']), 404, 'nothing')
        await assertTrashed(file)
      })
    })
  },
  { plugins: [recorder.plugin] },
)
