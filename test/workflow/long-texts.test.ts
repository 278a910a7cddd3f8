import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const long = (length: number) => 'x'.repeat(length)

onEachServer('what people write into workflows', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const as = (user: string) => server.as(user)
  const call = (operation: string, body: object, user: string) => as(user).post(`/automation/${operation}`, body)
  const startOn = (uid: string, variables: object, user = 'alice') =>
    as(user).post(`/id/${uid}/@workflow`, { 'entity-type': 'workflow', workflowModelName: serial, variables })
  before(async () => {
    for (const user of ['alice', 'bob', 'zoe']) await server.addUser(user, ['members'])
  })

  describe('variables', () => {
    const tooLarge = /The variables of the (workflow|node \w+) would have more than 100000 bytes in all/

    test('have a bound in all, by whatever door they come', async () => {
      const { uid } = await bench.create('File')
      const variables = { initiatorComment: long(100_000) }
      assertRefused(await startOn(uid, variables), 400, tooLarge)
      assertRefused(await startOn(uid, { initiatorComment: 'é'.repeat(60_000) }), 400, tooLarge)
      const half = long(60_000)
      assertRefused(await startOn(uid, { initiatorComment: half, participants: [half] }), 400, tooLarge)
      const operation = { input: uid, params: { id: serial, variables } }
      assertRefused(await call('Context.StartWorkflow', operation, 'alice'), 400, tooLarge)
      const { id } = requireStatus(201, await startOn(uid, { initiatorComment: half }))
      const set = { params: { id, properties: { participants: JSON.stringify([half]) } } }
      assertRefused(await call('Workflow.SetWorkflowVariables', set, 'alice'), 400, tooLarge)
      const task = await flows.task(id)
      const participants = Array.from({ length: 450 }, (_, index) => `user:${long(100)}${index}`)
      assertRefused(await flows.tryTo(task.id, 'start_review', { participants }, 'alice'), 400, tooLarge)
      assertRefused(
        await flows.tryTo(task.id, 'start_review', { comment: long(100_000), participants: ['bob'] }, 'alice', {
          comment: 'short',
        }),
        400,
        tooLarge,
      )
      assert.equal((await flows.task(id)).state, 'opened')
    })

    test('that were larger before let their workflow go on', async () => {
      const { uid } = await bench.create('File')
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
      const { id } = requireStatus(201, await startOn(uid, {}))
      await bench.update(id, { [`var_${serial}:initiatorComment`]: long(200_000) })
      const task = await flows.task(id)
      const more = { participants: ['user:bob'], validationOrReview: long(20_000) }
      assertRefused(await flows.tryTo(task.id, 'start_review', more, 'alice'), 400, tooLarge)
      await flows.complete(task.id, 'start_review', { participants: ['user:bob'] }, 'alice')
      await flows.complete((await flows.task(id)).id, 'validate', {}, 'bob')
      assert.equal((await flows.read(id)).state, 'done')
    })

    test('of many workflows keep no document from being opened', async () => {
      const { uid } = await bench.create('File')
      const length = 60
      for (let started = 0; started < length; started += 1) await flows.start(uid, serial, 'alice')
      const { contextParameters } = requireStatus(
        200,
        await as('alice').get(`/id/${uid}`, { 'enrichers.document': 'runningWorkflows, pendingTasks' }),
      )
      assert.deepEqual([contextParameters.runningWorkflows.length, contextParameters.pendingTasks.length], [50, 50])
      assert.equal(requireStatus(200, await as('alice').get(`/id/${uid}/@workflow`)).entries.length, length)
    })
  })

  describe('tasks', () => {
    const created = (params: object, uid: string) =>
      call(
        'Task.Create',
        { input: uid, params: { 'task name': 'look', 'additional list of actors prefixed ids': 'user:zoe', ...params } },
        'alice',
      )

    test('have short names, directives and remarks, and actors with short names', async () => {
      const { uid } = await bench.create('File')
      for (const [params, said] of [
        [{ 'task name': long(251) }, /The name of the task has 251 characters, and at most 250/],
        [{ directive: long(2_001) }, /The directive has 2001 characters, and at most 2000/],
        [{ comment: long(10_001) }, /The comment has 10001 characters/],
        [{ 'additional list of actors prefixed ids': long(1_001) }, /has more than 1000 characters/],
      ] as const)
        assertRefused(await created(params, uid), 400, said)
      requireStatus(200, await created({ 'task name': long(250), directive: long(2_000), comment: long(10_000) }, uid))
      assert.equal((await flows.tasks('?userId=zoe', 'zoe')).length, 1)
    })

    test('take remarks of a bounded length, and of a bounded length in all', async () => {
      const { uid } = await bench.create('File')
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
      const { id } = requireStatus(201, await startOn(uid, {}))
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:bob'] }, 'alice')
      const task = await flows.task(id)
      const tooLong = /The comment has 10001 characters/
      assertRefused(await flows.tryTo(task.id, 'validate', {}, 'bob', { comment: long(10_001) }), 400, tooLong)
      assertRefused(await flows.tryTo(task.id, 'validate', { comment: long(10_001) }, 'bob'), 400, tooLong)
      const delegate = (comment: string) =>
        as('bob').put(`/task/${task.id}/delegate?delegatedActors=zoe&comment=${encodeURIComponent(comment)}`)
      for (let said = 0; said < 20; said += 1) requireStatus(200, await delegate(long(5_000)))
      assertRefused(await delegate('once more'), 400, /remarks on the task would have more than 100000/)
      await flows.complete(task.id, 'validate', {}, 'bob')
    })

    test('of which there are many are read page by page', async () => {
      await server.addUser('yves', ['members'])
      const [file, gone] = [await bench.create('File'), await bench.create('File')]
      await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('yves', 'Read')] }])
      const actors = { 'additional list of actors prefixed ids': 'user:yves' }
      for (let made = 0; made < 205; made += 1)
        requireStatus(200, await created({ ...actors, 'task name': `n${made}` }, made % 40 === 0 ? gone.uid : file.uid))
      requireStatus(200, await call('Document.Trash', { input: gone.uid }, 'Administrator'))
      const page = async (pageIndex: number) => {
        const address = `/search/pp/user_tasks/execute?pageSize=50&currentPageIndex=${pageIndex}`
        const { resultsCount, entries } = requireStatus(200, await as('yves').get(address))
        const body = { params: { page: pageIndex, pageSize: 50 } }
        const rows = requireStatus(200, await call('Workflow.UserTaskPageProvider', body, 'yves'))
        const names = entries.map(({ name }: { name: string }) => name)
        assert.deepEqual([rows.totalSize, rows.entries.map(({ name }: { name: string }) => name)], [resultsCount, names])
        return { resultsCount, names }
      }
      const pages = [await page(0), await page(3), await page(4)]
      assert.deepEqual(
        pages.map(({ resultsCount, names }) => [resultsCount, names.length, names[0]]),
        [
          [199, 50, 'n1'],
          [199, 49, 'n154'],
          [199, 0, undefined],
        ],
      )
    })
  })
})
