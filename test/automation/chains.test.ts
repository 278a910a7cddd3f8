import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { defaulted, optional, required } from '../../src/automation/parameter.ts'
import { flowPlugin, waited } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const chains = [
  defineChain({
    id: 'makeNote',
    aliases: ['noteMaker'],
    steps: [
      { operation: 'Repository.GetDocument', params: { value: workspaces } },
      { operation: 'Document.Create', params: { type: 'Note', name: 'chained' } },
      { operation: 'Flow.Note', params: { word: 'made' } },
      { operation: 'Document.SetProperty', params: { xpath: 'dc:title', value: 'From a chain' } },
    ],
  }),
  defineChain({
    id: 'declared',
    params: {
      title: required('string'),
      count: defaulted('long', 3),
      day: optional('date'),
      words: optional('stringlist'),
    },
    steps: [{ operation: 'Flow.Show' }],
  }),
  defineChain({ id: 'told', steps: [{ operation: 'Flow.Show', params: { text: 'of the step' } }] }),
  defineChain({ id: 'untold', steps: [{ operation: 'Flow.Note', params: { word: 'x' } }, { operation: 'Flow.Show' }] }),
  defineChain({
    id: 'outer',
    params: { a: defaulted('string', 'outer a'), b: defaulted('string', 'outer b') },
    steps: [{ operation: 'inner', params: { b: 'told b', c: 'expr:ChainParameters["a"] + "!"' } }, { operation: 'keep' }],
  }),
  defineChain({
    id: 'inner',
    params: { c: required('string'), d: defaulted('string', 'inner d') },
    steps: [{ operation: 'Context.SetVar', params: { name: 'seen', value: 'expr:ChainParameters' } }],
  }),
  defineChain({
    id: 'keep',
    steps: [
      { operation: 'Context.SetVar', params: { name: 'after', value: 'expr:ChainParameters' } },
      { operation: 'Flow.Show' },
    ],
  }),
  defineChain({ id: 'choosing', steps: [{ operation: 'Flow.Choice' }, { operation: 'Flow.Count' }] }),
  defineChain({
    id: 'impossible',
    steps: [{ operation: 'Flow.Make', params: { name: 'impossible' } }, { operation: 'makeBlob' }],
  }),
  defineChain({ id: 'makeBlob', steps: [{ operation: 'Context.PushBlob' }] }),
  defineChain({ id: 'nothing', steps: [] }),
  defineChain({
    id: 'forEach',
    steps: [{ operation: 'Document.SetProperty', params: { xpath: 'dc:description', value: 'expr:about @{Document.title}' } }],
  }),
  defineChain({ id: 'endless', steps: [{ operation: 'RunOperation', params: { id: 'endless' } }] }),
  defineChain({
    id: 'failing',
    steps: [
      { operation: 'Flow.Make', params: { name: 'failing' } },
      { operation: 'Flow.Refuse', params: { why: 'no' } },
    ],
  }),
  defineChain({ id: 'breaking', steps: [{ operation: 'Flow.Make', params: { name: 'breaking' } }, { operation: 'Flow.Break' }] }),
  defineChain({ id: 'slowAndFailing', steps: [{ operation: 'Flow.WaitAndMake' }, { operation: 'Flow.Refuse' }] }),
  defineChain({
    id: 'slowAndFine',
    steps: [{ operation: 'Flow.WaitAndMake' }, { operation: 'Flow.Note', params: { word: 'x' } }],
  }),
  defineChain({
    id: 'exit',
    steps: [{ operation: 'Flow.Make' }, { operation: 'RunOperation', params: { id: 'exiting' } }, { operation: 'Flow.Refuse' }],
  }),
  defineChain({ id: 'exiting', steps: [{ operation: 'Flow.Exit' }] }),
]

