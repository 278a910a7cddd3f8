import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { removeChildren } from '../../src/core/documents/remove-children.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { removeDocuments } from '../../src/core/documents/remove-documents.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const minor = { 'X-Versioning-Option': 'MINOR' }
const lock = { owner: 'carol', created: '2031-01-01T00:00:00.000Z' }

onEachServer(
  'removing',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const remove = (id: string, user = 'Administrator') => server.inSession(user, (session) => removeDocument(session, id))
    const removeAll = (ids: readonly string[], user = 'Administrator') =>
      server.inSession(user, (session) => removeDocuments(session, ids))
    const empty = (id: string, user = 'Administrator') => server.inSession(user, (session) => removeChildren(session, id))
    const isThere = async ({ uid }: Answered) => (await server.as('Administrator').get(`/id/${uid}`)).status === 200
    const areThere = (documents: readonly Answered[]) => Promise.all(documents.map(isThere))
    const createIn = (parent: Answered, type = 'File', name?: string) =>
      bench.create(type, {}, { parent: parent.path, ...(name !== undefined && { name }) })
    /** Which documents were told as removed, in order. */
    const removalsIn = (events: Awaited<ReturnType<typeof recorder.eventsOf>>) =>
      events.filter(({ name }) => name === 'documentRemoved').map(({ document }) => document.id)

    describe('9 removing a document', () => {
      test('removes all below it, and tells of it alone', async () => {
        const folder = await bench.create('Folder')
        const inner = await createIn(folder, 'Folder')
        const leaf = await createIn(inner)
        const events = await recorder.eventsOf(() => remove(folder.uid))
        const told = events.filter(({ name }) => name !== 'sessionSaved')
        assert.deepEqual(
          told.map(({ name, document }) => [name, document.id]),
          [
            ['aboutToRemove', folder.uid],
            ['documentRemoved', folder.uid],
          ],
        )
        assert.deepEqual(await areThere([folder, inner, leaf]), [false, false, false])
      })
      test('16 tells its title, and of a proxy the live document too', async () => {
        const file = await bench.create('File', { 'dc:title': 'Shown' })
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, file.uid)
        const events = await recorder.eventsOf(() => remove(proxy))
        const told = readEvent(events, 'proxyRemoved')
        assert.equal(told.document.id, file.uid)
        assert.deepEqual([told.properties['docSource'], told.properties['workingCopy']], [file.uid, file.uid])
        const removed = await recorder.eventsOf(() => remove(file.uid))
        assert.equal(readEvent(removed, 'documentRemoved').properties['docTitle'], 'Shown')
      })
      test('needs Remove on it and RemoveChildren on its parent', async () => {
        const folder = await bench.create('Folder')
        const file = await createIn(folder)
        await bench.restrict(folder.uid, grant('bob', 'Read'), grant('bob', 'RemoveChildren'))
        await assertRefusal(remove(file.uid, 'bob'), 403, privilegeMissing('Remove', 'bob'))
        await bench.restrict(file.uid, grant('bob', 'Remove'))
        await bench.restrict(folder.uid, grant('bob', 'Read'))
        await assertRefusal(remove(file.uid, 'bob'), 403, privilegeMissing('RemoveChildren', 'bob'))
        await bench.restrict(folder.uid, grant('bob', 'RemoveChildren'))
        await remove(file.uid, 'bob')
      })
      test('12.1 checks no permission below it', async () => {
        const folder = await bench.create('Folder')
        const inner = await createIn(folder, 'Folder')
        const secret = await createIn(inner)
        await bench.restrict(folder.uid, grant('bob', 'ReadWrite'))
        await bench.setAcls(secret.uid, [{ name: 'local', aces: [deny('Everyone', 'Everything')] }])
        await remove(inner.uid, 'bob')
        assert.equal(await isThere(secret), false)
      })
      test('is a conflict while retention or hold is on it or anywhere below', async () => {
        const folder = await bench.create('Folder')
        const leaf = await createIn(await createIn(folder, 'Folder'))
        await bench.change(leaf.uid, { isRecord: true, hasLegalHold: true })
        await assertRefusal(
          remove(folder.uid),
          409,
          `Cannot remove ${folder.uid}, subdocument ${leaf.uid} is under retention / hold`,
        )
        await assertRefusal(remove(leaf.uid), 409, `Cannot remove ${leaf.uid}, it is under retention / hold`)
        assert.deepEqual(await areThere([folder, leaf]), [true, true])
      })
      test('12.1 that a proxy elsewhere shows is a conflict, and is none when the proxy goes along', async () => {
        const [folder, other] = [await bench.create('Folder'), await bench.create('Folder')]
        const file = await createIn(folder)
        const proxy = await bench.createProxy(other.uid, file.uid)
        const message = `Cannot remove ${folder.uid}, subdocument ${file.uid} is the target of proxy ${proxy}`
        await assertRefusal(remove(folder.uid), 409, message)
        assert.deepEqual(await areThere([folder, file]), [true, true])
        await bench.createProxy(folder.uid, file.uid)
        await remove(proxy)
        await remove(folder.uid)
        assert.deepEqual(await areThere([folder, file, other]), [false, false, true])
      })
      test('12.1 that a proxy shows is a conflict for what has no place too', async () => {
        const placeless = await server.asSystem((session) =>
          createDocument(session, { parent: null, type: 'File', name: 'nowhere', properties: {} }),
        )
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, placeless.id)
        const message = `Cannot remove ${placeless.id}, subdocument ${placeless.id} is the target of proxy ${proxy}`
        await assertRefusal(remove(placeless.id), 409, message)
        await remove(proxy)
        await remove(placeless.id)
      })
      test('12.1 of the root is refused to everybody, and a second time it is 404', async () => {
        const root = (await server.as('Administrator').get('/path/')).body
        await assertRefusal(remove(root.uid), 403, /root of the repository/)
        const file = await bench.create('File')
        await remove(file.uid)
        await assertRefusal(remove(file.uid), 404, file.uid)
      })
    })

    describe('9 removing several', () => {
      test('goes by path, skips what went with another, and takes each once', async () => {
        const [b, a] = [await bench.create('Folder', {}, { name: 'rm-b' }), await bench.create('Folder', {}, { name: 'rm-a' })]
        const beside = await bench.create('Folder', {}, { name: 'rm-a-b' })
        const child = await createIn(a)
        const leaf = await createIn(child)
        const events = await recorder.eventsOf(() => removeAll([b.uid, leaf.uid, child.uid, beside.uid, a.uid, b.uid]))
        assert.deepEqual(removalsIn(events), [a.uid, beside.uid, b.uid])
        assert.deepEqual(await areThere([a, b, child, leaf, beside]), [false, false, false, false, false])
      })
      test('takes a proxy before what it shows', async () => {
        const [a, z] = [await bench.create('Folder', {}, { name: 'rp-a' }), await bench.create('Folder', {}, { name: 'rp-z' })]
        const file = await createIn(a)
        const proxy = await bench.createProxy(z.uid, file.uid)
        const events = await recorder.eventsOf(() => removeAll([a.uid, proxy]))
        assert.deepEqual(removalsIn(events), [proxy, a.uid])
      })
      test('leaves a version to its live document', async () => {
        const live = await bench.create('File')
        const version = await bench.update(live.uid, { 'dc:title': 'v' }, minor)
        const events = await recorder.eventsOf(() => removeAll([version.uid, live.uid]))
        assert.deepEqual(removalsIn(events), [live.uid])
      })
      test('is all or nothing: one that is not there is 404, one that may not be removed 403', async () => {
        const [one, other] = [await bench.create('Folder'), await bench.create('Folder')]
        const unknown = '00000000-0000-4000-8000-000000000000'
        await assertRefusal(removeAll([one.uid, unknown]), 404, unknown)
        const [first, second] = [await createIn(one), await createIn(other)]
        await bench.restrict(one.uid, grant('bob', 'ReadWrite'))
        await assertRefusal(removeAll([first.uid, second.uid], 'bob'), 403, privilegeMissing('Remove', 'bob'))
        assert.deepEqual(await areThere([one, other, first, second]), [true, true, true, true])
        await removeAll([])
      })
    })

    describe('9 removeChildren', () => {
      test('empties the folder and leaves it', async () => {
        const folder = await bench.create('Folder')
        const inner = await createIn(folder, 'Folder')
        const documents = [await createIn(folder), inner, await createIn(inner)]
        const events = await recorder.eventsOf(() => empty(folder.uid))
        assert.equal(removalsIn(events).length, 2)
        assert.deepEqual([await isThere(folder), ...(await areThere(documents))], [true, false, false, false])
      })
      test('needs RemoveChildren on the folder', async () => {
        const folder = await bench.create('Folder')
        const file = await createIn(folder)
        await bench.restrict(folder.uid, grant('bob', 'Read'), grant('bob', 'WriteProperties'))
        await bench.restrict(file.uid, grant('bob', 'Everything'))
        await assertRefusal(empty(folder.uid, 'bob'), 403, privilegeMissing('RemoveChildren', 'bob'))
        assert.equal(await isThere(file), true)
      })
      test('skips children that the caller may not remove: without the right, locked by another, kept by a hold', async () => {
        const folder = await bench.create('Folder')
        await bench.restrict(folder.uid, grant('bob', 'ReadWrite'))
        const children = []
        for (let made = 0; made < 4; made++) children.push(await createIn(folder))
        const [free, barred, locked, held] = children
        await bench.restrict(barred.uid, grant('bob', 'Read'))
        await bench.change(locked.uid, { lock })
        await bench.change(held.uid, { isRecord: true, hasLegalHold: true })
        await empty(folder.uid, 'bob')
        assert.deepEqual(await areThere([free, barred, locked, held]), [false, true, true, true])
        await empty(folder.uid)
        assert.deepEqual(await areThere([barred, locked, held]), [false, false, true])
      })
      test('takes proxies first, so that none stands in the way of a sibling', async () => {
        const folder = await bench.create('Folder')
        const file = await createIn(folder, 'File', 'a')
        const proxy = await bench.createProxy(folder.uid, file.uid, 'z')
        const events = await recorder.eventsOf(() => empty(folder.uid))
        assert.deepEqual(removalsIn(events), [proxy, file.uid])
      })
      test('is stopped as a whole by a child that is kept: 409', async () => {
        const folder = await bench.create('Folder')
        const [first, inner] = [await createIn(folder, 'File', 'a'), await createIn(folder, 'Folder', 'b')]
        const leaf = await createIn(inner)
        await bench.change(leaf.uid, { isRecord: true, hasLegalHold: true })
        await assertRefusal(empty(folder.uid), 409, /under retention \/ hold/)
        assert.deepEqual(await areThere([first, inner, leaf]), [true, true, true])
      })
      test('of a folder that is not there is 404', async () => {
        const unknown = '00000000-0000-4000-8000-000000000000'
        await assertRefusal(empty(unknown), 404, unknown)
      })
    })

    test('9 the children of a folder that another has locked cannot be removed', async () => {
      const folder = await bench.create('Folder')
      const file = await createIn(folder)
      await bench.restrict(folder.uid, grant('bob', 'ReadWrite'))
      await bench.change(folder.uid, { lock })
      await assertRefusal(remove(file.uid, 'bob'), 403, privilegeMissing('RemoveChildren', 'bob'))
      await assertRefusal(empty(folder.uid, 'bob'), 403, privilegeMissing('RemoveChildren', 'bob'))
      await remove(file.uid)
    })
  },
  { plugins: [recorder.plugin] },
)
