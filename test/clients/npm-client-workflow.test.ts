import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { createClient } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }
const serial = 'SerialDocumentReview'

interface ClientTask {
  readonly id: string
  readonly state: string
  readonly workflowInstanceId: string
  readonly delegatedActors: readonly { readonly id: string }[]
  readonly actors: readonly { readonly id: string }[]
  variable(name: string, value: unknown): ClientTask
  complete(action: string, options?: object): Promise<ClientTask>
  delegate(actors: readonly string[], options?: object): Promise<ClientTask>
  reassign(actors: readonly string[], options?: object): Promise<ClientTask>
}

interface ClientWorkflow {
  readonly id: string
  readonly workflowModelName: string
  readonly attachedDocumentIds: readonly { readonly id: string }[]
  fetchTasks(): Promise<{ readonly entries: readonly ClientTask[] }>
  fetchGraph(): Promise<{ readonly 'entity-type': string }>
}

interface ClientWorkflows {
  start(model: string, options?: object): Promise<ClientWorkflow>
  fetch(id: string): Promise<ClientWorkflow>
  delete(id: string): Promise<unknown>
  fetchStartedWorkflows(model: string): Promise<{ readonly entries: readonly ClientWorkflow[] }>
  fetchTasks(options: object): Promise<{ readonly entries: readonly ClientTask[] }>
}

interface RoutedDocument {
  readonly uid: string
  readonly state: string
  startWorkflow(model: string, options?: object): Promise<ClientWorkflow>
  fetchWorkflows(): Promise<{ readonly entries: readonly ClientWorkflow[] }>
}

onEachServer(
  'workflows with the published npm client',
  (server) => {
    let client: {
      workflows(): ClientWorkflows
      repository(): {
        create(path: string, document: object): Promise<RoutedDocument>
        fetch(id: string): Promise<RoutedDocument>
        delete(path: string): Promise<unknown>
      }
    }
    let made = 0
    before(() => {
      client = createClient(server.url, 'Administrator') as unknown as typeof client
    })
    const created = (): Promise<RoutedDocument> =>
      client.repository().create('/default-domain/workspaces', { type: 'File', name: `routed-${++made}`, properties: {} })

    test('a serial review from its start to the approval', async () => {
      const document = await created()
      const workflow = await document.startWorkflow(serial)
      assert.equal(workflow.workflowModelName, serial)
      assert.equal((await document.fetchWorkflows()).entries.length, 1)
      const [first] = (await workflow.fetchTasks()).entries
      first
        ?.variable('participants', ['user:Administrator'])
        .variable('assignees', ['user:Administrator'])
        .variable('end_date', '2031-10-01T00:00:00.000Z')
      assert.equal((await first?.complete('start_review', { comment: 'a comment' }))?.state, 'ended')
      const [second, ...others] = (await client.workflows().fetchTasks({ workflowInstanceId: workflow.id })).entries
      assert.equal(others.length, 0)
      assert.equal((await second?.complete('validate'))?.state, 'ended')
      assert.equal((await document.fetchWorkflows()).entries.length, 0)
      assert.equal((await client.repository().fetch(document.uid)).state, 'approved')
    })

    test('starts, lists, fetches, draws and deletes workflows', async () => {
      const document = await created()
      const workflows = client.workflows()
      const started = await workflows.start('ParallelDocumentReview', { attachedDocumentIds: [document.uid] })
      assert.equal((await workflows.fetch(started.id)).id, started.id)
      assert.equal((await started.fetchGraph())['entity-type'], 'graph')
      assert.equal((await workflows.fetchStartedWorkflows('ParallelDocumentReview')).entries.length, 1)
      assert.equal(
        (await workflows.fetchTasks({ actorId: 'Administrator', workflowModelName: 'ParallelDocumentReview' })).entries.length,
        1,
      )
      await workflows.delete(started.id)
      assert.equal((await workflows.fetchStartedWorkflows('ParallelDocumentReview')).entries.length, 0)
    })

    test('delegates and reassigns tasks', async () => {
      const document = await created()
      const workflow = await document.startWorkflow(serial)
      const [choose] = (await workflow.fetchTasks()).entries
      await choose?.variable('participants', ['user:Administrator']).complete('start_review')
      const [task] = (await workflow.fetchTasks()).entries
      await task?.delegate(['members', 'Administrator'], { comment: 'a comment' })
      const [delegated] = (await workflow.fetchTasks()).entries
      assert.deepEqual(
        delegated?.delegatedActors.map(({ id }) => id),
        ['members', 'Administrator'],
      )
      await task?.reassign(['members'], { comment: 'another' })
      const [reassigned] = (await workflow.fetchTasks()).entries
      assert.deepEqual(
        reassigned?.actors.map(({ id }) => id),
        ['members'],
      )
    })

    test('deletes both folders, which come back with the next start', async () => {
      for (const path of ['/task-root', '/document-route-instances-root']) await client.repository().delete(path)
      const document = await created()
      const workflow = await document.startWorkflow(serial)
      assert.equal((await workflow.fetchTasks()).entries.length, 1)
    })
  },
  asTheOriginal,
)
