import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { lockDocument, readLock } from '../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../src/core/documents/locks/unlock-document.ts'
import { hasPermission } from '../../src/core/permissions.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal, emptyReference } from '../support/refusal.ts'
import { aDocument, assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const unknownId = '00000000-0000-4000-8000-000000000000'

onEachServer(
  'locks',
  (server) => {
    const bench = workbenchOn(server)
    let shared: Answered
    before(async () => {
      for (const user of ['alice', 'bob', 'reader', 'unlocker', 'owner']) await server.addUser(user, ['members'])
      await server.addUser('chief', ['members', 'administrators'])
      shared = await bench.create('Folder')
      const writers = ['alice', 'bob'].map((user) => grant(user, 'ReadWrite'))
      const others = [grant('unlocker', 'Unlock'), grant('owner', 'Everything')]
      await bench.setAcls(shared.uid, [{ name: 'local', aces: [...writers, ...others] }])
    })
    const create = async (type = 'File') => bench.create(type, {}, { parent: shared.path })
    const lock = (user: string, id: string) => server.inSession(user, (session) => lockDocument(session, id))
    const unlock = (user: string, id: string) => server.inSession(user, (session) => unlockDocument(session, id))
    const createLocked = async (type = 'File', by = 'alice') => {
      const created = await create(type)
      await lock(by, created.uid)
      return created
    }
    const lockOf = async (uid: string) => {
      const { lockOwner, lockCreated } = await bench.read(uid, inFull)
      return [lockOwner, lockCreated]
    }

    describe('10 setting a lock', () => {
      test('makes the caller its owner, from now on, and shows both', async () => {
        const { uid } = await create()
        const locked = await lock('bob', uid)
        assert.equal(locked.lock?.owner, 'bob')
        assert.deepEqual(await lockOf(uid), ['bob', locked.lock?.created])
        assert.ok(Math.abs(Date.parse(locked.lock?.created ?? '') - Date.now()) < 60_000)
      })
      test('takes the right to write properties', async () => {
        const { uid } = await create()
        await assertRefusal(lock('reader', uid), 403, privilegeMissing('WriteProperties', 'reader'))
        assert.deepEqual(await lockOf(uid), [undefined, undefined])
      })
      for (const user of ['alice', 'bob', 'owner', 'Administrator', 'chief']) {
        test(`on a locked document is refused with 409 to ${user}, whoever asks, and names the owner`, async () => {
          const { uid } = await createLocked()
          const before = await lockOf(uid)
          await assertRefusal(lock(user, uid), 409, `Document already locked by alice: ${uid}`)
          assert.deepEqual(await lockOf(uid), before)
        })
      }
      test('tells who may not lock it anyway nothing about the lock', async () => {
        const { uid } = await createLocked()
        await assertRefusal(lock('reader', uid), 403, privilegeMissing('WriteProperties', 'reader'))
      })
      test('is told with the lock', async () => {
        const { uid } = await create()
        const events = await recorder.eventsOf(() => lock('bob', uid))
        assert.deepEqual(
          events.map(({ name }) => name),
          ['documentLocked'],
        )
        const { document, properties, principal } = readEvent(events, 'documentLocked')
        assert.deepEqual(properties, { lock: document.lock })
        assert.deepEqual([document.id, document.lock?.owner, principal.name], [uid, 'bob', 'bob'])
      })
      test('on behalf of somebody is theirs', async () => {
        const { uid } = await create()
        await server.inSession('bob', (session) => lockDocument(session.asSystem(), uid))
        assert.equal((await lockOf(uid))[0], 'bob')
      })
      test('is no change of the content: state, check-in, contributors and other tokens stay', async () => {
        const { uid } = await create()
        const { changeToken, ...before } = await bench.read(uid, inFull)
        await lock('bob', uid)
        const { changeToken: after, lockOwner, lockCreated, ...rest } = await bench.read(uid, inFull)
        assert.deepEqual(rest, before)
        assert.deepEqual([changeToken, after], ['0-0', '1-0'])
      })
      test('belongs to the transaction: what fails leaves no lock', async () => {
        const { uid } = await create()
        const broken = server.inSession('bob', async (session) => {
          await lockDocument(session, uid)
          throw new Error('broken')
        })
        await assert.rejects(broken, /broken/)
        assert.deepEqual(await lockOf(uid), [undefined, undefined])
        await recorder.failingAt('documentLocked', new Error('broken'), () => assert.rejects(lock('bob', uid), /broken/))
        assert.deepEqual(await lockOf(uid), [undefined, undefined])
      })
      test('is won by one of many who try at once', async () => {
        const { uid } = await create()
        const users = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'alice' : 'bob'))
        const results = await Promise.allSettled(users.map((user) => lock(user, uid)))
        const winners = users.filter((_, index) => results[index]?.status === 'fulfilled')
        assert.equal(winners.length, 1)
        assert.equal((await lockOf(uid))[0], winners[0])
      })
    })

    describe('10 removing a lock', () => {
      for (const user of ['alice', 'unlocker', 'owner', 'Administrator', 'chief']) {
        test(`of alice is for ${user}`, async () => {
          const { uid } = await createLocked()
          assert.equal((await unlock(user, uid))?.owner, 'alice')
          assert.deepEqual(await lockOf(uid), [undefined, undefined])
          await lock('bob', uid)
        })
      }
      for (const user of ['bob', 'reader']) {
        test(`of alice is refused with 403 to ${user}`, async () => {
          const { uid } = await createLocked()
          await assertRefusal(unlock(user, uid), 403, privilegeMissing('Unlock', user))
          assert.equal((await lockOf(uid))[0], 'alice')
        })
      }
      test('is for the owner even without any right left', async () => {
        const { uid } = await createLocked()
        await bench.restrict(uid)
        assert.equal((await unlock('alice', uid))?.owner, 'alice')
      })
      for (const user of ['alice', 'reader', 'Administrator']) {
        test(`that is not there succeeds without effect or event, for ${user}`, async () => {
          const { uid } = await create()
          const before = await bench.read(uid, inFull)
          const events = await recorder.eventsOf(async () => assert.equal(await unlock(user, uid), null))
          assert.deepEqual(events, [])
          assert.deepEqual(await bench.read(uid, inFull), before)
        })
      }
      test('is told with the lock that was', async () => {
        const { uid } = await createLocked()
        const [, created] = await lockOf(uid)
        const events = await recorder.eventsOf(() => unlock('alice', uid))
        assert.equal(events.length, 1)
        const { properties, document } = readEvent(events, 'documentUnlocked')
        assert.deepEqual(properties, { lock: { owner: 'alice', created } })
        assert.equal(document.lock, null)
      })
    })

    describe('10 while alice holds the lock', () => {
      const inWrite = 'Write WriteProperties AddChildren RemoveChildren Remove WriteLifeCycle WriteVersion ManageWorkflows'.split(
        ' ',
      )
      const beside = 'Read Browse ReadProperties ReadChildren ReadLifeCycle ReadSecurity ReadVersion ReviewParticipant'.split(' ')
      const has = (user: string, uid: string, permission: string) =>
        server.inSession(user, async (session) => {
          const document = await session.tx.documents.find(uid)
          assert.ok(document)
          return hasPermission(session, document, permission)
        })
      for (const permission of inWrite) {
        test(`${permission} is denied to all but her and administrators`, async () => {
          const { uid } = await createLocked()
          for (const user of ['bob', 'owner']) assert.equal(await has(user, uid, permission), false, user)
          for (const user of ['alice', 'Administrator', 'chief']) assert.equal(await has(user, uid, permission), true, user)
        })
      }
      test('what Write does not contain is as before, for everyone', async () => {
        const { uid } = await createLocked()
        for (const permission of beside) assert.equal(await has('bob', uid, permission), true, permission)
        for (const permission of ['Unlock', 'WriteSecurity', 'MakeRecord']) {
          assert.equal(await has('owner', uid, permission), true, permission)
        }
      })
      test('the permissions that are shown are those that are left', async () => {
        const { uid } = await createLocked()
        const headers = { 'enrichers-document': 'permissions' }
        const shown = async (user: string) =>
          requireStatus(200, await server.as(user).get(`/id/${uid}`, headers)).contextParameters.permissions.sort()
        // A compound around Write is not contained in it, so the lock leaves it; it is not shown, since what it includes is denied.
        assert.equal(await has('bob', uid, 'ReadWrite'), true)
        assert.deepEqual(await shown('bob'), [...beside].sort())
        for (const permission of inWrite) assert.ok((await shown('alice')).includes(permission))
      })
      test('others read it, and see the lock where they ask for it', async () => {
        const { uid } = await createLocked()
        const plain = requireStatus(200, await server.as('reader').get(`/id/${uid}`))
        assert.ok(!('lockOwner' in plain) && !('lockCreated' in plain))
        const asked = requireStatus(200, await server.as('reader').get(`/id/${uid}`, { 'fetch-document': 'lock' }))
        assert.equal(asked.lockOwner, 'alice')
        assert.match(asked.lockCreated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.ok(!('versionLabel' in asked))
      })
      test('she changes it and others cannot', async () => {
        const { uid } = await createLocked()
        const put = (user: string) => server.as(user).put(`/id/${uid}`, changesTo({ 'dc:title': user }))
        assertRefused(await put('bob'), 403, privilegeMissing('WriteProperties', 'bob'))
        for (const user of ['alice', 'Administrator']) assert.equal(requireStatus(200, await put(user)).title, user)
        assert.equal((await lockOf(uid))[0], 'alice')
      })
      test('others cannot remove it', async () => {
        const { uid } = await createLocked()
        assertRefused(await server.as('bob').delete(`/id/${uid}`), 403, new RegExp(privilegeMissing('Remove', 'bob')))
        assert.equal((await server.as('alice').delete(`/id/${uid}`)).status, 204)
      })
      test('others put nothing into her folder and take nothing out', async () => {
        const folder = await create('Folder')
        const child = await bench.create('File', {}, { parent: folder.path })
        await lock('alice', folder.uid)
        const post = (user: string) => server.as(user).post(`/id/${folder.uid}`, aDocument())
        assertRefused(await post('bob'), 403, privilegeMissing('AddChildren', 'bob'))
        const refused = await server.as('bob').delete(`/id/${child.uid}`)
        assertRefused(refused, 403, new RegExp(privilegeMissing('RemoveChildren', 'bob')))
        for (const user of ['alice', 'Administrator']) assert.equal((await post(user)).status, 201)
        assert.equal((await server.as('alice').delete(`/id/${child.uid}`)).status, 204)
      })
      test('what is in her folder stays open to others', async () => {
        const folder = await create('Folder')
        const { uid } = await bench.create('File', {}, { parent: folder.path })
        await lock('alice', folder.uid)
        requireStatus(200, await server.as('bob').put(`/id/${uid}`, changesTo({ 'dc:title': 'open' })))
      })
      test('a proxy is no way around it, shows it, and can set and remove it', async () => {
        const { uid } = await create()
        const proxy = await bench.createProxy(shared.uid, uid)
        const locked = await lock('alice', proxy)
        assert.deepEqual([locked.id, locked.isProxy, locked.lock?.owner], [proxy, true, 'alice'])
        assert.deepEqual(await lockOf(proxy), await lockOf(uid))
        for (const id of [uid, proxy]) {
          const put = await server.as('bob').put(`/id/${id}`, changesTo({ 'dc:title': 'around' }))
          assertRefused(put, 403, privilegeMissing('WriteProperties', 'bob'))
        }
        await assertRefusal(lock('bob', proxy), 409, `Document already locked by alice: ${proxy}`)
        await unlock('alice', proxy)
        assert.deepEqual(await lockOf(uid), [undefined, undefined])
      })
    })

    describe('10 reading a lock', () => {
      test('takes Read', async () => {
        const { uid } = await createLocked()
        const read = (user: string) => server.inSession(user, (session) => readLock(session, uid))
        assert.equal((await read('reader'))?.owner, 'alice')
        await bench.restrict(uid)
        await assertRefusal(read('reader'), 403, privilegeMissing('Read', 'reader'))
      })
      test('gives null where there is none', async () => {
        const { uid } = await create()
        assert.equal(await server.inSession('reader', (session) => readLock(session, uid)), null)
      })
    })

    describe('10 what is no document', () => {
      for (const id of [unknownId, '', 'no id', 'a\0b', '\ud800', "'; DROP TABLE documents; --", 'x'.repeat(10_000)]) {
        test(`is not found (404): ${JSON.stringify(id.slice(0, 40))}`, async () => {
          const read = (user: string) => server.inSession(user, (session) => readLock(session, id))
          for (const attempt of [lock, unlock, read]) await assertRefusal(attempt('Administrator', id), 404, id || emptyReference)
        })
      }
    })

    test('10 a version can be locked, and a copy of a locked document in a version is not', async () => {
      const { uid } = await createLocked()
      const versioned = await server
        .as('alice')
        .put(`/id/${uid}`, changesTo({ 'dc:title': 'v' }), { 'X-Versioning-Option': 'MINOR' })
      const version = requireStatus(200, versioned)
      assert.deepEqual(await lockOf(version.uid), [undefined, undefined])
      await lock('bob', version.uid)
      assert.deepEqual([(await lockOf(version.uid))[0], (await lockOf(uid))[0]], ['bob', 'alice'])
    })
  },
  { plugins: [recorder.plugin] },
)
