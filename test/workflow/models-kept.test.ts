import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deployModels } from '../../src/features/workflow/models/deploy-models.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const onlyAdministrators = /only administrators mend their documents/

onEachServer('a model of workflows', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const call = (operation: string, body: object, user: string) => server.as(user).post(`/automation/${operation}`, body)
  const readAt = async (path: string): Promise<Answered> =>
    requireStatus(200, await server.as('Administrator').get(`/path${path}`, { properties: '*' }))
  const model = () => readAt(`/document-route-models-root/${serial}`)
  /** What every start of the server does. */
  const deploy = () => server.asSystem((session) => deployModels(server.services).prepare(session))
  before(async () => {
    await server.addUser('alice', ['members'])
    await server.addUser('paul', ['members', 'powerusers'])
  })

  test('has its variables set by administrators alone, whatever operation is asked', async () => {
    const { uid } = await model()
    const participants = '["user:alice"]'
    const calls = [
      ['Workflow.SetWorkflowVariables', { params: { id: uid, properties: { participants } } }],
      ['Context.SetWorkflowVar', { params: { name: 'participants', value: participants, workflowInstanceId: uid } }],
    ] as const
    for (const [operation, body] of calls)
      for (const user of ['paul', 'alice']) assertRefused(await call(operation, body, user), 403, onlyAdministrators)
    assert.deepEqual((await flows.start(undefined, serial)).variables.participants, [])
    // Those of an instance are set by power users as before.
    const { id } = await flows.start(undefined, serial)
    const own = { params: { id, properties: { participants } } }
    requireStatus(204, await call('Workflow.SetWorkflowVariables', own, 'paul'))
    assert.deepEqual((await flows.read(id)).variables.participants, ['user:alice'])
  })

  test('is made anew by every start, with nothing that was put into it', async () => {
    const { uid } = await model()
    const set = { params: { id: uid, properties: { participants: '["user:alice"]', index: '4' } } }
    requireStatus(204, await call('Workflow.SetWorkflowVariables', set, 'Administrator'))
    await bench.update(uid, { 'dc:source': 'somebody', 'dc:title': 'another' })
    const node = await readAt(`/document-route-models-root/${serial}/Task38e`)
    await bench.update(node.uid, { 'var_Task38e:comment': 'do it', 'rnode:lastActor': 'alice' })
    await deploy()
    const { title, properties } = await model()
    assert.deepEqual(
      [title, properties['dc:source'], properties[`var_${serial}:index`], properties[`var_${serial}:participants`]],
      ['wf.serialDocumentReview.SerialDocumentReview', null, 0, []],
    )
    const restored = (await readAt(node.path)).properties
    assert.deepEqual([restored['var_Task38e:comment'], restored['rnode:lastActor']], [null, null])
  })

  test('is left alone by a start where it is as it is defined', async () => {
    await deploy()
    const { changeToken } = await model()
    await deploy()
    assert.equal((await model()).changeToken, changeToken)
  })

  test('hands nothing on to its workflows that readers put on it, and is rid of that with the next start', async () => {
    const { uid, path } = await model()
    const node = await readAt(`${path}/Task38e`)
    for (const one of [uid, node.uid]) {
      await call('Services.TagDocument', { input: one, params: { tags: 'mine' } }, 'alice')
      await call('Document.Subscribe', { input: one }, 'alice')
      await call('Document.AddToFavorites', { input: one }, 'alice')
    }
    const { id } = await flows.start(undefined, serial)
    const instance = await bench.read(id, { properties: '*' })
    const copied = await readAt(`${instance.path}/Task38e`)
    for (const started of [instance, copied]) {
      const facets = started.facets.filter((name: string) => /Notifiable|CollectionMember/.test(name))
      const held = ['nxtag:tags', 'notif:notifications', 'collectionMember:collectionIds'].map(
        (name) => started.properties[name] ?? [],
      )
      assert.deepEqual([facets, held], [[], [[], [], []]])
    }
    assert.equal(copied.facets.includes('NXTag'), false)
    await deploy()
    assert.deepEqual([(await model()).properties['nxtag:tags'], (await readAt(node.path)).facets.includes('NXTag')], [[], false])
  })
})
