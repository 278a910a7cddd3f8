import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { groupDirectory, subGroups } from '../../src/core/directories/people.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { hasPermission } from '../../src/core/permissions.ts'
import { type Ace, type Acl, deny, grant } from '../../src/model/rights/acl.ts'
import { assertRefusal } from '../support/refusal.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const local = (...aces: readonly Ace[]): Acl => ({ name: 'local', aces })
const other = (...aces: readonly Ace[]): Acl => ({ name: 'workflow', aces })
const block = deny('Everyone', 'Everything')
const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']
const minor = { 'X-Versioning-Option': 'MINOR' }

onEachServer(
  '11.4 evaluation',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['crew'])
      await server.addUser('olga', ['operators'])
      await server.services.directories.store.transact(async ({ directories }) => {
        for (const id of ['crew', 'staff', 'operators'])
          await directories.insert(groupDirectory, { id, values: { groupname: id } })
        await directories.replaceTargets(subGroups, 'staff', ['crew'])
        await directories.replaceTargets(subGroups, 'administrators', ['operators'])
      })
    })
    const create = (parent?: Answered, type = 'Folder') => bench.create(type, {}, parent && { parent: parent.path })
    const createWith = async (acls: readonly Acl[], parent?: Answered) => {
      const folder = await create(parent)
      await bench.setAcls(folder.uid, acls)
      return folder
    }
    const may = (user: string, uid: string, permission: string) =>
      server.inSession(user, async (session) => {
        const document = await session.tx.documents.find(uid)
        assert.ok(document)
        return hasPermission(session, document, permission)
      })
    const canRead = async (user: string, uid: string) => (await server.as(user).get(`/id/${uid}`)).status === 200

    describe('1 administrators', () => {
      for (const [who, user] of [
        ['the default administrator', 'Administrator'],
        ['a member of a group within administrators', 'olga'],
      ] as const) {
        test(`may do everything, whatever the entries say: ${who}`, async () => {
          const { uid } = await createWith([local(deny(user, 'Everything'), deny('administrators', 'Everything'), block)])
          for (const permission of ['Read', 'Write', 'WriteSecurity', 'Everything', 'RestrictedRead', 'Fly']) {
            assert.equal(await may(user, uid, permission), true, permission)
          }
        })
        test(`may not remove what is under hold: ${who}`, async () => {
          const { uid } = await create()
          await bench.change(uid, { hasLegalHold: true })
          assert.deepEqual([await may(user, uid, 'Remove'), await may(user, uid, 'Write')], [false, true])
        })
      }
      test('is also the system', async () => {
        const { uid } = await createWith([local(block)])
        await server.asSystem(async (session) => {
          const document = await session.tx.documents.find(uid)
          assert.ok(document && (await hasPermission(session, document, 'Everything')))
        })
      })
    })

    describe('2 policies', () => {
      test('come before entries: retention and hold deny what contains removal', async () => {
        const { uid } = await createWith([local(grant('bob', 'Everything'))])
        await bench.change(uid, { hasLegalHold: true })
        const asked = ['Remove', 'RemoveChildren', 'WriteLifeCycle', 'WriteProperties', 'Read', 'Write']
        const answers = await Promise.all(asked.map((permission) => may('bob', uid, permission)))
        assert.deepEqual(answers, [false, false, false, true, true, true])
      })
      test('come before entries: a lock denies whatever Write contains, to all but its owner', async () => {
        const { uid } = await createWith([local(grant('bob', 'Everything'))])
        await bench.change(uid, { lock: { owner: 'olga', created: past } })
        assert.deepEqual([await may('bob', uid, 'WriteProperties'), await may('bob', uid, 'Read')], [false, true])
        await bench.change(uid, { lock: { owner: 'bob', created: past } })
        assert.equal(await may('bob', uid, 'WriteProperties'), true)
      })
    })

    describe('3 the walk', () => {
      test('goes through other ACLs before the local one', async () => {
        const { uid } = await createWith([local(grant('bob', 'Read')), other(deny('bob', 'Read'))])
        assert.equal(await canRead('bob', uid), false)
      })
      test('goes from the document to its parent and on, and the nearest decides', async () => {
        const outer = await createWith([local(deny('bob', 'Read'))])
        const middle = await createWith([local(grant('bob', 'Read'))], outer)
        const inner = await create(await create(middle))
        assert.deepEqual([await canRead('bob', outer.uid), await canRead('bob', inner.uid)], [false, true])
      })
      test('stops after the level that denies Everyone everything: all of that level counts, nothing above it', async () => {
        const outer = await createWith([local(grant('bob', 'Read'), grant('olga', 'Read'))])
        const blocked = await createWith([other(grant('bob', 'Write')), local(block)], outer)
        const inner = await create(blocked)
        assert.deepEqual([await may('bob', inner.uid, 'Write'), await may('bob', inner.uid, 'Read')], [true, false])
      })
      test('is not stopped by such a denial that is pending or archived', async () => {
        const outer = await createWith([local(grant('bob', 'Read'))])
        for (const [dates, isStopped] of [
          [{ begin: future }, false],
          [{ end: past }, false],
          [{ begin: past, end: future }, true],
        ] as const) {
          const inner = await create(await createWith([local(deny('Everyone', 'Everything', dates))], outer))
          assert.equal(await canRead('bob', inner.uid), !isStopped, JSON.stringify(dates))
        }
      })
      test('takes the first effective entry: pending and archived ones are skipped', async () => {
        const skipped = [deny('bob', 'Read', { begin: future }), deny('bob', 'Read', { end: past })]
        const { uid } = await createWith([local(...skipped, grant('bob', 'Read'), deny('bob', 'Read'))])
        assert.equal(await canRead('bob', uid), true)
      })
      for (const name of ['bob', 'crew', 'staff', 'Everyone']) {
        test(`takes entries for the user, its groups with those they are in, and Everyone: ${name}`, async () => {
          const { uid } = await createWith([local(grant(name, 'Read'))])
          assert.equal(await canRead('bob', uid), true)
        })
      }
      for (const permission of ['Read', 'ReadWrite', 'ReadRemove', 'ReadCanCollect', 'DataVisualization', 'Everything']) {
        test(`takes entries whose permission is, or contains, the one asked for: ${permission}`, async () => {
          const { uid } = await createWith([local(grant('bob', permission))])
          assert.equal(await canRead('bob', uid), true)
        })
      }
      test('denies when nothing matches', async () => {
        const { uid } = await createWith([local(grant('crew', 'Browse'), grant('stranger', 'Everything'))])
        assertRefused(await server.as('bob').get(`/id/${uid}`), 403, privilegeMissing('Read', 'bob'))
      })
    })

    describe('4 a version', () => {
      const createVersioned = async () => {
        const folder = await create()
        const file = await create(folder, 'File')
        const version = await bench.update(file.uid, { 'dc:title': 'x' }, minor)
        return { folder, file, version }
      }
      test('has the rights of its live document, as they change and wherever it goes', async () => {
        const { folder, file, version } = await createVersioned()
        assert.equal(await canRead('bob', version.uid), false)
        await bench.setAcls(file.uid, [local(grant('bob', 'Read'))])
        assert.equal(await canRead('bob', version.uid), true)
        await bench.setAcls(file.uid, [])
        await bench.setAcls(folder.uid, [local(grant('bob', 'Read'))])
        assert.equal(await canRead('bob', version.uid), true)
        const elsewhere = await create()
        await server.inSession('Administrator', (session) => moveDocument(session, file.uid, { parentId: elsewhere.uid }))
        assert.equal(await canRead('bob', version.uid), false)
      })
      test('is readable with Read alone: ReadVersion is inert', async () => {
        const { file, version } = await createVersioned()
        await bench.setAcls(file.uid, [local(deny('bob', 'ReadVersion'), grant('bob', 'Read'))])
        assert.equal(await canRead('bob', version.uid), true)
      })
      test('is for administrators only once its live document is gone', async () => {
        const { folder, file, version } = await createVersioned()
        await bench.setAcls(folder.uid, [local(grant('bob', 'Everything'))])
        const section = await create()
        // A proxy keeps the version from going with its live document.
        await server.inSession('Administrator', (session) => createProxy(session, version.uid, section.uid))
        assert.equal((await server.as('Administrator').delete(`/id/${file.uid}`)).status, 204)
        assert.deepEqual([await canRead('bob', version.uid), await canRead('Administrator', version.uid)], [false, true])
      })
      test('that is proxied has there the rights of that place', async () => {
        const { version } = await createVersioned()
        const section = await createWith([local(grant('bob', 'Read'))])
        const proxy = await server.inSession('Administrator', (session) => createProxy(session, version.uid, section.uid))
        assert.deepEqual([await canRead('bob', proxy.id), await canRead('bob', version.uid)], [true, false])
      })
    })

    describe('4 a proxy', () => {
      test('has the rights of its own place, not those of what it shows', async () => {
        const open = await createWith([local(grant('bob', 'Read'))])
        const closed = await create()
        const inOpen = await create(open, 'File')
        const inClosed = await create(closed, 'File')
        const [closedProxy, openProxy] = await server.inSession('Administrator', async (session) => [
          await createProxy(session, inOpen.uid, closed.uid),
          await createProxy(session, inClosed.uid, open.uid),
        ])
        assert.deepEqual([await canRead('bob', closedProxy?.id ?? ''), await canRead('bob', openProxy?.id ?? '')], [false, true])
        await bench.setAcls(closedProxy?.id ?? '', [local(grant('bob', 'Read'))])
        assert.equal(await canRead('bob', closedProxy?.id ?? ''), true)
      })
    })

    test('5 without any ACP everything is denied', async () => {
      const root = await server.asSystem((session) => session.tx.documents.findByPath('/'))
      assert.ok(root)
      await bench.setAcls(root.id, [])
      try {
        const { uid } = await create()
        assert.equal(await may('bob', uid, 'Browse'), false)
        assert.equal(await may('Administrator', uid, 'Browse'), true)
      } finally {
        await bench.setAcls(root.id, root.acls)
      }
    })

    test('11.2 a document that exists and may not be read answers 403, one that does not 404', async () => {
      const { uid, path } = await create()
      assertRefused(await server.as('bob').get(`/id/${uid}`), 403, privilegeMissing('Read', 'bob'))
      assertRefused(await server.as('bob').get(`/path${path}`), 403, privilegeMissing('Read', 'bob'))
      assert.equal((await server.as('bob').get('/id/nowhere')).status, 404)
      assert.equal((await server.as('bob').get(`/path${path}/nowhere`)).status, 404)
    })

    test('a right that is taken is gone with the next request, also within a transaction that takes it', async () => {
      const { uid } = await createWith([local(grant('bob', 'Everything'))])
      const attempt = server.inSession('bob', async (session) => {
        await setAcls(session, uid, [])
        await setAcls(session, uid, [local(grant('bob', 'Read'))])
      })
      await assertRefusal(attempt, 403, privilegeMissing('WriteSecurity', 'bob'))
      assert.equal(await canRead('bob', uid), true, 'nothing of it was done')
    })
  },
  { settings: { securityAllowNegativeAcl: true } },
)
