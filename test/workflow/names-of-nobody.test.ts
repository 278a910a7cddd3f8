import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { aUser } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { aGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

onEachServer('of names in workflows', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const admin = () => server.as('Administrator')
  before(async () => {
    for (const user of ['dora', 'fay']) await server.addUser(user, ['members'])
  })

  const make = async (name: string) => requireStatus(201, await admin().post('/user', aUser(name, { password: name })))
  const remove = async (address: string) => {
    requireStatus(204, await admin().delete(address))
    await untilIdle(server)
  }
  async function begun(...participants: readonly string[]) {
    const { uid } = await bench.create('File')
    await bench.restrict(uid)
    const { id } = await flows.start(uid, 'SerialDocumentReview')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: [...participants] })
    return { uid, id, task: (await flows.task(id)).id as string }
  }
  const named = async (...uids: readonly string[]) =>
    new Set((await Promise.all(uids.map(flows.acls))).flat().flatMap(({ ace }) => ace.map(({ username }: Answered) => username)))

  /** Why administrators are told that the workflow is stuck. */
  const reasonsOf = async (id: string): Promise<readonly string[]> => {
    const { entries } = requireStatus(200, await admin().get('/management/workflows/stuck'))
    const found = entries.find((one: Answered) => one.workflow.id === id)
    return (found?.hindrances ?? []).map(({ reason }: Answered) => reason)
  }

  /** What the name of an actor alone opens to nobody. */
  async function assertShutOut(user: string, { uid, id, task }: { uid: string; id: string; task: string }): Promise<void> {
    const as = server.as(user)
    for (const address of [`/id/${uid}`, `/task/${task}`, `/id/${task}`, `/workflow/${id}`])
      assert.equal((await as.get(address)).status, 403, address)
    assert.deepEqual(await flows.tasks(`?userId=${user}`, user), [])
    assert.equal((await flows.tryTo(task, 'validate', {}, user)).status, 403)
    for (const way of [`delegate?delegatedActors=user:${user}`, `reassign?actors=user:${user}`])
      assert.equal((await as.put(`/task/${task}/${way}`)).status, 403, way)
    assert.equal((await as.get(`/id/${uid}`)).status, 403)
  }

  describe('a task for one that nobody has', () => {
    test('is made, and writes no entry that the next user of that name would have', async () => {
      await make('emil')
      const review = await begun('user:dora', 'user:emil')
      await remove('/user/emil')
      await flows.complete(review.task, 'validate', {}, 'dora')
      const { id: task, actors } = await flows.task(review.id)
      assert.deepEqual(actors, [{ id: 'user:emil' }])
      assert.ok(!(await named(review.uid, review.id, task)).has('emil'))
      await make('emil')
      await assertShutOut('emil', { ...review, task })
      // Others may still name the one who is called so now.
      requireStatus(200, await admin().put(`/task/${task}/reassign?actors=user:emil`))
      requireStatus(200, await server.as('emil').get(`/id/${review.uid}`))
      requireStatus(200, await flows.tryTo(task, 'validate', {}, 'emil'))
    })

    test('writes none for a group that is gone either', async () => {
      requireStatus(201, await admin().post('/group', aGroup('crew', { memberUsers: ['fay'] })))
      const review = await begun('user:dora', 'group:crew')
      await remove('/group/crew')
      await flows.complete(review.task, 'validate', {}, 'dora')
      const { id: task } = await flows.task(review.id)
      requireStatus(201, await admin().post('/group', aGroup('crew', { memberUsers: ['fay'] })))
      await assertShutOut('fay', { ...review, task })
    })

    test('is made for one that somebody else has since, and is not theirs, nor is it the group’s that took the name of one', async () => {
      await make('mona')
      requireStatus(201, await admin().post('/group', aGroup('board', { memberUsers: ['dora'] })))
      const reviews = [await begun('user:dora', 'user:mona'), await begun('user:dora', 'group:board')] as const
      for (const address of ['/user/mona', '/group/board']) await remove(address)
      await make('mona')
      requireStatus(201, await admin().post('/group', aGroup('board', { memberUsers: ['fay'] })))
      for (const [index, newcomer] of ['mona', 'fay'].entries()) {
        const review = reviews[index] as (typeof reviews)[0]
        // Clients send back what they were shown.
        const shown = { participants: ['user:dora', index === 0 ? 'user:mona' : 'group:board'], comment: 'fine' }
        await flows.complete(review.task, 'validate', shown, 'dora')
        const { id: task } = await flows.task(review.id)
        await assertShutOut(newcomer, { ...review, task })
        assert.deepEqual(await reasonsOf(review.id), ['nobody'])
        requireStatus(200, await admin().put(`/task/${task}/reassign?actors=user:${newcomer}`))
        assert.deepEqual(await reasonsOf(review.id), [])
        requireStatus(200, await flows.tryTo(task, 'validate', {}, newcomer))
      }
    })

    test('is theirs who have the name when they are named', async () => {
      await make('nora')
      const { uid } = await bench.create('File')
      await bench.restrict(uid)
      const { id } = await flows.start(uid, 'SerialDocumentReview')
      await remove('/user/nora')
      await make('nora')
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:nora'] })
      requireStatus(200, await server.as('nora').get(`/id/${uid}`))
      requireStatus(200, await flows.tryTo((await flows.task(id)).id, 'validate', {}, 'nora'))
    })

    for (const [way, parameter] of [
      ['reassign', 'actors'],
      ['delegate', 'delegatedActors'],
    ] as const)
      test(`is not theirs who come to have it, by ${way} nor by what is handed to others later`, async () => {
        const review = await begun('user:dora')
        const name = `newcomer-${way}`
        requireStatus(200, await admin().put(`/task/${review.task}/${way}?${parameter}=user:${name}`))
        const shown = await flows.task(review.id)
        assert.deepEqual(shown[parameter], [{ id: name }])
        await make(name)
        await assertShutOut(name, review)
        requireStatus(200, await admin().put(`/task/${review.task}/delegate?delegatedActors=user:fay`))
        assert.ok((await named(review.uid)).has('fay'))
        await assertShutOut(name, review)
      })

    test('that somebody made for it without a workflow is not theirs either', async () => {
      const { uid } = await bench.create('File')
      await bench.restrict(uid)
      const params = { 'task name': 'alone', 'additional list of actors prefixed ids': ['user:loner', 'user:dora'] }
      const input = { input: uid, params: { ...params, 'create one task per actor': false } }
      requireStatus(200, await admin().post('/automation/Task.Create', input))
      const [task] = (await flows.tasks('')).filter(({ name }) => name === 'alone')
      await make('loner')
      assert.equal((await server.as('loner').get(`/task/${task?.id}`)).status, 403)
      requireStatus(200, await server.as('dora').get(`/task/${task?.id}`))
    })

    test('does not keep guests out, who have no account', async () => {
      const { uid } = await begun('user:transient/gil@example.org')
      assert.ok((await named(uid)).has('transient/gil@example.org'))
    })
  })

  describe('that of an initiator who is gone', () => {
    async function left(name: string, model: string) {
      await make(name)
      const { uid } = await bench.create('File')
      await bench.restrict(uid, grant(name, 'Read'))
      const { id } = await flows.start(uid, model, name)
      const chosen = { participants: ['user:dora'], end_date: new Date(Date.now() + 86_400_000).toISOString() }
      await flows.complete((await flows.task(id)).id, 'start_review', chosen, name)
      await remove(`/user/${name}`)
      await make(name)
      return { uid, id, task: (await flows.task(id)).id as string }
    }

    test('gives the next one of that name no hold on the workflow, even with the right to read its documents', async () => {
      const { uid, id, task } = await left('gina', 'SerialDocumentReview')
      await bench.restrict(uid, grant('gina', 'Read'))
      const gina = server.as('gina')
      const call = (operation: string, params: object) => gina.post(`/automation/${operation}`, { params })
      for (const refused of [
        await gina.get(`/workflow/${id}`),
        await gina.delete(`/workflow/${id}`),
        await call('WorkflowInstance.Cancel', { id }),
        await call('Workflow.SetWorkflowVariables', { id, properties: { participants: ['user:gina'] } }),
        await gina.put(`/task/${task}/delegate?delegatedActors=user:gina`),
      ])
        assert.equal(refused.status, 403, refused.text)
      assert.equal((await flows.read(id)).state, 'running')
    })

    test('gives them no task that is made for the initiator later', async () => {
      const { uid, id } = await left('hugo', 'ParallelDocumentReview')
      const [opinion] = await flows.tasks(`?workflowInstanceId=${id}`)
      await flows.complete(opinion?.id, 'approve', {}, 'dora')
      const { id: task, nodeName, actors } = await flows.task(id)
      assert.deepEqual([nodeName, actors], ['Task2169', [{ id: 'hugo' }]])
      await assertShutOut('hugo', { uid, id, task })
      await bench.restrict(uid, grant('dora', 'ReadWrite'))
      requireStatus(200, await admin().put(`/task/${task}/reassign?actors=user:dora`))
      requireStatus(200, await flows.tryTo(task, 'validate', {}, 'dora'))
    })
  })
})
