import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const model = 'ParallelDocumentReview'
const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

onEachServer('9.2 a parallel review', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const administrator = () => server.as('Administrator')
  const enriched = async (uid: string, user = 'Administrator'): Promise<Answered> => {
    const headers = { 'enrichers-document': 'pendingTasks,runnableWorkflows,runningWorkflows' }
    return requireStatus(200, await server.as(user).get(`/id/${uid}`, headers)).contextParameters
  }
  const begun = async (participants: readonly unknown[], more: object = {}) => {
    const { uid } = await bench.create('File', { 'dc:title': 'Plan' })
    const { id } = await flows.start(uid, model)
    const choose = await flows.task(id)
    await flows.complete(choose.id, 'start_review', { participants, end_date: tomorrow, ...more })
    return { uid, id, chooseId: choose.id }
  }
  const lockOwner = async (uid: string) => (await bench.read(uid, { 'fetch-document': 'lock' })).lockOwner
  before(async () => {
    await server.addUser('alice', ['members'])
    await server.addUser('bob', ['members'])
    await server.addUser('reader', ['members'])
  })

  test('asks all at once, then its initiator, and approves the document (15.5)', async () => {
    const { uid, id, chooseId } = await begun(['user:Administrator'])
    assert.equal(await lockOwner(uid), 'Administrator')
    assert.equal((await flows.tryTo(chooseId, 'start_review')).status, 409)
    const opinion = await flows.task(id)
    assert.deepEqual([opinion.nodeName, opinion.dueDate], ['Task328d', tomorrow])
    await flows.complete(opinion.id, 'approve')
    assert.equal(await lockOwner(uid), 'Administrator')
    const decide = await flows.task(id)
    assert.equal(decide.nodeName, 'Task2169')
    await flows.complete(decide.id, 'validate')
    assert.equal(await lockOwner(uid), undefined)
    assert.deepEqual([(await flows.read(id)).state, (await bench.read(uid)).state], ['done', 'approved'])
    assert.deepEqual(await enriched(uid), { pendingTasks: [], runnableWorkflows: [], runningWorkflows: [] })
  })

  test('keeps nothing of a result that a browser would run, by whatever door it comes', async () => {
    const { uid } = await bench.create('File')
    const harmful = (text: string) => `<b>${text}</b><img src="x" onerror="alert(1)"><script>alert(2)</script>`
    const resultOf = async () => (await flows.read(id)).variables.review_result
    const shown = (text: string) => new RegExp(`^<b>${text}</b>(<img src="x" ?/?>)?$`)
    const { id, variables } = await flows.start(uid, model, 'Administrator', { variables: { review_result: harmful('start') } })
    assert.match(variables.review_result, shown('start'))
    const setting = { name: 'review_result', value: harmful('set'), workflowInstanceId: id }
    requireStatus(204, await administrator().post('/automation/Context.SetWorkflowVar', { params: setting }))
    assert.match(await resultOf(), shown('set'))
    await bench.update(id, { [`var_${model}:review_result`]: harmful('put') })
    assert.match(await resultOf(), shown('put'))
    const asked = { participants: ['user:Administrator'], end_date: tomorrow }
    await flows.complete((await flows.task(id)).id, 'start_review', asked)
    await flows.complete((await flows.task(id)).id, 'approve', { comment: harmful('said') })
    assert.match(await resultOf(), /<span class="label label-success">1\/1 OK<\/span>.*&lt;b&gt;said&lt;\/b&gt;&lt;img/)
    await flows.complete((await flows.task(id)).id, 'reject', { review_result: harmful('end') })
    assert.match(await resultOf(), shown('end'))
  })

  test('makes a task for each participant, and goes on after the last of them', async () => {
    const { uid, id } = await begun(['alice', 'bob'], { comment: 'hurry' })
    const [one, other] = [await flows.tasks('?userId=alice', 'alice'), await flows.tasks('?userId=bob', 'bob')]
    assert.deepEqual([one.length, other.length], [1, 1])
    assert.equal(one[0]?.variables.initiatorComment, 'hurry')
    assert.deepEqual(
      one[0]?.taskInfo.taskActions.map(({ name }: Answered) => name),
      ['NA', 'approve', 'reject'],
    )
    await flows.complete(one[0]?.id, 'approve', { comment: '<b>good</b>' }, 'alice')
    assert.deepEqual((await flows.statesOf(id))['Task328d'], 'suspended')
    assert.equal((await flows.tasks('?userId=bob', 'bob'))[0]?.variables.comment, '')
    await flows.complete(other[0]?.id, 'reject', { comment: 'bad' }, 'bob')
    const { variables } = await flows.read(id)
    assert.ok(variables.review_result.includes('1/2 OK') && variables.review_result.includes('1 KO'))
    assert.ok(variables.review_result.includes('&lt;b&gt;good&lt;/b&gt;') && !variables.review_result.includes('<b>'))
    assert.deepEqual([variables.review_result_file.name, variables.review_result_file['mime-type']], ['output.ftl', 'text/xml'])
    const file = await fetch(variables.review_result_file.data, {
      headers: { authorization: `Basic ${btoa('Administrator:Administrator')}` },
    })
    assert.equal(await file.text(), variables.review_result)
    await flows.complete((await flows.task(id)).id, 'reject')
    assert.deepEqual([(await flows.read(id)).state, (await bench.read(uid)).state], ['done', 'project'])
  })

  test('keeps a summary of a hundred long remarks below its bound', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `somebody-${index}`)
    const { id } = await begun(names)
    for (const task of await flows.tasks(`?workflowInstanceId=${id}`))
      await flows.complete(task.id, 'approve', { comment: '<'.repeat(900) })
    const { variables } = await flows.read(id)
    assert.ok(variables.review_result.length <= 10_000 && variables.review_result.includes('40/40 OK'))
  })

  test('hides what the node does not expose, and ignores it when it is sent (15.7)', async () => {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, model)
    const task = await flows.task(id)
    assert.deepEqual(Object.keys(task.variables).sort(), ['assignees', 'comment', 'end_date', 'participants'])
    await flows.complete(task.id, 'start_review', { participants: ['alice'], end_date: tomorrow, review_result: 'forged' })
    assert.equal((await flows.read(id)).variables.review_result, null)
  })

  test('unlocks the document when it is cancelled by its task, or from outside', async () => {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, model)
    await flows.complete((await flows.task(id)).id, 'cancel')
    assert.equal(await lockOwner(uid), undefined)
    const other = await begun(['alice'])
    assert.equal(await lockOwner(other.uid), 'Administrator')
    requireStatus(204, await administrator().delete(`/workflow/${other.id}`))
    assert.equal(await lockOwner(other.uid), undefined)
  })

  test('cannot begin without an end or participants, and the task stays open', async () => {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, model)
    const task = await flows.task(id)
    for (const variables of [{ participants: ['alice'] }, { end_date: tomorrow }, { end_date: tomorrow, participants: [] }]) {
      assert.equal((await flows.tryTo(task.id, 'start_review', variables)).status, 400)
      assert.equal((await flows.task(id)).id, task.id)
    }
    assert.equal(await lockOwner(uid), undefined)
  })

  test('finds a task for a group by its members, and lets one of them do it (15.9)', async () => {
    const { id } = await begun(['group:administrators'])
    const [task] = await flows.tasks(`?userId=Administrator&workflowInstanceId=${id}`)
    assert.deepEqual(task?.actors, [{ id: 'group:administrators' }])
    await flows.complete(task?.id, 'approve')
  })

  test('is shown to a reader of the document who may not read it (15.12)', async () => {
    const { uid, id } = await begun(['alice'])
    const { runningWorkflows, pendingTasks } = await enriched(uid, 'reader')
    assert.deepEqual(
      runningWorkflows.map((one: Answered) => one.id),
      [id],
    )
    assert.deepEqual(pendingTasks, [])
    assert.equal((await server.as('reader').get(`/workflow/${id}`)).status, 403)
    assert.equal((await server.as('reader').get(`/workflow/${id}/graph`)).status, 200)
    assert.deepEqual(
      (await enriched(uid, 'alice')).pendingTasks.map((one: Answered) => one.nodeName),
      ['Task328d'],
    )
  })

  test('is offered on what the caller may write, is of the right type and is not locked', async () => {
    const offered = async (uid: string, user?: string) =>
      (await enriched(uid, user)).runnableWorkflows.map((one: Answered) => one.workflowModelName)
    const file = await bench.create('File')
    const both = ['ParallelDocumentReview', 'SerialDocumentReview']
    assert.deepEqual(await offered(file.uid), both)
    assert.deepEqual(await offered(file.uid, 'reader'), [])
    assert.deepEqual(await offered((await bench.create('Folder')).uid), [])
    await administrator().post('/automation/Document.Lock', { input: file.uid })
    assert.deepEqual(await offered(file.uid), ['SerialDocumentReview'])
    const trashed = await bench.create('Note')
    await administrator().post('/automation/Document.Trash', { input: trashed.uid })
    assert.deepEqual(await offered(trashed.uid), [])
  })

  test('is offered neither on a version nor where one is published, also to who may write there', async () => {
    const [file, section] = [await bench.create('File'), await bench.create('Section')]
    await bench.setAcls(section.uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
    const { proxy, version } = await bench.publish(file.uid, section.uid)
    const link = await bench.createProxy(section.uid, file.uid)
    const offered = async (uid: string, user?: string) => (await enriched(uid, user)).runnableWorkflows.length
    for (const user of ['Administrator', 'alice'])
      assert.deepEqual([await offered(proxy, user), await offered(version, user)], [0, 0])
    assert.equal(await offered(link, 'alice'), 2)
  })

  test('takes away no lock but the one that it took itself', async () => {
    const lock = async (uid: string, user: string) =>
      requireStatus(200, await server.as(user).post('/automation/Document.Lock', { input: uid }))
    const { uid } = await bench.create('File')
    await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite'), grant('bob', 'Read')] }])
    await lock(uid, 'alice')
    const cancelled = await flows.start(uid, model, 'bob')
    requireStatus(204, await server.as('bob').delete(`/workflow/${cancelled.id}`))
    assert.equal(await lockOwner(uid), 'alice')
    const left = await flows.start(uid, model, 'bob')
    await flows.complete((await flows.task(left.id)).id, 'cancel', {}, 'bob')
    assert.equal(await lockOwner(uid), 'alice')
    const done = await flows.start(uid, model, 'alice')
    const variables = { participants: ['user:bob'], end_date: tomorrow }
    await flows.complete((await flows.task(done.id)).id, 'start_review', variables, 'alice')
    await flows.complete((await flows.task(done.id)).id, 'approve', {}, 'bob')
    await flows.complete((await flows.task(done.id)).id, 'reject', {}, 'alice')
    // Her own, from before the review.
    assert.equal(await lockOwner(uid), 'alice')
    requireStatus(200, await server.as('alice').post('/automation/Document.Unlock', { input: uid }))
    const running = await flows.start(uid, model, 'bob')
    await flows.complete((await flows.task(running.id)).id, 'start_review', { ...variables, participants: ['alice'] }, 'bob')
    assert.equal(await lockOwner(uid), 'bob')
    requireStatus(204, await server.as('bob').delete(`/workflow/${running.id}`))
    assert.equal(await lockOwner(uid), undefined)
  })

  test('of a live proxy locks what that shows, unless it is locked, for who may read it there as well', async () => {
    const [file, place] = [await bench.create('File'), await bench.create('Folder')]
    await bench.restrict(file.uid, grant('alice', 'ReadWrite'))
    await bench.restrict(place.uid, grant('alice', 'Read'), grant('reader', 'Read'))
    const proxy = await bench.createProxy(place.uid, file.uid)
    const body = { 'entity-type': 'workflow', workflowModelName: model, attachedDocumentIds: [proxy] }
    requireStatus(200, await server.as('reader').get(`/id/${proxy}`))
    for (const [address, sent] of [
      ['/workflow', body],
      [`/id/${proxy}/@workflow`, body],
      ['/workflow', { ...body, workflowModelName: 'SerialDocumentReview' }],
    ] as const)
      assertRefused(await server.as('reader').post(address, sent), 403, /is a proxy that shows a document of another place/)
    const params = { id: model }
    const operation = await server.as('reader').post('/automation/Context.StartWorkflow', { input: proxy, params })
    assert.equal(operation.status, 403, operation.text)

    requireStatus(200, await administrator().post('/automation/Document.Lock', { input: file.uid }))
    const variables = { participants: ['user:bob'], end_date: tomorrow }
    const first = await flows.start(proxy, model, 'alice')
    await flows.complete((await flows.task(first.id)).id, 'start_review', variables, 'alice')
    requireStatus(204, await server.as('alice').delete(`/workflow/${first.id}`))
    assert.equal(await lockOwner(file.uid), 'Administrator')
    requireStatus(200, await administrator().post('/automation/Document.Unlock', { input: file.uid }))
    const second = await flows.start(proxy, model, 'alice')
    await flows.complete((await flows.task(second.id)).id, 'start_review', variables, 'alice')
    assert.equal(await lockOwner(file.uid), 'alice')
    await flows.complete((await flows.task(second.id)).id, 'approve', {}, 'bob')
    await flows.complete((await flows.task(second.id)).id, 'reject', {}, 'alice')
    assert.equal(await lockOwner(file.uid), undefined)
  })
})
