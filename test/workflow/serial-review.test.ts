import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefused } from '../support/accounts.ts'
import { callForFile, callWithFiles } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const model = 'SerialDocumentReview'

onEachServer('9.1 a serial review', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const events = async (uid: string): Promise<readonly Answered[]> =>
    requireStatus(200, await server.as('Administrator').get(`/id/${uid}/@audit?sortBy=id&sortOrder=asc`)).entries
  /** A review that is under way, with the first participant asked. */
  const begun = async (participants: readonly string[], variables: object = {}) => {
    const { uid } = await bench.create('File', { 'dc:title': 'Plan' })
    const workflow = await flows.start(uid, model, 'Administrator', { variables })
    const choose = await flows.task(workflow.id)
    await flows.complete(choose.id, 'start_review', { participants })
    return { uid, id: workflow.id }
  }
  before(async () => {
    for (const user of ['alice', 'bob', 'carl', 'eve']) await server.addUser(user, ['members'])
  })

  test('goes from participant to participant and approves the document', async () => {
    const { uid } = await bench.create('File', { 'dc:title': 'Plan' })
    const workflow = await flows.start(uid, model)
    assert.deepEqual([workflow.state, workflow.initiator, workflow.workflowModelName], ['running', 'Administrator', model])
    const choose = await flows.task(workflow.id)
    assert.deepEqual([choose.nodeName, choose.state, choose.actors], ['Task38e', 'opened', [{ id: 'Administrator' }]])
    const sent = { participants: ['user:alice', 'user:bob'], comment: 'please', assignees: ['x'], end_date: 'never' }
    assert.equal((await flows.complete(choose.id, 'start_review', sent)).state, 'ended')
    const first = await flows.task(workflow.id, 'alice')
    assert.deepEqual(
      [first.nodeName, first.actors, first.variables.initiatorComment],
      ['Task6d8', [{ id: 'user:alice' }], 'please'],
    )
    await flows.complete(first.id, 'validate', { comment: 'fine' }, 'alice')
    const second = await flows.task(workflow.id, 'bob')
    assert.equal(second.variables.comment, null)
    await flows.complete(second.id, 'validate', {}, 'bob')
    assert.equal((await flows.read(workflow.id)).state, 'done')
    const document = await bench.read(uid, { 'fetch-document': 'versionLabel' })
    assert.deepEqual([document.state, document.versionLabel], ['approved', '0.1'])
    assert.deepEqual(await flows.tasks(`?workflowInstanceId=${workflow.id}`), [])
    assert.deepEqual(requireStatus(200, await server.as('Administrator').get(`/id/${uid}/@workflow`)).entries, [])
  })

  test('approves nothing that is held or that another has locked, and its last task stays open', async () => {
    const { uid } = await bench.create('File')
    await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite'), grant('eve', 'ReadWrite')] }])
    const { id } = await flows.start(uid, model, 'eve')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:eve'] }, 'eve')
    const task = await flows.task(id)
    const refused = async (said: RegExp) => {
      assertRefused(await flows.tryTo(task.id, 'validate', {}, 'eve'), 409, said)
      assert.equal((await flows.task(id)).id, task.id)
      const { state, versionLabel } = await bench.read(uid, { 'fetch-document': 'versionLabel' })
      assert.deepEqual([state, versionLabel], ['project', '0.0'])
    }
    await bench.change(uid, { hasLegalHold: true })
    await refused(/under retention or legal hold/)
    await bench.change(uid, { hasLegalHold: false, isRecord: true, retainUntil: '2999-01-01T00:00:00.000Z' })
    await refused(/under retention or legal hold/)
    await bench.change(uid, { isRecord: false, retainUntil: null })
    requireStatus(200, await server.as('alice').post('/automation/Document.Lock', { input: uid }))
    await refused(/is locked by alice/)
    requireStatus(200, await server.as('alice').post('/automation/Document.Unlock', { input: uid }))
    requireStatus(200, await server.as('eve').post('/automation/Document.Lock', { input: uid }))
    await flows.complete(task.id, 'validate', {}, 'eve')
    assert.equal((await bench.read(uid)).state, 'approved')
  })

  test('approves no version for who may write where it is published', async () => {
    const [file, section] = [await bench.create('File'), await bench.create('Section')]
    await bench.setAcls(section.uid, [{ name: 'local', aces: [grant('eve', 'ReadWrite')] }])
    const { proxy, version } = await bench.publish(file.uid, section.uid)
    const states = async () => [(await bench.read(version)).state, (await bench.read(proxy)).state]
    for (const uid of [proxy, version]) {
      const { id } = await flows.start(uid, model, 'eve')
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:eve'] }, 'eve')
      const task = await flows.task(id)
      assertRefused(await flows.tryTo(task.id, 'validate', {}, 'eve'), 409, /is a version, or shows one/)
      assert.equal((await flows.task(id)).id, task.id)
    }
    assert.deepEqual(await states(), ['project', 'project'])
    // A review that is for nothing but opinions changes nothing.
    const variables = { validationOrReview: 'simpleReview' }
    const { id } = await flows.start(proxy, model, 'eve', { variables })
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:eve'] }, 'eve')
    await flows.complete((await flows.task(id)).id, 'validate', {}, 'eve')
    assert.deepEqual(await states(), ['project', 'project'])
  })

  test('approves what is held when an administrator ends it, who could do so without it', async () => {
    const { uid, id } = await begun(['alice'])
    await bench.change(uid, { hasLegalHold: true })
    await flows.complete((await flows.task(id)).id, 'validate')
    assert.equal((await bench.read(uid)).state, 'approved')
  })

  test('goes back to the one before when somebody rejects, and to the initiator from the first', async () => {
    const { uid, id } = await begun(['alice', 'bob'])
    await flows.complete((await flows.task(id, 'alice')).id, 'validate', {}, 'alice')
    await flows.complete((await flows.task(id, 'bob')).id, 'reject', {}, 'bob')
    await flows.complete((await flows.task(id, 'alice')).id, 'reject', {}, 'alice')
    const update = await flows.task(id)
    assert.equal(update.nodeName, 'Task542')
    await flows.complete(update.id, 'submit')
    assert.equal((await flows.task(id, 'alice')).nodeName, 'Task6d8')
    await flows.complete((await flows.task(id, 'alice')).id, 'reject', {}, 'alice')
    await flows.complete((await flows.task(id)).id, 'cancel')
    assert.deepEqual([(await flows.read(id)).state, (await bench.read(uid)).state], ['done', 'project'])
  })

  describe('gives the reviewer a right', () => {
    const reviewed = async () => {
      const folder = await bench.create('Folder')
      await bench.restrict(folder.uid, grant('alice', 'Read'))
      const { uid } = await bench.create('File', { 'dc:title': 'Plan' }, { parent: folder.path, name: 'plan' })
      const keep = [{ name: 'collaborators', aces: [grant('carl', 'Read')] }]
      await bench.setAcls(uid, keep)
      const workflow = await flows.start(uid, model)
      await flows.complete((await flows.task(workflow.id)).id, 'start_review', { participants: ['bob'] })
      const { id } = await flows.task(workflow.id, 'bob')
      assert.ok((await server.as('bob').put(`/task/${id}/delegate?delegatedActors=eve`, {})).status < 300)
      for (const reader of ['bob', 'carl', 'eve']) requireStatus(200, await server.as(reader).get(`/id/${uid}`))
      return { folder, uid }
    }
    /** What is made of it is as closed as the folder that it is in, but for those whom it was shared with for good. */
    const assertClosed = async (path: string) => {
      for (const reader of ['bob', 'eve']) requireStatus(403, await server.as(reader).get(`/path${path}`))
      requireStatus(200, await server.as('carl').get(`/path${path}`))
    }
    const call = operationsOn(server)

    test('on the document alone: a copy of it has none of it', async () => {
      const { folder, uid } = await reviewed()
      requireStatus(200, await call('Document.Copy', { input: uid, params: { target: folder.uid, name: 'copy' } }))
      await assertClosed(`${folder.path}/copy`)
    })
    test('on the document alone: a copy of the folder has none of it', async () => {
      const { folder } = await reviewed()
      const target = await bench.create('Folder')
      await bench.restrict(target.uid)
      requireStatus(200, await call('Document.Copy', { input: folder.uid, params: { target: target.uid, name: 'copy' } }))
      await assertClosed(`${target.path}/copy/plan`)
    })
    test('on the document alone: what is made of an export has none of it', async () => {
      const { uid } = await reviewed()
      const target = await bench.create('Folder')
      await bench.restrict(target.uid)
      const { bytes } = await callForFile(server, 'Document.Export', { input: uid, params: { exportAsZip: true } })
      const answer = await callWithFiles(
        server,
        'FileManager.Import',
        [{ name: 'dropped.zip', content: bytes, type: 'application/zip' }],
        { context: { currentDocument: target.path } },
      )
      assert.equal(answer.status, 200, answer.text)
      await assertClosed(`${target.path}/plan`)
    })
  })

  test('leaves the state alone where it is a simple review', async () => {
    const { uid, id } = await begun(['alice'], { validationOrReview: 'simpleReview' })
    await flows.complete((await flows.task(id, 'alice')).id, 'validate', {}, 'alice')
    assert.deepEqual([(await flows.read(id)).state, (await bench.read(uid)).state], ['done', 'project'])
  })

  test('is over when its initiator cancels it at once', async () => {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, model)
    await flows.complete((await flows.task(id)).id, 'cancel')
    assert.equal((await flows.read(id)).state, 'done')
  })

  test('refuses to begin without participants, and the task stays open', async () => {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, model)
    const task = await flows.task(id)
    const answer = await flows.tryTo(task.id, 'start_review')
    assert.equal(answer.status, 400)
    assert.match(answer.body.message, /nobody to ask/)
    assert.equal((await flows.task(id)).id, task.id)
    assert.deepEqual((await flows.task(id)).comments, [])
  })

  test('refuses an action that leads nowhere, and nothing has changed', async () => {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, model)
    const task = await flows.task(id)
    const answer = await flows.tryTo(task.id, 'approve', { participants: ['alice'] }, 'Administrator', { comment: 'no' })
    assertRefused(
      answer,
      400,
      'No transition of the node Task38e is open after approve. Nothing was changed; choose another action, or fill in what its conditions ask for.',
    )
    const again = await flows.task(id)
    assert.deepEqual([again.state, again.comments, again.variables.participants], ['opened', [], []])
  })

  test('fails as a whole where the document cannot be approved', async () => {
    const { uid, id } = await begun(['alice'])
    await server.as('Administrator').post('/automation/Document.SetLifeCycle', { input: uid, params: { value: 'obsolete' } })
    const task = await flows.task(id, 'alice')
    assert.ok((await flows.tryTo(task.id, 'validate', {}, 'alice')).status >= 400)
    assert.deepEqual([(await flows.task(id, 'alice')).id, (await flows.read(id)).variables.index], [task.id, 0])
  })

  describe('gives rights on the document', () => {
    const closed = async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'Secret' })
      await bench.restrict(uid)
      const { id } = await flows.start(uid, model)
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['alice', 'bob'] })
      return { uid, id }
    }
    test('while a task is open, before all that denies them, and takes them back', async () => {
      const { uid, id } = await closed()
      const task = await flows.task(id, 'alice')
      assert.equal((await server.as('alice').get(`/id/${uid}`)).status, 200)
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 403)
      const [first] = await flows.acls(uid)
      assert.equal(first.name, `routing/${task.id}`)
      assert.deepEqual(
        first.ace.map(({ username, permission, granted, creator }: Answered) => [username, permission, granted, creator]),
        [['alice', 'ReadWrite', true, 'Workflow']],
      )
      await flows.complete(task.id, 'validate', {}, 'alice')
      assert.equal((await server.as('alice').get(`/id/${uid}`)).status, 403)
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 200)
      await flows.complete((await flows.task(id, 'bob')).id, 'validate', {}, 'bob')
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 403)
      assert.ok((await flows.acls(uid)).every(({ name }: Answered) => !name.startsWith('routing')))
    })
    test('and takes them back when the workflow is cancelled', async () => {
      const { uid, id } = await closed()
      requireStatus(204, await server.as('Administrator').delete(`/workflow/${id}`))
      assert.equal((await server.as('alice').get(`/id/${uid}`)).status, 403)
      assert.ok((await flows.acls(uid)).every(({ name }: Answered) => !name.startsWith('routing')))
    })
    test('without a change of the document', async () => {
      const { uid, id } = await begun(['alice'])
      const before = await bench.read(uid, { properties: 'dublincore' })
      await flows.complete((await flows.task(id, 'alice')).id, 'reject', {}, 'alice')
      const after = await bench.read(uid, { properties: 'dublincore' })
      assert.deepEqual(after.properties, before.properties)
      const told = (await events(uid)).map(({ eventId }: Answered) => eventId)
      assert.ok(!told.includes('documentModified') && !told.includes('documentSecurityUpdated'), told.join())
    })
  })

  test('is written down with its documents', async () => {
    const { uid, id } = await begun(['alice'])
    await flows.complete((await flows.task(id, 'alice')).id, 'validate', { comment: 'fine by me' }, 'alice')
    const log = await events(uid)
    const told = log.map(({ eventId }: Answered) => eventId)
    const once = new Set(told.filter((name: string) => /^workflow|chain|Review|auditLog/.test(name)))
    assert.deepEqual([...once].sort(), [
      'Review completed successfully',
      'auditLogRoute',
      'chain.document.validated',
      'workflowTaskAssigned',
      'workflowTaskCompleted',
    ])
    const validated = log.find(({ eventId }: Answered) => eventId === 'chain.document.validated')
    assert.deepEqual([validated.category, validated.comment], ['Review workflow', 'alice chain.document.validated: fine by me'])
    const completed = log.filter(({ eventId }: Answered) => eventId === 'workflowTaskCompleted').at(-1)
    assert.deepEqual(
      [completed.principalName, completed.comment, completed.extended.workflowTaskCompletionAction],
      ['alice', 'fine by me', 'validate'],
    )
    const ofInstance = (await events(id)).map(({ eventId }: Answered) => eventId)
    assert.ok(ofInstance.includes('afterWorkflowStarted') && ofInstance.includes('afterWorkflowFinish'), ofInstance.join())
  })
})
