import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const parallel = 'ParallelDocumentReview'

onEachServer('2 workflows over REST', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const as = (user: string) => server.as(user)
  const administrator = () => as('Administrator')
  before(async () => {
    for (const user of ['alice', 'bob', 'eve']) await server.addUser(user, ['members'])
    await server.addUser('power', ['members', 'powerusers'])
  })

  describe('2.1 POST /workflow', () => {
    test('answers the entity with exactly its fields', async () => {
      const { uid } = await bench.create('File')
      const answer = await administrator().post('/workflow', {
        'entity-type': 'workflow',
        workflowModelName: serial,
        attachedDocumentIds: [uid],
        variables: {
          initiatorComment: 'please',
          validationOrReview: 'simpleReview',
          unknown: 1,
          'var_SerialDocumentReview:index': 2,
        },
      })
      const { id, name, ...fields } = requireStatus(201, answer)
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=workflow')
      assert.equal(answer.headers.get('location'), null)
      assert.match(name, /^SerialDocumentReview(\.\d+)?$/)
      assert.deepEqual(fields, {
        'entity-type': 'workflow',
        title: 'wf.serialDocumentReview.SerialDocumentReview',
        state: 'running',
        workflowModelName: serial,
        initiator: 'Administrator',
        attachedDocumentIds: [{ id: uid }],
        variables: { index: 2, initiatorComment: 'please', participants: [], validationOrReview: 'simpleReview' },
        graphResource: `${server.url}api/v1/workflow/${id}/graph`,
      })
      const [year, month, day] = new Date().toISOString().slice(0, 10).split('-')
      const { path, type, facets, state } = await bench.read(id)
      assert.equal(path, `/document-route-instances-root/${year}/${month}/${day}/${name}`)
      assert.deepEqual([type, state], ['DocumentRoute', 'running'])
      assert.ok(facets.includes('facet-var_SerialDocumentReview') && facets.includes('DocumentRoute'))
    })

    test('starts without a document, whatever else stands in its place, and as often as it is asked (15.2)', async () => {
      for (const attachedDocumentIds of [undefined, 'an-id', null, 7, []]) {
        const body = { 'entity-type': 'workflow', workflowModelName: serial, attachedDocumentIds }
        assert.deepEqual(requireStatus(201, await administrator().post('/workflow', body)).attachedDocumentIds, [])
      }
    })

    test('takes documents as objects, too', async () => {
      const [one, other] = [await bench.create('File'), await bench.create('File')]
      const attachedDocumentIds = [{ id: one.uid }, { uid: other.uid }, one.uid]
      const started = await flows.start(undefined, serial, 'Administrator', { attachedDocumentIds })
      assert.deepEqual(started.attachedDocumentIds, [{ id: one.uid }, { id: other.uid }])
    })

    const refused: readonly (readonly [why: string, body: unknown, status: number, message: RegExp])[] = [
      ['no entity type', { workflowModelName: serial }, 400, /entity-type/],
      ['another entity type', { 'entity-type': 'task', workflowModelName: serial }, 400, /Expected is workflow/],
      ['no model', { 'entity-type': 'workflow' }, 400, /workflowModelName is missing/],
      ['an unknown model', { 'entity-type': 'workflow', workflowModelName: 'Nothing' }, 404, /no route found for id: Nothing/],
      ['a path as a model', { 'entity-type': 'workflow', workflowModelName: '../default-domain' }, 404, /no route found/],
      ['a list', [], 400, /./],
      [
        'a document that is not there',
        { 'entity-type': 'workflow', workflowModelName: serial, attachedDocumentIds: ['x'] },
        404,
        /x/,
      ],
      ...['', ' ', 5, null, {}, { uid: '' }, ['x']].map(
        (item) =>
          [
            `${JSON.stringify(item)} for a document`,
            { 'entity-type': 'workflow', workflowModelName: serial, attachedDocumentIds: [{ uid: 'x' }, item] },
            400,
            /^Item 2 of attachedDocumentIds names no document\./,
          ] as const,
      ),
      [
        'a value of another type',
        { 'entity-type': 'workflow', workflowModelName: serial, variables: { index: 'many' } },
        400,
        /deserialize/,
      ],
      ['a fraction', { 'entity-type': 'workflow', workflowModelName: serial, variables: { index: 1.5 } }, 400, /deserialize/],
      [
        'a text for a list',
        { 'entity-type': 'workflow', workflowModelName: serial, variables: { participants: 'bob' } },
        400,
        /deserialize/,
      ],
    ]
    for (const [why, body, status, message] of refused) {
      test(`refuses ${why}`, async () => assertRefused(await administrator().post('/workflow', body), status, message))
    }

    test('refuses documents that the caller may not read, and makes nothing', async () => {
      const { uid } = await bench.create('File')
      await bench.restrict(uid)
      const body = { 'entity-type': 'workflow', workflowModelName: serial, attachedDocumentIds: [uid] }
      assert.equal((await as('eve').post('/workflow', body)).status, 403)
      assert.equal((await as('eve').post(`/id/${uid}/@workflow`, body)).status, 403)
      assert.deepEqual(requireStatus(200, await as('eve').get('/workflow')).entries, [])
    })

    test('starts by the adapter on its document alone, by id and by path', async () => {
      const [one, other] = [await bench.create('File'), await bench.create('File')]
      const body = {
        'entity-type': 'workflow',
        workflowModelName: parallel,
        attachedDocumentIds: [other.uid],
        variables: { initiatorComment: 'x' },
      }
      for (const address of [`/id/${one.uid}`, `/path${one.path}`]) {
        const started = requireStatus(201, await administrator().post(`${address}/@workflow`, body))
        assert.deepEqual([started.attachedDocumentIds, started.variables.initiatorComment], [[{ id: one.uid }], 'x'])
      }
      const listed = requireStatus(200, await administrator().get(`/id/${one.uid}/@workflow`))
      assert.deepEqual([Object.keys(listed), listed.entries.length], [['entity-type', 'entries'], 2])
      const [first] = listed.entries
      const tasks = requireStatus(200, await administrator().get(`/id/${one.uid}/@workflow/${first.id}/task`)).entries
      assert.deepEqual(
        requireStatus(200, await administrator().get(`/id/${one.uid}/@task?workflowInstanceId=${first.id}`)).entries,
        tasks,
      )
      assert.equal(requireStatus(200, await administrator().get(`/id/${one.uid}/@task`)).entries.length, 2)
      requireStatus(200, await administrator().put(`/id/${one.uid}/@task/${tasks[0].id}/cancel`, { 'entity-type': 'task' }))
      assert.equal((await administrator().get(`/id/${one.uid}/@workflow/${first.id}/nothing`)).status, 404)
      assert.equal((await administrator().get(`/id/${one.uid}/@task/x`)).status, 404)
    })
  })

  test('2.2 lists what the caller has started and is under way, also by model (15.8)', async () => {
    const { uid } = await bench.create('File')
    const [one, other] = [await flows.start(uid, serial, 'alice'), await flows.start(uid, parallel, 'alice')]
    const ids = async (query: string, user = 'alice') =>
      requireStatus(200, await as(user).get(`/workflow${query}`)).entries.map(({ id }: Answered) => id)
    assert.deepEqual(await ids(''), [one.id, other.id])
    assert.deepEqual(await ids('/'), [one.id, other.id])
    assert.deepEqual(await ids(`?workflowModelName=${parallel}`), [other.id])
    assert.deepEqual(await ids('?workflowModelName='), [one.id, other.id])
    assert.deepEqual(await ids('?workflowModelName=Nothing'), [])
    assert.deepEqual(await ids('', 'bob'), [])
    const tasks = async (query: string) => (await flows.tasks(query, 'alice')).map(({ workflowModelName }) => workflowModelName)
    assert.deepEqual(await tasks(`?workflowModelName=${serial}`), [serial])
    assert.deepEqual(await tasks('?workflowModelName=Nothing'), [])
    for (const { id } of [one, other]) requireStatus(204, await as('alice').delete(`/workflow/${id}`))
    assert.deepEqual([await ids(''), await flows.tasks('?userId=alice', 'alice')], [[], []])
  })

  describe('2.3 a workflow by its id', () => {
    test('is read by who started it, by those who have a task, and by administrators', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, serial, 'alice')
      await flows.complete((await flows.task(id, 'alice')).id, 'start_review', { participants: ['bob'] }, 'alice')
      for (const user of ['alice', 'bob', 'Administrator']) assert.equal((await flows.read(id, user)).id, id)
      assert.equal((await as('eve').get(`/workflow/${id}`)).status, 403)
      await flows.complete((await flows.task(id, 'bob')).id, 'reject', {}, 'bob')
      assert.equal((await flows.read(id, 'bob')).id, id)
    })
    test('is not there under another id, nor under that of another document', async () => {
      const { uid } = await bench.create('File')
      for (const id of ['nothing', uid]) {
        for (const path of [`/workflow/${id}`, `/workflow/${id}/graph`])
          assert.equal((await administrator().get(path)).status, 404)
        assert.equal((await administrator().delete(`/workflow/${id}`)).status, 404)
      }
    })
    test('is cancelled by who started it, administrators and power users, once', async () => {
      const { uid } = await bench.create('File')
      for (const user of ['alice', 'power', 'Administrator']) {
        const { id } = await flows.start(uid, serial, 'alice')
        await flows.complete((await flows.task(id, 'alice')).id, 'start_review', { participants: ['bob'] }, 'alice')
        const task = await flows.task(id, 'bob')
        for (const other of ['bob', 'eve']) assert.equal((await as(other).delete(`/workflow/${id}`)).status, 403)
        const answer = await as(user).delete(`/workflow/${id}`)
        assert.deepEqual([answer.status, answer.text], [204, ''])
        assert.equal((await as(user).delete(`/workflow/${id}`)).status, 409)
        assert.equal((await flows.read(id)).state, 'canceled')
        assert.equal(requireStatus(200, await as('bob').get(`/task/${task.id}`)).state, 'cancelled')
        assert.equal((await flows.tryTo(task.id, 'validate', {}, 'bob')).status, 409)
        assert.ok(Object.values(await flows.statesOf(id)).every((state) => state === 'canceled'))
      }
    })
    test('stays done', async () => {
      const { id } = await flows.start(undefined, serial)
      await flows.complete((await flows.task(id)).id, 'cancel')
      assert.equal((await administrator().delete(`/workflow/${id}`)).status, 409)
      assert.equal((await flows.read(id)).state, 'done')
    })
    test('is shown in words of the language that is wished for, part by part, and otherwise by keys', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, serial, 'alice')
      const wishes = { 'translate.task': 'name,directive,workflowTitle,taskActions', 'translate.workflow': 'title' }
      const shown = async (headers: { [name: string]: string }) => {
        const task = requireStatus(200, await as('alice').get(`/task?workflowInstanceId=${id}`, headers)).entries[0]
        const { title } = requireStatus(200, await as('alice').get(`/workflow/${id}`, headers))
        const labels = task.taskInfo.taskActions.map(({ label }: Answered) => label)
        return [task.name, task.directive, task.workflowTitle, ...labels, title]
      }
      const key = (name: string) => `wf.serialDocumentReview.${name}`
      const keys = ['chooseParticipants', 'pleaseSelect', 'SerialDocumentReview', 'cancel', 'startReview', 'SerialDocumentReview']
      assert.deepEqual(await shown({}), keys.map(key))
      assert.deepEqual(await shown({ ...wishes, 'Accept-Language': 'de, fr;q=0.8' }), [
        'Choisir les participants',
        'Choisissez qui doit relire le document',
        'Relecture en série',
        'Annuler',
        'Lancer la relecture',
        'Relecture en série',
      ])
      const some = await shown({ 'translate-task': 'directive' })
      assert.deepEqual(some.slice(0, 3), [
        key('chooseParticipants'),
        'Select who is to review the document',
        key('SerialDocumentReview'),
      ])
      const headers = { 'enrichers.document': 'runnableWorkflows', ...wishes, 'Accept-Language': 'en' }
      const { contextParameters } = requireStatus(200, await administrator().get(`/id/${uid}`, headers))
      assert.deepEqual(
        contextParameters.runnableWorkflows.map(({ title }: Answered) => title),
        ['Parallel document review', 'Serial document review'],
      )
    })

    test('gives its graph with titles for people', async () => {
      const { id } = await flows.start(undefined, serial)
      const graph = await flows.graph(id, 'eve')
      assert.equal(graph['entity-type'], 'graph')
      assert.deepEqual(graph.nodes[1], {
        id: 'Task38e',
        title: 'Choose Participants',
        state: 'suspended',
        x: 420,
        y: 100,
        isStartNode: false,
        isEndNode: false,
        startNode: false,
        endNode: false,
        isMerge: false,
        isMultiTask: false,
        hasSubWorkflow: false,
        isForkNode: false,
      })
      assert.deepEqual(
        graph.nodes.map((node: Answered) => node.id),
        ['Task375f', 'Task38e', 'Task6d8', 'Task542', 'Task5c1'],
      )
      assert.deepEqual(graph.transitions.slice(0, 3), [
        { nodeSourceId: 'Task375f', nodeTargetId: 'Task38e', label: '', path: [] },
        { nodeSourceId: 'Task38e', nodeTargetId: 'Task5c1', label: 'Cancelation', path: [] },
        {
          nodeSourceId: 'Task38e',
          nodeTargetId: 'Task6d8',
          label: 'Review Start',
          path: [
            [180, 0],
            [180, 24],
            [0, 24],
            [0, 100],
          ].map(([x, y]) => ({ x, y })),
        },
      ])
    })
  })

  describe('2.4 GET /task', () => {
    test('gives everything that the caller may read, by page where it is asked for (15.3)', async () => {
      await server.addUser('page', ['members'])
      const ids: string[] = []
      for (let count = 0; count < 3; count += 1) ids.push((await flows.start(undefined, serial, 'page')).id)
      const list = async (query: string) => requireStatus(200, await as('page').get(`/task${query}`))
      const all = await list('')
      assert.deepEqual([all.entries.length, all.resultsCount, all.numberOfPages, all.isNextPageAvailable], [3, 3, 1, false])
      const second = await list('?offset=1&isPaginated=true')
      assert.deepEqual([second.entries.length, second.pageSize, second.maxPageSize, second.currentPageOffset], [2, 50, 1000, 1])
      const page = await list('?pageSize=2&currentPageIndex=1&userId=page')
      assert.deepEqual([page.entries.length, page.resultsCount, page.numberOfPages, page.currentPageIndex], [1, 3, 2, 1])
      assert.deepEqual(
        all.entries.map(({ id }: Answered) => id),
        [...(await list('?pageSize=2')).entries, ...page.entries].map(({ id }: Answered) => id),
      )
      assert.equal((await list('?pageSize=1&currentPageIndex=0&maxResults=x1'.replace('x1', '1'))).entries.length, 1)
      assert.ok(!('totalSize' in page))
      assert.equal((await list(`?workflowInstanceId=${ids[0]}`)).entries.length, 1)
      assert.deepEqual((await list('?workflowInstanceId=nothing')).entries, [])
      assert.equal((await list('?userId=page&id=x&state=y')).entries.length, 3)
      for (const query of ['?pageSize=many', '?offset=1.5', '?currentPageIndex=x'])
        assert.equal((await as('page').get(`/task${query}`)).status, 400)
    })
    test('is not for whoever may not read a task', async () => {
      const { id } = await flows.start(undefined, serial, 'alice')
      assert.deepEqual(await flows.tasks(`?workflowInstanceId=${id}`, 'eve'), [])
      assert.deepEqual(await flows.tasks(`?workflowInstanceId=${id}&userId=alice`, 'eve'), [])
      assert.deepEqual(requireStatus(200, await as('eve').get(`/workflow/${id}/task`)).entries, [])
      assert.equal(requireStatus(200, await as('alice').get(`/workflow/${id}/task`)).entries.length, 1)
    })
  })

  describe('2.5 and 3.2 a task', () => {
    test('is shown with exactly its fields', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, serial, 'Administrator')
      const { created, dueDate, ...task } = await flows.task(id)
      assert.equal(Math.round((Date.parse(dueDate) - Date.parse(created)) / 86_400_000), 5)
      const url = (path: string) => `${server.url}${path}`
      assert.deepEqual(task, {
        'entity-type': 'task',
        id: task.id,
        name: 'wf.serialDocumentReview.chooseParticipants',
        workflowInstanceId: id,
        workflowModelName: serial,
        workflowInitiator: 'Administrator',
        workflowTitle: 'wf.serialDocumentReview.SerialDocumentReview',
        workflowLifeCycleState: 'running',
        graphResource: url(`api/v1/workflow/${id}/graph`),
        state: 'opened',
        directive: 'wf.serialDocumentReview.pleaseSelect',
        nodeName: 'Task38e',
        targetDocumentIds: [{ id: uid }],
        actors: [{ id: 'Administrator' }],
        delegatedActors: [],
        comments: [],
        variables: { comment: null, participants: [], validationOrReview: 'validation' },
        taskInfo: {
          allowTaskReassignment: false,
          taskActions: [
            {
              name: 'cancel',
              url: url(`api/v1/task/${task.id}/cancel`),
              label: 'wf.serialDocumentReview.cancel',
              validate: false,
            },
            {
              name: 'start_review',
              url: url(`api/v1/task/${task.id}/start_review`),
              label: 'wf.serialDocumentReview.startReview',
              validate: true,
            },
          ],
          layoutResource: { name: 'Task38e@taskLayout', url: url('site/layout-manager/layouts/?layoutName=Task38e@taskLayout') },
          schemas: ['dublincore', 'route_node', 'var_Task38e'].map((name) => ({
            name,
            url: url(`api/v1/config/schemas/${name}`),
          })),
        },
      })
      const { path, type, state } = await bench.read(task.id)
      assert.match(path, /^\/task-root\/Task38e(\.\d+)?$/)
      assert.deepEqual([type, state], ['RoutingTask', 'opened'])
      const properties = await bench.readProperties(task.id)
      assert.deepEqual(
        properties['nt:task_variables'].map(({ key }: Answered) => key),
        [
          'documentId',
          'documentRepositoryName',
          'directive',
          'createdFromTaskService',
          'routeInstanceDocId',
          'nodeId',
          'document.routing.step',
          'disableNotificationService',
        ],
      )
      await flows.complete(task.id, 'cancel')
      assert.deepEqual((await bench.readProperties(task.id))['nt:task_variables'].at(-1), { key: 'validated', value: 'false' })
    })

    test('shows people and documents as entities where that is asked for, and no password (15.11)', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'Shown' })
      const { id } = await flows.start(uid, serial)
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:alice', 'nobody'] })
      const headers = { 'fetch-task': 'targetDocumentIds,actors,workflowInitiator' }
      const [task] = requireStatus(200, await administrator().get(`/task?workflowInstanceId=${id}`, headers)).entries
      assert.deepEqual([task.actors[0]['entity-type'], task.actors[0].id], ['user', 'alice'])
      assert.deepEqual([task.targetDocumentIds[0].uid, task.targetDocumentIds[0].title], [uid, 'Shown'])
      assert.deepEqual([task.workflowInitiator['entity-type'], task.workflowInitiator.id], ['user', 'Administrator'])
      assert.ok(!/password/.test(JSON.stringify(task)))
      await flows.complete(task.id, 'validate', {}, 'alice')
      const [next] = requireStatus(200, await administrator().get(`/task?workflowInstanceId=${id}&fetch.task=actors`)).entries
      assert.deepEqual(next.actors, [{ id: 'nobody' }])
      const workflow = requireStatus(
        200,
        await administrator().get(`/workflow/${id}?fetch.workflow=initiator,attachedDocumentIds`),
      )
      assert.deepEqual([workflow.initiator.id, workflow.attachedDocumentIds[0].uid], ['Administrator', uid])
    })

    test('leaves out documents that are gone or that the caller may not read (15.13)', async () => {
      const [kept, gone, hidden] = [await bench.create('File'), await bench.create('File'), await bench.create('File')]
      const { id } = await flows.start(undefined, serial, 'Administrator', {
        attachedDocumentIds: [kept, gone, hidden].map(({ uid }) => uid),
      })
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['alice'] })
      const task = await flows.task(id)
      await server.asSystem((session) => session.tx.documents.remove(gone.uid))
      await bench.setAcls(hidden.uid, [
        {
          name: 'local',
          aces: [{ username: 'Everyone', permission: 'Everything', granted: false, creator: null, begin: null, end: null }],
        },
      ])
      for (const query of ['', '?fetch.task=targetDocumentIds']) {
        const { targetDocumentIds } = requireStatus(200, await as('alice').get(`/task/${task.id}${query}`))
        assert.deepEqual(
          targetDocumentIds.map((one: Answered) => one.id ?? one.uid),
          [kept.uid],
        )
      }
    })

    test('is not there, or not for everybody', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, serial)
      const task = await flows.task(id)
      assert.equal((await administrator().get('/task/nothing')).status, 404)
      assert.equal((await administrator().get(`/task/${uid}`)).status, 404)
      assert.equal((await as('eve').get(`/task/${task.id}`)).status, 403)
      assert.equal((await fetch(`${server.url}api/v1/task/${task.id}`)).status, 401)
    })
  })

  describe('2.6 completing a task', () => {
    test('is refused to others, who leave it untouched (15.6)', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, serial)
      const task = await flows.task(id)
      assert.equal((await flows.tryTo(task.id, 'cancel', {}, 'eve')).status, 403)
      assert.equal((await flows.tryTo('nothing', 'cancel')).status, 404)
      assert.equal((await flows.task(id)).state, 'opened')
      await flows.complete(task.id, 'cancel')
      assert.equal((await flows.tryTo(task.id, 'cancel')).status, 409)
    })
    test('is refused to one who may read the task and is not asked', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, serial)
      const task = await flows.task(id)
      await bench.setAcls(task.id, [
        {
          name: 'local',
          aces: [{ username: 'eve', permission: 'Everything', granted: true, creator: null, begin: null, end: null }],
        },
      ])
      assertRefused(await flows.tryTo(task.id, 'cancel', {}, 'eve'), 403, /not for 'eve'/)
    })
    test('takes the remark from the top or from the variables, and keeps it', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, serial)
      const first = await flows.task(id)
      const ended = await flows.complete(
        first.id,
        'start_review',
        { participants: ['alice', 'bob'], comment: 'below' },
        'Administrator',
        { comment: 'on top' },
      )
      assert.deepEqual(
        ended.comments.map(({ author, text }: Answered) => [author, text]),
        [['Administrator', 'on top']],
      )
      assert.equal((await flows.read(id)).variables.initiatorComment, 'below')
      const second = await flows.task(id)
      const { comments } = await flows.complete(second.id, 'validate', { comment: 'below' }, 'alice')
      assert.deepEqual(
        comments.map(({ author, text }: Answered) => [author, text]),
        [['alice', 'below']],
      )
    })
    test('takes the whole entity back, and no id but its own', async () => {
      const { id } = await flows.start(undefined, serial)
      const task = await flows.task(id)
      const other = { ...task, id: 'other' }
      assertRefused(await administrator().put(`/task/${task.id}/cancel`, other), 400, /Send the same id or none/)
      assert.equal((await administrator().put(`/task/${task.id}/cancel`, { variables: {} })).status, 400)
      assert.equal((await administrator().put(`/task/${task.id}/cancel`, { 'entity-type': 'workflow' })).status, 400)
      requireStatus(200, await administrator().put(`/task/${task.id}/cancel`, task))
    })
    test('refuses values of other types, and the task stays open', async () => {
      const { id } = await flows.start(undefined, parallel)
      const task = await flows.task(id)
      for (const variables of [
        { end_date: 'tomorrow' },
        { end_date: 7 },
        { participants: 'bob' },
        { participants: [['a']] },
        { comment: {} },
      ])
        assertRefused(await flows.tryTo(task.id, 'start_review', variables), 400, /deserialize property/i)
      assert.equal((await flows.task(id)).state, 'opened')
    })
    test('answers a validation report for a value that breaks a rule', async () => {
      const { uid } = await bench.create('File')
      const { id } = await flows.start(uid, parallel)
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['Administrator'], end_date: '2031-01-31' })
      await flows.complete((await flows.task(id)).id, 'approve')
      const task = await flows.task(id)
      const answer = await flows.tryTo(task.id, 'validate', { review_result: 'x'.repeat(10_001) })
      assert.equal(answer.status, 400)
      assert.equal(answer.body['entity-type'], 'validation_report')
      assert.equal((await flows.task(id)).state, 'opened')
    })
    test('takes values as values: what looks like an expression is a text', async () => {
      const { id } = await flows.start(undefined, serial)
      const sent = ['expr:CurrentUser.name', '@{1+1}', "x' OR '1'='1"]
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: sent, comment: 'expr:1+1' })
      assert.deepEqual((await flows.task(id)).actors, [{ id: 'expr:CurrentUser.name' }])
      assert.equal((await flows.read(id)).variables.initiatorComment, 'expr:1+1')
    })
    test('has bounds', async () => {
      const { id } = await flows.start(undefined, serial)
      const task = await flows.task(id)
      assert.equal((await flows.tryTo(task.id, 'x'.repeat(300))).status, 400)
      const huge = await flows.tryTo(task.id, 'start_review', { participants: ['alice'], comment: 'x'.repeat(3_000_000) })
      assert.ok(huge.status === 400 || huge.status === 413 || huge.status === 200, huge.text.slice(0, 200))
      assert.equal(
        (await flows.tryTo(task.id, 'start_review', { participants: Array.from({ length: 200_000 }, () => 'a') })).status >= 400,
        true,
      )
    })
  })

  test('2.8 lists the two models, also after a start (15.4)', async () => {
    await flows.start(undefined, serial)
    const { entries } = requireStatus(200, await as('eve').get('/workflowModel'))
    assert.deepEqual(
      entries.map((one: Answered) => [one.name, one.state, one.initiator, one.attachedDocumentIds]),
      [
        [parallel, 'validated', null, []],
        [serial, 'validated', null, []],
      ],
    )
    for (const { name, graphResource } of entries) assert.ok(graphResource.endsWith(`/workflowModel/${name}/graph`))
    const model = requireStatus(200, await administrator().get(`/workflowModel/${serial}`))
    assert.deepEqual([model.id, model.variables.validationOrReview], [entries[1].id, 'validation'])
    assert.equal((await flows.read(model.id)).state, 'validated')
    assert.equal((await administrator().get('/workflowModel/Nothing')).status, 404)
    assert.equal((await administrator().get('/workflowModel/Nothing/graph')).status, 404)
    const graph = requireStatus(200, await administrator().get(`/workflowModel/${serial}/graph`))
    assert.ok(graph.nodes.every(({ state }: Answered) => state === 'validated'))
    assert.equal((await administrator().delete(`/workflow/${model.id}`)).status, 409)
  })

  test('1 is made of documents that queries find', async () => {
    const { id } = await flows.start(undefined, serial)
    const task = await flows.task(id)
    const find = async (query: string) =>
      requireStatus(200, await administrator().get(`/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)).entries.map(
        ({ uid }: Answered) => uid,
      )
    assert.deepEqual(await find(`SELECT * FROM DocumentRoute WHERE ecm:uuid = '${id}'`), [id])
    assert.deepEqual(await find(`SELECT * FROM Document WHERE ecm:mixinType = 'Task' AND nt:processId = '${id}'`), [task.id])
    assert.equal((await find(`SELECT * FROM RouteNode WHERE ecm:parentId = '${id}'`)).length, 5)
  })
})
