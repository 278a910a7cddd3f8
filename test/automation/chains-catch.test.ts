import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CatchChain, type ChainStep, defineChain } from '../../src/automation/chain.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workspaces } from '../support/workbench.ts'

const catching = (id: string, catches: readonly CatchChain[], ...steps: readonly ChainStep[]) =>
  defineChain({ id, steps, catches })

const make: ChainStep = { operation: 'Flow.Make' }
const refuse: ChainStep = { operation: 'Flow.Refuse', params: { why: 'a reason' } }
const setVariable: ChainStep = { operation: 'Context.SetVar', params: { name: 'left', value: 'by the chain' } }
const push: ChainStep = { operation: 'Context.PushDocument' }

const chains = [
  defineChain({ id: 'rescue', steps: [{ operation: 'Flow.Note', params: { word: 'rescued' } }, { operation: 'Flow.Show' }] }),
  defineChain({ id: 'otherRescue', steps: [{ operation: 'Flow.Note', params: { word: 'other' } }, { operation: 'Flow.Show' }] }),
  defineChain({ id: 'makingRescue', steps: [{ operation: 'Flow.Make', params: { name: 'rescued' } }] }),
  defineChain({ id: 'poppingRescue', steps: [{ operation: 'Context.PopDocument' }] }),
  defineChain({ id: 'failingRescue', steps: [{ operation: 'Flow.Refuse', params: { why: 'no rescue either' } }] }),

  catching('undone', [{ chain: 'rescue' }], setVariable, make, push, refuse),
  catching('undoneStack', [{ chain: 'poppingRescue' }], make, push, refuse),
  catching('kept', [{ chain: 'rescue', rollsBack: false }], setVariable, make, refuse),
  catching('keptAfterDefect', [{ chain: 'rescue', rollsBack: false }], make, { operation: 'Flow.Break' }),
  catching('remade', [{ chain: 'makingRescue' }], make, refuse),
  catching('fine', [{ chain: 'rescue' }], make),
  catching('ranked', [{ chain: 'rescue' }, { chain: 'otherRescue', priority: 5 }], refuse),
  catching(
    'filtered',
    [
      { chain: 'rescue', priority: 9, filter: 'exceptionName == "documentNotFound"' },
      { chain: 'otherRescue', filter: 'expr:@{exceptionObject.message.contains("a reason") && Exception == "flowRefused"}' },
    ],
    refuse,
  ),
  catching('unmet', [{ chain: 'rescue', filter: 'Exception == "somethingElse"' }], make, refuse),
  catching('hopeless', [{ chain: 'failingRescue' }], make, refuse),
  catching('exits', [{ chain: 'rescue' }], make, { operation: 'Flow.Exit' }),
  defineChain({ id: 'around', steps: [{ operation: 'Flow.Make', params: { name: 'around' } }, { operation: 'undone' }] }),
  catching('unreadable', [{ chain: 'rescue', filter: 'exceptionName' }], refuse),
]

const recorder = createEventRecorder()

onEachServer(
  'chains that catch what fails in them',
  (server) => {
    const call = operationsOn(server)
    const isThere = async (name: string) => (await server.as('Administrator').get(`/path${workspaces}/${name}`)).status === 200

    test('1.12 the catch chain runs on the input of the chain that failed, and its output is the answer', async () => {
      const { value } = requireStatus(200, await call('undone', { input: `doc:${workspaces}`, params: { name: 'undone-1' } }))
      assert.equal(value.variables.words, 'rescued')
      assert.equal(value.input, 'document')
    })

    test('1.12 variables tell the catch chain what has failed', async () => {
      const { value } = requireStatus(200, await call('undone', { params: { name: 'undone-2' } }))
      const { Exception, exceptionName, exceptionObject } = value.variables
      assert.deepEqual([Exception, exceptionName], ['flowRefused', 'flowRefused'])
      assert.equal(exceptionObject.kind, 'conflict')
      assert.match(exceptionObject.message, /Refused: a reason$/)
    })

    test('1.12 what the failed chain did is undone: documents, variables and stacks', async () => {
      const { value } = requireStatus(200, await call('undone', { params: { name: 'undone-3' } }))
      assert.equal(await isThere('undone-3'), false)
      assert.equal('left' in value.variables, false)
      const popped = await call('undoneStack', { params: { name: 'undone-4' } })
      assert.equal(popped.status, 400)
      assert.match(popped.body.message, /nothing to take back/)
    })

    test('1.12 listeners after the commit hear nothing of what was undone', async () => {
      recorder.afterCommit.length = 0
      requireStatus(200, await call('remade', { params: { name: 'remade' } }))
      const created = recorder.afterCommit.filter(({ event }) => event.name === 'documentCreated')
      assert.deepEqual(
        created.map(({ event }) => event.document.name),
        ['rescued'],
      )
      assert.equal(await isThere('rescued'), true)
      assert.equal(await isThere('remade'), false)
    })

    test('1.12 it is kept where the chain says so', async () => {
      const { value } = requireStatus(200, await call('kept', { params: { name: 'kept' } }))
      assert.equal(await isThere('kept'), true)
      assert.equal(value.variables.left, 'by the chain')
    })

    test('after a defect it is undone all the same, and the catch chain does not learn what it was', async () => {
      const { value } = requireStatus(200, await call('keptAfterDefect', { params: { name: 'kept-defect' } }))
      assert.equal(await isThere('kept-defect'), false)
      assert.deepEqual(value.variables.exceptionObject, { name: 'defect', kind: 'failed', message: '' })
    })

    test('1.12 nothing is caught where nothing fails', async () => {
      const body = requireStatus(200, await call('fine', { params: { name: 'fine' } }))
      assert.equal(body.path, `${workspaces}/fine`)
    })

    test('1.12 of several catch chains the one with the highest priority runs', async () => {
      assert.equal(requireStatus(200, await call('ranked')).value.variables.words, 'other')
    })

    test('1.12 of several catch chains only one that is meant for the failure runs', async () => {
      assert.equal(requireStatus(200, await call('filtered')).value.variables.words, 'other')
    })

    test('1.12 a failure for which no catch chain is meant is the answer, and all is undone', async () => {
      const { status, body } = await call('unmet', { params: { name: 'unmet' } })
      assert.equal(status, 409)
      assert.match(body.message, /Refused: a reason$/)
      assert.equal(await isThere('unmet'), false)
    })

    test('a catch chain that fails itself is the answer, and all is undone', async () => {
      const { status, body } = await call('hopeless', { params: { name: 'hopeless' } })
      assert.equal(status, 409)
      assert.match(body.message, /Refused: no rescue either$/)
      assert.equal(await isThere('hopeless'), false)
    })

    test('a filter that is neither true nor false is told as such', async () => {
      const { status, body } = await call('unreadable')
      assert.equal(status, 400)
      assert.match(body.message, /neither true nor false/)
    })

    test('ending early is no failure', async () => {
      const body = requireStatus(200, await call('exits', { params: { name: 'exits' } }))
      assert.equal(body.path, `${workspaces}/exits`)
      assert.equal(await isThere('exits'), true)
    })

    test('of a chain around one that catches, what came before stays', async () => {
      requireStatus(200, await call('around', { params: { name: 'within-around' } }))
      assert.deepEqual([await isThere('around'), await isThere('within-around')], [true, false])
    })
  },
  { plugins: [flowPlugin(...chains), recorder.plugin] },
)
