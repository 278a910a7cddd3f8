import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defineWorkflow } from '../../src/automation/workflow.ts'
import { remind } from '../../src/features/workflow/task-mail.ts'
import { list, string } from '../../src/model/field.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { addReader } from '../mail/readers.ts'
import { assertRefused } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { aGroup } from '../support/sent-groups.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
const tooMany = /would send more than 5 mails in this hour/
const guests = (count: number, name = 'guest') =>
  Array.from({ length: count }, (_, index) => `user:transient/${name}${index}@victims.org`)

const asking = (variable: string) => ({
  assigneesExpr: `WorkflowVariables["${variable}"]`,
  perAssignee: true,
  permission: 'Read',
  mailTemplate: 'workflowTaskAssigned',
  buttons: [{ name: 'go' }],
})

/** One asks people by another one that it begins, and then others by itself. */
const askingBefore = definePlugin({
  name: 'asking-before',
  requires: ['workflow'],
  workflows: [
    defineWorkflow({
      name: 'Inside',
      variables: { who: list(string()) },
      nodes: {
        insideBegin: { isStart: true, transitions: [{ name: 'ask', to: 'insideAsk' }] },
        insideAsk: { exposes: ['who'], task: asking('who'), transitions: [{ name: 'on', to: 'insideEnd' }] },
        insideEnd: { isStop: true },
      },
    }),
    defineWorkflow({
      name: 'Around',
      variables: { first: list(string()), next: list(string()) },
      nodes: {
        aroundBegin: { isStart: true, transitions: [{ name: 'begin', to: 'aroundChild' }] },
        aroundChild: {
          child: { model: 'Inside', variables: { who: 'expr:WorkflowVariables["first"]' } },
          transitions: [{ name: 'on', to: 'aroundAsk' }],
        },
        aroundAsk: { task: asking('next'), transitions: [{ name: 'on', to: 'aroundEnd' }] },
        aroundEnd: { isStop: true },
      },
    }),
  ],
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`of the mails about tasks each user causes so many in an hour (${engine})`, () => {
    let mail: MailServer
    let server: TestServer
    before(async () => {
      mail = await startMailServer()
      const mailSettings = { smtpUrl: mail.url, mailFrom: 'quire@example.org', mailMaxPerHour: 5 }
      const settings = { ...(await databaseSettings(engine)), ...mailSettings }
      server = await startTestServer({ settings, plugins: [askingBefore] })
      for (const user of ['ann', 'ben', 'carl', 'dora', 'eve', 'fay', 'gil']) await addReader(server, user)
      for (const count of [3, 6]) {
        const members = Array.from({ length: count }, (_, index) => `m${count}${index}`)
        for (const member of members) await addReader(server, member)
        requireStatus(201, await server.as('Administrator').post('/group', aGroup(`of${count}`, { memberUsers: members })))
      }
    })
    after(async () => {
      await server?.stop()
      await mail?.stop()
    })

    async function begun(model: string, user: string) {
      const bench = workbenchOn(server)
      const flows = workflowsOn(server)
      const { uid } = await bench.create('File', { 'dc:title': 'Plan' })
      await bench.restrict(uid, grant(user, 'ReadWrite'))
      const { id } = await flows.start(uid, model, user)
      const { id: task } = await flows.task(id)
      const choose = (participants: readonly string[]) =>
        flows.tryTo(task, 'start_review', { participants, end_date: tomorrow }, user)
      return { uid, id, flows, choose }
    }
    async function mailed(): Promise<readonly string[]> {
      await untilIdle(server)
      const to = mail.received.flatMap((one) => one.to).sort()
      mail.clear()
      return to
    }

    test('whoever asks more by one request is refused, and nothing is made', async () => {
      const { uid, id, flows, choose } = await begun('ParallelDocumentReview', 'ann')
      assertRefused(await choose(guests(6)), 429, tooMany)
      assert.equal((await flows.task(id)).nodeName, 'Task2556')
      assert.ok((await flows.acls(uid)).every(({ ace }) => !JSON.stringify(ace).includes('victims')))
      assert.deepEqual(await mailed(), [])
      requireStatus(200, await choose(guests(5)))
      assert.equal((await mailed()).length, 5)
      const [task] = await flows.tasks(`?workflowInstanceId=${id}`)
      for (const way of ['reassign?actors', 'delegate?delegatedActors'])
        assertRefused(await server.as('ann').put(`/task/${task?.id}/${way}=transient/more@victims.org`), 429, tooMany)
      const again = await begun('ParallelDocumentReview', 'ann')
      assertRefused(await again.choose(guests(1, 'next')), 429, tooMany)
      // One to herself is none to others.
      requireStatus(200, await again.choose(['user:ann']))
      assert.deepEqual(await mailed(), ['ann@example.org'])
    })

    test('several requests at once cause no more', async () => {
      const reviews = await Promise.all([1, 2, 3].map(() => begun('ParallelDocumentReview', 'eve')))
      const answers = await Promise.all(reviews.map(({ choose }, index) => choose(guests(3, `r${index}-`))))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 429, 429])
      assert.equal((await mailed()).length, 3)
    })

    test('a group counts by its members, and one that is too large is asked without mail', async () => {
      const large = await begun('ParallelDocumentReview', 'ben')
      requireStatus(200, await large.choose(['group:of6', 'group:of3']))
      assert.deepEqual(await mailed(), ['m30@example.org', 'm31@example.org', 'm32@example.org'])
      assert.equal((await large.flows.tasks('?userId=m60', 'm60')).length, 1)
      const named = await begun('ParallelDocumentReview', 'ben')
      assertRefused(await named.choose(guests(3)), 429, tooMany)
    })

    test('who lets a workflow go on that others have filled is never refused', async () => {
      const { id, flows, choose } = await begun('SerialDocumentReview', 'carl')
      requireStatus(200, await choose(['user:dora', 'group:of6', 'user:dora', 'user:eve']))
      assert.deepEqual(await mailed(), ['dora@example.org'])
      requireStatus(200, await flows.tryTo((await flows.task(id)).id, 'validate', {}, 'dora'))
      assert.deepEqual(await mailed(), [])
      requireStatus(200, await flows.tryTo((await flows.task(id)).id, 'validate', {}, 'm60'))
      assert.deepEqual(await mailed(), ['dora@example.org'])
      const spent = await begun('ParallelDocumentReview', 'dora')
      requireStatus(200, await spent.choose(guests(5, 'spent')))
      assert.equal((await mailed()).length, 5)
      requireStatus(200, await flows.tryTo((await flows.task(id)).id, 'validate', {}, 'dora'))
      assert.deepEqual(await mailed(), [])
      assert.deepEqual((await flows.task(id, 'eve')).actors, [{ id: 'user:eve' }])
    })

    test('who chooses people in one workflow is refused what that asks by another, and who lets them go on is not', async () => {
      const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'Plan' })
      const flows = workflowsOn(server)
      const startFor = (first: readonly string[]) => {
        const variables = { first, next: guests(6) }
        const body = { 'entity-type': 'workflow', workflowModelName: 'Around', attachedDocumentIds: [uid], variables }
        return server.as('gil').post('/workflow', body)
      }
      assertRefused(await startFor(guests(6)), 429, tooMany)
      requireStatus(201, await startFor(['user:gil']))
      const [task] = await flows.tasks('?userId=gil', 'gil')
      assertRefused(await flows.tryTo(task?.id, 'go', { who: ['user:ann'] }, 'gil'), 429, tooMany)
      assert.deepEqual(await mailed(), ['gil@example.org'])
      requireStatus(200, await flows.tryTo(task?.id, 'go', {}, 'gil'))
      assert.equal((await mailed()).length, 5)
    })

    test('reminders count for whose action made the task', async () => {
      const { id, flows, choose } = await begun('SerialDocumentReview', 'fay')
      requireStatus(200, await choose(['group:of6']))
      const due = Date.parse((await flows.task(id)).dueDate)
      const span = { after: new Date(due - 1).toISOString(), until: new Date(due).toISOString() }
      await server.asSystem((session) => remind(server.services, session, span))
      assert.deepEqual(await mailed(), [])
    })

    test('administrators cause as many as they like', async () => {
      const { choose } = await begun('ParallelDocumentReview', 'Administrator')
      requireStatus(200, await choose(guests(6, 'known')))
      assert.equal((await mailed()).length, 6)
    })
  })
}
