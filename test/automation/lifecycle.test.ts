import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { operationBenchOn, type Role, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const recorder = createEventRecorder()

onEachServer(
  '2.2 lifecycle and locks',
  (server) => {
    const bench = operationBenchOn(server)
    const file = async (): Promise<string> => (await bench.make()).uid

    describe('Document.FollowLifecycleTransition', () => {
      const follow = (input: unknown, value: string, as: Role = 'writer') =>
        bench.run('Document.FollowLifecycleTransition', input, { value }, { as })
      test('follows transitions one after the other', async () => {
        const uid = await file()
        for (const [transition, state] of [
          ['approve', 'approved'],
          ['backToProject', 'project'],
          ['obsolete', 'obsolete'],
        ] as const) {
          assert.equal((await follow(uid, transition)).state, state)
          assert.equal((await bench.read(uid)).state, state)
        }
      })
      test('is known as Document.SetLifeCycle too, and takes lists', async () => {
        const uids = [await file(), await file()]
        const { entries } = await bench.run('Document.SetLifeCycle', uids, { value: 'approve' })
        assert.deepEqual(
          entries.map(({ uid, state }: { uid: string; state: string }) => [uid, state]),
          uids.map((uid) => [uid, 'approved']),
        )
      })
      test('checks a checked-in document out, stamps it and tells', async () => {
        const uid = await file()
        await bench.checkIn(uid)
        const events = await recorder.eventsOf(() => follow(uid, 'approve'))
        const { from, to, transition } = readEvent(events, 'lifecycle_transition_event').properties
        assert.deepEqual([from, to, transition], ['project', 'approved', 'approve'])
        assert.equal(await bench.label(uid), '0.1+')
        assert.equal((await bench.readProperties(uid))['dc:lastContributor'], 'writer')
      })
      test('on a proxy to a live document changes that', async () => {
        const uid = await file()
        const proxy = await bench.createProxy(bench.shared.uid, uid)
        const shown = await follow(proxy, 'approve')
        assert.deepEqual([shown.uid, shown.state], [proxy, 'approved'])
        assert.equal((await bench.read(uid)).state, 'approved')
      })
      test('delete and undelete go through the trash and leave the state', async () => {
        const uid = await file()
        const trashed = await follow(uid, 'delete')
        assert.deepEqual([trashed.state, trashed.isTrashed], ['project', true])
        assert.match(trashed.path, /\._\d{13,}_\.trashed$/)
        const back = await follow(uid, 'undelete')
        assert.deepEqual([back.state, back.isTrashed], ['project', false])
      })
      test('delete on a proxy removes the proxy and gives nothing', async () => {
        const uid = await file()
        const proxy = await bench.createProxy(bench.shared.uid, uid)
        const answer = await bench.call('Document.FollowLifecycleTransition', proxy, { value: 'delete' })
        assert.deepEqual([answer.status, await bench.exists(proxy), await bench.exists(uid)], [204, false, true])
      })
      test('of several follows none when one is refused', async () => {
        const [project, approved] = [await file(), await file()]
        await follow(approved, 'approve')
        const answer = await bench.call('Document.FollowLifecycleTransition', [project, approved], { value: 'approve' })
        assert.equal(answer.status, 409)
        assert.equal((await bench.read(project)).state, 'project')
      })
      refusalsOf(bench, 'Document.FollowLifecycleTransition', {
        'without a transition': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'value'/ },
        'with 409 from a state that does not allow it': async () => ({
          input: await file(),
          params: { value: 'backToProject' },
          status: 409,
          message: 'Not allowed to follow transition backToProject from state project',
        }),
        'with 409 for a transition that is none': async () => ({
          input: await file(),
          params: { value: 'constructor' },
          status: 409,
          message: 'Not allowed to follow transition constructor from state project',
        }),
        'to who can only read': async () => ({
          as: 'reader',
          input: await file(),
          params: { value: 'approve' },
          status: 403,
          message: privilegeMissing('WriteLifeCycle', 'reader'),
        }),
        'to who does not hold the lock': async () => {
          const input = await file()
          await bench.run('Document.Lock', input, {}, { as: 'owner' })
          const message = privilegeMissing('WriteLifeCycle', 'writer')
          return { as: 'writer', input, params: { value: 'approve' }, status: 403, message }
        },
        'for an unknown document': { input: unknownId, params: { value: 'approve' }, status: 404, message: unknownId },
      })
    })

    const fetchLock = { 'X-NXfetch.document': 'lock' }
    const ownerOf = async (uid: string) => (await bench.read(uid, fetchLock)).lockOwner

    describe('Document.Lock', () => {
      const lock = (input: unknown, as: Role = 'writer') => bench.run('Document.Lock', input, {}, { as, headers: fetchLock })
      test('locks for the caller, and shows it to whoever fetches the lock', async () => {
        const uid = await file()
        const { lockOwner, lockCreated } = await lock(uid)
        assert.equal(lockOwner, 'writer')
        assert.ok(Math.abs(Date.parse(lockCreated) - Date.now()) < 60_000)
        const fetched = await bench.run('Repository.GetDocument', undefined, { value: uid }, { as: 'reader', headers: fetchLock })
        assert.deepEqual([fetched.lockOwner, fetched.lockCreated], [lockOwner, lockCreated])
        assert.equal((await bench.read(uid)).lockOwner, undefined)
      })
      test('takes lists, all of them or none', async () => {
        const uids = [await file(), await file()]
        assert.deepEqual(uidsOf(await lock(uids)), uids)
        const fresh = await file()
        assert.equal((await bench.call('Document.Lock', [fresh, uids[0]])).status, 409)
        assert.equal(await ownerOf(fresh), undefined)
      })
      test('keeps other writers from changing the document, but not its owner', async () => {
        const uid = await file()
        await lock(uid)
        const update = (as: Role) => bench.call('Document.Update', uid, { properties: 'dc:title=x' }, { as })
        assertRefused(await update('owner'), 403, /WriteProperties/)
        assert.deepEqual([(await update('writer')).status, (await update('Administrator')).status], [200, 200])
      })
      for (const as of ['writer', 'owner', 'Administrator'] as const) {
        test(`on a locked document is refused with 409 to ${as} and names the owner`, async () => {
          const uid = await file()
          await lock(uid)
          const message = new RegExp(`, Failed to invoke operation Document\\.Lock, Document already locked by writer: ${uid}$`)
          assertRefused(await bench.call('Document.Lock', uid, {}, { as }), 409, message)
        })
      }
      refusalsOf(bench, 'Document.Lock', {
        'to who can only read': async () => ({
          as: 'reader',
          input: await file(),
          status: 403,
          message: privilegeMissing('WriteProperties', 'reader'),
        }),
        'for an unknown document': { input: 'doc:/nowhere', status: 404, message: '/nowhere' },
        'without an input': { status: 400, message: /no method found for operation 'Document\.Lock'/ },
        'for a document that was never stored': {
          input: { 'entity-type': 'document', type: 'File', name: 'new' },
          status: 404,
          message: /Document\.Lock/,
        },
      })
      test('is won by one of many who try at once', async () => {
        const uid = await file()
        const users = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? 'writer' : 'owner') as Role)
        const answers = await Promise.all(users.map((as) => bench.call('Document.Lock', uid, {}, { as })))
        const statuses = answers.map(({ status }) => status)
        assert.deepEqual(statuses.toSorted(), [200, ...new Array(7).fill(409)])
        assert.equal(await ownerOf(uid), users[statuses.indexOf(200)])
      })
    })

    describe('Document.Unlock', () => {
      const locked = async (as: Role = 'writer') => {
        const uid = await file()
        await bench.run('Document.Lock', uid, {}, { as })
        return uid
      }
      for (const as of ['writer', 'owner', 'Administrator'] as const) {
        test(`of what writer locked is for ${as}`, async () => {
          const uid = await locked()
          assert.equal((await bench.run('Document.Unlock', uid, {}, { as, headers: fetchLock })).lockOwner, undefined)
          assert.equal(await ownerOf(uid), undefined)
        })
      }
      test('is for who has been given just that right', async () => {
        const uid = await locked()
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('reader', 'Unlock')] }])
        await bench.run('Document.Unlock', uid, {}, { as: 'reader' })
        assert.equal(await ownerOf(uid), undefined)
      })
      test('of what is not locked succeeds, also for who can only read', async () => {
        const uid = await file()
        for (const as of ['reader', 'writer'] as const)
          assert.equal((await bench.run('Document.Unlock', uid, {}, { as })).uid, uid)
      })
      test('takes lists', async () => {
        const uids = [await locked(), await file()]
        assert.deepEqual(uidsOf(await bench.run('Document.Unlock', uids, {}, { as: 'writer' })), uids)
      })
      for (const as of ['writer', 'reader'] as const) {
        test(`of what owner locked is refused with 409 to ${as} and names the owner`, async () => {
          const uid = await locked('owner')
          const message = new RegExp(`Document already locked by owner: ${uid}$`)
          assertRefused(await bench.call('Document.Unlock', uid, {}, { as }), 409, message)
          assert.equal(await ownerOf(uid), 'owner')
        })
      }
      refusalsOf(bench, 'Document.Unlock', {
        'to a stranger': async () => ({
          as: 'stranger',
          input: await locked(),
          status: 403,
          message: privilegeMissing('Read', 'stranger'),
        }),
        'for an unknown document': { input: unknownId, status: 404, message: unknownId },
      })
    })
  },
  { plugins: [recorder.plugin] },
)
