import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowModels } from '../support/workflow-models.ts'
import { workflowsOn } from '../support/workflows.ts'
import { figuresOn, told } from './figures.ts'

const serial = 'SerialDocumentReview'
const restarted = 'Restarted'

/** As the element for workflows asks, whose fields are all in what an event tells. */
const query = (eventId: string, workflow: string, ...more: readonly object[]) => ({
  bool: { must: [{ term: { eventId } }, { term: { 'extended.modelName': workflow } }, ...more] },
})

onEachServer(
  '11 figures about workflows',
  (server) => {
    const bench = workbenchOn(server)
    const flows = workflowsOn(server)
    const { search, shown, tryTo } = figuresOn(server)
    before(async () => {
      for (const user of ['alice', 'ann', 'eve']) await server.addUser(user, ['members'])
      const model = requireStatus(200, await server.as('Administrator').get(`/path/document-route-models-root/${serial}`))
      await bench.setAcls(model.uid, [{ name: 'local', aces: [grant('ann', 'DataVisualization'), grant('eve', 'Read')] }])
      const { id } = await flows.start((await bench.create('File')).uid, serial, 'alice')
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:alice'] }, 'alice')
      await flows.start((await bench.create('File')).uid, serial)
      await flows.start((await bench.create('File')).uid, restarted)
      await server.as('Administrator').delete(`/workflow/${id}`)
    })

    test('are grouped by who began them and by the day, and by the action that ended a task', async () => {
      const day = new Date().toISOString().slice(0, 10)
      const range = { range: { eventDate: { gte: day, lte: day } } }
      const begun = {
        query: query('afterWorkflowStarted', serial, range),
        aggs: { by: { terms: { field: 'extended.workflowInitiator' } } },
      }
      assert.equal(told(await shown('audit_wf', begun)), 'Administrator 1, alice 1')
      const all = await search('audit_wf', { query: query('afterWorkflowTaskEnded', serial) })
      const { extended } = all.hits.hits[0]._source
      const ended = {
        query: query('afterWorkflowTaskEnded', serial, { term: { 'extended.taskName': extended.taskName } }),
        aggs: {
          by: {
            terms: { field: 'extended.action' },
            aggs: { metrics: { avg: { field: 'extended.timeSinceTaskStarted' } } },
          },
        },
      }
      assert.deepEqual(await shown('audit_wf', ended), [{ key: 'start_review', value: extended.timeSinceTaskStarted }])
    })
    test('tell others than administrators of those models that they may visualise, and of nothing else', async () => {
      const models = { size: 0, aggs: { by: { terms: { field: 'extended.modelName' } } } }
      const modelsFor = async (user: string) => (await shown('audit_wf', models, user)).map(({ key }: Answered) => key).toSorted()
      assert.deepEqual(await modelsFor('Administrator'), [restarted, serial].toSorted())
      assert.deepEqual(await modelsFor('ann'), [serial])
      for (const user of ['eve', 'alice']) assert.deepEqual(await modelsFor(user), [])
      assert.equal((await search('audit_wf', { query: query('afterWorkflowStarted', restarted) }, 'ann')).hits.total, 0)
      const { hits } = await search('audit_wf', { query: { bool: { must_not: [query('x', 'y')] } }, size: 100 }, 'ann')
      assert.ok(hits.total > 0 && hits.hits.every(({ _source }: Answered) => _source.extended.modelName === serial))
    })
    test('have no row of another category, also not one that somebody wrote into the log', async () => {
      const { uid } = await bench.create('File')
      const body = { input: `doc:${uid}`, params: { event: 'afterWorkflowStarted', category: 'Routing' } }
      requireStatus(200, await server.as('Administrator').post('/automation/Audit.LogEvent', body))
      const categories = {
        size: 0,
        aggs: { by: { terms: { field: 'category' } }, models: { terms: { field: 'extended.modelName' } } },
      }
      assert.deepEqual(
        (await shown('audit_wf', categories)).map(({ key }: Answered) => key),
        ['Routing'],
      )
      assert.equal((await search('audit_wf', { query: { term: { docUUID: uid } } }, 'ann')).hits.total, 0)
      assert.equal((await search('audit_wf', { query: { term: { docUUID: uid } } })).hits.total, 1)
    })
    test('are for nobody who has not signed in', async () => {
      assert.equal((await tryTo('audit_wf', {}, 'nobody')).status, 401)
    })
  },
  { plugins: [workflowModels] },
)
