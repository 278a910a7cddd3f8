import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const tooLarge = /The answer would have more than the 1000000 bytes allowed at once\. Ask for a smaller page/

onEachServer(
  'a list of many tasks',
  (server) => {
    const bench = workbenchOn(server)
    const flows = workflowsOn(server)
    const as = (user: string) => server.as(user)
    const call = (operation: string, body: object, user: string) => as(user).post(`/automation/${operation}`, body)
    before(async () => {
      for (const user of ['alice', 'mal', 'zoe', 'yves']) await server.addUser(user, ['members'])
    })

    describe('whose variables others have filled', () => {
      let uid: string
      before(async () => {
        uid = (await bench.create('File')).uid
        const variables = { initiatorComment: 'x'.repeat(90_000) }
        for (let started = 0; started < 15; started += 1) {
          const { id } = await flows.start(uid, serial, 'mal', { variables })
          await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:alice'] }, 'mal')
        }
      })

      test('is no larger than answers may be, by whatever door', async () => {
        const doors = [
          '/task?userId=alice',
          '/task?userId=alice&pageSize=1000',
          `/task?userId=alice&workflowModelName=${serial}`,
          `/id/${uid}/@task`,
          '/search/pp/user_tasks/execute?pageSize=100',
        ]
        for (const door of doors) assertRefused(await as('alice').get(door), 400, tooLarge)
      })

      test('is read in smaller pages, and each task by itself', async () => {
        const { entries, resultsCount } = requireStatus(200, await as('alice').get('/task?userId=alice&pageSize=5'))
        assert.deepEqual([entries.length, resultsCount], [5, 15])
        const { variables } = requireStatus(200, await as('alice').get(`/task/${entries[0].id}`))
        assert.equal(variables.initiatorComment.length, 90_000)
      })
    })

    test('of one call has as many as the call may look at, and pages have no such bound', async () => {
      const { uid } = await bench.create('File')
      const create = (name: string, actor = 'user:zoe') =>
        call(
          'Task.Create',
          { input: uid, params: { 'task name': name, 'additional list of actors prefixed ids': actor } },
          'Administrator',
        )
      for (let made = 0; made < 100; made += 1) requireStatus(200, await create(`n${made}`))
      const assigned: readonly Answered[] = requireStatus(200, await call('Task.GetAssigned', {}, 'zoe'))
      assert.deepEqual(
        assigned.map(({ name }) => name),
        Array.from({ length: 100 }, (_, index) => `n${index}`),
      )
      requireStatus(200, await create('of another', 'user:yves'))
      const [other] = await flows.tasks('?userId=yves', 'yves')
      requireStatus(200, await as('yves').put(`/task/${other?.id}/delegate?delegatedActors=zoe`))
      assert.equal(requireStatus(200, await call('Task.GetAssigned', {}, 'zoe')).length, 100, 'what is delegated is not assigned')
      requireStatus(200, await create('one more'))
      assertRefused(await call('Task.GetAssigned', {}, 'zoe'), 400, /takes more than the 100 documents that one call may take/)
      const page = requireStatus(200, await call('Workflow.UserTaskPageProvider', { params: { page: 2, pageSize: 50 } }, 'zoe'))
      assert.deepEqual([page.totalSize, page.entries.length], [102, 2])
      assert.equal(requireStatus(200, await as('zoe').get('/task?userId=zoe')).entries.length, 102)
    })

    test('is of one model although tasks of others stand between', async () => {
      const { uid } = await bench.create('File')
      const sooner = await flows.start(uid, serial, 'yves')
      for (let started = 0; started < 205; started += 1) await flows.start(uid, 'ParallelDocumentReview', 'yves')
      const later = await flows.start(uid, serial, 'yves')
      const shown = requireStatus(200, await as('yves').get(`/id/${uid}/@task?workflowModelName=${serial}`))
      assert.deepEqual(
        shown.entries.map(({ workflowInstanceId }: Answered) => workflowInstanceId),
        [sooner.id, later.id],
      )
      assert.equal((await flows.tasks('?userId=yves&workflowModelName=ParallelDocumentReview', 'yves')).length, 205)
    })
  },
  { settings: { answerMaxSize: '1 MB', automationMaxDocuments: 100 } },
)
