import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { aceStatusSchedule } from '../../src/features/access/ace-status.ts'
import { removeOldChanges } from '../../src/features/desktop-sync/change-rows.ts'
import { createSealedBounds } from '../../src/features/desktop-sync/sealed-bounds.ts'
import { readSyncSecret } from '../../src/features/desktop-sync/sync-secret.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { comparable, type DesktopClient, desktopClientOn } from '../support/desktop-client.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

/** Transactions that make a document of this title stay open after all they write was written, until the gate is opened. */
const gate: { title: string | undefined; open: Promise<void>; release(): void; reached: Promise<void>; reach(): void } = {
  title: undefined,
  open: Promise.resolve(),
  release: () => {},
  reached: Promise.resolve(),
  reach: () => {},
}

function closeGate(title: string): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  Object.assign(gate, { title, open: promise, release: resolve, reached: reached.promise, reach: reached.resolve })
}

const slowCommits = definePlugin({
  name: 'slow-commits',
  listeners: [
    {
      name: 'slowCommits',
      when: 'inline',
      events: ['sessionSaved'],
      order: 20_000,
      async handle({ document }) {
        if (gate.title === undefined || document.properties['dc:title'] !== gate.title) return
        gate.reach()
        await gate.open
      },
    },
  ],
})

onEachServer(
  'a desktop client is told',
  (server, engine) => {
    const bench = workbenchOn(server)
    const admin = operationsOn(server)
    let outer: Answered
    let root: Answered
    let ann: DesktopClient
    let user = ''
    let made = 0
    before(async () => {
      await server.addUser('ben', ['members'])
    })
    /** A folder in another one, which is all that a user has as a root. */
    const begin = async () => {
      made += 1
      user = `ann${made}`
      await server.addUser(user, ['members'])
      outer = await bench.create('Folder', { 'dc:title': 'outer' })
      root = await bench.create('Folder', { 'dc:title': 'root' }, { parent: outer.path, name: 'root' })
      await bench.restrict(outer.uid, grant(user, 'Read'), grant('ben', 'Read'))
      ann = desktopClientOn(server, user)
      await ann.register(root.uid)
      await ann.start()
    }
    const note = (title: string, parent = root.path) =>
      bench.create('Note', { 'dc:title': title, 'note:note': `of ${title}` }, { parent })
    const doTo = async (operation: string, input: string, params: object = {}) =>
      requireStatus(200, await admin(operation, { input, params }))
    const eventsOf = (told: Answered) => told.fileSystemChanges.map(({ eventId }: Answered) => eventId)
    const assertLevel = async () => assert.deepEqual(comparable(ann.items), comparable(await ann.listed()))

    test('what was made, changed, moved and thrown away, each once and as it is now', async () => {
      await begin()
      const one = await note('one')
      await bench.update(one.uid, { 'note:note': 'changed' })
      const told = await ann.poll()
      assert.equal(told.fileSystemChanges.length, 1)
      const [change] = told.fileSystemChanges
      assert.equal(change.repositoryId, 'default')
      assert.equal(change.docUuid, one.uid)
      assert.equal(change.fileSystemItemId, `defaultFileSystemItemFactory#default#${one.uid}`)
      assert.equal(change.fileSystemItemName, 'one.txt')
      assert.equal(change.fileSystemItem.name, 'one.txt')
      assert.equal(told.syncDate % 1_000, 0)
      await doTo('Document.Trash', one.uid)
      assert.deepEqual(eventsOf(await ann.poll()), ['deleted'])
      await doTo('Document.Untrash', one.uid)
      assert.deepEqual(eventsOf(await ann.poll()), ['documentUntrashed'])
      assert.deepEqual(ann.names(), ['root', 'root/one.txt'])
      await server.as('Administrator').delete(`/id/${one.uid}`)
      assert.deepEqual(eventsOf(await ann.poll()), ['deleted'])
      assert.deepEqual((await ann.poll()).fileSystemChanges, [])
    })

    test('a folder with all that is in it as one change, however much that is', async () => {
      await begin()
      const folder = await bench.create('Folder', { 'dc:title': 'many' }, { parent: root.path, name: 'many' })
      for (let count = 0; count < 12; count += 1) await note(`n${count}`, folder.path)
      await ann.poll()
      await doTo('Document.Trash', folder.uid)
      const told = await ann.poll()
      assert.equal(told.fileSystemChanges.length, 1)
      await doTo('Document.Untrash', folder.uid)
      assert.equal((await ann.poll()).fileSystemChanges.length, 1)
      assert.equal(ann.names().length, 14)
      await assertLevel()
    })

    test('what was moved out of a root is gone, and what was moved into one is there', async () => {
      await begin()
      const folder = await bench.create('Folder', { 'dc:title': 'walker' }, { parent: root.path })
      await note('inside', folder.path)
      await ann.poll()
      await doTo('Document.Move', folder.uid, { target: outer.uid })
      assert.deepEqual(eventsOf(await ann.poll()), ['deleted'])
      assert.deepEqual(ann.names(), ['root'])
      await doTo('Document.Move', folder.uid, { target: root.uid })
      assert.deepEqual(eventsOf(await ann.poll()), ['documentMoved'])
      assert.deepEqual(ann.names(), ['root', 'root/walker', 'root/walker/inside.txt'])
    })

    test('of locks, with who has them and since when', async () => {
      await begin()
      const one = await note('locked')
      await ann.poll()
      await doTo('Document.Lock', one.uid)
      const [{ eventId, fileSystemItem }] = (await ann.poll()).fileSystemChanges
      assert.equal(eventId, 'documentLocked')
      assert.equal(fileSystemItem.lockInfo.owner, 'Administrator')
      assert.ok(Math.abs(Date.now() - fileSystemItem.lockInfo.created) < 60_000)
      await doTo('Document.Unlock', one.uid)
      assert.deepEqual(eventsOf(await ann.poll()), ['documentUnlocked'])
    })

    test('of what keeps a file and sets it free, which change what can be done with it', async () => {
      await begin()
      await bench.restrict(outer.uid, grant(user, 'ReadWrite'))
      const one = await note('kept')
      await ann.poll()
      const canUpdate = async () => {
        const { fileSystemChanges } = await ann.poll()
        return fileSystemChanges.map(({ eventId, fileSystemItem }: Answered) => [eventId, fileSystemItem.canUpdate])
      }
      await doTo('Document.Hold', one.uid)
      assert.deepEqual(await canUpdate(), [['documentModified', false]])
      await doTo('Document.Unhold', one.uid)
      assert.deepEqual(await canUpdate(), [['documentModified', true]])
      await doTo('Document.Retain', one.uid)
      assert.deepEqual(await canUpdate(), [['documentModified', true]])
      await assertLevel()
    })

    test('of rights on a folder above the root, which change what can be done in it', async () => {
      await begin()
      const one = await note('writable')
      await ann.poll()
      await bench.restrict(outer.uid, grant(user, 'ReadWrite'))
      assert.deepEqual(eventsOf(await ann.poll()), ['securityUpdated'])
      assert.equal(ann.items.get(`defaultFileSystemItemFactory#default#${one.uid}`).canRename, true)
      await assertLevel()
      await bench.restrict(outer.uid)
      await ann.poll()
      assert.deepEqual(ann.names(), [])
      await bench.restrict(outer.uid, grant(user, 'Read'))
      await ann.poll()
      assert.deepEqual(ann.names(), ['root', 'root/writable.txt'])
    })

    test('when the root itself goes with a folder above it', async () => {
      await begin()
      await doTo('Document.Trash', outer.uid)
      await ann.poll()
      assert.deepEqual(ann.names(), [])
      await doTo('Document.Untrash', outer.uid)
      await ann.poll()
      assert.deepEqual(ann.names(), ['root'])
      await server.as('Administrator').delete(`/id/${outer.uid}`)
      await ann.poll()
      assert.deepEqual(ann.names(), [])
      assert.deepEqual(requireStatus(200, await operationsOn(server, user)('AcmeDrive.GetRoots')).entries, [])
    })

    test('nothing of documents that were never theirs to read, and of those that were, that they are gone', async () => {
      await begin()
      const secret = await note('secret')
      await bench.restrict(secret.uid, grant('ben', 'Read'))
      const shared = await note('shared')
      await ann.poll()
      assert.deepEqual(ann.names(), ['root', 'root/shared.txt'])
      await bench.update(secret.uid, { 'dc:title': 'still secret' })
      await doTo('Document.Trash', secret.uid)
      const silent = await ann.poll()
      assert.deepEqual(silent.fileSystemChanges, [])
      await bench.restrict(shared.uid, grant('ben', 'Read'))
      const told = await ann.poll()
      assert.deepEqual(told.fileSystemChanges, [
        {
          repositoryId: 'default',
          eventId: 'deleted',
          eventDate: told.fileSystemChanges[0].eventDate,
          docUuid: shared.uid,
          fileSystemItem: null,
          fileSystemItemId: `defaultFileSystemItemFactory#default#${shared.uid}`,
          fileSystemItemName: null,
        },
      ])
      // From then on it is none of theirs.
      await bench.update(shared.uid, { 'dc:title': 'none of theirs' })
      await doTo('Document.Trash', shared.uid)
      assert.deepEqual((await ann.poll()).fileSystemChanges, [])
    })

    test('nothing of what others synchronise', async () => {
      await begin()
      const other = await bench.create('Folder', { 'dc:title': 'of ben' })
      await desktopClientOn(server, 'ben').register(other.uid)
      await note('for ben', other.path)
      assert.deepEqual((await ann.poll()).fileSystemChanges, [])
    })

    test('where to begin, without a lower bound', async () => {
      await begin()
      await note('before')
      const told = await ann.call('GetChangeSummary', {})
      assert.deepEqual(told.fileSystemChanges, [])
      assert.equal(told.hasTooManyChanges, false)
      assert.match(told.activeSynchronizationRootDefinitions, new RegExp(`^default:${root.uid};`))
      const next = { lowerBound: told.upperBound, lastSyncActiveRootDefinitions: told.activeSynchronizationRootDefinitions }
      assert.deepEqual((await ann.call('GetChangeSummary', next)).fileSystemChanges, [])
    })

    describe('to compare everything anew', () => {
      test('where there are more changes than are told at once', async () => {
        await begin()
        for (let count = 0; count < 21; count += 1) await note(`m${count}`)
        const told = await ann.poll()
        assert.deepEqual([told.hasTooManyChanges, told.fileSystemChanges], [true, []])
        assert.equal(ann.names().length, 22)
        assert.equal(ann.fullScans, 2)
      })

      test('where its bound lies ahead of all changes, as after a database was put back', async () => {
        await begin()
        const secret = await server.asSystem(readSyncSecret)
        const ahead = createSealedBounds(secret).seal(1_000_000_000)
        const told = await ann.call('GetChangeSummary', { lowerBound: ahead })
        assert.deepEqual([told.hasTooManyChanges, told.fileSystemChanges], [true, []])
        assert.equal((await ann.call('GetChangeSummary', { lowerBound: told.upperBound })).hasTooManyChanges, false)
      })

      for (const lowerBound of [0, 1, 4_503_599_627_370_495, 10 ** 18]) {
        test(`where its bound is none that it was told: ${lowerBound}`, async () => {
          await begin()
          const told = await ann.call('GetChangeSummary', { lowerBound })
          assert.deepEqual([told.hasTooManyChanges, told.fileSystemChanges], [true, []])
        })
      }
    })

    test('nothing by its bound of what happens elsewhere', async () => {
      await begin()
      await note('own')
      const { upperBound } = await ann.poll()
      const other = await bench.create('Folder', { 'dc:title': 'of ben' })
      await desktopClientOn(server, 'ben').register(other.uid)
      await note('elsewhere', other.path)
      assert.equal((await ann.poll()).upperBound, upperBound)
      await note('own again')
      assert.notEqual((await ann.poll()).upperBound, upperBound)
    })

    test('nothing by its bound of what happens to a document that it may not read', async () => {
      await begin()
      const secret = await note('secret')
      await bench.restrict(secret.uid, grant('ben', 'Read'))
      await note('own')
      const { upperBound } = await ann.poll()
      await bench.update(secret.uid, { 'dc:title': 'still secret' })
      const silent = await ann.poll()
      assert.deepEqual([silent.fileSystemChanges, silent.hasTooManyChanges, silent.upperBound], [[], false, upperBound])
      await note('own again')
      assert.deepEqual(eventsOf(await ann.poll()), ['documentCreated'])
      await assertLevel()
    })

    test('to compare everything anew where changes were removed before it asked', async () => {
      await begin()
      for (const title of ['old', 'older']) await note(title)
      await server.asSystem(async (session) => {
        while (await removeOldChanges(session, Date.now() + 1));
      })
      const told = await ann.poll()
      assert.deepEqual([told.hasTooManyChanges, told.fileSystemChanges], [true, []])
      assert.deepEqual(ann.names(), ['root', 'root/old.txt', 'root/older.txt'])
      await note('new')
      assert.equal((await ann.poll()).hasTooManyChanges, false)
      assert.deepEqual(ann.names(), ['root', 'root/new.txt', 'root/old.txt', 'root/older.txt'])
    })

    test('of entries that end', async () => {
      await begin()
      const passing = await note('passing')
      const end = new Date(Date.now() + 2_000).toISOString()
      await bench.restrict(passing.uid, grant(user, 'Read', { end }))
      await ann.poll()
      assert.deepEqual(ann.names(), ['root', 'root/passing.txt'])
      await delay(Math.max(0, Date.parse(end) - Date.now()) + 1_100)
      await server.asSystem(async (session) => {
        const since = new Date(Date.now() - 60_000).toISOString()
        if ('run' in aceStatusSchedule) await aceStatusSchedule.run(session, { since })
      })
      assert.deepEqual(eventsOf(await ann.poll()), ['deleted'])
      assert.deepEqual(ann.names(), ['root'])
    })

    test('of what they can read with other groups', async () => {
      await begin()
      const group = `of-${user}`
      const body = { 'entity-type': 'group', groupname: group, grouplabel: group }
      requireStatus(201, await server.as('Administrator').post('/group', body))
      const folder = await bench.create('Folder', { 'dc:title': 'for some' }, { parent: root.path })
      await bench.restrict(folder.uid, grant(group, 'ReadWrite'))
      await note('deep', folder.path)
      await ann.poll()
      assert.deepEqual(ann.names(), ['root'])
      await server.as('Administrator').post(`/user/${user}/group/${group}`)
      await ann.poll()
      assert.deepEqual(ann.names(), ['root', 'root/for some', 'root/for some/deep.txt'])
      await server.as('Administrator').delete(`/user/${user}/group/${group}`)
      await ann.poll()
      assert.deepEqual(ann.names(), ['root'])
    })

    test('nothing more where it hands back roots that nobody has, or that are none of its own', async () => {
      await begin()
      const hidden = await bench.create('Folder', { 'dc:title': 'hidden' })
      await bench.restrict(hidden.uid)
      const { upperBound: lowerBound } = await ann.call('GetChangeSummary', {})
      const own = `default:${root.uid}`
      for (const strange of [
        own,
        `${own};`,
        `${own};0123456789abcdef`,
        `;;${own}`,
        `${own},default:\0,other:x,:,default:,default`,
      ])
        await ann.call('GetChangeSummary', { lowerBound, lastSyncActiveRootDefinitions: strange })
      const told = await ann.call('GetChangeSummary', {
        lowerBound,
        lastSyncActiveRootDefinitions: `${own},default:${hidden.uid}`,
      })
      for (const { eventId, fileSystemItem } of told.fileSystemChanges)
        assert.deepEqual([eventId, fileSystemItem], ['deleted', null])
    })

    test('that what it hands back as its roots is too long', async () => {
      const { status, body } = await operationsOn(server, user)('AcmeDrive.GetChangeSummary', {
        params: { lowerBound: 0, lastSyncActiveRootDefinitions: 'default:x,'.repeat(30_000) },
      })
      assert.equal(status, 400)
      assert.match(body.message, /lastSyncActiveRootDefinitions is too long/)
    })

    if (engine === 'postgres') {
      test('of a change that commits after a later one, before its bound passes it', async () => {
        await begin()
        closeGate('slow')
        const slow = note('slow')
        await gate.reached
        await note('fast')
        const polled = ann.poll()
        await delay(150)
        gate.release()
        await Promise.all([slow, polled])
        await ann.poll()
        assert.deepEqual(ann.names(), ['root', 'root/fast.txt', 'root/slow.txt'])
      })

      test('to come back where such a change takes too long, and of it then', async () => {
        await begin()
        closeGate('very slow')
        const slow = note('very slow')
        await gate.reached
        await note('fast')
        const busy = await operationsOn(server, user)('AcmeDrive.GetChangeSummary', { params: { lowerBound: 0 } })
        assert.equal(busy.status, 503)
        gate.release()
        await slow
        await ann.poll()
        assert.deepEqual(ann.names(), ['root', 'root/fast.txt', 'root/very slow.txt'])
      })

      test('of what another transaction was writing into a folder when it became a root', async () => {
        await begin()
        const late = await bench.create('Folder', { 'dc:title': 'late' }, { parent: outer.path })
        const inner = await bench.create('Folder', { 'dc:title': 'inner' }, { parent: late.path })
        closeGate('early')
        const early = note('early', inner.path)
        await gate.reached
        await ann.register(late.uid)
        const polled = ann.poll()
        await delay(150)
        gate.release()
        await Promise.all([early, polled])
        assert.deepEqual(ann.names(), ['late', 'late/inner', 'late/inner/early.txt', 'root'])
      })
    }
  },
  { plugins: [slowCommits], settings: { desktopSyncChangeLimit: 20 } },
)
