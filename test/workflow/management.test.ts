import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowModels } from '../support/workflow-models.ts'
import { workflowsOn } from '../support/workflows.ts'

onEachServer(
  'whoever looks after the server',
  (server) => {
    const bench = workbenchOn(server)
    const flows = workflowsOn(server)
    const ask = async (path: string): Promise<Answered> =>
      requireStatus(200, await server.as('Administrator').get(`/management/workflows${path}`))
    const severalFor = async (who: readonly string[], variables: object = {}): Promise<Answered> => {
      const { uid } = await bench.create('File')
      return flows.start(uid, 'Several', 'alice', { variables: { who, ...variables } })
    }
    const hindrancesOf = ({ entries }: Answered, id: string) =>
      entries.find((one: Answered) => one.workflow.id === id)?.hindrances.map(({ reason }: Answered) => reason)
    before(async () => {
      for (const user of ['alice', 'bob', 'carl']) await server.addUser(user, ['members'])
    })

    test('sees the workflows of everybody by model and by state, a page at a time', async () => {
      const ids: string[] = []
      for (const who of ['alice', 'bob', 'group:members']) ids.push((await severalFor([who])).id)
      await flows.start((await bench.create('File')).uid, 'Restarted')
      requireStatus(204, await server.as('alice').delete(`/workflow/${ids[0]}`))
      const running = await ask('?workflowModelName=Several&state=running')
      assert.deepEqual(
        running.entries.map(({ workflow }: Answered) => workflow.id),
        [ids[2], ids[1]],
      )
      assert.equal(running.resultsCount, 2)
      assert.deepEqual(
        running.entries.map(({ openTasks, hindrances, workflow }: Answered) => [openTasks, hindrances, workflow.initiator]),
        [
          [1, [], 'alice'],
          [1, [], 'alice'],
        ],
      )
      assert.equal((await ask('?workflowModelName=Several&state=canceled')).entries[0].workflow.id, ids[0])
      assert.equal((await ask('')).resultsCount, 4)
      const second = await ask('?pageSize=3&currentPageIndex=1')
      assert.deepEqual([second.entries.length, second.resultsCount, second.isNextPageAvailable], [1, 4, false])
    })

    test('is told which will not go on by themselves, and why', async () => {
      await server.addUser('dora', ['members'])
      const forNobody = await severalFor(['dora'])
      const late = await severalFor(['bob'], { count: -2 })
      const gone = await severalFor(['carl'])
      const fine = await severalFor(['bob', 'alice'])
      assert.equal(hindrancesOf(await ask('/stuck'), forNobody.id), undefined)
      requireStatus(204, await server.as('Administrator').delete('/user/dora'))
      const { id: task } = await flows.task(gone.id)
      requireStatus(204, await server.as('Administrator').delete(`/id/${task}`))
      const stuck = await ask('/stuck')
      assert.deepEqual(
        [forNobody, late, gone, fine].map(({ id }) => hindrancesOf(stuck, id)),
        [['nobody'], ['overdue'], ['nothing'], undefined],
      )
      assert.equal(stuck.next, null)
      assert.equal(stuck.looked, (await ask('?state=running')).resultsCount)
      assert.deepEqual(hindrancesOf(await ask('?state=running'), forNobody.id), ['nobody'])
      const open = await flows.task(forNobody.id)
      requireStatus(200, await server.as('Administrator').put(`/task/${open.id}/reassign?actors=bob`, undefined))
      requireStatus(204, await server.as('Administrator').delete(`/workflow/${gone.id}`))
      const left = await ask('/stuck')
      assert.deepEqual(
        left.entries.map(({ workflow }: Answered) => workflow.id),
        [late.id],
      )
    })

    test('is not told that a workflow is stuck that waits for another one', async () => {
      const { id } = await flows.start((await bench.create('File')).uid, 'Parent')
      assert.equal(hindrancesOf(await ask('/stuck'), id), undefined)
    })

    test('looks at so many at once, and goes on after them', async () => {
      const { entries } = await ask('?state=running')
      const [last] = entries
        .map(({ workflow }: Answered) => workflow.id)
        .sort()
        .slice(-1)
      const further = await ask(`/stuck?after=${last}`)
      assert.deepEqual([further.looked, further.entries], [0, []])
      assert.equal((await server.as('Administrator').get(`/management/workflows/stuck?after=${'x'.repeat(101)}`)).status, 400)
    })

    test('names a model that there is, a state that there is, and is an administrator', async () => {
      const statusOf = async (user: string, path: string) => (await server.as(user).get(`/management/workflows${path}`)).status
      assert.equal(await statusOf('Administrator', '?workflowModelName=None'), 404)
      assert.equal(await statusOf('Administrator', '?state=validated'), 400)
      assert.equal(await statusOf('Administrator', '?pageSize=201'), 400)
      assert.equal(await statusOf('alice', ''), 403)
      assert.equal(await statusOf('alice', '/stuck'), 403)
    })
  },
  { plugins: [workflowModels] },
)
