import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { trashDocument, trashDocuments } from '../../src/core/documents/trash/trash-document.ts'
import type { SaveOptions } from '../../src/core/save-options.ts'
import { type Ace, grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredDocument } from '../support/stored-document.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const minor = { 'X-Versioning-Option': 'MINOR' }
const lockOf = (owner: string) => ({ owner, created: '2031-01-01T00:00:00.000Z' })

onEachServer(
  'trashing a document',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const trash = (id: string, { user = 'Administrator', ...options }: SaveOptions & { user?: string } = {}) =>
      server.inSession(user, (session) => trashDocument(session, id, options))
    const find = (id: string) => server.asSystem(({ tx }) => tx.documents.find(id))
    const statusOf = async (uid: string) => (await server.as('Administrator').get(`/id/${uid}`)).status
    const setRights = (uid: string, ...aces: readonly Ace[]) => bench.setAcls(uid, [{ name: 'local', aces }])
    const markOf = (name: string) => new RegExp(`/${RegExp.escape(name)}\\._[0-9]{13,}_\\.trashed$`)

    /** A folder with a file in it. */
    async function createPair() {
      const folder = await bench.create('Folder')
      return { folder, file: await bench.create('File', {}, { parent: folder.path, name: 'file' }) }
    }

    describe('7 changes the flag and nothing else of it', () => {
      test('so that state, check-out status, versions, lock and rights stay', async () => {
        const { file } = await createPair()
        const version = await bench.update(file.uid, { 'dc:title': 'one' }, minor)
        await setRights(file.uid, grant('bob', 'Write'))
        await bench.change(file.uid, { state: 'approved', lock: lockOf('carol') })
        const before = await find(file.uid)
        await trash(file.uid)
        const after = await find(file.uid)
        assert.ok(before && after)
        const { name, path, changeToken } = after
        assert.deepEqual(after, { ...before, name, path, changeToken, isTrashed: true })
        const { state, isCheckedOut, versionLabel } = await bench.read(file.uid, { 'fetch-document': 'versionLabel' })
        assert.deepEqual([state, isCheckedOut, versionLabel], ['approved', false, '0.1'])
        assert.equal((await bench.read(version.uid)).isTrashed, false)
      })
      test('which its entity shows, by its id and by its new path', async () => {
        const { file } = await createPair()
        assert.equal(file.isTrashed, false)
        await trash(file.uid)
        const trashed = await bench.read(file.uid)
        assert.equal(trashed.isTrashed, true)
        assert.equal(trashed.uid, file.uid)
        const found = await server.as('Administrator').get(`/path${encodeURI(trashed.path)}`)
        assert.deepEqual([found.status, found.body.uid], [200, file.uid])
        assert.equal((await server.as('Administrator').get(`/path${file.path}`)).status, 404)
      })
      test('and takes it out of the listings of its folder', async () => {
        const { folder, file } = await createPair()
        const stays = await bench.create('File', {}, { parent: folder.path })
        await trash(file.uid)
        const { body } = await server.as('Administrator').get(`/id/${folder.uid}/@children`)
        assert.deepEqual(
          body.entries.map(({ uid }: Answered) => uid),
          [stays.uid],
        )
      })
      test('and raises the first part of its change token alone', async () => {
        const { file } = await createPair()
        await trash(file.uid)
        const [system, user] = (await bench.read(file.uid)).changeToken.split('-')
        assert.deepEqual([Number(system) > 0, user], [true, '0'])
      })
      test('and DELETE does not do it: that removes for good', async () => {
        const { file } = await createPair()
        assert.equal((await server.as('Administrator').delete(`/id/${file.uid}`)).status, 204)
        assert.equal(await find(file.uid), undefined)
      })
    })

    describe('7.1 that is a proxy', () => {
      test('removes the proxy at once, tells nothing of trash, and leaves what it shows', async () => {
        const { file } = await createPair()
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, file.uid)
        const events = await recorder.eventsOf(async () => assert.equal(await trash(proxy), undefined))
        assert.deepEqual(
          events.map(({ name }) => name).filter((name) => name !== 'sessionSaved'),
          ['aboutToRemove', 'proxyRemoved', 'documentRemoved'],
        )
        assert.equal(await statusOf(proxy), 404)
        assert.equal((await bench.read(file.uid)).isTrashed, false)
      })
    })

    describe('7.2 needs the rights', () => {
      const rows: readonly [onFolder: readonly string[], onFile: readonly string[], missing: string | undefined][] = [
        [[], [], 'Remove'],
        [['AddChildren'], ['Remove'], 'RemoveChildren'],
        [['RemoveChildren', 'AddChildren'], [], 'Remove'],
        [['RemoveChildren'], ['Remove'], 'AddChildren'],
        [['Remove'], [], 'AddChildren'],
        [['RemoveChildren', 'AddChildren'], ['Remove'], undefined],
        [['Remove', 'AddChildren'], [], undefined],
        [['Write'], [], undefined],
      ]
      for (const [onFolder, onFile, missing] of rows) {
        const given = `${onFolder.join(', ') || 'nothing'} on the folder and ${onFile.join(', ') || 'nothing'} on the file`
        test(`Remove on it, RemoveChildren and AddChildren on its parent: ${given} ${missing ? `lack ${missing}` : 'will do'}`, async () => {
          const { folder, file } = await createPair()
          await bench.restrict(folder.uid, ...['Read', ...onFolder].map((permission) => grant('bob', permission)))
          await setRights(file.uid, ...onFile.map((permission) => grant('bob', permission)))
          if (missing === undefined) await trash(file.uid, { user: 'bob' })
          else await assertRefusal(trash(file.uid, { user: 'bob' }), 403, privilegeMissing(missing, 'bob'))
          const { isTrashed, path } = await bench.read(file.uid)
          assert.deepEqual([isTrashed, path === file.path], [missing === undefined, missing !== undefined])
        })
      }
      test('AddChildren only where the name changes', async () => {
        const { folder, file } = await createPair()
        await bench.restrict(folder.uid, grant('bob', 'ReadRemove'))
        await trash(file.uid, { user: 'bob', trashRenaming: false })
        assert.equal((await bench.read(file.uid)).isTrashed, true)
      })
      test('none on what is below it', async () => {
        const { folder, file } = await createPair()
        const below = await bench.create('File', {}, { parent: file.path })
        await bench.restrict(folder.uid, grant('bob', 'ReadWrite'))
        await bench.restrict(below.uid)
        await trash(file.uid, { user: 'bob' })
        assert.equal((await bench.read(below.uid)).isTrashed, true)
      })
      test('that a lock of someone else takes away, but not from its owner and administrators', async () => {
        for (const user of ['carol', 'Administrator']) {
          const { folder, file } = await createPair()
          await bench.restrict(folder.uid, grant('bob', 'Everything'), grant('carol', 'Everything'))
          await bench.change(file.uid, { lock: lockOf('carol') })
          await assertRefusal(trash(file.uid, { user: 'bob' }), 403, privilegeMissing('Remove', 'bob'))
          assert.equal((await trash(file.uid, { user }))?.isTrashed, true)
        }
      })
      test('and is refused to all for the root', async () => {
        const root = await server.asSystem((session) => readDocumentByPath(session, '/'))
        await assertRefusal(trash(root.id), 403, /the root of the repository/)
      })
    })

    describe('7.3 that is trashed already', () => {
      test('does nothing, and is no mistake', async () => {
        const { folder, file } = await createPair()
        await trash(file.uid)
        const before = await find(file.uid)
        const events = await recorder.eventsOf(() => trash(file.uid))
        assert.deepEqual(events, [])
        assert.deepEqual(await find(file.uid), before)
        await bench.restrict(folder.uid, grant('bob', 'Read'))
        await assertRefusal(trash(file.uid, { user: 'bob' }), 403, privilegeMissing('Remove', 'bob'))
      })
    })

    describe('7.4 that has no place to come back to', () => {
      test('removes a placeless document for good', async () => {
        const { id } = await server.asSystem(async ({ tx }) => {
          const placeless = aStoredDocument({ type: 'File', name: 'nowhere', path: null, properties: { 'dc:title': 'nowhere' } })
          await tx.documents.insert(placeless)
          return placeless
        })
        assert.equal(await trash(id), undefined)
        assert.equal(await statusOf(id), 404)
      })
      test('removes a version for good, by the rules for versions', async () => {
        const { file } = await createPair()
        const first = await bench.update(file.uid, { 'dc:title': 'one' }, minor)
        await assertRefusal(trash(first.uid), 403, /its live document is checked in on it/)
        const second = await bench.update(file.uid, { 'dc:title': 'two' }, minor)
        const events = await recorder.eventsOf(async () => assert.equal(await trash(first.uid), undefined))
        assert.ok(events.some(({ name }) => name === 'versionRemoved'))
        assert.deepEqual([await statusOf(first.uid), await statusOf(second.uid)], [404, 200])
        assert.equal((await bench.read(file.uid)).isTrashed, false)
      })
      test('is 404 for what does not exist', async () => assertRefusal(trash('nothing'), 404, 'nothing'))
    })

    describe('7.5 that is kept', () => {
      const keeping = [{ hasLegalHold: true }, { retainUntil: '2999-01-01T00:00:00.000Z' }]
      for (const fields of keeping) {
        test(`(${Object.keys(fields)[0]}) is a conflict, for it and for what is above it`, async () => {
          const { folder, file } = await createPair()
          await bench.restrict(folder.uid, grant('bob', 'Everything'))
          await bench.change(file.uid, { isRecord: true, ...fields })
          for (const user of ['Administrator', 'bob']) {
            await assertRefusal(trash(file.uid, { user }), 409, `Cannot remove ${file.uid}, it is under retention / hold`)
          }
          const ofFolder = `Cannot remove ${folder.uid}, subdocument ${file.uid} is under retention / hold`
          await assertRefusal(trash(folder.uid), 409, ofFolder)
          for (const { uid } of [folder, file]) assert.equal((await bench.read(uid)).isTrashed, false)
        })
      }
      test('no longer is no conflict', async () => {
        const { folder, file } = await createPair()
        await bench.change(file.uid, { isRecord: true, retainUntil: '2001-01-01T00:00:00.000Z' })
        await trash(folder.uid)
        assert.equal((await bench.read(file.uid)).isTrashed, true)
      })
    })

    describe('7.6 marks its name', () => {
      test('with the time, so that the name is free again', async () => {
        const { folder, file } = await createPair()
        const trashed = await trash(file.uid)
        assert.match(trashed?.path ?? '', markOf('file'))
        assert.equal((await bench.read(file.uid)).path, trashed?.path)
        const next = await bench.create('File', {}, { parent: folder.path, name: 'file' })
        assert.equal(next.path, file.path)
        await trash(next.uid)
        assert.match((await bench.read(next.uid)).path, markOf('file'))
      })
      test('alone: what is below keeps its name, and its path says where it is', async () => {
        const { folder, file } = await createPair()
        await trash(folder.uid)
        const { path } = await bench.read(folder.uid)
        assert.equal((await bench.read(file.uid)).path, `${path}/file`)
      })
      test('so that the mark stays readable when another has it at the same moment', async () => {
        const { folder, file } = await createPair()
        const second = await server.inSession('Administrator', async (session) => {
          await trashDocument(session, file.uid)
          const taken = aStoredDocument({ ...(await session.tx.documents.find(file.uid)), id: 'taken', isTrashed: false })
          await session.tx.documents.insert({ ...taken, name: 'file', path: `${folder.path}/file` })
          return trashDocument(session, 'taken')
        })
        assert.match(second?.path ?? '', markOf('file'))
        assert.notEqual(second?.path, (await bench.read(file.uid)).path)
      })
      test('unless it is asked not to', async () => {
        const { file } = await createPair()
        const events = await recorder.eventsOf(() => trash(file.uid, { trashRenaming: false }))
        assert.equal((await bench.read(file.uid)).path, file.path)
        assert.ok(!events.some(({ name }) => name === 'documentMoved'))
      })
      test('unless there is no room for it, in its name or in the path of what is below it', async () => {
        const rename = (id: string, name: string) =>
          server.inSession('Administrator', (session) => moveDocument(session, id, { name }))
        const folder = await bench.create('Folder')
        let { path } = folder
        for (const length of [240, 240, 240, 240, 240, 240, 240, 240, 20]) {
          const { uid } = await bench.create('Folder', {}, { parent: path })
          path = (await rename(uid, 'n'.repeat(length))).path
        }
        const { uid: longest } = await bench.create('File', {}, { parent: folder.path })
        const renamed = await rename(longest, 'n'.repeat(239))
        for (const document of [
          { id: longest, path: renamed.path },
          { id: folder.uid, path: folder.path },
        ]) {
          const trashed = await trash(document.id)
          assert.deepEqual([trashed?.isTrashed, trashed?.path], [true, document.path])
        }
        assert.equal((await server.asSystem(({ tx }) => tx.documents.findByPath(path)))?.isTrashed, true)
      })
    })

    describe('7.7 is told of', () => {
      const stamps = (properties: Answered) => [
        properties['dc:modified'],
        properties['dc:lastContributor'],
        properties['dc:contributors'],
      ]
      test('as a move, then as trash', async () => {
        const { folder, file } = await createPair()
        const events = (await recorder.eventsOf(() => trash(file.uid))).filter(({ document }) => document.id === file.uid)
        assert.deepEqual(
          events.map(({ name }) => name).filter((name) => name !== 'sessionSaved'),
          ['aboutToMove', 'documentMoved', 'documentTrashed'],
        )
        const { properties } = readEvent(events, 'documentMoved')
        assert.deepEqual([properties['originalName'], properties['destinationRef']], ['file', folder.uid])
        const { document, category } = readEvent(events, 'documentTrashed')
        assert.deepEqual([document.isTrashed, document.state, category], [true, 'project', 'eventDocumentCategory'])
        assert.match(document.path ?? '', markOf('file'))
      })
      test('and the document is not saved afterwards: who changed it last stays', async () => {
        const { folder, file } = await createPair()
        await bench.restrict(folder.uid, grant('bob', 'ReadWrite'))
        const before = stamps(await bench.readProperties(file.uid))
        await trash(file.uid, { user: 'bob' })
        assert.deepEqual(stamps(await bench.readProperties(file.uid)), before)
      })
      test('with the comment that was given', async () => {
        const { file } = await createPair()
        const events = await recorder.eventsOf(() => trash(file.uid, { comment: 'outdated' }))
        assert.equal(readEvent(events, 'documentTrashed').comment, 'outdated')
      })
      test('before it counts: a listener that fails undoes all of it', async () => {
        const { folder, file } = await createPair()
        const failing = recorder.failingAt('documentTrashed', new Error('no'), () => trash(folder.uid))
        await assert.rejects(failing, { message: 'no' })
        for (const { uid, path } of [folder, file]) {
          const after = await bench.read(uid)
          assert.deepEqual([after.isTrashed, after.path], [false, path])
        }
      })
    })

    test('twice at the same time renames it once', async () => {
      const { file } = await createPair()
      const both = await Promise.all([trash(file.uid), trash(file.uid)])
      const { path } = await bench.read(file.uid)
      assert.match(path, /\/file\._[0-9]{13,}_\.trashed$/)
      for (const trashed of both) assert.deepEqual([trashed?.isTrashed, trashed?.path], [true, path])
    })

    describe('several at once', () => {
      const trashAll = (...ids: readonly string[]) => server.inSession('Administrator', (session) => trashDocuments(session, ids))
      test('trashes the roots of the selection: what is below another goes with it and keeps its name', async () => {
        const { folder, file } = await createPair()
        const other = await bench.create('File')
        const left = await trashAll(file.uid, folder.uid, other.uid)
        assert.deepEqual(
          left.map(({ id, isTrashed }) => [id, isTrashed]),
          [file.uid, folder.uid, other.uid].map((id) => [id, true]),
        )
        assert.match((await bench.read(folder.uid)).path, markOf(folder.path.split('/').at(-1)))
        assert.match((await bench.read(file.uid)).path, /\/file$/)
      })
      test('gives only what still exists', async () => {
        const { file } = await createPair()
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, file.uid)
        assert.deepEqual(
          (await trashAll(proxy, file.uid)).map(({ id }) => id),
          [file.uid],
        )
      })
      test('is all or nothing', async () => {
        const { file } = await createPair()
        const kept = await bench.create('File')
        await bench.change(kept.uid, { isRecord: true, hasLegalHold: true })
        await assertRefusal(trashAll(file.uid, kept.uid), 409, /under retention/)
        assert.equal((await bench.read(file.uid)).isTrashed, false)
        await assertRefusal(trashAll(file.uid, 'nothing'), 404, 'nothing')
        assert.equal((await bench.read(file.uid)).isTrashed, false)
      })
    })
  },
  { plugins: [recorder.plugin] },
)
