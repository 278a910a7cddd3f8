import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ApiAnswer } from '../../src/testing.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'

onEachServer('what people write into workflows that cannot be stored', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const as = (user: string) => server.as(user)
  const call = (operation: string, body: object) => as('alice').post(`/automation/${operation}`, body)
  before(async () => {
    for (const user of ['alice', 'bob', 'zoe']) await server.addUser(user, ['members'])
  })

  /** A review that alice has begun, and the task of hers, on which somebody has remarked before. */
  async function begun() {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, serial, 'alice')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:alice', 'user:bob'] }, 'alice')
    const { id: task } = await flows.task(id)
    requireStatus(200, await as('alice').put(`/task/${task}/delegate?delegatedActors=zoe&comment=before`))
    return { uid, id, task: task as string }
  }

  type Review = Awaited<ReturnType<typeof begun>>
  const started = (text: string) => ({ id: serial, variables: { initiatorComment: text } })
  const ways: readonly [what: string, named: string, send: (review: Review, text: string) => Promise<ApiAnswer>][] = [
    [
      'the comment of PUT /task/{id}/delegate',
      'The comment',
      ({ task }, text) => as('alice').put(`/task/${task}/delegate?delegatedActors=bob&comment=${encodeURIComponent(text)}`),
    ],
    [
      'the comment of PUT /task/{id}/reassign',
      'The comment',
      ({ task }, text) => as('alice').put(`/task/${task}/reassign?actors=bob&comment=${encodeURIComponent(text)}`),
    ],
    [
      'a name for PUT /task/{id}/delegate',
      'A name in delegatedActors',
      ({ task }, text) =>
        as('alice').put(`/task/${task}/delegate?delegatedActors=bob&delegatedActors=${encodeURIComponent(text)}`),
    ],
    [
      'a name for PUT /task/{id}/reassign',
      'A name in actors',
      ({ task }, text) => as('alice').put(`/task/${task}/reassign?actors=${encodeURIComponent(text)}`),
    ],
    [
      'the comment of PUT /task/{id}/{action}',
      'The comment',
      ({ task }, comment) => flows.tryTo(task, 'validate', {}, 'alice', { comment }),
    ],
    [
      'a variable of PUT /task/{id}/{action}',
      'The variable comment',
      ({ task }, comment) => flows.tryTo(task, 'validate', { comment }, 'alice'),
    ],
    [
      'the action of PUT /task/{id}/{action}',
      'The action',
      ({ task }, text) => flows.tryTo(task, encodeURIComponent(text), {}, 'alice'),
    ],
    [
      'a variable of POST /workflow',
      'The variable participants',
      ({ uid }, text) =>
        as('alice').post('/workflow', {
          'entity-type': 'workflow',
          workflowModelName: serial,
          attachedDocumentIds: [uid],
          variables: { participants: ['user:bob', text] },
        }),
    ],
    [
      'a variable of POST @workflow',
      'The variable initiatorComment',
      ({ uid }, initiatorComment) =>
        as('alice').post(`/id/${uid}/@workflow`, {
          'entity-type': 'workflow',
          workflowModelName: serial,
          variables: { initiatorComment },
        }),
    ],
    [
      'a variable of Context.StartWorkflow',
      'The variable initiatorComment',
      ({ uid }, text) => call('Context.StartWorkflow', { input: uid, params: started(text) }),
    ],
    [
      'a variable of Workflow.SetWorkflowVariables',
      'The variable initiatorComment',
      ({ id }, text) => call('Workflow.SetWorkflowVariables', { params: { id, properties: { initiatorComment: text } } }),
    ],
    [
      'a variable of Context.SetWorkflowVar',
      'The variable initiatorComment',
      ({ id }, value) => call('Context.SetWorkflowVar', { params: { workflowInstanceId: id, name: 'initiatorComment', value } }),
    ],
    [
      'the comment of WorkflowTask.Complete',
      'The comment',
      ({ task }, comment) => call('WorkflowTask.Complete', { input: task, params: { status: 'validate', comment } }),
    ],
    [
      'a variable of WorkflowTask.Complete',
      'The variable comment',
      ({ task }, comment) =>
        call('WorkflowTask.Complete', { input: task, params: { status: 'validate', nodeVariables: { comment } } }),
    ],
  ]

  for (const [what, named, send] of ways) {
    test(`is refused in ${what}, which is named, and nothing of what others wrote is shown`, async () => {
      const review = await begun()
      const refused = await send(review, 'some\0thing')
      assertRefused(refused, 400, new RegExp(`${named} holds a character that cannot be stored.* behind "some"\\. Leave it out`))
      assert.doesNotMatch(refused.text, /before|nt:|var_|author/)
      const { state, comments, delegatedActors } = await flows.task(review.id)
      assert.deepEqual([state, comments.length, delegatedActors], ['opened', 1, [{ id: 'zoe' }]])
    })
  }

  test('is refused where it is half of a surrogate pair as well', async () => {
    const { task } = await begun()
    assertRefused(await flows.tryTo(task, 'validate', {}, 'alice', { comment: 'some\ud800' }), 400, /The comment holds/)
    assertRefused(await flows.tryTo(task, 'validate', { comment: '\udc00' }, 'alice'), 400, /comment holds .* at its beginning/)
    await flows.complete(task, 'validate', {}, 'alice', { comment: 'some 💡' })
  })
})
