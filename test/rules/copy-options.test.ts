import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type CopyTarget, copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const longAgo = '2011-11-11T11:11:11.000Z'

onEachServer(
  'copying with options',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('bob', ['members']))
    const copy = (id: string, target: CopyTarget, user = 'Administrator') =>
      server.inSession(user, (session) => copyDocument(session, id, target))
    const trash = (uid: string) => server.inSession('Administrator', (session) => trashDocument(session, uid))
    const listBelow = (path: string | null) => server.asSystem(({ tx }) => tx.documents.listBelow(path ?? '', undefined, 1000))
    const nameOf = ({ path }: { readonly path: string }) => path.slice(path.lastIndexOf('/') + 1)
    const dates = { 'dc:created': longAgo, 'dc:modified': longAgo, 'dc:creator': 'alice', 'dc:lastContributor': 'alice' }

    describe('9 resetLifeCycle', () => {
      test('puts the copy and all below it back to the first state, but for what is in the trash', async () => {
        const source = await bench.create('Folder')
        const ids: string[] = [source.uid]
        for (const name of ['live', 'trashed']) ids.push((await bench.create('File', {}, { parent: source.path, name })).uid)
        for (const id of ids) await bench.change(id, { state: 'approved' })
        await trash(ids[2] ?? '')
        const target = await bench.create('Folder')
        const statesOf = async (resetLifeCycle: boolean) => {
          const made = await copy(source.uid, { parentId: target.uid, resetLifeCycle })
          return [made.state, ...(await listBelow(made.path)).map(({ state }) => state)]
        }
        assert.deepEqual(await statesOf(true), ['project', 'project', 'approved'])
        assert.deepEqual(await statesOf(false), ['approved', 'approved', 'approved'])
      })
      test('leaves a proxy and a type without a lifecycle alone', async () => {
        const [target, file] = [await bench.create('Folder'), await bench.create('File')]
        await bench.change(file.uid, { state: 'approved' })
        const proxy = await bench.createProxy(target.uid, file.uid)
        const made = await copy(proxy, { parentId: target.uid, resetLifeCycle: true })
        assert.equal((await bench.read(made.id)).state, 'approved')
        assert.equal((await bench.read(file.uid)).state, 'approved')
        const search = await bench.create('SavedSearch')
        assert.equal((await copy(search.uid, { parentId: target.uid, resetLifeCycle: true })).state, 'undefined')
      })
    })

    describe('9 resetCreator', () => {
      test('makes the caller the only contributor of the copy, now, and of nothing below it', async () => {
        const source = await bench.create('Folder', {})
        const child = await bench.create('File', {}, { parent: source.path })
        for (const { uid } of [source, child]) await bench.change(uid, { properties: { ...dates, 'dc:title': 't' } })
        const target = await bench.create('Folder')
        await bench.setAcls(target.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
        const made = await copy(source.uid, { parentId: target.uid, resetCreator: true }, 'bob')
        const { properties } = made
        assert.deepEqual(
          [properties['dc:creator'], properties['dc:contributors'], properties['dc:lastContributor'], properties['dc:title']],
          ['bob', ['bob'], 'bob', 't'],
        )
        for (const date of ['dc:created', 'dc:modified']) assert.ok(String(properties[date]) > longAgo)
        assert.deepEqual((await bench.readProperties(made.id))['dc:creator'], 'bob')
        const [below] = await listBelow(made.path)
        assert.equal(below?.properties['dc:creator'], 'alice')
      })
    })

    describe('16 copying tells', () => {
      test('aboutToCopy of the source, documentCreatedByCopy of the copy, documentDuplicated of the source', async () => {
        const source = await bench.create('Folder')
        await bench.create('File', {}, { parent: source.path })
        const target = await bench.create('Folder')
        let made = ''
        const events = await recorder.eventsOf(async () => {
          made = (await copy(source.uid, { parentId: target.uid, resetLifeCycle: true })).id
        })
        const told = events.filter(({ name }) => name !== 'sessionSaved')
        assert.deepEqual(
          told.map(({ name, document, comment }) => [name, document.id, comment]),
          [
            ['aboutToCopy', source.uid, `default:${source.uid}`],
            ['documentCreatedByCopy', made, `default:${source.uid}`],
            ['documentDuplicated', source.uid, `default:${made}`],
          ],
        )
        for (const { properties } of told) {
          assert.deepEqual(properties, {
            sourceRef: source.uid,
            destinationRef: target.uid,
            destinationPath: target.path,
            destinationName: nameOf(source),
            destinationExists: false,
            resetLifeCycle: true,
            resetCreator: false,
          })
        }
      })
      test('whether the name was taken, and a listener that throws stops it', async () => {
        const target = await bench.create('Folder')
        const source = await bench.create('File', {}, { parent: target.path })
        const events = await recorder.eventsOf(() => copy(source.uid, { parentId: target.uid }))
        const { destinationExists, destinationName } = readEvent(events, 'documentCreatedByCopy').properties
        assert.equal(destinationExists, true)
        assert.equal(destinationName, readEvent(events, 'documentCreatedByCopy').document.name)
        const attempt = recorder.failingAt('documentDuplicated', new Error('no'), () =>
          copy(source.uid, { parentId: target.uid }),
        )
        await assert.rejects(attempt, /^Error: no$/)
        assert.equal((await listBelow(target.path)).length, 2)
      })
    })
  },
  { plugins: [recorder.plugin] },
)

onEachServer(
  'where copies belong to who makes them',
  (server) => {
    const bench = workbenchOn(server)
    test('9 the creator is reset without being asked', async () => {
      await server.addUser('bob', ['members'])
      const [source, target] = [await bench.create('File'), await bench.create('Folder')]
      await bench.setAcls(target.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
      const made = await server.inSession('bob', (session) => copyDocument(session, source.uid, { parentId: target.uid }))
      assert.equal(made.properties['dc:creator'], 'bob')
      assert.equal((await bench.readProperties(source.uid))['dc:creator'], 'Administrator')
    })
  },
  { settings: { resetCreatorOnCopy: true } },
)
