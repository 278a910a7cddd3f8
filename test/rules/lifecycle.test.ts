import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { readLifecycle } from '../../src/core/documents/lifecycle/lifecycle-state.ts'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import type { SaveOptions } from '../../src/core/save-options.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn, workspaces } from '../support/workbench.ts'

const recorder = createEventRecorder()
const minor = { 'X-Versioning-Option': 'MINOR' }
const notAllowed = (transition: string, state: string) => `Not allowed to follow transition ${transition} from state ${state}`

onEachServer(
  'the lifecycle',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const follow = (
      id: string,
      transition: string,
      { user = 'Administrator', ...options }: SaveOptions & { user?: string } = {},
    ) => server.inSession(user, (session) => followTransition(session, id, transition, options))
    const lifecycleOf = (id: string, user = 'Administrator') => server.inSession(user, (session) => readLifecycle(session, id))
    const stateOf = async (uid: string) => (await bench.read(uid)).state
    const eventsAbout = async (uid: string, act: () => Promise<unknown>) =>
      (await recorder.eventsOf(act)).filter(({ document }) => document.id === uid)
    const createIn = (state: string, type = 'File') =>
      server.inSession('Administrator', async (session) => {
        const parent = await readDocumentByPath(session, workspaces)
        const wanted = { parent, type, name: 'begun', properties: {}, options: { initialState: state } }
        return createDocument(session, wanted)
      })

    describe('6 is chosen by the exact type', () => {
      const policies: readonly [type: string, policy: string, initial: string][] = [
        ['File', 'default', 'project'],
        ['Folder', 'default', 'project'],
        ['Comment', 'comment_moderation', 'moderation_pending'],
        ['TaskDoc', 'task', 'opened'],
        ['DocumentRoute', 'documentRouteElement', 'draft'],
        ['DocumentRouteStep', 'documentRouteElement', 'draft'],
        ['UserInvitation', 'registrationRequest', 'created'],
      ]
      for (const [type, policy, initial] of policies) {
        test(`and begins with ${initial} for a ${type}, whose lifecycle is ${policy}`, async () => {
          const { uid, state } = await bench.create(type)
          assert.equal(state, initial)
          const read = await lifecycleOf(uid)
          assert.deepEqual([read.policy, read.state], [policy, initial])
        })
      }

      const ways: readonly [from: string, transition: string, to: string][] = [
        ['project', 'approve', 'approved'],
        ['project', 'obsolete', 'obsolete'],
        ['approved', 'backToProject', 'project'],
        ['obsolete', 'backToProject', 'project'],
      ]
      for (const [from, transition, to] of ways) {
        test(`and ${transition} leads a document from ${from} to ${to}`, async () => {
          const { uid } = await bench.create('File')
          await bench.change(uid, { state: from })
          assert.equal((await follow(uid, transition))?.state, to)
          assert.equal(await stateOf(uid), to)
        })
      }
      test('and a task ends by its own transitions', async () => {
        const { uid } = await bench.create('TaskDoc')
        await follow(uid, 'end')
        assert.equal(await stateOf(uid), 'ended')
        assert.deepEqual((await lifecycleOf(uid)).transitions, [])
      })
    })

    describe('6.1 creation may force an initial state', () => {
      test('that the lifecycle has', async () => {
        const { id } = await createIn('approved')
        assert.equal(await stateOf(id), 'approved')
      })
      for (const state of ['moderation_pending', 'nowhere', '', 'constructor']) {
        test(`and not ${JSON.stringify(state)}, which it does not have`, async () => {
          await assertRefusal(createIn(state), 400, `${state} is not a state of lifecycle default`)
        })
      }
      test('and not "deleted", out of which nothing leads', async () => {
        await assertRefusal(createIn('deleted'), 400, /^No document can be in the state deleted/)
      })
    })

    describe('6.2 following a transition', () => {
      const refused: readonly [state: string, transition: string][] = [
        ['project', 'backToProject'],
        ['approved', 'approve'],
        ['approved', 'obsolete'],
        ['project', 'fly'],
        ['project', 'constructor'],
        ['project', ''],
      ]
      for (const [state, transition] of refused) {
        test(`is refused with 409 for '${transition}' from ${state}, and names both`, async () => {
          const { uid } = await bench.create('File')
          await bench.change(uid, { state })
          await assertRefusal(follow(uid, transition), 409, notAllowed(transition, state))
          assert.equal(await stateOf(uid), state)
        })
      }
      test('is refused when only a checked-in document could be checked out for it, and leaves that checked in', async () => {
        const { uid } = await bench.create('File')
        await bench.update(uid, { 'dc:title': 'one' }, minor)
        await assertRefusal(follow(uid, 'backToProject'), 409, notAllowed('backToProject', 'project'))
        assert.equal((await bench.read(uid)).isCheckedOut, false)
      })
      test('needs WriteLifeCycle and nothing else', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('bob', 'WriteLifeCycle'), grant('carol', 'Read'), grant('carol', 'WriteProperties'))
        await assertRefusal(follow(uid, 'approve', { user: 'carol' }), 403, privilegeMissing('WriteLifeCycle', 'carol'))
        assert.equal(await stateOf(uid), 'project')
        assert.equal((await follow(uid, 'approve', { user: 'bob' }))?.state, 'approved')
      })
      test('is refused while someone else holds the lock', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('bob', 'Everything'), grant('carol', 'Everything'))
        await bench.change(uid, { lock: { owner: 'carol', created: '2031-01-01T00:00:00.000Z' } })
        await assertRefusal(follow(uid, 'approve', { user: 'bob' }), 403, privilegeMissing('WriteLifeCycle', 'bob'))
        assert.equal((await follow(uid, 'approve', { user: 'carol' }))?.state, 'approved')
        assert.equal((await follow(uid, 'backToProject'))?.state, 'project')
      })
      test('of what does not exist is 404', async () => assertRefusal(follow('nothing', 'approve'), 404, 'nothing'))
    })

    describe('6.3 a checked-in document', () => {
      const createCheckedIn = async () => {
        const live = await bench.create('File')
        const version = await bench.update(live.uid, { 'dc:title': 'one' }, minor)
        return { live, version }
      }
      test('is checked out first, and told of so', async () => {
        const { live, version } = await createCheckedIn()
        const events = await eventsAbout(live.uid, () => follow(live.uid, 'approve'))
        assert.deepEqual(
          events.map(({ name }) => name),
          ['aboutToCheckout', 'documentCheckedOut', 'lifecycle_transition_event'],
        )
        const { isCheckedOut, state, versionLabel } = await bench.read(live.uid, { 'fetch-document': 'versionLabel' })
        assert.deepEqual([isCheckedOut, state, versionLabel], [true, 'approved', '0.1+'])
        assert.equal(await stateOf(version.uid), 'project')
      })
      test('stays so when it is asked for', async () => {
        const { live } = await createCheckedIn()
        await follow(live.uid, 'approve', { checkout: false })
        const { isCheckedOut, state } = await bench.read(live.uid)
        assert.deepEqual([isCheckedOut, state], [false, 'approved'])
      })
      test('that is a version follows without being checked out', async () => {
        const { live, version } = await createCheckedIn()
        const events = await recorder.eventsOf(() => follow(version.uid, 'approve'))
        assert.deepEqual(
          events.filter(({ name }) => name.includes('heck')),
          [],
        )
        const { isVersion, isCheckedOut, state } = await bench.read(version.uid)
        assert.deepEqual([isVersion, isCheckedOut, state], [true, false, 'approved'])
        assert.equal(await stateOf(live.uid), 'project')
      })
      test('that a proxy shows follows without being checked out', async () => {
        const { live } = await createCheckedIn()
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, live.uid)
        assert.equal((await follow(proxy, 'approve'))?.id, proxy)
        const { isCheckedOut, state } = await bench.read(live.uid)
        assert.deepEqual([isCheckedOut, state], [false, 'approved'])
        assert.equal(await stateOf(proxy), 'approved')
      })
      test('6.3 a proxy is followed with the rights at its own place and at what it shows, and not past the lock of that', async () => {
        const live = await bench.create('File')
        const place = await bench.create('Folder')
        const proxy = await bench.createProxy(place.uid, live.uid)
        await bench.restrict(live.uid, grant('bob', 'ReadWrite'))
        await bench.restrict(place.uid, grant('bob', 'ReadWrite'))
        assert.equal((await follow(proxy, 'approve', { user: 'bob' }))?.state, 'approved')
        assert.equal(await stateOf(live.uid), 'approved')
        await bench.change(live.uid, { lock: { owner: 'carol', created: '2031-01-01T00:00:00.000Z' } })
        await assertRefusal(follow(proxy, 'backToProject', { user: 'bob' }), 403, privilegeMissing('WriteLifeCycle', 'bob'))
      })
    })

    describe('6.4 delete and undelete', () => {
      test('trash and untrash the document, and leave its state alone', async () => {
        for (const state of ['project', 'approved', 'obsolete']) {
          const { uid, path } = await bench.create('File')
          await bench.change(uid, { state })
          const events = await eventsAbout(uid, () => follow(uid, 'delete'))
          assert.deepEqual(events.map(({ name }) => name).at(-1), 'documentTrashed')
          const trashed = await bench.read(uid)
          assert.deepEqual([trashed.isTrashed, trashed.state], [true, state])
          const back = await eventsAbout(uid, () => follow(uid, 'undelete'))
          assert.deepEqual(back.map(({ name }) => name).at(-1), 'documentUntrashed')
          for (const { name } of [...events, ...back]) assert.notEqual(name, 'lifecycle_transition_event')
          const restored = await bench.read(uid)
          assert.deepEqual([restored.isTrashed, restored.state, restored.path], [false, state, path])
        }
      })
      test('do so whatever the lifecycle of the type says', async () => {
        const { uid } = await bench.create('TaskDoc')
        assert.equal((await follow(uid, 'delete'))?.isTrashed, true)
        assert.equal((await follow(uid, 'undelete'))?.isTrashed, false)
      })
      test('leave a checked-in document checked in', async () => {
        const { uid } = await bench.create('File')
        await bench.update(uid, { 'dc:title': 'one' }, minor)
        await follow(uid, 'delete')
        await follow(uid, 'undelete')
        assert.equal((await bench.read(uid)).isCheckedOut, false)
      })
      test('still appear among the transitions that a state allows', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual((await lifecycleOf(uid)).transitions, ['approve', 'obsolete', 'delete'])
        for (const transition of ['approve', 'obsolete']) {
          await follow(uid, transition)
          assert.deepEqual((await lifecycleOf(uid)).transitions, ['delete', 'backToProject'])
          await follow(uid, 'backToProject')
        }
      })
      test('on a proxy: delete removes the proxy and leaves what it shows, undelete does nothing', async () => {
        const live = await bench.create('File')
        const proxy = await bench.createProxy((await bench.create('Folder')).uid, live.uid)
        assert.equal((await follow(proxy, 'undelete'))?.id, proxy)
        assert.equal(await follow(proxy, 'delete'), undefined)
        assert.equal((await server.as('Administrator').get(`/id/${proxy}`)).status, 404)
        const { isTrashed, state } = await bench.read(live.uid)
        assert.deepEqual([isTrashed, state], [false, 'project'])
      })
      test('need the rights of the trash', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('bob', 'Read'), grant('bob', 'WriteLifeCycle'))
        for (const transition of ['delete', 'undelete']) {
          await assertRefusal(follow(uid, transition, { user: 'bob' }), 403, privilegeMissing('Remove', 'bob'))
        }
      })
    })

    describe('6.5 the event', () => {
      test('tells where the document came from and went, by which transition and why', async () => {
        const { uid } = await bench.create('File')
        const events = await eventsAbout(uid, () => follow(uid, 'approve', { comment: 'it is good' }))
        const { category, properties, comment, document, documentLifeCycle } = readEvent(events, 'lifecycle_transition_event')
        assert.equal(category, 'eventLifeCycleCategory')
        assert.deepEqual(properties, { from: 'project', to: 'approved', transition: 'approve' })
        assert.deepEqual([comment, document.state, documentLifeCycle], ['it is good', 'approved', 'approved'])
        assert.equal(events.length, 1)
      })
      test('needs no comment', async () => {
        const { uid } = await bench.create('File')
        const events = await eventsAbout(uid, () => follow(uid, 'approve'))
        assert.equal(readEvent(events, 'lifecycle_transition_event').comment, null)
      })

      const stamps = (properties: Answered) => [
        properties['dc:modified'],
        properties['dc:lastContributor'],
        properties['dc:contributors'],
      ]
      test('stamps the document with who followed it and when', async () => {
        const { uid } = await bench.create('File')
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'WriteLifeCycle')] }])
        const created = await bench.readProperties(uid)
        const followed = await follow(uid, 'approve', { user: 'bob' })
        const after = await bench.readProperties(uid)
        assert.ok(after['dc:modified'] > created['dc:modified'], 'modified later')
        assert.equal(after['dc:modified'], followed?.properties['dc:modified'])
        assert.equal(after['dc:lastContributor'], 'bob')
        assert.deepEqual(after['dc:contributors'], ['Administrator', 'bob'])
        assert.deepEqual([after['dc:created'], after['dc:creator']], [created['dc:created'], 'Administrator'])
      })
      test('stamps what a proxy shows', async () => {
        const { uid } = await bench.create('File')
        const place = await bench.create('Folder')
        const proxy = await bench.createProxy(place.uid, uid)
        for (const restricted of [place.uid, uid]) await bench.restrict(restricted, grant('bob', 'ReadWrite'))
        await follow(proxy, 'approve', { user: 'bob' })
        assert.equal((await bench.readProperties(uid))['dc:lastContributor'], 'bob')
      })
      test('does not stamp a version, which is immutable', async () => {
        const { uid } = await bench.create('File')
        const version = await bench.update(uid, { 'dc:title': 'one' }, minor)
        const created = stamps(await bench.readProperties(version.uid))
        await follow(version.uid, 'approve')
        assert.deepEqual(stamps(await bench.readProperties(version.uid)), created)
      })
      test('does not stamp when it is asked not to, nor for the server itself', async () => {
        const { uid } = await bench.create('File')
        const created = stamps(await bench.readProperties(uid))
        await follow(uid, 'approve', { dublincore: false })
        await server.asSystem((session) => followTransition(session, uid, 'backToProject'))
        assert.deepEqual(stamps(await bench.readProperties(uid)), created)
        assert.equal(await stateOf(uid), 'project')
      })
      test('that fails undoes the transition', async () => {
        const { uid } = await bench.create('File')
        const failing = recorder.failingAt('lifecycle_transition_event', new Error('no'), () => follow(uid, 'approve'))
        await assert.rejects(failing, { message: 'no' })
        assert.equal(await stateOf(uid), 'project')
      })
    })

    describe('6.7 reading policy, state and allowed transitions', () => {
      test('needs ReadLifeCycle', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('bob', 'ReadLifeCycle'), grant('carol', 'ReadProperties'))
        const expected = { policy: 'default', state: 'project', transitions: ['approve', 'obsolete', 'delete'] }
        assert.deepEqual(await lifecycleOf(uid, 'bob'), expected)
        await assertRefusal(lifecycleOf(uid, 'carol'), 403, privilegeMissing('ReadLifeCycle', 'carol'))
      })
      test('tells of what a proxy shows, with the rights at its place', async () => {
        const { uid } = await bench.create('File')
        const place = await bench.create('Folder')
        const proxy = await bench.createProxy(place.uid, uid)
        await follow(uid, 'approve')
        await bench.restrict(uid)
        await bench.restrict(place.uid, grant('bob', 'Read'))
        assert.equal((await lifecycleOf(proxy, 'bob')).state, 'approved')
        await assertRefusal(lifecycleOf(uid, 'bob'), 403, privilegeMissing('ReadLifeCycle', 'bob'))
      })
      test('of a type without lifecycle is undefined, and nothing can be followed', async () => {
        const { uid, state } = await bench.create('Document')
        assert.equal(state, 'undefined')
        assert.deepEqual(await lifecycleOf(uid), { policy: 'undefined', state: 'undefined', transitions: [] })
        await assertRefusal(follow(uid, 'approve'), 409, notAllowed('approve', 'undefined'))
      })
      test('of what does not exist is 404', async () => assertRefusal(lifecycleOf('nothing'), 404, 'nothing'))
    })
  },
  { plugins: [recorder.plugin] },
)
