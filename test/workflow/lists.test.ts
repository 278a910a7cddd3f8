import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findEscalations } from '../../src/features/workflow/escalation.ts'
import { startTestServer } from '../../src/testing.ts'
import { assertRefused } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowModels } from '../support/workflow-models.ts'
import { workflowsOn } from '../support/workflows.ts'

onEachServer(
  'workflows and tasks',
  (server) => {
    const bench = workbenchOn(server)
    const flows = workflowsOn(server)
    const administrator = () => server.as('Administrator')
    const call = (operation: string, body: object, user = 'Administrator') =>
      server.as(user).post(`/automation/${operation}`, body)
    const provided = async (name: string, parameters: readonly string[] = [], user = 'Administrator'): Promise<Answered> => {
      const query = parameters.map((value) => `queryParams=${encodeURIComponent(value)}`).join('&')
      return requireStatus(200, await server.as(user).get(`/search/pp/${name}/execute?${query}`))
    }
    const severalOn = async (uid: string, who: readonly string[]) =>
      flows.start(uid, 'Several', 'Administrator', { variables: { who } })
    before(async () => {
      for (const user of ['alice', 'bob', 'carl']) await server.addUser(user, ['members'])
    })

    describe('10 by page providers', () => {
      test('are listed as tasks, for a user and of a workflow', async () => {
        const { uid } = await bench.create('File')
        const { id } = await severalOn(uid, ['alice', 'bob', 'group:members'])
        const listing = await provided('platform_tasks_listing', ['alice', id])
        assert.deepEqual([listing['entity-type'], listing.resultsCount, listing.pageSize], ['tasks', 2, 20])
        assert.ok(listing.entries.every((one: Answered) => one['entity-type'] === 'task' && one.workflowInstanceId === id))
        assert.equal((await provided('platform_tasks_listing', ['', id])).resultsCount, 3)
        const named = await administrator().get(`/search/pp/platform_tasks_listing/execute?userId=carl&workflowInstanceId=${id}`)
        assert.equal(requireStatus(200, named).resultsCount, 1)
        const page = await administrator().get(
          `/search/pp/platform_tasks_listing/execute?workflowInstanceId=${id}&pageSize=2&currentPageIndex=1`,
        )
        assert.deepEqual([requireStatus(200, page).entries.length, page.body.numberOfPages], [1, 2])
        assert.equal((await provided('platform_tasks_listing', ['', id], 'alice')).resultsCount, 2)
      })
      test('are one’s own, unless their document is in the trash (12)', async () => {
        const { uid } = await bench.create('File')
        const { id } = await severalOn(uid, ['bob'])
        const own = async () =>
          (await provided('user_tasks', [], 'bob')).entries.filter((one: Answered) => one.workflowInstanceId === id).length
        assert.equal(await own(), 1)
        requireStatus(200, await call('Document.Trash', { input: uid }))
        assert.equal(await own(), 0)
        assert.equal((await flows.tasks('?userId=bob', 'bob')).filter((one) => one.workflowInstanceId === id).length, 1)
        requireStatus(200, await call('Document.Untrash', { input: uid }))
        assert.equal(await own(), 1)
      })
      test('are found as documents by process, node, target and actor', async () => {
        const { uid } = await bench.create('File')
        const { id } = await severalOn(uid, ['alice', 'bob'])
        const count = async (name: string, ...parameters: string[]) => (await provided(name, parameters)).entries.length
        assert.equal(await count('GET_TASKS_FOR_PROCESS', id), 2)
        assert.equal(await count('GET_TASKS_FOR_PROCESS_AND_NODE', id, 'severalAsk'), 2)
        assert.equal(await count('GET_TASKS_FOR_PROCESS_AND_NODE', id, 'other'), 0)
        assert.equal(await count('GET_TASKS_FOR_TARGET_DOCUMENTS', uid), 2)
        assert.equal(await count('GET_TASKS_FOR_PROCESS_AND_ACTORS', id, 'alice'), 1)
        assert.equal(await count('GET_TASKS_FOR_TARGET_DOCUMENTS_AND_ACTORS', uid, 'alice'), 1)
        assert.equal(await count('GET_TASKS_FOR_TARGET_DOCUMENTS_AND_ACTORS_OR_DELEGATED_ACTORS', uid, '["carl"]', '["carl"]'), 0)
        assert.equal(await count('GET_TASKS_FOR_TARGET_DOCUMENT', uid), 0)
        await flows.complete((await flows.tasks(`?workflowInstanceId=${id}&userId=bob`))[0]?.id, 'no', {}, 'bob')
        assert.equal(await count('GET_TASKS_FOR_PROCESS', id), 1)
      })
      test('are found by title and by the documents that they are about', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'Route 66' })
        const { id } = await flows.start(uid, 'SerialDocumentReview')
        const ids = async (name: string, ...parameters: string[]) =>
          (await provided(name, parameters)).entries.map((one: Answered) => one.uid)
        const reviews = 2
        const models = reviews + (workflowModels.workflows?.length ?? 0)
        assert.equal((await ids('DOC_ROUTING_SEARCH_ALL_ROUTE_MODELS')).length, models)
        assert.equal((await ids('DOC_ROUTING_SEARCH_ROUTE_MODELS_WITH_TITLE', '%serialDocumentReview%')).length, 1)
        assert.ok((await ids('DOC_ROUTING_SEARCH_ALL_ROUTE_INSTANCES', '%serialDocumentReview%')).includes(id))
        assert.deepEqual(await ids('SEARCH_ROUTE_BY_ATTACHED_DOC', uid), [id])
        assert.deepEqual(await ids('CURRENT_DOC_ROUTING_SEARCH_ATTACHED_DOC', 'route 66%'), [uid])
      })
    })

    describe('10 operations', () => {
      test('leave a workflow ready, which is then seen on its document', async () => {
        const { uid } = await bench.create('File')
        requireStatus(200, await call('Context.StartWorkflow', { input: uid, params: { id: 'Several', start: false } }))
        const { contextParameters } = await bench.read(uid, { 'enrichers-document': 'runningWorkflows' })
        assert.deepEqual(
          contextParameters.runningWorkflows.map(({ state }: Answered) => state),
          ['ready'],
        )
        assert.deepEqual(requireStatus(200, await administrator().get(`/id/${uid}/@workflow`)).entries, [])
        const [{ id }] = contextParameters.runningWorkflows
        assert.equal((await administrator().delete(`/workflow/${id}`)).status, 204)
      })
      test('make one task for all actors, or none where nobody is named', async () => {
        const { uid } = await bench.create('File')
        const make = (params: object) => call('Task.Create', { input: uid, params: { 'task name': 'a/b', ...params } })
        requireStatus(200, await make({}))
        assert.deepEqual(requireStatus(200, await administrator().get(`/id/${uid}/@task`)).entries, [])
        const actors = 'user:alice,user:bob'
        requireStatus(
          200,
          await make({
            'additional list of actors prefixed ids': actors,
            'create one task per actor': false,
            'due date': '2031-01-31',
            directive: 'Look',
            comment: 'soon',
          }),
        )
        const [task, ...others] = requireStatus(200, await administrator().get(`/id/${uid}/@task`)).entries
        assert.deepEqual(
          [others.length, task.name, task.directive, task.dueDate, task.actors, task.comments[0].text],
          [0, 'a/b', 'Look', '2031-01-31T00:00:00.000Z', [{ id: 'user:alice' }, { id: 'user:bob' }], 'soon'],
        )
        const rejected = await flows.complete(task.id, 'reject', {}, 'bob', { comment: 'no' })
        assert.equal(rejected.state, 'ended')
        assert.equal((await flows.tryTo(task.id, 'accept', {}, 'alice')).status, 409)
      })
      test('copy properties of the document to its task as a mapping says', async () => {
        const { uid } = await bench.create('File', { 'dc:source': 'the archive', 'dc:subjects': ['art/dance'] })
        const { id } = await severalOn(uid, ['alice'])
        const task = await flows.task(id)
        const apply = (mappingName: string, user: string, input = task.id) =>
          call('Task.ApplyDocumentMapping', { input, params: { mappingName } }, user)
        assert.equal((await apply('none', 'alice')).status, 404)
        assert.equal((await apply('constructor', 'alice')).status, 404)
        assert.equal((await apply('origin', 'carl')).status, 403)
        assert.equal((await apply('origin', 'Administrator', uid)).status, 404)
        assert.equal((await apply('wrong', 'Administrator')).status, 500)
        requireStatus(200, await apply('origin', 'alice'))
        const { 'dc:rights': rights, 'dc:subjects': subjects } = await bench.readProperties(task.id)
        assert.deepEqual([rights, subjects], ['the archive', ['art/dance']])
      })
      test('restart all workflows of a model, or those at a node, with the documents as they were at first', async () => {
        const documents = [await bench.create('File'), await bench.create('File'), await bench.create('Note')]
        const begun: Answered[] = []
        for (const { uid } of documents) begun.push(await flows.start(uid, 'Restarted'))
        const [first, second] = begun
        const [, { uid: kept }] = documents as [Answered, Answered]
        await flows.complete((await flows.task(second?.id)).id, 'go')
        requireStatus(
          200,
          await call('Document.FollowLifecycleTransition', { input: documents[0]?.uid, params: { value: 'approve' } }),
        )
        const restart = (params: object) =>
          call('WorkflowModel.BulkRestartInstances', { params: { workflowId: 'Restarted', batchSize: 1, ...params } })
        assert.equal(
          (await call('WorkflowModel.BulkRestartInstances', { params: { workflowId: 'Restarted' } }, 'alice')).status,
          404,
        )
        assert.equal((await restart({ nodeId: 'restartedFirst', reinitLifecycle: true })).status, 204)
        assert.equal((await administrator().get(`/workflow/${first?.id}`)).status, 404)
        assert.equal((await flows.read(second?.id)).state, 'running')
        assert.equal((await bench.read(documents[0]?.uid)).state, 'project')
        assert.equal((await restart({})).status, 204)
        for (const { id } of begun) assert.equal((await administrator().get(`/workflow/${id}`)).status, 404)
        for (const { uid } of documents) {
          const entries = requireStatus(200, await administrator().get(`/id/${uid}/@workflow`)).entries
          assert.deepEqual(
            entries.map(({ workflowModelName, state }: Answered) => [workflowModelName, state]),
            [['Restarted', 'running']],
          )
        }
        const [again] = requireStatus(200, await administrator().get(`/id/${kept}/@workflow`)).entries
        assert.equal((await flows.task(again.id)).nodeName, 'restartedFirst')
        await untilIdle(server)
      })
      test('collect what is over, and nothing else, for administrators', async () => {
        const over = await flows.start(undefined, 'Quick')
        const running = await flows.start(undefined, 'SerialDocumentReview')
        const query = `SELECT * FROM DocumentRoute WHERE ecm:uuid IN ('${over.id}')`
        const collect = (user: string) =>
          server.as(user).post(`/search/bulk/garbageCollectWokflows?${new URLSearchParams({ query })}`, {})
        assert.equal((await collect('alice')).status, 403)
        assert.equal((await collect('Administrator')).status, 202)
        await untilIdle(server)
        assert.equal((await administrator().get(`/workflow/${over.id}`)).status, 404)
        assert.equal((await flows.read(running.id)).state, 'running')
      })
    })

    test('7.1 are started by many at the same moment, each under a name of its own', async () => {
      const started = await Promise.all(Array.from({ length: 20 }, () => flows.start(undefined, 'SerialDocumentReview')))
      assert.equal(new Set(started.map(({ name }) => name)).size, 20)
      for (const { name, workflowModelName } of started) {
        assert.match(name, /^SerialDocumentReview(\.\d+)?$/)
        assert.equal(workflowModelName, 'SerialDocumentReview')
      }
    })

    test('3 show the documents that they are about as these are asked for, and inside of a document no deeper', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'Shown' })
      const { id } = await severalOn(uid, ['Administrator'])
      const task = await flows.task(id)
      const wishes = {
        'fetch-task': 'targetDocumentIds',
        'fetch-workflow': 'attachedDocumentIds',
        properties: 'dublincore',
        'enrichers-document': 'permissions,pendingTasks,runningWorkflows',
      }
      const answered = async (address: string): Promise<Answered> =>
        requireStatus(200, await administrator().get(address, wishes))
      const documents = [
        (await answered(`/task/${task.id}`)).targetDocumentIds,
        (await answered(`/task?workflowInstanceId=${id}`)).entries[0].targetDocumentIds,
        (await answered(`/id/${uid}/@task`)).entries[0].targetDocumentIds,
        (await answered(`/workflow/${id}`)).attachedDocumentIds,
        (await answered(`/id/${uid}/@workflow`)).entries[0].attachedDocumentIds,
      ]
      for (const [document, ...others] of documents) {
        assert.deepEqual([document.uid, document.properties['dc:title'], others.length], [uid, 'Shown', 0])
        const { permissions, pendingTasks, runningWorkflows } = document.contextParameters
        assert.ok(permissions.includes('Write'))
        for (const [inside] of [pendingTasks[0].targetDocumentIds, runningWorkflows[0].attachedDocumentIds])
          assert.deepEqual([inside.uid, inside.properties, inside.contextParameters], [uid, undefined, undefined])
      }
    })

    test('5 take variables as texts where the request says so', async () => {
      const body = {
        'entity-type': 'workflow',
        workflowModelName: 'Several',
        variables: { who: '["alice","bob"]', count: '3', isUrgent: 'true' },
      }
      const started = await administrator().post('/workflow?platform.document.routing.json.format.legacy=true', body)
      const { who, count, isUrgent } = requireStatus(201, started).variables
      assert.deepEqual([who, count, isUrgent], [['alice', 'bob'], 3, true])
    })

    test('6 are read by route managers, who look after them', async () => {
      await server.addUser('molly', ['members', 'routeManagers'])
      const { id } = await flows.start(undefined, 'SerialDocumentReview')
      assert.equal((await flows.read(id, 'molly')).id, id)
      assert.equal((await server.as('alice').get(`/workflow/${id}`)).status, 403)
      assert.equal((await server.as('molly').delete(`/workflow/${id}`)).status, 403)
    })

    test('8 a parallel review goes on without those who have not answered in time', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, 'ParallelDocumentReview')
      const past = new Date(Date.now() - 2 * 86_400_000).toISOString()
      const variables = { participants: ['alice', 'bob'], end_date: past }
      await flows.complete((await flows.task(id)).id, 'start_review', variables)
      const [mine] = await flows.tasks(`?workflowInstanceId=${id}&userId=alice`, 'alice')
      const [late] = await flows.tasks(`?workflowInstanceId=${id}&userId=bob`, 'bob')
      await flows.complete(mine?.id, 'approve', {}, 'alice')
      const repository = server.services.repositories.get('default') ?? assert.fail()
      await findEscalations(server.services, repository)
      // A second look before the first was acted on runs nothing twice.
      await findEscalations(server.services, repository)
      await untilIdle(server)
      assert.equal((await flows.task(id)).nodeName, 'Task2169')
      assert.equal(requireStatus(200, await administrator().get(`/task/${late?.id}`)).state, 'cancelled')
      assert.match((await flows.read(id)).variables.review_result, /1\/2 OK.*1 N\/A/)
      const log = requireStatus(200, await administrator().get(`/id/${uid}/@audit?pageSize=100`)).entries
      const exceeded = log.filter(({ eventId }: Answered) => eventId === 'Consultation time excedeed')
      assert.deepEqual(
        exceeded.map(({ category }: Answered) => category),
        ['Review workflow'],
      )
    })

    test('11 are told of in the audit log with what belongs to each event', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, 'Several', 'Administrator', { variables: { who: ['alice', 'bob'], note: 'n' } })
      const [task] = await flows.tasks(`?workflowInstanceId=${id}&userId=alice`)
      requireStatus(200, await server.as('alice').put(`/task/${task?.id}/delegate?delegatedActors=carl&comment=please`))
      await flows.complete(task?.id, 'yes', {}, 'carl', { comment: 'fine' })
      requireStatus(204, await administrator().delete(`/workflow/${id}`))
      const logOf = async (document: string): Promise<readonly Answered[]> =>
        requireStatus(200, await administrator().get(`/id/${document}/@audit?pageSize=100`)).entries
      const find = async (document: string, event: string): Promise<Answered> =>
        (await logOf(document)).find(({ eventId }) => eventId === event) ?? assert.fail(event)
      const started = await find(id, 'afterWorkflowStarted')
      assert.equal(started.category, 'Routing')
      assert.deepEqual(Object.keys(started.extended).sort(), ['modelId', 'modelName', 'workflowInitiator', 'workflowVariables'])
      assert.deepEqual([started.extended.modelName, started.extended.workflowVariables.note], ['Several', 'n'])
      const created = await find(task?.id, 'afterWorkflowTaskCreated')
      assert.deepEqual([created.extended.actors, typeof created.extended.timeSinceWfStarted], [['alice'], 'number'])
      const delegated = await find(task?.id, 'afterWorkflowTaskDelegated')
      assert.deepEqual([delegated.extended.delegatedActors, delegated.comment], [['carl'], 'please'])
      const ended = await find(task?.id, 'afterWorkflowTaskEnded')
      assert.deepEqual([ended.extended.action, ended.extended.taskActor, ended.comment], ['yes', 'carl', 'fine'])
      assert.equal(typeof ended.extended.timeSinceTaskStarted, 'number')
      const canceled = await find(id, 'beforeWorkflowCanceled')
      assert.equal(canceled.extended.pendingNodes.length, 1)
      assert.equal((await logOf(id)).filter(({ eventId }) => eventId === 'beforeWorkflowCanceled').length, 1)
      const completed = (await logOf(uid)).filter(({ eventId }) => eventId === 'workflowTaskCompleted')
      assert.ok(completed.some(({ comment }) => comment === 'fine') && completed.some(({ comment }) => /delegated/.test(comment)))
      assert.ok((await logOf(uid)).some(({ eventId }) => eventId === 'workflowCanceled'))
    })
  },
  { plugins: [workflowModels] },
)

test('2.1 are started only where they are offered, on a server that is told so', async (context) => {
  const settings = { ...(await databaseSettings('sqlite')), workflowEnforceAvailabilityFilter: true }
  const server = await startTestServer({ settings })
  context.after(() => server.stop())
  const [bench, flows] = [workbenchOn(server), workflowsOn(server)]
  const [file, folder] = [await bench.create('File'), await bench.create('Folder')]
  assert.equal((await flows.start(file.uid, 'SerialDocumentReview')).state, 'running')
  const { proxy, version } = await bench.publish(file.uid, folder.uid)
  for (const uid of [folder.uid, proxy, version]) {
    const body = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }
    const refused = await server.as('Administrator').post(`/id/${uid}/@workflow`, body)
    assertRefused(refused, 403, /is not for the document/)
  }
})
