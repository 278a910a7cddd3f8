import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const unreadable = /only who may read each of them chooses whom to ask; '\w+' may not/

onEachServer('who is asked in a workflow is chosen by who may read its documents', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  before(async () => {
    for (const user of ['una', 'bob', 'carl']) await server.addUser(user, ['members'])
    await server.addUser('pow', ['members', 'powerusers'])
  })

  const call = (operation: string, params: object, user: string) => server.as(user).post(`/automation/${operation}`, { params })
  const sees = async (user: string, uid: string) => (await server.as(user).get(`/id/${uid}`)).status

  /** A review of a document that una may read, and nobody else but administrators. */
  async function begun(...participants: readonly string[]) {
    const { uid } = await bench.create('File')
    await bench.restrict(uid, grant('una', 'Read'))
    const { id } = await flows.start(uid, serial, 'una')
    if (participants.length > 0)
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: [...participants] }, 'una')
    return { uid, id, task: (await flows.task(id)).id as string }
  }

  /** Each way in which others are chosen from outside. */
  const ways = (
    who: string,
  ): { readonly [way: string]: (of: { id: string; task: string }, user: string) => Promise<ApiAnswer> } => ({
    'PUT /task/{id}/reassign': ({ task }, user) => server.as(user).put(`/task/${task}/reassign?actors=user:${who}`),
    'PUT /task/{id}/delegate': ({ task }, user) => server.as(user).put(`/task/${task}/delegate?delegatedActors=user:${who}`),
    'Workflow.SetWorkflowVariables': ({ id }, user) =>
      call('Workflow.SetWorkflowVariables', { id, properties: { participants: ['user:bob', `user:${who}`] } }, user),
    'Context.SetWorkflowVar': ({ id }, user) =>
      call('Context.SetWorkflowVar', { workflowInstanceId: id, name: 'participants', value: ['user:bob', `user:${who}`] }, user),
  })

  describe('a power user', () => {
    for (const [way, choose] of Object.entries(ways('pow')))
      test(`is refused ${way} where a document is hidden from her, and gets no right on it`, async () => {
        const review = await begun('user:bob', 'user:carl')
        assertRefused(await choose(review, 'pow'), 403, unreadable)
        assert.deepEqual((await flows.read(review.id)).variables.participants, ['user:bob', 'user:carl'])
        await flows.complete(review.task, 'validate', {}, 'bob')
        assert.equal(await sees('pow', review.uid), 403)
        assert.deepEqual((await flows.task(review.id)).actors, [{ id: 'user:carl' }])
      })
    test('hands over tasks about documents that she may read, and cancels what she may not', async () => {
      const review = await begun('user:bob')
      await bench.restrict(review.uid, grant('una', 'Read'), grant('pow', 'Read'))
      requireStatus(200, await server.as('pow').put(`/task/${review.task}/reassign?actors=user:carl`))
      assert.equal(await sees('carl', review.uid), 200)
      const hidden = await begun('user:bob')
      requireStatus(204, await server.as('pow').delete(`/workflow/${hidden.id}`))
    })
    test('is not asked for a task of no workflow about a document that is hidden from her', async () => {
      const { uid } = await bench.create('File')
      await bench.restrict(uid, grant('una', 'Read'))
      const params = { 'task name': 'look', 'additional list of actors prefixed ids': ['user:bob'] }
      requireStatus(200, await server.as('una').post('/automation/Task.Create', { input: uid, params }))
      const [task] = await flows.tasks('?userId=bob', 'bob')
      const delegate = (user: string, to: string) => server.as(user).put(`/task/${task?.id}/delegate?delegatedActors=user:${to}`)
      assertRefused(await delegate('pow', 'pow'), 403, unreadable)
      requireStatus(200, await delegate('bob', 'carl'))
    })
  })

  describe('who began it', () => {
    for (const [way, choose] of Object.entries(ways('una')))
      test(`is refused ${way} once the right to read a document was taken away`, async () => {
        const review = await begun('user:bob', 'user:carl')
        await bench.restrict(review.uid)
        // What the task gives bob stands beside the local entries.
        assert.equal(await sees('una', review.uid), 403)
        assertRefused(await choose(review, 'una'), 403, unreadable)
        assert.equal(await sees('una', review.uid), 403)
        requireStatus(204, await server.as('una').delete(`/workflow/${review.id}`))
      })
    for (const [way, choose] of Object.entries(ways('una')))
      test(`may ${way} while the documents may be read`, async () => {
        const review = await begun('user:bob', 'user:carl')
        const { status, text } = await choose(review, 'una')
        assert.ok([200, 204].includes(status), text)
      })
    test('chooses nobody by the task for that either', async () => {
      const review = await begun()
      await bench.restrict(review.uid)
      const choose = () => flows.tryTo(review.task, 'start_review', { participants: ['user:una'] }, 'una')
      assertRefused(await choose(), 403, unreadable)
      assert.equal((await flows.task(review.id)).nodeName, 'Task38e')
      await bench.restrict(review.uid, grant('una', 'Read'))
      requireStatus(200, await choose())
    })
    test('chooses nobody for a proxy whose document was hidden meanwhile', async () => {
      const [folder, file] = [await bench.create('Folder'), await bench.create('File')]
      const proxy = await bench.createProxy(folder.uid, file.uid)
      await bench.restrict(folder.uid, grant('una', 'Read'))
      const { id } = await flows.start(proxy, serial, 'una')
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:bob'] }, 'una')
      await bench.restrict(file.uid)
      const review = { id, task: (await flows.task(id)).id as string }
      for (const choose of Object.values(ways('carl'))) assertRefused(await choose(review, 'una'), 403, unreadable)
    })
  })

  describe('who is asked', () => {
    test('does not get back what was taken away by handing the task to themselves', async () => {
      const review = await begun('user:bob')
      assert.equal(await sees('bob', review.uid), 200)
      const params = { user: 'bob', acl: `routing/${review.task}` }
      requireStatus(
        200,
        await server.as('Administrator').post('/automation/Document.RemovePermission', { input: review.uid, params }),
      )
      assert.equal(await sees('bob', review.uid), 403)
      for (const way of ['delegate?delegatedActors=user:bob', 'reassign?actors=user:bob'])
        assertRefused(await server.as('bob').put(`/task/${review.task}/${way}`), 403, unreadable)
      assert.equal(await sees('bob', review.uid), 403)
    })
    test('hands over what gives no rights without being able to read the documents', async () => {
      const review = await begun()
      await bench.restrict(review.uid)
      requireStatus(200, await server.as('una').put(`/task/${review.task}/delegate?delegatedActors=user:bob`))
      assertRefused(await flows.tryTo(review.task, 'start_review', { participants: ['user:bob'] }, 'bob'), 403, unreadable)
      assert.equal(await sees('bob', review.uid), 403)
    })
  })
})
