import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { enqueueListenerJobs } from '../../src/core/event.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import type { EngineName } from '../support/database-place.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const phase = () => ({ begun: Promise.withResolvers<void>(), end: Promise.withResolvers<void>() })
/** Keep the other jobs of a server waiting until they are ended. */
const busyJobs: { readonly [engine in EngineName]: ReturnType<typeof phase> } = { sqlite: phase(), postgres: phase() }
const busyPlugin = definePlugin({
  name: 'test-busy',
  jobs: [
    {
      kind: 'busy',
      async run(engine) {
        const busy = busyJobs[engine as EngineName]
        busy.begun.resolve()
        await busy.end.promise
      },
    },
  ],
})
const minor = { 'X-Versioning-Option': 'MINOR' }

onEachServer(
  '6.6 a transition of a folder',
  (server, engine) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const follow = async (id: string, transition: string, user = 'Administrator') => {
      await server.inSession(user, (session) => followTransition(session, id, transition))
      await untilIdle(server)
    }
    const statesOf = (...documents: readonly Answered[]) =>
      Promise.all(documents.map(async ({ uid }) => (await bench.read(uid)).state))
    const createIn = (parent: Answered, type = 'File') => bench.create(type, {}, { parent: parent.path })

    /** A folder with a file and a folder in it, and a file in that. */
    async function createTree() {
      const folder = await bench.create('Folder')
      const inner = await createIn(folder, 'Folder')
      return { folder, file: await createIn(folder), inner, leaf: await createIn(inner) }
    }

    test('is followed on everything below it', async () => {
      const { folder, file, inner, leaf } = await createTree()
      const beside = await bench.create('File')
      await follow(folder.uid, 'approve')
      assert.deepEqual(await statesOf(folder, file, inner, leaf), ['approved', 'approved', 'approved', 'approved'])
      assert.deepEqual(await statesOf(beside), ['project'])
      await follow(folder.uid, 'backToProject')
      assert.deepEqual(await statesOf(folder, file, inner, leaf), ['project', 'project', 'project', 'project'])
    })
    test('that another user takes back at once leaves what is below it as it is, whichever job comes first', async () => {
      const { folder, file, leaf } = await createTree()
      await bench.setAcls(folder.uid, [{ name: 'local', aces: ['bob', 'carol'].map((user) => grant(user, 'WriteLifeCycle')) }])
      const take = async (user: string, value: string) => {
        const body = { input: folder.uid, params: { value } }
        requireStatus(200, await operationsOn(server, user)('Document.FollowLifecycleTransition', body))
      }
      const busy = busyJobs[engine]
      // Owners are served in turn: bob comes next.
      await server.asSystem(({ tx }) => tx.jobs.add('busy', engine, { owner: 'bo' }))
      await busy.begun.promise
      await take('carol', 'approve')
      await take('bob', 'backToProject')
      busy.end.resolve()
      await untilIdle(server)
      assert.deepEqual(await statesOf(folder, file, leaf), ['project', 'project', 'project'])
    })
    test('is followed below it only once the request is over', async () => {
      const { folder, file } = await createTree()
      const meanwhile = await server.inSession('Administrator', async (session) => {
        await followTransition(session, folder.uid, 'approve')
        return session.tx.documents.find(file.uid)
      })
      assert.equal(meanwhile?.state, 'project')
      await untilIdle(server)
      assert.deepEqual(await statesOf(file), ['approved'])
    })
    test('is a job for later, and that of a file is none', async () => {
      const { folder, file } = await createTree()
      const jobsAfter = (id: string) =>
        server.asSystem(async (session) => {
          const last = async () => Number((await session.tx.tables.get(sql`SELECT coalesce(max(seq), 0) FROM jobs`))?.[0])
          const before = await last()
          await followTransition(session, id, 'approve')
          await enqueueListenerJobs(session)
          const kinds = await session.tx.tables.all(sql`SELECT payload FROM jobs WHERE seq > ${before}`)
          return kinds.filter(([payload]) => String(payload).includes('lifecycleBelow')).length
        })
      assert.equal(await jobsAfter(file.uid), 0)
      assert.equal(await jobsAfter(folder.uid), 1)
      await untilIdle(server)
    })
    test('is not followed below it when the request fails', async () => {
      const { folder, file } = await createTree()
      const failing = server.inSession('Administrator', async (session) => {
        await followTransition(session, folder.uid, 'approve')
        throw new Error('no')
      })
      await assert.rejects(failing, { message: 'no' })
      await untilIdle(server)
      assert.deepEqual(await statesOf(folder, file), ['project', 'project'])
    })
    test('leaves alone what does not allow it, and goes on below that', async () => {
      const { folder, file, inner, leaf } = await createTree()
      await bench.change(file.uid, { state: 'obsolete' })
      await bench.change(inner.uid, { state: 'obsolete' })
      const task = await createIn(folder, 'TaskDoc')
      await follow(folder.uid, 'approve')
      assert.deepEqual(await statesOf(folder, file, inner, leaf, task), [
        'approved',
        'obsolete',
        'obsolete',
        'approved',
        'opened',
      ])
    })
    test('skips proxies, and so what they show', async () => {
      const { folder } = await createTree()
      const shown = await bench.create('File')
      await bench.createProxy(folder.uid, shown.uid)
      await follow(folder.uid, 'approve')
      assert.deepEqual(await statesOf(folder, shown), ['approved', 'project'])
    })
    test('is told of for each and checks out what is checked in', async () => {
      const { folder, file, leaf } = await createTree()
      await bench.update(file.uid, { 'dc:title': 'one' }, minor)
      await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'WriteLifeCycle')] }])
      const events = await recorder.eventsOf(() => follow(folder.uid, 'approve', 'bob'))
      const told = (uid: string) => events.filter(({ document }) => document.id === uid).map(({ name }) => name)
      assert.deepEqual(told(file.uid), ['aboutToCheckout', 'documentCheckedOut', 'lifecycle_transition_event'])
      assert.deepEqual(told(leaf.uid), ['lifecycle_transition_event'])
      assert.deepEqual(await statesOf(file, leaf), ['approved', 'approved'])
      assert.equal((await bench.readProperties(leaf.uid))['dc:lastContributor'], 'bob')
    })

    describe('leaves as it was, with its stamps,', () => {
      const lock = { owner: 'carol', created: '2031-01-01T00:00:00.000Z' }
      const kept = { isRecord: true, retainUntil: '2091-01-01T00:00:00.000Z' } as const
      const cases: readonly [what: string, user: string, prepare: (uid: string) => Promise<void>][] = [
        ['what is hidden from the caller', 'bob', (uid) => bench.restrict(uid)],
        ['what the caller may only read', 'bob', (uid) => bench.restrict(uid, grant('bob', 'Read'))],
        ['what another user has locked', 'bob', (uid) => bench.change(uid, { lock })],
        ['what is under legal hold', 'Administrator', (uid) => bench.change(uid, { hasLegalHold: true })],
        ['what is under retention', 'Administrator', (uid) => bench.change(uid, kept)],
        ['what is in the trash', 'Administrator', (uid) => bench.change(uid, { isTrashed: true })],
      ]
      for (const [what, user, prepare] of cases) {
        test(what, async () => {
          const { folder, file, inner, leaf } = await createTree()
          await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'WriteLifeCycle')] }])
          for (const { uid } of [file, leaf]) await prepare(uid)
          const stampsOf = async ({ uid }: Answered) => {
            const { 'dc:modified': modified, 'dc:contributors': contributors } = await bench.readProperties(uid)
            return [modified, contributors]
          }
          const before = [await stampsOf(file), await stampsOf(leaf)]
          const call = operationsOn(server, user)
          requireStatus(
            200,
            await call('Document.FollowLifecycleTransition', { input: folder.uid, params: { value: 'approve' } }),
          )
          await untilIdle(server)
          assert.deepEqual(await statesOf(folder, inner, file, leaf), ['approved', 'approved', 'project', 'project'])
          assert.deepEqual([await stampsOf(file), await stampsOf(leaf)], before)
        })
      }
    })

    test('reaches what the caller may change in a folder that is hidden from the caller', async () => {
      const { folder, inner, leaf } = await createTree()
      await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'WriteLifeCycle')] }])
      await bench.restrict(inner.uid)
      await bench.restrict(leaf.uid, grant('bob', 'ReadWrite'))
      await follow(folder.uid, 'approve', 'bob')
      assert.deepEqual(await statesOf(inner, leaf), ['project', 'approved'])
    })
    test("that the server follows for a user needs none of the user's rights", async () => {
      const { folder, leaf } = await createTree()
      await bench.restrict(leaf.uid)
      await server.inSession('bob', (session) => followTransition(session.asSystem(), folder.uid, 'approve'))
      await untilIdle(server)
      assert.deepEqual(await statesOf(leaf), ['approved'])
      assert.equal((await bench.readProperties(leaf.uid))['dc:lastContributor'], 'bob')
    })
    test('that the server follows for a user leaves what another user has locked', async () => {
      const { folder, file, leaf } = await createTree()
      await bench.change(file.uid, { lock: { owner: 'carol', created: '2031-01-01T00:00:00.000Z' } })
      await bench.change(leaf.uid, { lock: { owner: 'bob', created: '2031-01-01T00:00:00.000Z' } })
      await server.inSession('bob', (session) => followTransition(session.asSystem(), folder.uid, 'approve'))
      await untilIdle(server)
      assert.deepEqual(await statesOf(folder, file, leaf), ['approved', 'project', 'approved'])
    })
    test('leaves what is below a document that is no folder', async () => {
      const file = await bench.create('File')
      const below = await createIn(file)
      await follow(file.uid, 'approve')
      assert.deepEqual(await statesOf(file, below), ['approved', 'project'])
    })
    test('is followed in a folder of many', async () => {
      const folder = await bench.create('Folder')
      const children: Answered[] = []
      for (let made = 0; made < 205; made++) children.push(await createIn(folder))
      await follow(folder.uid, 'obsolete')
      assert.deepEqual(new Set(await statesOf(...children)), new Set(['obsolete']))
    })

    for (const type of ['DocumentRoute', 'StepFolder', 'ConditionalStepFolder']) {
      test(`stays with a ${type} that follows it alone`, async () => {
        const route = await bench.create(type)
        const step = await createIn(route, 'DocumentRouteStep')
        const expected: readonly [transition: string, ofRoute: string, ofStep: string][] = [
          ['toValidated', 'validated', 'draft'],
          ['toReady', 'ready', 'draft'],
          ['toRunning', 'running', 'draft'],
          ['toDone', 'done', 'draft'],
          ['backToReady', 'ready', 'draft'],
          ['toCanceled', 'canceled', 'draft'],
        ]
        for (const [transition, ...states] of expected) {
          await server.inSession('Administrator', (session) => followTransition(session, route.uid, transition))
          assert.deepEqual(await statesOf(route, step), states)
        }
        await untilIdle(server)
        assert.deepEqual(await statesOf(step), ['draft'])
      })
    }
    test('of a route that is not among those is followed by its steps', async () => {
      const route = await bench.create('DocumentRoute')
      const step = await createIn(route, 'DocumentRouteStep')
      for (const { uid } of [route, step]) await bench.change(uid, { state: 'ready' })
      await follow(route.uid, 'toSuspended')
      assert.deepEqual(await statesOf(route, step), ['suspended', 'suspended'])
    })
  },
  { plugins: [recorder.plugin, busyPlugin] },
)
