import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import type { Operation, OperationMethod } from '../../src/automation/operation.ts'
import { optional, required } from '../../src/automation/parameter.ts'
import { mayCall } from '../../src/automation/registry.ts'
import { defineScript } from '../../src/automation/script.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createPrincipal } from '../../src/model/rights/principal.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { type ApiAnswer, startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { operationsOn } from '../support/operations.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { batchOf, beginBatch } from '../support/uploads.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

/** What somebody asks for, wherever they ask. */
interface Chosen {
  readonly id: string
  readonly params: object
}

type Needed = 'nothing' | 'document' | 'file' | 'page' | 'list'

/** An operation that runs another one, which it is told by its parameter `id`. */
interface Runner {
  readonly id: string
  readonly needs: Needed
  readonly more?: object
  /** Whether what it runs can be told something else than itself. */
  readonly passesParameters: boolean
}

const apart = { newTx: true, rollbackGlobalOnError: false }

const runners: readonly Runner[] = [
  { id: 'RunOperation', needs: 'nothing', passesParameters: true },
  { id: 'RunDocumentOperation', needs: 'document', passesParameters: true },
  { id: 'RunDocumentOperation', needs: 'document', more: apart, passesParameters: true },
  { id: 'RunFileOperation', needs: 'file', passesParameters: true },
  { id: 'RunFileOperation', needs: 'file', more: apart, passesParameters: true },
  { id: 'RunOperationOnList', needs: 'list', more: { list: 'items' }, passesParameters: true },
  { id: 'RunOperationOnList', needs: 'list', more: { list: 'items', ...apart }, passesParameters: true },
  { id: 'RunOperationOnListInNewTx', needs: 'list', more: { list: 'items' }, passesParameters: false },
  { id: 'Context.RunDocumentOperationInNewTx', needs: 'nothing', passesParameters: true },
  { id: 'RunOperationOnProvider', needs: 'page', passesParameters: false },
]

const depths = [1, 2, 3] as const

function runBy({ id, more = {} }: Runner, inner: Chosen): Chosen {
  return { id, params: { id: inner.id, parameters: inner.params, ...more } }
}

const runOperation = runners[0] as Runner

function nested(runner: Runner, depth: number, id: string): Chosen {
  let chosen = runBy(runner, { id, params: {} })
  for (let level = 1; level < depth; level++) chosen = runBy(runner.passesParameters ? runner : runOperation, chosen)
  return chosen
}

const of = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })
const text = (name: string) => `expr:ChainParameters["${name}"]`

const chains = [
  defineChain({ id: 'runWhatIsSaid', steps: [of('RunOperation')] }),
  defineChain({
    id: 'runByExpression',
    params: { which: required('string'), told: optional('map') },
    steps: [of('RunOperation', { id: text('which'), parameters: text('told') })],
  }),
  defineChain({ id: 'runByNull', steps: [of('RunOperation', { id: null, parameters: null })] }),
  defineChain({ id: 'declares', steps: [of('Specimen.ForAdministrators')] }),
  defineChain({ id: 'declaresByName', steps: [of('RunOperation', { id: 'Specimen.ForAdministrators' })] }),
  defineChain({
    id: 'declaresTwice',
    steps: [of('RunOperation', { id: 'RunOperation', parameters: { id: 'Specimen.ForAdministrators' } })],
  }),
  defineChain({ id: 'declaresForInner', steps: [of('runWhatIsSaid', { id: 'Specimen.ForAdministrators' })] }),
  defineChain({ id: 'asServerInBulk', steps: [of('Auth.LoginAs'), of('Bulk.RunAction')] }),
]

const scripts = [
  defineScript({
    id: 'Test.CallWhatIsSaid',
    description: 'Calls what it is told to.',
    input: 'object',
    output: 'void',
    params: { which: required('string'), told: optional('map') },
    run: async (_, { call, params: { which, told = {} }, context }) => {
      const input = context.input.kind === 'document' ? context.input.document : undefined
      await call(which, { input, params: told as never, gives: 'object' })
    },
  }),
  defineScript({
    id: 'Test.CallsForOthers',
    description: 'Calls what only others may.',
    input: 'void',
    output: 'void',
    runs: ['Specimen.ForAdministrators'],
    run: async (_, { call }) => void (await call('Specimen.ForAdministrators', { gives: 'void' })),
  }),
]

