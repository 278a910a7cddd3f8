import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { cleanUp } from '../../src/features/workflow/cleanup.ts'
import { findEscalations } from '../../src/features/workflow/escalation.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowModels } from '../support/workflow-models.ts'
import { workflowsOn } from '../support/workflows.ts'

const soon = async (isSo: () => Promise<boolean>): Promise<void> => {
  const until = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error('It does not happen.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

onEachServer(
  'workflows of a deployment',
  (server) => {
    const bench = workbenchOn(server)
    const flows = workflowsOn(server)
    const administrator = () => server.as('Administrator')
    const call = (operation: string, body: object, user = 'Administrator') =>
      server.as(user).post(`/automation/${operation}`, body)
    const nodesOf = async (id: string) => (await flows.tasks(`?workflowInstanceId=${id}`)).map(({ nodeName }) => nodeName).sort()
    const taskAt = async (id: string, node: string): Promise<Answered> =>
      (await flows.tasks(`?workflowInstanceId=${id}`)).find(({ nodeName }) => nodeName === node) ?? assert.fail(node)
    const repository = () => server.services.repositories.get('default') ?? assert.fail()
    before(async () => {
      for (const user of ['alice', 'bob', 'carl']) await server.addUser(user, ['members'])
    })

    describe('7 the engine', () => {
      test('forks, waits for all, and comes back to the fork', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'MergeAll')
        assert.deepEqual(await nodesOf(id), ['MergeAllLeft', 'MergeAllRight'])
        await flows.complete((await taskAt(id, 'MergeAllLeft')).id, 'go')
        assert.equal((await flows.statesOf(id))['MergeAllJoin'], 'waiting')
        await flows.complete((await taskAt(id, 'MergeAllRight')).id, 'go')
        await flows.complete((await taskAt(id, 'MergeAllLast')).id, 'back')
        assert.deepEqual(await nodesOf(id), ['MergeAllLeft', 'MergeAllRight'])
        for (const node of ['MergeAllRight', 'MergeAllLeft', 'MergeAllLast'])
          await flows.complete((await taskAt(id, node)).id, 'go')
        assert.equal((await flows.read(id)).state, 'done')
        assert.ok((await flows.acls(uid)).every(({ name }) => !/^(routing|delegation)/.test(name)))
      })
      test('goes on with the first at a merge of one, and cancels the other with its rights', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'MergeOne')
        const [left, right] = [await taskAt(id, 'MergeOneLeft'), await taskAt(id, 'MergeOneRight')]
        await flows.complete(left.id, 'go')
        assert.deepEqual(await nodesOf(id), ['MergeOneLast'])
        assert.equal(requireStatus(200, await administrator().get(`/task/${right.id}`)).state, 'cancelled')
        assert.equal((await flows.tryTo(right.id, 'go')).status, 409)
        assert.ok((await flows.acls(uid)).every(({ name }) => !name.startsWith('routing')))
      })
      test('asks each assignee, counts what they said, and runs its chains on all documents', async () => {
        const [one, other] = [await bench.create('File'), await bench.create('File')]
        const variables = { who: ['alice', 'bob', 'carl'] }
        const { id } = await flows.start(undefined, 'Several', 'Administrator', {
          attachedDocumentIds: [one.uid, other.uid],
          variables,
        })
        for (const [user, action] of [
          ['alice', 'yes'],
          ['bob', 'no'],
          ['carl', 'yes'],
        ] as const) {
          const [task] = await flows.tasks(`?workflowInstanceId=${id}&userId=${user}`, user)
          await flows.complete(task?.id, action, {}, user)
        }
        assert.equal((await flows.read(id)).state, 'done')
        for (const { uid } of [one, other]) assert.equal((await bench.readProperties(uid))['dc:description'], 'agreed by 3')
      })
      test('offers exactly the buttons whose filter holds (15.19)', async () => {
        const { id } = await flows.start(undefined, 'Several', 'Administrator', { variables: { who: ['alice'], shown: 'other' } })
        const { taskInfo } = await flows.task(id)
        assert.deepEqual(
          taskInfo.taskActions.map(({ name }: Answered) => name),
          ['no'],
        )
      })
      test('begins another workflow, and goes on when that is done (15.17)', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'Parent', 'Administrator', { variables: { people: ['alice', 'bob'] } })
        const running = requireStatus(200, await administrator().get(`/id/${uid}/@workflow`)).entries
        assert.deepEqual(
          running.map(({ workflowModelName }: Answered) => workflowModelName),
          ['Parent', 'Several'],
        )
        const child = running[1]
        assert.deepEqual([child.variables.who, child.variables.note], [['alice', 'bob'], 'by parent'])
        for (const user of ['alice', 'bob']) {
          const [task] = await flows.tasks(`?workflowInstanceId=${child.id}&userId=${user}`, user)
          await flows.complete(task?.id, 'no', {}, user)
        }
        assert.deepEqual([(await flows.read(child.id)).state, (await flows.read(id)).state], ['done', 'done'])
      })
      test('gives in a workflow that another one begins what who started that one has', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('alice', 'ReadWrite'))
        const variables = { first: 'bob', others: ['carl'] }
        const { id } = await flows.start(uid, 'HandedOn', 'alice', { variables })
        await flows.complete((await flows.task(id, 'bob')).id, 'go', {}, 'bob')
        const change = { 'entity-type': 'document', properties: { 'dc:description': 'by carl' } }
        requireStatus(200, await server.as('carl').put(`/id/${uid}`, change))
        const [task, ...others] = await flows.tasks('?userId=carl', 'carl')
        assert.deepEqual([task?.workflowModelName, task?.workflowInitiator, others], ['Asked', 'bob', []])
        await flows.complete(task?.id, 'go', {}, 'carl')
        assert.deepEqual([(await flows.read(id)).state, (await bench.read(uid)).state], ['done', 'approved'])
        for (const user of ['bob', 'carl']) assert.equal((await server.as(user).get(`/id/${uid}`)).status, 403)
      })
      test('ends at once where nothing waits, also inside of another', async () => {
        assert.equal((await flows.start(undefined, 'Quick')).state, 'done')
        assert.equal((await flows.start(undefined, 'ParentOfQuick')).state, 'done')
      })
      test('ends workflows that begin one another without end, and has then changed nothing', async () => {
        const { uid } = await bench.create('File')
        const startOn = (workflowModelName: string, variables: object = {}) =>
          server.as('alice').post(`/id/${uid}/@workflow`, { 'entity-type': 'workflow', workflowModelName, variables })
        for (const [model, variables] of [
          ['Chooser', { model: 'Chooser' }],
          ['Chooser', { model: 'Circling' }],
          ['Circling', {}],
          ['Repeating', {}],
          ['Chained', {}],
        ] as const)
          assertRefused(await startOn(model, variables), 500, /Execution is looping/)
        assert.deepEqual(requireStatus(200, await administrator().get(`/id/${uid}/@workflow`)).entries, [])
        requireStatus(201, await startOn('Chooser', { model: 'ParentOfQuick' }))
      })
      test('lets workflows begin one another ten deep, with tasks between, and all of them end with the last', async () => {
        const { uid } = await bench.create('File')
        const variables = { model: 'Chooser', isAsking: true }
        const { id } = await flows.start(uid, 'Chooser', 'alice', { variables })
        const taskNow = async () => requireStatus(200, await administrator().get(`/id/${uid}/@task`)).entries[0]
        for (let level = 1; level < 10; level += 1) await flows.complete((await taskNow()).id, 'go', {}, 'alice')
        assertRefused(await flows.tryTo((await taskNow()).id, 'go', {}, 'alice'), 500, /Execution is looping.*10 deep/)
        assert.equal((await flows.read(id)).state, 'running')
        requireStatus(204, await administrator().delete(`/workflow/${id}`))

        const other = await flows.start(uid, 'Chooser', 'alice', { variables })
        for (let level = 1; level < 9; level += 1) await flows.complete((await taskNow()).id, 'go', {}, 'alice')
        const last = await taskNow()
        const set = { id: last.workflowInstanceId, properties: { model: 'Quick' } }
        requireStatus(204, await call('Workflow.SetWorkflowVariables', { params: set }, 'alice'))
        await flows.complete(last.id, 'go', {}, 'alice')
        assert.equal((await flows.read(other.id)).state, 'done')
      })
      test('cancels what it has begun when it is cancelled', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'Parent', 'Administrator', { variables: { people: ['alice'] } })
        const [, child] = requireStatus(200, await administrator().get(`/id/${uid}/@workflow`)).entries
        requireStatus(204, await administrator().delete(`/workflow/${id}`))
        assert.equal((await flows.read(child.id)).state, 'canceled')
        assert.deepEqual(await flows.tasks(`?workflowInstanceId=${child.id}`), [])
      })
    })

    test('5 takes variables by their types', async () => {
      const group = { 'entity-type': 'group', id: 'members', groupname: 'members' }
      const sent = { who: ['alice', group], count: '4', rate: '2.5', isUrgent: 'true', until: '2031-01-31', note: 7 }
      const { id, variables } = await flows.start(undefined, 'Several', 'Administrator', { variables: sent })
      assert.deepEqual(variables, {
        who: ['alice', 'group:members'],
        count: 4,
        rate: 2.5,
        isUrgent: true,
        until: '2031-01-31T00:00:00.000Z',
        note: '7',
        shown: 'one',
        plan: null,
      })
      const [task] = await flows.tasks(`?workflowInstanceId=${id}`)
      const long = await flows.tryTo(task?.id, 'yes', { note: 'x'.repeat(21) })
      assert.deepEqual([long.status, long.body['entity-type']], [400, 'validation_report'])
      await flows.complete(task?.id, 'yes', { who: '["carl"]', count: '', until: '', isUrgent: 0 })
      const after = (await flows.read(id)).variables
      assert.deepEqual([after.who, after.count, after.until, after.isUrgent], [['carl'], 1, null, false])
    })

    test('5 takes files, shows them to who may read the workflow, and lets go of them', async () => {
      const upload = async (text: string) => {
        const { batchId } = requireStatus(201, await administrator().post('/upload'))
        const headers = { 'X-File-Name': 'plan.txt', 'X-File-Type': 'text/plain', 'Content-Type': 'application/octet-stream' }
        requireStatus(201, await administrator().call('POST', `api/v1/upload/${batchId}/0`, { headers, body: text }))
        return { 'upload-batch': batchId, 'upload-fileId': '0' }
      }
      const first = { who: ['alice'], plan: await upload('the first') }
      const { id, variables } = await flows.start(undefined, 'Several', 'Administrator', { variables: first })
      const { data, digest, ...shown } = variables.plan
      assert.deepEqual(shown, {
        name: 'plan.txt',
        'mime-type': 'text/plain',
        encoding: null,
        digestAlgorithm: 'MD5',
        length: '9',
      })
      assert.match(digest, /^[0-9a-f]{32}$/)
      const download = (user: string) => server.as(user).call('GET', data.slice(server.url.length))
      assert.equal((await download('Administrator')).text, 'the first')
      assert.ok([403, 404].includes((await download('carl')).status))
      const [task] = await flows.tasks(`?workflowInstanceId=${id}`, 'alice')
      assert.equal(task?.variables.plan.name, 'plan.txt')
      const noFiles = [{ foo: 1 }, { 'upload-batch': 'nope' }, { data: 'http://x' }, {}]
      for (const plan of [7, true, 'plan.txt', ['a'], ...noFiles])
        assert.equal((await flows.tryTo(task?.id, 'yes', { plan })).status, 400, JSON.stringify(plan))
      for (const plan of noFiles) {
        const body = { 'entity-type': 'workflow', workflowModelName: 'Several', variables: { ...first, plan } }
        assert.equal((await administrator().post('/workflow', body)).status, 400, JSON.stringify(plan))
      }
      const same = { ...first, plan: await upload('the same') }
      const sentBack = await flows.start(undefined, 'Several', 'Administrator', { variables: same })
      const asked = await flows.task(sentBack.id)
      await flows.complete(asked.id, 'yes', asked.variables, 'alice')
      assert.equal((await flows.read(sentBack.id)).variables.plan.name, 'plan.txt')
      await flows.complete(task?.id, 'yes', { plan: null })
      assert.equal((await flows.read(id)).variables.plan, null)
      const again = await flows.start(undefined, 'Several', 'Administrator', { variables: { who: ['alice'] } })
      await flows.complete((await flows.task(again.id)).id, 'yes', { plan: await upload('another') })
      assert.deepEqual([(await flows.read(again.id)).variables.plan.length], ['7'])
    })

    describe('2.7 a task', () => {
      const begun = async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid)
        const { id } = await flows.start(uid, 'SerialDocumentReview')
        const choose = await flows.task(id)
        await flows.complete(choose.id, 'start_review', { participants: ['user:alice'] })
        return { uid, id, chooseId: choose.id, task: await flows.task(id) }
      }
      const hand = (taskId: string, query: string, user: string) => server.as(user).put(`/task/${taskId}/${query}`)
      test('is delegated: others may do it as well, with the same rights', async () => {
        const { uid, task } = await begun()
        const answer = await hand(task.id, 'delegate?delegatedActors=members&delegatedActors=user:bob&comment=please', 'alice')
        assert.deepEqual([answer.status, answer.text, answer.headers.get('content-type')], [200, '', null])
        const shown = requireStatus(200, await server.as('bob').get(`/task/${task.id}`))
        assert.deepEqual(shown.delegatedActors, [{ id: 'members' }, { id: 'bob' }])
        assert.deepEqual(
          shown.comments.map(({ author, text }: Answered) => [author, text]),
          [['alice', 'please']],
        )
        for (const user of ['alice', 'bob']) assert.equal((await server.as(user).get(`/id/${uid}`)).status, 200)
        await flows.complete(task.id, 'validate', {}, 'bob')
        for (const user of ['alice', 'bob']) assert.equal((await server.as(user).get(`/id/${uid}`)).status, 403)
      })
      test('is reassigned: the former actor loses it with its rights', async () => {
        const { uid, id, task } = await begun()
        assert.equal((await hand(task.id, 'reassign?actors=user:bob&comment=yours', 'alice')).status, 200)
        assert.equal((await server.as('alice').get(`/task/${task.id}`)).status, 403)
        assert.equal((await server.as('alice').get(`/id/${uid}`)).status, 403)
        assert.equal((await flows.tryTo(task.id, 'validate', {}, 'alice')).status, 403)
        assert.deepEqual(requireStatus(200, await server.as('bob').get(`/task/${task.id}`)).actors, [{ id: 'bob' }])
        assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 200)
        assert.equal((await flows.read(id, 'bob')).id, id)
      })
      test('is handed over by nobody else, to somebody, where its node allows it, and while it is open', async () => {
        const { id, task, chooseId } = await begun()
        for (const way of ['reassign?actors=carl', 'delegate?delegatedActors=carl'])
          assert.equal((await hand(task.id, way, 'carl')).status, 403)
        for (const way of ['reassign', 'delegate', 'reassign?actors='])
          assert.equal((await hand(task.id, way, 'alice')).status, 400)
        assert.equal((await hand('nothing', 'reassign?actors=bob', 'alice')).status, 404)
        assert.equal((await hand(chooseId, 'reassign?actors=bob', 'Administrator')).status, 409)
        const other = await flows.start(undefined, 'SerialDocumentReview')
        const choose = await flows.task(other.id)
        assertRefused(await hand(choose.id, 'reassign?actors=bob', 'Administrator'), 403, /cannot be given to others/)
        await flows.complete(task.id, 'validate', {}, 'alice')
        for (const way of ['reassign?actors=bob', 'delegate?delegatedActors=bob'])
          assert.equal((await hand(task.id, way, 'Administrator')).status, 409)
        assert.equal((await flows.read(id)).state, 'done')
      })
    })

    describe('8 escalation', () => {
      test('runs the chain of a rule once, which lets the node go on', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'Several', 'Administrator', { variables: { who: ['alice', 'bob'] } })
        await findEscalations(server.services, repository())
        await soon(async () => (await flows.read(id)).state === 'done')
        assert.deepEqual(await flows.tasks(`?workflowInstanceId=${id}`), [])
      })
      test('gives up what has no document any more (15.14)', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'Several', 'Administrator', { variables: { who: ['alice'] } })
        await server.asSystem((session) => session.tx.documents.remove(uid))
        await findEscalations(server.services, repository())
        await soon(async () => (await flows.read(id)).state === 'canceled')
      })
    })

    describe('12 removal', () => {
      test('of a document takes its open tasks with it, then its workflow', async () => {
        const folder = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: folder.path })
        const { id } = await flows.start(uid, 'SerialDocumentReview')
        const task = await flows.task(id)
        requireStatus(204, await administrator().delete(`/id/${folder.uid}`))
        assert.equal((await administrator().get(`/task/${task.id}`)).status, 404)
        await soon(async () => (await administrator().get(`/workflow/${id}`)).status === 404)
      })
      test('of one of several leaves the others', async () => {
        const [one, other] = [await bench.create('File'), await bench.create('File')]
        const { id } = await flows.start(undefined, 'SerialDocumentReview', 'Administrator', {
          attachedDocumentIds: [one.uid, other.uid],
        })
        requireStatus(204, await administrator().delete(`/id/${one.uid}`))
        await soon(async () => (await flows.read(id)).attachedDocumentIds.length === 1)
      })
      test('of an instance or a task takes back what they gave', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'MergeAll')
        const left = await taskAt(id, 'MergeAllLeft')
        requireStatus(204, await administrator().delete(`/id/${left.id}`))
        assert.equal((await flows.acls(uid)).filter(({ name }) => name.startsWith('routing')).length, 1)
        requireStatus(204, await administrator().delete(`/id/${id}`))
        await soon(async () => (await flows.acls(uid)).every(({ name }) => !name.startsWith('routing')))
      })
      test('of both folders is mended by the next start', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'SerialDocumentReview')
        await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['alice'] })
        for (const path of ['/task-root', '/document-route-instances-root'])
          requireStatus(204, await administrator().delete(`/path${path}`))
        assert.ok((await flows.acls(uid)).every(({ name }) => !name.startsWith('routing')))
        assert.deepEqual(await flows.tasks(''), [])
        const again = await flows.start(uid, 'SerialDocumentReview')
        assert.equal((await flows.task(again.id)).nodeName, 'Task38e')
        assert.equal((await server.as('alice').get('/path/task-root')).status, 403)
        assert.equal((await server.as('alice').get('/path/document-route-instances-root')).status, 403)
      })
      test('of what is over is done by the cleanup, unless that is disabled (15.15)', async () => {
        const countModels = async () => requireStatus(200, await administrator().get('/workflowModel')).entries.length
        const models = await countModels()
        const { id } = await flows.start(undefined, 'Quick')
        const running = await flows.start(undefined, 'SerialDocumentReview')
        const rules = { isDisabled: true, batchSize: 2, removesOrphans: false }
        await cleanUp(rules, repository())
        assert.equal((await flows.read(id)).state, 'done')
        await cleanUp({ ...rules, isDisabled: false }, repository())
        assert.equal((await administrator().get(`/workflow/${id}`)).status, 404)
        assert.equal((await flows.read(running.id)).state, 'running')
        assert.equal(await countModels(), models)
      })
    })

    describe('10 operations', () => {
      test('start, complete and cancel', async () => {
        const { uid } = await bench.create('File')
        const started = await call('Context.StartWorkflow', {
          input: uid,
          params: { id: 'Several', variables: { who: '["alice","bob"]' } },
        })
        assert.equal(started.status, 200, started.text)
        const tasks = requireStatus(200, await call('Workflow.GetOpenTasks', { input: uid, params: {} })).entries
        assert.equal(tasks.length, 2)
        assert.equal((await call('Workflow.GetOpenTasks', { input: uid, params: { nodeId: 'x' } })).status, 400)
        const mine = requireStatus(200, await call('Workflow.GetOpenTasks', { input: uid, params: { username: 'bob' } })).entries
        assert.equal(mine.length, 1)
        const refused = await call('WorkflowTask.Complete', { input: mine[0].uid, params: { status: 'yes' } }, 'carl')
        assert.ok(refused.status === 403 || refused.status === 404, refused.text)
        const done = await call(
          'WorkflowTask.Complete',
          { input: mine[0].uid, params: { status: 'yes', workflowVariables: { note: 'ok' } } },
          'bob',
        )
        assert.equal(requireStatus(200, done).state, 'ended')
        const [{ id }] = requireStatus(200, await administrator().get(`/id/${uid}/@workflow`)).entries
        assert.equal((await flows.read(id)).variables.note, 'ok')
        assert.equal((await call('WorkflowInstance.Cancel', { params: { id } }, 'bob')).status, 403)
        assert.ok((await call('WorkflowInstance.Cancel', { params: { id } })).status < 300)
        assert.equal((await flows.read(id)).state, 'canceled')
        assert.equal((await call('WorkflowInstance.Cancel', { params: { id: 'nothing' } })).status, 404)
      })
      test('set variables, for those who look after the workflow', async () => {
        const { id } = await flows.start(undefined, 'Several', 'alice', { variables: { who: ['bob'] } })
        const set = (user: string) =>
          call('Context.SetWorkflowVar', { params: { name: 'note', value: user, workflowInstanceId: id } }, user)
        assert.equal((await set('bob')).status, 403)
        assert.ok((await set('alice')).status < 300)
        assert.equal((await flows.read(id)).variables.note, 'alice')
        assert.ok(
          (await call('Workflow.SetWorkflowVariables', { params: { id, properties: { count: '9' } } }, 'alice')).status < 300,
        )
        assert.equal((await flows.read(id)).variables.count, 9)
        assert.equal((await call('Workflow.SetNodeVariable', { params: { name: 'comment', value: 'x' } })).status, 400)
        assert.equal(
          (await call('Workflow.ResumeNode', { params: { workflowInstanceId: id, nodeId: 'severalAsk' } }, 'alice')).status,
          404,
        )
        assert.ok((await call('Workflow.ResumeNode', { params: { workflowInstanceId: id, nodeId: 'severalAsk' } })).status < 300)
        assert.equal((await flows.read(id)).state, 'done')
      })
      test('make tasks without a workflow, which are accepted or rejected (15.16)', async () => {
        const { uid } = await bench.create('File')
        await bench.setAcls(uid, [
          {
            name: 'local',
            aces: [{ username: 'alice', permission: 'ReadWrite', granted: true, creator: null, begin: null, end: null }],
          },
        ])
        const params = {
          'task name': 'Look at it',
          'additional list of actors prefixed ids': 'user:bob,group:members',
          'accept operation chain': 'Test.Accepted',
        }
        assert.equal((await call('Task.Create', { input: uid, params }, 'alice')).status, 200)
        const tasks = requireStatus(200, await administrator().get(`/id/${uid}/@task`)).entries
        assert.deepEqual(
          tasks.map(({ workflowInstanceId, variables, name }: Answered) => [workflowInstanceId, variables, name]),
          [
            [null, {}, 'Look at it'],
            [null, {}, 'Look at it'],
          ],
        )
        const mine = tasks.find(({ actors }: Answered) => actors[0].id === 'user:bob')
        assert.equal((await flows.tryTo(mine.id, 'validate', {}, 'bob')).status, 400)
        assert.equal((await flows.complete(mine.id, 'accept', {}, 'bob')).state, 'ended')
        assert.equal((await bench.readProperties(uid))['dc:description'], 'accepted')
        const assigned = await call('Task.GetAssigned', {}, 'carl')
        assert.equal(requireStatus(200, assigned).length, 1)
        const page = requireStatus(200, await call('Workflow.UserTaskPageProvider', { params: { pageSize: 1 } }, 'carl'))
        assert.deepEqual([page.totalSize, page.entries.length, page.entries[0].docref], [1, 1, uid])
      })
      test('give graphs and names, and restart', async () => {
        const { uid } = await bench.create('File')
        const { id } = await flows.start(uid, 'ParallelDocumentReview')
        const graph = requireStatus(200, await call('Document.Routing.GetGraph', { params: { routeDocId: id } }))
        assert.deepEqual(Object.keys(graph), ['nodes', 'transitions'])
        const named = requireStatus(200, await call('Context.GetTaskNames', { params: { searchTerm: 'choose' } })).entries
        assert.ok(named.some(({ title }: Answered) => title === '[Parallel document review] Choose Participants'))
        assert.ok(
          (await call('WorkflowModel.BulkRestartInstances', { params: { workflowId: 'ParallelDocumentReview' } })).status < 300,
        )
        assert.equal((await administrator().get(`/workflow/${id}`)).status, 404)
        const [again] = requireStatus(200, await administrator().get(`/id/${uid}/@workflow`)).entries
        const [task] = await flows.tasks(`?workflowInstanceId=${again.id}`)
        assert.equal((await call('Task.ApplyDocumentMapping', { input: task?.id, params: { mappingName: 'x' } })).status, 404)
        assert.equal((await call('WorkflowModel.BulkRestartInstances', { params: { workflowId: 'x' } }, 'alice')).status, 404)
      })
    })

    test('two people complete one task at once: one wins, the other is told so', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id } = await flows.start(undefined, 'SerialDocumentReview')
        await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['group:members'] })
        const task = await flows.task(id)
        const answers = await Promise.all(['alice', 'bob', 'carl'].map((user) => flows.tryTo(task.id, 'validate', {}, user)))
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
        assert.deepEqual([(await flows.read(id)).state, (await flows.read(id)).variables.index], ['done', 1])
      }
    })
  },
  { plugins: [workflowModels] },
)
