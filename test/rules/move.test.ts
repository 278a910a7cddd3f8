import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type MoveTarget, moveDocument } from '../../src/core/documents/place/move-document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const minor = { 'X-Versioning-Option': 'MINOR' }
const lock = { owner: 'carol', created: '2031-01-01T00:00:00.000Z' }
const renaming = definePlugin({
  name: 'renaming',
  listeners: [
    {
      name: 'renaming',
      when: 'inline',
      events: ['aboutToMove'],
      handle: ({ document }) => (document.name === 'call me' ? { ...document, name: 'called' } : undefined),
    },
  ],
})

onEachServer(
  'moving and renaming',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const move = (id: string, target: MoveTarget, user = 'Administrator') =>
      server.inSession(user, (session) => moveDocument(session, id, target))
    const statusOfPath = async (path: string) => (await server.as('Administrator').get(`/path${path}`)).status
    const parentOf = async (uid: string) => (await bench.read(uid)).parentRef

    /** A folder with a file in it, and another folder. */
    async function createPlaces(options: { from?: string; to?: string } = {}) {
      const from = await bench.create(options.from ?? 'Folder')
      return { from, to: await bench.create(options.to ?? 'Folder'), file: await bench.create('File', {}, { parent: from.path }) }
    }

    describe('9 moving into another folder', () => {
      test('keeps the id and the name, and frees the old path', async () => {
        const { from, to, file } = await createPlaces()
        const moved = await move(file.uid, { parentId: to.uid })
        const name = file.path.slice(from.path.length + 1)
        assert.deepEqual([moved.id, moved.path, moved.parentId], [file.uid, `${to.path}/${name}`, to.uid])
        const read = await bench.read(file.uid)
        assert.deepEqual([read.path, read.parentRef], [`${to.path}/${name}`, to.uid])
        assert.equal(await statusOfPath(file.path), 404)
      })
      test('may give another name', async () => {
        const { to, file } = await createPlaces()
        await move(file.uid, { parentId: to.uid, name: 'other' })
        assert.equal((await bench.read(file.uid)).path, `${to.path}/other`)
      })
      test('takes everything below it along: ids stay, all paths change', async () => {
        const { from, to, file } = await createPlaces()
        const inner = await bench.create('Folder', {}, { parent: from.path, name: 'inner' })
        const leaf = await bench.create('File', {}, { parent: inner.path, name: 'leaf' })
        const beside = await bench.create('Folder', {}, { name: `${from.path.slice(from.path.lastIndexOf('/') + 1)}-b` })
        const moved = await move(from.uid, { parentId: to.uid, name: 'moved' })
        assert.equal((await bench.read(leaf.uid)).path, `${to.path}/moved/inner/leaf`)
        assert.equal((await bench.read(leaf.uid)).parentRef, inner.uid)
        assert.equal((await bench.read(file.uid)).parentRef, moved.id)
        assert.equal(await statusOfPath(leaf.path), 404)
        assert.equal((await bench.read(beside.uid)).path, beside.path)
        const children = await server.as('Administrator').get(`/path${to.path}/moved/@children`)
        assert.deepEqual(children.body.entries.map(({ uid }: Answered) => uid).toSorted(), [file.uid, inner.uid].toSorted())
      })
      test('leaves versions, own rights, state, lock, dates and trash as they are', async () => {
        const { to, file } = await createPlaces()
        const version = await bench.update(file.uid, { 'dc:title': 'kept' }, minor)
        await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('bob', 'Write')] }])
        await bench.change(file.uid, { state: 'approved', lock })
        const find = () => server.asSystem(({ tx }) => tx.documents.find(file.uid))
        const before = await find()
        await move(file.uid, { parentId: to.uid })
        const after = await find()
        assert.ok(before && after)
        const { parentId, path, acpId, changeToken } = after
        assert.deepEqual(after, { ...before, parentId, path, acpId, changeToken })
        assert.deepEqual([after.state, after.lock, after.isCheckedIn], ['approved', lock, true])
        const read = await bench.read(version.uid)
        assert.deepEqual([read.isVersion, read.path], [true, path])
      })
      test('raises the first part of the change token alone: nobody’s edit fails for it', async () => {
        const { to, file } = await createPlaces()
        await move(file.uid, { parentId: to.uid })
        const [system, user] = (await bench.read(file.uid)).changeToken.split('-')
        assert.deepEqual([Number(system) > 0, user], [true, '0'])
      })
      test('computes inherited rights of all below anew, and of versions', async () => {
        const { from, to, file } = await createPlaces()
        const version = await bench.update(file.uid, { 'dc:title': 'v' }, minor)
        await bench.restrict(from.uid, grant('bob', 'Read'))
        await bench.restrict(to.uid, grant('carol', 'Read'))
        const inner = await bench.create('Folder', {}, { parent: from.path })
        const leaf = await bench.create('File', {}, { parent: inner.path })
        await bench.setAcls(leaf.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
        for (const { uid } of [file, inner]) await move(uid, { parentId: to.uid })
        const seenBy = async (user: string) => {
          const uids = [file.uid, version.uid, inner.uid, leaf.uid]
          return Promise.all(uids.map(async (uid) => (await server.as(user).get(`/id/${uid}`)).status === 200))
        }
        assert.deepEqual(await seenBy('bob'), [false, false, false, true])
        assert.deepEqual(await seenBy('carol'), [true, true, true, true])
      })
      test('appends at the end of a folder that keeps an order, and forgets the order elsewhere', async () => {
        const { from, to, file } = await createPlaces({ from: 'OrderedFolder', to: 'OrderedFolder' })
        for (let made = 0; made < 3; made++) await bench.create('File', {}, { parent: to.path })
        await bench.create('File', {}, { parent: from.path })
        const positionOf = async (uid: string) => (await server.asSystem(({ tx }) => tx.documents.find(uid)))?.position
        assert.equal(await positionOf(file.uid), 0)
        assert.equal((await move(file.uid, { parentId: to.uid })).position, 3)
        assert.equal((await move(file.uid, { name: 'renamed' })).position, 3)
        const plain = await bench.create('Folder')
        assert.equal((await move(file.uid, { parentId: plain.uid })).position, null)
        const empty = await bench.create('OrderedFolder')
        assert.equal((await move(file.uid, { parentId: empty.uid })).position, 0)
      })
      test('of a proxy moves the proxy, not what it shows', async () => {
        const { from, to, file } = await createPlaces()
        const proxy = await bench.createProxy(from.uid, file.uid, 'shown')
        const moved = await move(proxy, { parentId: to.uid })
        assert.deepEqual([moved.path, moved.isProxy, moved.type], [`${to.path}/shown`, true, 'File'])
        assert.equal(await parentOf(file.uid), from.uid)
      })
    })

    describe('9 moving needs', () => {
      const all = { to: ['AddChildren'], from: ['RemoveChildren'], file: ['Remove'] }
      const rows: readonly [given: Partial<typeof all>, missing: string | undefined][] = [
        [{}, undefined],
        [{ to: [] }, 'AddChildren'],
        [{ to: ['WriteProperties', 'Remove'] }, 'AddChildren'],
        [{ from: [] }, 'RemoveChildren'],
        [{ from: ['AddChildren', 'WriteProperties'] }, 'RemoveChildren'],
        [{ file: [] }, 'Remove'],
        [{ file: ['WriteProperties', 'RemoveChildren'] }, 'Remove'],
        [{ to: ['Write'], from: ['Write'], file: ['Write'] }, undefined],
      ]
      for (const [given, missing] of rows) {
        const held = { ...all, ...given }
        const said = Object.entries(held).map(([where, permissions]) => `${permissions.join(', ') || 'nothing'} on ${where}`)
        test(`AddChildren, RemoveChildren, Remove: ${said.join('; ')} ${missing ? `lack ${missing}` : 'will do'}`, async () => {
          const { from, to, file } = await createPlaces()
          const grants = (permissions: readonly string[]) => permissions.map((permission) => grant('bob', permission))
          await bench.restrict(to.uid, grant('bob', 'Read'), ...grants(held.to))
          await bench.restrict(from.uid, grant('bob', 'Read'), ...grants(held.from))
          await bench.restrict(file.uid, grant('bob', 'Read'), ...grants(held.file))
          const attempt = move(file.uid, { parentId: to.uid }, 'bob')
          if (missing === undefined) await attempt
          else await assertRefusal(attempt, 403, privilegeMissing(missing, 'bob'))
          assert.equal(await parentOf(file.uid), missing === undefined ? to.uid : from.uid)
        })
      }
      test('none of them for a new name where it is, but WriteProperties on the parent', async () => {
        const { from, file } = await createPlaces()
        await bench.restrict(from.uid, grant('bob', 'Read'), grant('bob', 'AddChildren'), grant('bob', 'Remove'))
        await assertRefusal(move(file.uid, { name: 'one' }, 'bob'), 403, privilegeMissing('WriteProperties', 'bob'))
        await bench.restrict(from.uid, grant('bob', 'Read'), grant('bob', 'WriteProperties'))
        assert.equal((await move(file.uid, { name: 'one' }, 'bob')).name, 'one')
      })
      test('all of them where the folder is named that it is in', async () => {
        const { from, file } = await createPlaces()
        const target = { parentId: from.uid, name: 'two' }
        await bench.restrict(from.uid, grant('bob', 'Read'), grant('bob', 'WriteProperties'), grant('bob', 'AddChildren'))
        await assertRefusal(move(file.uid, target, 'bob'), 403, privilegeMissing('RemoveChildren', 'bob'))
        await bench.restrict(from.uid, grant('bob', 'Read'), grant('bob', 'AddChildren'), grant('bob', 'Remove'))
        assert.equal((await move(file.uid, target, 'bob')).name, 'two')
      })
      test('that no lock of someone else is on the document or either folder', async () => {
        for (const locked of ['from', 'to', 'file'] as const) {
          const places = await createPlaces()
          for (const { uid } of [places.from, places.to]) await bench.restrict(uid, grant('bob', 'ReadWrite'))
          await bench.change(places[locked].uid, { lock })
          await assertRefusal(move(places.file.uid, { parentId: places.to.uid }, 'bob'), 403, /^Privilege '/)
          const inPlace = { parentId: places.from.uid, name: 'another' }
          if (locked !== 'to') await assertRefusal(move(places.file.uid, inPlace, 'bob'), 403, /^Privilege '/)
          await move(places.file.uid, { parentId: places.to.uid })
        }
      })
      test('that neither retention nor hold is on it: 403, for administrators too', async () => {
        const { from, to, file } = await createPlaces()
        await bench.change(file.uid, { isRecord: true, hasLegalHold: true })
        for (const target of [{ parentId: to.uid }, { parentId: from.uid, name: 'another' }]) {
          await assertRefusal(move(file.uid, target), 403, privilegeMissing('Remove', 'Administrator'))
        }
      })
    })

    describe('9 renaming in place', () => {
      test('changes the name and all paths below, and nothing else', async () => {
        const { from, file } = await createPlaces()
        await bench.change(file.uid, { lock })
        const renamed = await move(from.uid, { name: 'Renamed Folder' })
        const parent = from.path.slice(0, from.path.lastIndexOf('/'))
        assert.equal(renamed.path, `${parent}/Renamed Folder`)
        assert.equal((await bench.read(file.uid)).path, `${parent}/Renamed Folder${file.path.slice(from.path.length)}`)
        assert.equal(renamed.parentId, from.parentRef)
      })
      test('to the name it has, where it is, does nothing and tells nobody', async () => {
        const { from, file } = await createPlaces()
        const name = file.path.slice(from.path.length + 1)
        for (const target of [{}, { name }, { parentId: from.uid }, { parentId: from.uid, name }]) {
          const events = await recorder.eventsOf(() => move(file.uid, target))
          assert.deepEqual(
            events.map((event) => event.name),
            [],
          )
        }
        assert.deepEqual(await bench.read(file.uid), file)
      })
      test('to a name that differs in case only is another name', async () => {
        const { file } = await createPlaces()
        await move(file.uid, { name: 'case' })
        assert.equal((await move(file.uid, { name: 'Case' })).name, 'Case')
      })
      test('of the root or of a document without a place is refused with 400', async () => {
        const root = (await server.as('Administrator').get('/path/')).body
        await assertRefusal(move(root.uid, { name: 'root' }), 400, /it has no parent/)
      })
    })

    describe('9 the name', () => {
      test('that is taken gets the time behind a dot, in the other folder and in place', async () => {
        const { from, to, file } = await createPlaces()
        await bench.create('File', {}, { parent: to.path, name: 'taken' })
        await bench.create('File', {}, { parent: from.path, name: 'taken' })
        assert.match((await move(file.uid, { name: 'taken' })).name, /^taken\.\d{13}$/)
        assert.match((await move(file.uid, { parentId: to.uid, name: 'taken' })).name, /^taken\.\d{13}$/)
        await bench.create('File', {}, { parent: to.path, name: 'scan.7' })
        assert.match((await move(file.uid, { name: 'scan.7' })).name, /^scan\.7\.\d{13}$/)
      })
      test('with a slash is refused with 400', async () => {
        const { to, file } = await createPlaces()
        await assertRefusal(move(file.uid, { name: 'a/b' }), 400, /slash/)
        await assertRefusal(move(file.uid, { parentId: to.uid, name: '/' }), 400, /slash/)
      })
      test('is composed, kept to 255 characters, and a random number when it is empty', async () => {
        const { file } = await createPlaces()
        assert.equal((await move(file.uid, { name: 'e\u0301' })).name, '\u00e9')
        assert.equal((await move(file.uid, { name: 'n'.repeat(255) })).name.length, 255)
        await assertRefusal(move(file.uid, { name: 'n'.repeat(256) }), 400, /at most 255/)
        assert.match((await move(file.uid, { name: '' })).name, /^[1-9]\d*$/)
      })
      test('is refused with 400 when it makes a path too long, below it too', async () => {
        const { to, file, from } = await createPlaces()
        let deep = to
        for (let depth = 0; depth < 6; depth++) {
          const folder = await bench.create('Folder', {}, { parent: deep.path })
          await move(folder.uid, { name: 'd'.repeat(250) })
          deep = await bench.read(folder.uid)
        }
        await move(file.uid, { name: 'f'.repeat(255) })
        await assertRefusal(
          move(from.uid, { parentId: deep.uid, name: 'n'.repeat(255) }),
          400,
          // The name of what is below it is for those who may read it.
          new RegExp(`^What is in ${from.path} would have a path longer than 2000 bytes at ${deep.path}/n+\\.`),
        )
        assert.equal((await bench.read(from.uid)).path, from.path)
      })
      test('may be changed by a listener of aboutToMove', async () => {
        const { to, file } = await createPlaces()
        assert.equal((await move(file.uid, { parentId: to.uid, name: 'call me' })).name, 'called')
        const other = await bench.create('File')
        assert.match((await move(other.uid, { parentId: to.uid, name: 'call me' })).name, /^called\.\d{13}$/)
      })
    })

    describe('9 moving is refused', () => {
      test('below itself: 409, and nothing happened', async () => {
        const { from } = await createPlaces()
        const inner = await bench.create('Folder', {}, { parent: from.path })
        for (const parentId of [from.uid, inner.uid]) {
          await assertRefusal(move(from.uid, { parentId }), 409, /^Cannot move a node under itself/)
        }
        assert.equal((await bench.read(from.uid)).path, from.path)
        const root = (await server.as('Administrator').get('/path/')).body
        await assertRefusal(move(root.uid, { parentId: inner.uid }), 409, /under itself/)
      })
      test('for what is not there, or to where nothing is: 404', async () => {
        const { file } = await createPlaces()
        const unknown = '00000000-0000-4000-8000-000000000000'
        await assertRefusal(move(unknown, { name: 'x' }), 404, unknown)
        await assertRefusal(move(file.uid, { parentId: unknown }), 404, unknown)
      })
      test('for a version and to below one: 400', async () => {
        const { to, file } = await createPlaces()
        const version = await bench.update(file.uid, { 'dc:title': 'v' }, minor)
        await assertRefusal(move(version.uid, { parentId: to.uid }), 400, /it is a version/)
        await assertRefusal(move(to.uid, { parentId: version.uid }), 400, /is a version/)
      })
    })

    describe('16 moving tells', () => {
      test('aboutToMove of what is, and documentMoved of what was done, with where from and where to', async () => {
        const { from, to, file } = await createPlaces()
        const name = file.path.slice(from.path.length + 1)
        const events = await recorder.eventsOf(() => move(file.uid, { parentId: to.uid }))
        assert.deepEqual(
          events.map((event) => event.name).filter((one) => one !== 'sessionSaved'),
          ['aboutToMove', 'documentMoved'],
        )
        const told = {
          sourceRef: file.uid,
          destinationRef: to.uid,
          destinationPath: to.path,
          destinationName: name,
          destinationExists: false,
          parentPath: from.uid,
        }
        for (const event of ['aboutToMove', 'documentMoved'].map((one) => readEvent(events, one))) {
          assert.deepEqual([event.properties, event.comment], [told, `default:${from.uid}`])
        }
        assert.equal(readEvent(events, 'aboutToMove').document.path, file.path)
        assert.equal(readEvent(events, 'documentMoved').document.path, `${to.path}/${name}`)
      })
      test('the original name when it got another one, and whether the name was taken', async () => {
        const { from, to, file } = await createPlaces()
        await bench.create('File', {}, { parent: to.path, name: 'busy' })
        const events = await recorder.eventsOf(() => move(file.uid, { parentId: to.uid, name: 'busy' }))
        const { originalName, destinationName, destinationExists } = readEvent(events, 'documentMoved').properties
        assert.deepEqual([originalName, destinationExists], [file.path.slice(from.path.length + 1), true])
        assert.match(String(destinationName), /^busy\.\d{13}$/)
        const listened = await recorder.eventsOf(() => move(file.uid, { name: 'call me' }))
        assert.equal(readEvent(listened, 'aboutToMove').properties['destinationName'], 'call me')
        assert.equal(readEvent(listened, 'documentMoved').properties['destinationName'], 'called')
      })
      test('and a listener that throws stops it', async () => {
        const { to, file } = await createPlaces()
        for (const event of ['aboutToMove', 'documentMoved']) {
          const attempt = recorder.failingAt(event, new Error('no'), () => move(file.uid, { parentId: to.uid }))
          await assert.rejects(attempt, /^Error: no$/)
          assertRefused(await server.as('Administrator').get(`/path${to.path}/${file.path.split('/').at(-1)}`), 404, /./)
        }
      })
    })
  },
  { plugins: [recorder.plugin, renaming] },
)
