import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { remind } from '../../src/features/workflow/task-mail.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { addReader } from '../mail/readers.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { basicHeader, openEventStream } from '../support/event-stream.ts'
import { type MailServer, mailTo, startMailServer } from '../support/mail-server.ts'
import { eventually } from '../support/notification-receiver.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const day = 86_400_000
const serial = 'SerialDocumentReview'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`11 people are told of tasks (${engine})`, () => {
    let mail: MailServer
    let server: TestServer
    before(async () => {
      mail = await startMailServer()
      const settings = { ...(await databaseSettings(engine)), smtpUrl: mail.url, mailFrom: 'Quire <quire@example.org>' }
      server = await startTestServer({ settings })
      for (const user of ['ann', 'bob', 'cleo', 'eve']) await addReader(server, user)
    })
    after(async () => {
      await server?.stop()
      await mail?.stop()
    })
    const begun = async (participant: string) => {
      const [bench, flows] = [workbenchOn(server), workflowsOn(server)]
      const { uid } = await bench.create('File', { 'dc:title': 'Plan' })
      await bench.setAcls(uid, [
        {
          name: 'local',
          aces: [{ username: 'ann', permission: 'Everything', granted: true, creator: null, begin: null, end: null }],
        },
      ])
      const { id } = await flows.start(uid, serial, 'ann')
      await flows.complete((await flows.task(id, 'ann')).id, 'start_review', { participants: [participant] }, 'ann')
      return { uid, id, flows, task: await flows.task(id) }
    }

    test('by mail when they are assigned one, in words and not in keys', async () => {
      mail.clear()
      const { uid } = await begun('user:bob')
      const { parsed } = await mailTo(mail, 'bob@example.org')
      assert.equal(parsed.subject, '[Platform] Task Assigned for Plan')
      for (const shown of [parsed.text ?? '', parsed.html ?? '']) {
        assert.match(shown, /Validate the Document/)
        assert.match(shown, /Accept or reject the document/)
        assert.doesNotMatch(shown, /wf\.serial/)
        assert.ok(shown.includes(uid), shown)
      }
      // The initiator chose the participants by a task of a node without a template.
      assert.deepEqual(
        mail.received.flatMap(({ to }) => to),
        ['bob@example.org'],
      )
    })
    test('by mail when one is reassigned or delegated to them', async () => {
      const { task } = await begun('user:bob')
      mail.clear()
      requireStatus(200, await server.as('bob').put(`/task/${task.id}/reassign?actors=user:cleo&comment=yours`))
      const { parsed } = await mailTo(mail, 'cleo@example.org')
      assert.equal(parsed.subject, '[Platform] Task Reassigned on Plan')
      assert.match(parsed.text ?? '', /bob wrote:\s+yours/)
      mail.clear()
      requireStatus(200, await server.as('cleo').put(`/task/${task.id}/delegate?delegatedActors=user:eve`))
      assert.equal((await mailTo(mail, 'eve@example.org')).parsed.subject, '[Platform] Task Delegated on Plan')
    })
    test('by mail when one is due soon and not done, once', async () => {
      const { task } = await begun('user:bob')
      const { task: done, flows } = await begun('user:cleo')
      await flows.complete(done.id, 'validate', {}, 'cleo')
      await begun('user:eve')
      const due = Date.parse(task.dueDate)
      const pass = (from: number, to: number) => {
        const span = { after: new Date(due + from).toISOString(), until: new Date(due + to).toISOString() }
        return server.asSystem((session) => remind(server.services, session, span))
      }
      const reminders = () => mail.received.filter(({ parsed }) => parsed.subject === '[Platform] Task due on Plan')
      await pass(-1, 0)
      await eventually(() => reminders().length > 0, 'a reminder came')
      assert.match(reminders()[0]?.parsed.text ?? '', /Validate the Document/)
      await pass(0, day)
      await eventually(() => reminders().length > 1, 'another one came')
      await untilIdle(server)
      assert.deepEqual(
        reminders().flatMap(({ to }) => to),
        ['bob@example.org', 'eve@example.org'],
      )
    })
    test('by mail when the review that they began is over', async () => {
      const { task, flows } = await begun('user:bob')
      mail.clear()
      await flows.complete(task.id, 'validate', { comment: 'well done' }, 'bob')
      const { parsed } = await mailTo(mail, 'ann@example.org')
      assert.equal(parsed.subject, '[Platform] Document approved')
      assert.match(parsed.text ?? '', /bob wrote:\s+well done/)
    })

    test('by live events, if they may read the task, and nobody else', async () => {
      const streams = await Promise.all(['bob', 'eve'].map((user) => openEventStream(server.url, basicHeader(user))))
      const [bob, eve] = streams
      assert.ok(bob && eve)
      const { task, uid, flows } = await begun('user:bob')
      const heard = (event: string) => bob.until(({ data }) => data.documentId === task.id && data.event === event)
      const { data } = await heard('afterWorkflowTaskCreated')
      assert.deepEqual([data.type, data.principal], ['RoutingTask', 'ann'])
      await heard('documentCreated')
      await flows.complete(task.id, 'validate', {}, 'bob')
      await heard('lifecycle_transition_event')
      await heard('afterWorkflowTaskEnded')
      const { uid: marker } = await workbenchOn(server).create('File')
      await eve.until(({ data: { documentId } }) => documentId === marker)
      assert.ok(eve.heard.every(({ data: { documentId } }) => documentId !== task.id))
      // What a participant may read of the document while the task lasts is told while it lasts.
      assert.ok(bob.heard.some(({ data: { documentId, event } }) => documentId === uid && event === 'workflowTaskAssigned'))
      for (const stream of streams) stream.close()
    })
  })
}