const plugins = [specimenOperations, definePlugin({ name: 'chosen', chains, operations: scripts })]

// Who may call what is decided before anything is stored, so that one engine says as much as two.
describe('1.14 an operation that a caller may not call', () => {
  let server: TestServer
  const ran: string[] = []
  let restricted: readonly Operation[]
  let folder: Answered
  let batchId: { readonly [user: string]: string }

  before(async () => {
    server = await startTestServer({ plugins, settings: { backgroundMaxWaiting: 100_000 } })
    await server.addUser('nobody')
    const bench = workbenchOn(server)
    folder = await bench.create('Folder', {}, { name: 'chosen' })
    await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('nobody', 'ReadWrite')] }])
    await bench.create('File', { 'dc:title': 'one' }, { parent: folder.path, name: 'one' })
    batchId = { nobody: await aBatch('nobody'), Administrator: await aBatch('Administrator') }
    const nobody = createPrincipal('nobody', [], { isAdministrator: false })
    restricted = server.services.operations.operations.filter(
      (operation) => !mayCall({ kind: 'operation', operation }, nobody, { baseUrl: 'http://test/' }),
    )
    for (const operation of restricted) spyOn(operation)
  })

  after(() => server.stop())

  async function aBatch(user: string): Promise<string> {
    const batch = await beginBatch(server, user)
    await batch.send(0, 'content', { 'X-File-Name': 'a.txt' })
    return batch.id
  }

  /** Takes everything and does nothing but leave its name. The registry's operations are this server's own. */
  function spyOn(operation: Operation): void {
    const method: OperationMethod = { input: 'void', output: 'void', isItemwise: false, run: () => void ran.push(operation.id) }
    Object.assign(operation, { methods: [method], params: {}, effect: 'reads' })
  }

  const context = { items: ['a'] }
  const noDrop = { 'X-Batch-No-Drop': 'true' }

  const inputFor = (needs: Needed): object => {
    if (needs === 'document') return { input: `doc:${folder.uid}` }
    if (needs === 'file') return { input: { data: 'text', name: 'a.txt', 'mime-type': 'text/plain' } }
    return {}
  }

  type Door = (user: string, chosen: Chosen, needs: Needed) => Promise<ApiAnswer> | undefined
  const told = ({ id, params }: Chosen) => ({ which: id, told: params })

  const doors: { readonly [name: string]: Door } = {
    execute: (user, { id, params }, needs) =>
      needs === 'page' ? undefined : operationsOn(server, user)(id, { params, context, ...inputFor(needs) }),
    '@op': (user, { id, params }, needs) => {
      const tail = needs === 'page' ? '@children/@op' : '@op'
      return server.as(user).post(`/id/${folder.uid}/${tail}/${id}`, { params, context, ...inputFor(needs) })
    },
    '@async': (user, { id, params }, needs) =>
      needs === 'page' ? undefined : server.as(user).post(`/automation/${id}/@async`, { params, context, ...inputFor(needs) }),
    'batch execute': (user, { id, params }, needs) =>
      needs === 'page' || needs === 'document'
        ? undefined
        : batchOf(server, batchId[user] ?? '', user).post(`/execute/${id}`, { params, context }, noDrop),
    'file execute': (user, { id, params }, needs) =>
      needs === 'page' || needs === 'document'
        ? undefined
        : batchOf(server, batchId[user] ?? '', user).post(`/0/execute/${id}`, { params, context }, noDrop),
    'a chain that says nothing': (user, { params }, needs) =>
      needs === 'page' ? undefined : operationsOn(server, user)('runWhatIsSaid', { params, context, ...inputFor(needs) }),
    'a chain that says null': (user, { params }, needs) =>
      needs === 'page' ? undefined : operationsOn(server, user)('runByNull', { params, context, ...inputFor(needs) }),
    'a chain with an expression': (user, chosen, needs) =>
      needs === 'page'
        ? undefined
        : operationsOn(server, user)('runByExpression', { params: told(chosen), context, ...inputFor(needs) }),
    'a script': (user, chosen, needs) =>
      needs === 'page' || needs === 'file'
        ? undefined
        : operationsOn(server, user)('Test.CallWhatIsSaid', { params: told(chosen), context, ...inputFor(needs) }),
  }

  const bulk = (user: string, { id, params }: Chosen, by = 'Bulk.RunAction') =>
    operationsOn(server, user)(by, {
      params: {
        action: 'automation',
        query: `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'`,
        parameters: JSON.stringify({ operationId: id, parameters: params }),
      },
    })

  const takesDocuments = ({ needs }: Runner) => needs === 'nothing' || needs === 'document'

  /** Whatever leads to it: each runner inside itself, so deep, through the door. Several operations share the depths among them. */
  async function tryAll(user: string, ids: readonly string[], each: (answer: ApiAnswer, way: string) => Promise<void>) {
    for (const [door, open] of Object.entries(doors)) {
      for (const [turn, runner] of runners.entries()) {
        for (const [level, depth] of depths.entries()) {
          const share = ids.filter((_, index) => ids.length === 1 || (index + turn) % depths.length === level)
          const tried = share.map(async (id) => {
            const answer = await open(user, nested(runner, depth, id), runner.needs)
            if (answer !== undefined) await each(answer, `${door}: ${id} by ${runner.id}, ${depth} deep`)
          })
          await Promise.all(tried)
        }
      }
    }
  }

  test('is reached by an administrator on each way that the tests below try', async () => {
    await tryAll('Administrator', ['Auth.LoginAs'], async ({ status, text: body }, way) => {
      if (way.startsWith('@async')) await untilIdle(server)
      assert.ok(status < 300, `${way}: ${status} ${body}`)
      assert.deepEqual(new Set(ran.splice(0)), new Set(['Auth.LoginAs']), way)
    })
    for (const runner of runners.filter(takesDocuments)) {
      for (const depth of depths) {
        requireStatus(200, await bulk('Administrator', nested(runner, depth, 'Auth.LoginAs')))
        await untilIdle(server)
        assert.deepEqual(ran.splice(0), ['Auth.LoginAs'], `${runner.id}, ${depth} deep`)
      }
    }
  })

  test('is what the registry says, and there are many', () => {
    const ids = restricted.map(({ id }) => id)
    for (const id of ['Auth.LoginAs', 'User.CreateOrUpdate', 'Blob.ExportToFS', 'Blob.CreateFromURL', 'RunScript']) {
      assert.ok(ids.includes(id), id)
    }
  })

  test('is not run by any other, however deep, whichever door leads there', async () => {
    const ids = restricted.map(({ id }) => id)
    await tryAll('nobody', ids, async ({ status, text: body }, way) => {
      // Whether it is refused at once or, in the background, later.
      assert.ok(status === (way.startsWith('@async') ? 202 : 404), `${way}: ${status} ${body}`)
      assert.deepEqual(ran.splice(0), [], way)
    })
    await untilIdle(server)
    assert.deepEqual(ran.splice(0), [])
  })

  test('is not run by any other on the documents of a bulk action', async () => {
    const runnersOfDocuments = runners.filter(takesDocuments)
    for (const [index, { id }] of restricted.entries()) {
      assert.equal((await bulk('nobody', { id, params: {} })).status, 403, id)
      for (const depth of depths) {
        const runner = runnersOfDocuments[(index + depth) % runnersOfDocuments.length] as Runner
        requireStatus(200, await bulk('nobody', nested(runner, depth, id)))
        requireStatus(200, await bulk('nobody', nested(runner, depth, id), 'asServerInBulk'))
      }
    }
    await untilIdle(server)
    assert.deepEqual(new Set(ran.splice(0)), new Set(['Auth.LoginAs']), 'only the step of the chain itself')
  })

  test('is run by a chain or a script that has written down its id', async () => {
    for (const id of ['declares', 'declaresByName', 'declaresTwice', 'declaresForInner', 'Test.CallsForOthers']) {
      const { status, text: body } = await operationsOn(server, 'nobody')(id, { params: { which: 'x' } })
      assert.ok(status < 300, `${id}: ${status} ${body}`)
      assert.deepEqual(ran.splice(0), ['Specimen.ForAdministrators'], id)
    }
  })

  test('is not what a chain runs instead because the caller says so', async () => {
    for (const id of ['declaresByName', 'declaresTwice', 'declaresForInner']) {
      await operationsOn(server, 'nobody')(id, { params: { id: 'Auth.LoginAs' }, context: { id: 'Auth.LoginAs' } })
      assert.deepEqual(ran.splice(0), ['Specimen.ForAdministrators'], id)
    }
  })
})