onEachServer(
  'chains',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const isThere = async (name: string) => (await server.as('Administrator').get(`/path${workspaces}/${name}`)).status === 200

    test('1.12 a chain runs each step with what the one before it gave, and a void step passes its input on', async () => {
      const body = requireStatus(200, await call('makeNote', {}, { properties: 'dublincore' }))
      assert.equal(body.type, 'Note')
      assert.equal(body.properties['dc:title'], 'From a chain')
    })

    test('1.1 a chain is found by its id, by an alias, and with Chain. before either', async () => {
      for (const id of ['noteMaker', 'Chain.makeNote', 'Chain.noteMaker']) requireStatus(200, await call(id))
    })

    test('1.12 declared parameters are read by their types, and defaults take the place of those that nobody gives', async () => {
      const params = { title: 'T', day: '2031-01-31', words: 'a,b' }
      const { value } = requireStatus(200, await call('declared', { params }))
      assert.deepEqual(value.call, { title: 'T', day: '2031-01-31T00:00:00.000Z', words: ['a', 'b'], count: 3 })
    })

    test('1.12 a declared parameter may come from a variable of the context', async () => {
      const { value } = requireStatus(200, await call('declared', { context: { title: 'from the context' } }))
      assert.equal(value.call.title, 'from the context')
    })

    test('1.12 a chain without a parameter that it requires is refused, and so is one that cannot be read', async () => {
      const missing = await call('declared')
      assert.equal(missing.status, 400)
      assert.match(
        missing.body.message,
        /^Failed to invoke operation: declared, Failed to inject parameter 'title'\..*Operation: declared$/,
      )
      const wrong = await call('declared', { params: { title: 'T', count: 'many' } })
      assert.equal(wrong.status, 400)
      assert.match(wrong.body.message, /Parameter 'count' must be of type long/)
    })

    test('1.6 what a step is told wins over what the call is told, which every step can see', async () => {
      const params = { text: 'of the call', other: 'for nobody' }
      const told = requireStatus(200, await call('told', { params }))
      assert.equal(told.value.text, 'of the step')
      const untold = requireStatus(200, await call('untold', { params }))
      assert.equal(untold.value.text, 'of the call')
      assert.equal(untold.value.call.other, 'for nobody')
    })

    test('1.6 what a client sends is never evaluated', async () => {
      const params = { text: 'expr:1+1', given: 'expr:@{CurrentUser.name}' }
      const { value } = requireStatus(200, await call('untold', { params, context: { text2: 'expr:2+2' } }))
      assert.deepEqual([value.text, value.given, value.variables.text2], ['expr:1+1', 'expr:@{CurrentUser.name}', 'expr:2+2'])
    })

    test('1.12 an inner chain is told what its step tells it beside what the outer one was told, and the outer gets its own back', async () => {
      const { value } = requireStatus(200, await call('outer', { params: { a: 'sent a' } }))
      assert.deepEqual(value.variables.seen, { a: 'sent a', b: 'told b', c: 'sent a!', d: 'inner d' })
      assert.deepEqual(value.variables.after, { a: 'sent a', b: 'outer b' })
    })

    test('1.5 of several methods the one is taken after which the rest of the chain can run', async () => {
      const { body } = await call('choosing', { input: `doc:${workspaces}` })
      assert.deepEqual(body, { 'entity-type': 'number', value: 2 })
      assert.equal((await call('Flow.Choice', { input: `doc:${workspaces}` })).body.value, true)
    })

    test('1.8 a chain that cannot run to its end is refused before it begins', async () => {
      const { status, body } = await call('impossible')
      assert.equal(status, 400)
      assert.match(body.message, /Cannot find any valid path in operation chain - no method found for operation 'Flow.Make'/)
      assert.equal(await isThere('impossible'), false)
    })

    test('1.4 an empty chain gives what it was given', async () => {
      assert.equal((await call('nothing')).status, 204)
      assert.equal(requireStatus(200, await call('nothing', { input: `doc:${workspaces}` })).path, workspaces)
    })

    test('1.5 an operation for each item sees in its expressions the item at hand', async () => {
      const [one, two] = [await bench.create('File', { 'dc:title': 'One' }), await bench.create('File', { 'dc:title': 'Two' })]
      const body = requireStatus(
        200,
        await call('forEach', { input: `docs:${one.uid},${two.uid}` }, { properties: 'dublincore' }),
      )
      assert.deepEqual(
        body.entries.map((entry: { properties: object }) => entry.properties['dc:description' as never]),
        ['about One', 'about Two'],
      )
    })

    test('a chain that runs itself by an operation comes to an end', async () => {
      const { status, body } = await call('endless')
      assert.equal(status, 400)
      assert.match(body.message, /Operations run each other more than 50 deep/)
    })

    test('1.8, 3.14 a refusal names the chain, the operation and the reason, and nothing is left of the chain', async () => {
      const { status, body } = await call('failing')
      assert.equal(status, 409)
      assert.equal(
        body.message,
        'Failed to invoke operation: failing, Failed to invoke operation Flow.Refuse with aliases [Flow.Decline], Refused: no',
      )
      assert.equal(await isThere('failing'), false)
    })

    test('1.8 of a defect nothing is told but that there is one, and nothing is left of the chain', async () => {
      const { status, body } = await call('breaking')
      assert.equal(status, 500)
      assert.equal(body.message, 'Failed to invoke operation: breaking')
      assert.equal(await isThere('breaking'), false)
    })

    test('a step that waits before the transaction and writes leaves nothing when a later one fails', async () => {
      const before = waited.times
      assert.equal((await call('slowAndFailing', { params: { slowName: 'slow-failing' } })).status, 409)
      assert.equal(await isThere('slow-failing'), false)
      // Once ahead, where it may not write, and once in the transaction.
      assert.equal(waited.times - before, 2)
    })

    test('a step that waits and writes is kept with the rest when all goes well, and written once', async () => {
      requireStatus(200, await call('slowAndFine', { params: { slowName: 'slow-fine' } }))
      assert.equal(await isThere('slow-fine'), true)
      assert.equal(await isThere('slow-fine.1'), false)
      const children = await server.as('Administrator').get(`/path${workspaces}/@children?pageSize=1000`)
      const made = children.body.entries.filter(({ path }: { path: string }) => path.includes('slow-fine'))
      assert.equal(made.length, 1)
    })

    test('1.8, 3.14 a call that ends early answers normally, and keeps what it wrote', async () => {
      const body = requireStatus(200, await call('exit', { params: { name: 'exit-kept' } }))
      assert.equal(body.path, `${workspaces}/exit-kept`)
      assert.equal(await isThere('exit-kept'), true)
    })

    test('1.8 a call that ends early with everything undone answers normally, with the status of its choice', async () => {
      const body = requireStatus(206, await call('exit', { params: { name: 'exit-undone', undone: true, status: 206 } }))
      assert.equal(body.path, `${workspaces}/exit-undone`)
      assert.equal(await isThere('exit-undone'), false)
    })
  },
  { plugins: [flowPlugin(...chains)] },
)
