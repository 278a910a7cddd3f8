import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { orderBefore } from '../../src/core/documents/place/order-children.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()

onEachServer(
  'the order of children',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('bob', ['members']))

    /** A folder, and its children by their names. */
    async function createFolderOf(type: string, names: string): Promise<{ folder: Answered; uids: Record<string, string> }> {
      const folder = await bench.create(type)
      const uids: Record<string, string> = {}
      for (const name of names) uids[name] = (await bench.create('File', {}, { parent: folder.path, name })).uid
      return { folder, uids }
    }
    const order = (folder: Answered, src: string | undefined, dest: string | null | undefined, user = 'Administrator') =>
      server.inSession(user, (session) => orderBefore(session, folder.uid, src ?? '', dest ?? null))
    const listed = async ({ path }: Answered) => {
      const { body } = await server.as('Administrator').get(`/path${path}/@children?sortBy=ecm:pos&sortOrder=asc`)
      return body.entries.map((child: Answered) => child.path.slice(path.length + 1)).join('')
    }
    const positionsIn = ({ uid }: Answered) =>
      server.asSystem(async ({ tx }) => {
        const children = await tx.documents.findAll(await tx.documents.listChildIds(uid))
        return children.map(({ name, position }) => `${name}${position}`).join(' ')
      })

    test('9 a new child of an Orderable type comes last: the first has position 0, each next one more', async () => {
      const { folder } = await createFolderOf('OrderedFolder', 'cab')
      assert.equal(await positionsIn(folder), 'c0 a1 b2')
      assert.equal(await listed(folder), 'cab')
    })
    test('9 a new child comes after the last, not into a gap', async () => {
      const { folder, uids } = await createFolderOf('OrderedFolder', 'abc')
      await server.as('Administrator').delete(`/id/${uids['a']}`)
      await bench.create('File', {}, { parent: folder.path, name: 'd' })
      assert.equal(await positionsIn(folder), 'b1 c2 d3')
    })
    test('9 children of other types have no position', async () => {
      const { folder } = await createFolderOf('Folder', 'ab')
      assert.equal(await positionsIn(folder), 'anull bnull')
    })
    test('3 the facet Orderable counts on the type alone', async () => {
      const folder = await bench.create('Folder')
      await bench.change(folder.uid, { facets: ['Orderable'] })
      const child = await bench.create('File', {}, { parent: folder.path })
      assert.equal((await server.asSystem(({ tx }) => tx.documents.find(child.uid)))?.position, null)
    })

    test('9 an Orderable folder is enumerated by position where nothing else is asked for', async () => {
      const { folder, uids } = await createFolderOf('OrderedFolder', 'abc')
      await order(folder, uids['c'], uids['a'])
      const read = await bench.read(folder.uid, { 'enrichers-document': 'children' })
      const names = read.contextParameters.children.entries.map(({ path }: Answered) => path.slice(-1))
      assert.deepEqual(names, ['c', 'a', 'b'])
    })

    describe('9 orderBefore', () => {
      const rows: readonly [src: string, dest: string | null, then: string][] = [
        ['d', 'a', 'dabc'],
        ['a', 'd', 'bcad'],
        ['a', 'b', 'abcd'],
        ['c', 'b', 'acbd'],
        ['a', null, 'bcda'],
        ['d', null, 'abcd'],
        ['b', 'b', 'abcd'],
      ]
      for (const [src, dest, then] of rows) {
        test(`puts ${src} ${dest === null ? 'at the end' : `just before ${dest}`}: abcd becomes ${then}`, async () => {
          const { folder, uids } = await createFolderOf('OrderedFolder', 'abcd')
          await order(folder, uids[src], dest === null ? null : uids[dest])
          assert.equal(await listed(folder), then)
          assert.equal(await positionsIn(folder), Array.from(then, (name, index) => `${name}${index}`).join(' '))
        })
      }
      test('numbers anew from 0, whatever gaps there were', async () => {
        const { folder, uids } = await createFolderOf('OrderedFolder', 'abcd')
        await server.as('Administrator').delete(`/id/${uids['b']}`)
        await order(folder, uids['d'], uids['c'])
        assert.equal(await positionsIn(folder), 'a0 d1 c2')
      })
      test('tells childrenOrderChanged of the folder, with the name of the child', async () => {
        const { folder, uids } = await createFolderOf('OrderedFolder', 'ab')
        const events = await recorder.eventsOf(() => order(folder, uids['b'], uids['a']))
        const told = readEvent(events, 'childrenOrderChanged')
        assert.deepEqual([told.document.id, told.comment, told.properties], [folder.uid, 'b', { reorderedChild: 'b' }])
      })
      test('moves nothing where the type keeps no order, and still tells', async () => {
        const { folder, uids } = await createFolderOf('Folder', 'ab')
        const events = await recorder.eventsOf(() => order(folder, uids['b'], uids['a']))
        assert.equal(readEvent(events, 'childrenOrderChanged').comment, 'b')
        assert.equal(await positionsIn(folder), 'anull bnull')
      })
      test('needs WriteProperties on the folder, and nothing on its children', async () => {
        const { folder, uids } = await createFolderOf('OrderedFolder', 'ab')
        await bench.restrict(folder.uid, grant('bob', 'Read'), grant('bob', 'AddChildren'), grant('bob', 'Remove'))
        await assertRefusal(order(folder, uids['b'], uids['a'], 'bob'), 403, privilegeMissing('WriteProperties', 'bob'))
        assert.equal(await listed(folder), 'ab')
        await bench.restrict(folder.uid, grant('bob', 'WriteProperties'))
        await order(folder, uids['b'], uids['a'], 'bob')
        assert.equal(await listed(folder), 'ba')
      })
      test('is refused to others while the folder is locked', async () => {
        const { folder, uids } = await createFolderOf('OrderedFolder', 'ab')
        await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
        await bench.change(folder.uid, { lock: { owner: 'Administrator', created: '2031-01-01T00:00:00.000Z' } })
        await assertRefusal(order(folder, uids['b'], uids['a'], 'bob'), 403, privilegeMissing('WriteProperties', 'bob'))
      })
      test('of what is no child of the folder, or before it, is 404', async () => {
        const { folder, uids } = await createFolderOf('OrderedFolder', 'ab')
        const stranger = await bench.create('File')
        await assertRefusal(order(folder, stranger.uid, uids['a']), 404, stranger.uid)
        await assertRefusal(order(folder, uids['a'], stranger.uid), 404, stranger.uid)
        await assertRefusal(order(stranger, uids['a'], null), 404, uids['a'] ?? '')
        assert.equal(await listed(folder), 'ab')
      })
      test('by many at once keeps every child in one place', async () => {
        const { folder, uids } = await createFolderOf('OrderedFolder', 'abcdef')
        await Promise.all(['a', 'b', 'c', 'd'].map((name) => order(folder, uids[name], null)))
        const listing = await listed(folder)
        assert.equal(Array.from(listing).toSorted().join(''), 'abcdef')
        assert.ok(listing.startsWith('ef'))
        assert.match(await positionsIn(folder), /^e0 f1 .2 .3 .4 .5$/)
      })
    })
  },
  { plugins: [recorder.plugin] },
)
