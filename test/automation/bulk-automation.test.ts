import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ChainExit } from '../../src/automation/call-failure.ts'
import { defineChain } from '../../src/automation/chain.ts'
import { defineOperation } from '../../src/automation/operation.ts'
import { required } from '../../src/automation/parameter.ts'
import { isWriting } from '../../src/core/access.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/accounts.ts'
import { bulkOn } from '../support/bulk.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'

const lists: number[] = []
const surroundings: { readonly isInTransaction: boolean; readonly baseUrl: string }[] = []

const category = 'Test'

const noteList = defineOperation({
  id: 'Test.NoteList',
  category,
  description: 'Notes how many documents it was handed.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('documents', 'documents', (documents) => {
      lists.push(documents.length)
      return documents
    }),
  ],
})

const describeSlowly = defineOperation({
  id: 'Test.DescribeSlowly',
  category,
  description: 'Describes the document by something that has to be waited for.',
  effect: 'waits',
  params: { text: required('string') },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params, context }) => {
      surroundings.push({ isInTransaction: isWriting(session), baseUrl: context.host.baseUrl })
      return context.write((writing) => saveDocument(writing, document.id, { 'dc:description': params.text }))
    }),
  ],
})

const forAdministrators = defineOperation({
  id: 'Test.ForAdministrators',
  category,
  description: 'Does nothing, for administrators.',
  effect: 'writes',
  access: { administrators: true },
  params: {},
  run: ({ each }) => [each('document', 'document', (document) => document)],
})

const changeMind = defineOperation({
  id: 'Test.ChangeMind',
  category,
  description: 'Ends the chain and has all undone.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [
    each('document', 'document', (document) => {
      throw new ChainExit({ kind: 'document', document }, true)
    }),
  ],
})

const plugin = definePlugin({
  name: 'test-bulk-automation',
  operations: [noteList, describeSlowly, forAdministrators, changeMind],
  chains: [
    defineChain({
      id: 'describeInVain',
      steps: [{ operation: 'Document.Update', params: { properties: 'dc:description=vain' } }, { operation: 'Test.ChangeMind' }],
    }),
    defineChain({
      id: 'describeTwice',
      steps: [
        { operation: 'Document.Update', params: { properties: 'dc:description=first' } },
        { operation: 'Document.Update', params: { properties: 'dc:source=second' } },
      ],
    }),
  ],
})

onEachServer(
  'the bulk action automation',
  (server) => {
    const { bench, filesInFolder, run, valuesOf } = bulkOn(server)
    const asBob = operationsOn(server, 'bob')
    before(() => server.addUser('bob', ['members']))

    const updateWith = (properties: unknown) => JSON.stringify({ operationId: 'Document.Update', parameters: { properties } })

    for (const action of ['automation', 'automationUi']) {
      test(`runs an operation on each document, called ${action}`, async () => {
        const { files, query } = await filesInFolder(12)
        const { state, total, errorCount } = await run({ action, query, parameters: updateWith({ 'dc:description': 'done' }) })
        assert.deepEqual([state, total, errorCount], ['COMPLETED', 12, 0])
        assert.deepEqual(new Set(await valuesOf(files, 'dc:description')), new Set(['done']))
      })
    }

    test('leaves out the documents of excludeDocs', async () => {
      const { files, query } = await filesInFolder(3)
      const excludeDocs = files[1]?.uid
      await run({ action: 'automationUi', query, excludeDocs, parameters: updateWith('dc:description=done') })
      assert.deepEqual(await valuesOf(files, 'dc:description'), ['done', null, 'done'])
    })

    test('does so with the rights of who started it, and who did it is told', async () => {
      const { files, query } = await filesInFolder(1)
      await run({ action: 'automation', query, parameters: updateWith('dc:description=mine') })
      assert.deepEqual(await valuesOf(files, 'dc:lastContributor'), ['bob'])
    })

    test('hands a list to an operation that takes lists, a batch at a time', async () => {
      const { query } = await filesInFolder(12)
      lists.length = 0
      await run({ action: 'automation', query, parameters: '{"operationId":"Test.NoteList"}' })
      assert.deepEqual(lists, [10, 2])
    })

    test('runs chains', async () => {
      const { files, query } = await filesInFolder(2)
      await run({ action: 'automation', query, parameters: '{"operationId":"Chain.describeTwice"}' })
      assert.deepEqual(await valuesOf(files, 'dc:description'), ['first', 'first'])
      assert.deepEqual(await valuesOf(files, 'dc:source'), ['second', 'second'])
    })

    test('undoes what a chain did that ends well and has it undone', async () => {
      const { files, query } = await filesInFolder(2)
      const { state, errorCount } = await run({ action: 'automation', query, parameters: '{"operationId":"describeInVain"}' })
      assert.deepEqual([state, errorCount], ['COMPLETED', 0])
      assert.deepEqual(await valuesOf(files, 'dc:description'), [null, null])
    })

    test('counts the documents that an operation fails on, says why, and goes on with the others', async () => {
      const { folder, files } = await filesInFolder(2)
      const note = await bench.create('Note', {}, { parent: folder.path, name: 'a-note' })
      const query = `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`
      const parameters = updateWith({ 'note:note': 'text' })
      const { state, total, errorCount, errorMessage, error } = await run({ action: 'automation', query, parameters })
      assert.deepEqual([state, total, errorCount, error], ['COMPLETED', 3, 2, true])
      assert.match(errorMessage, /^Failed to invoke operation: Document\.Update, .*note:note/)
      assert.deepEqual(await valuesOf([note], 'note:note'), ['text'])
      assert.equal(files.length, 2)
    })

    test('passes over a document that went with its folder', async () => {
      const { folder } = await filesInFolder(2)
      const below = `SELECT * FROM Document WHERE ecm:uuid = '${folder.uid}' OR ecm:ancestorId = '${folder.uid}'`
      const status = await run(
        { action: 'automation', query: below, parameters: '{"operationId":"Document.Delete"}' },
        'Administrator',
      )
      assert.deepEqual([status.total, status.processed, status.errorCount], [3, 3, 0])
    })

    test('runs what waits for something else outside of the transaction, and its documents are counted one by one', async () => {
      const { files, query } = await filesInFolder(3)
      surroundings.length = 0
      const parameters = JSON.stringify({ operationId: 'Test.DescribeSlowly', parameters: { text: 'waited' } })
      const { state, processed } = await run({ action: 'automation', query, parameters })
      assert.deepEqual([state, processed], ['COMPLETED', 3])
      assert.deepEqual(await valuesOf(files, 'dc:description'), ['waited', 'waited', 'waited'])
      assert.deepEqual(
        surroundings,
        files.map(() => ({ isInTransaction: false, baseUrl: server.url })),
      )
    })

    test('counts the documents on which that fails', async () => {
      const { query } = await filesInFolder(2)
      const parameters = JSON.stringify({ operationId: 'Test.DescribeSlowly', parameters: {} })
      const { state, errorCount, errorMessage } = await run({ action: 'automation', query, parameters })
      assert.deepEqual([state, errorCount], ['COMPLETED', 2])
      assert.match(errorMessage, /Failed to inject parameter 'text'/)
    })

    test('can be started over REST, too', async () => {
      const { files, query } = await filesInFolder(1)
      const body = JSON.parse(updateWith('dc:description=rest'))
      const answer = await server.as('bob').post(`/search/bulk/automation?${new URLSearchParams({ query })}`, body)
      assert.equal(answer.status, 202)
      await operationsOn(server)('Bulk.WaitForAction', { params: { commandId: answer.body.commandId } })
      assert.deepEqual(await valuesOf(files, 'dc:description'), ['rest'])
    })

    test('started asynchronously is followed to its end by the status of the call', async () => {
      const { files, query } = await filesInFolder(3)
      const params = { action: 'automation', query, parameters: updateWith('dc:description=async') }
      const submitted = await server.as('bob').post('/automation/Bulk.RunAction/@async', { params })
      assert.equal(submitted.status, 202)
      const status = await follow(submitted.headers.get('location'))
      assert.equal(status.status, 303)
      assert.deepEqual(await valuesOf(files, 'dc:description'), ['async', 'async', 'async'])
      const result = requireStatus(200, await follow(status.headers.get('location')))
      assert.deepEqual([result['entity-type'], result.value.commandId.length], ['bulkStatus', 36])
    })

    const follow = (address: string | null) => server.as('bob').call('GET', address ?? 'nowhere')

    describe('is refused', () => {
      const query = 'SELECT * FROM File'
      for (const [why, parameters, status, message] of [
        ['without an operation', '{}', 400, /Unknown operation id null in command:/],
        ['with an operation that there is not', '{"operationId":"No.Such"}', 400, /Unknown operation id No\.Such in command:/],
        ['with an operation that is no name', '{"operationId":7}', 400, /Unknown operation id null in command:/],
        ['with parameters that are no object', '{"operationId":"Document.Update","parameters":3}', 400, /must be a JSON object/],
        ['for an operation that is not for the caller', '{"operationId":"Test.ForAdministrators"}', 403, /is not for 'bob'/],
      ] as const) {
        test(`${why} with ${status}`, async () => {
          assertRefused(await asBob('Bulk.RunAction', { params: { action: 'automation', query, parameters } }), status, message)
        })
      }

      test('over REST in the very words that clients know', async () => {
        const answer = await server.as('bob').post(`/search/bulk/automation?${new URLSearchParams({ query })}`, {})
        assertRefused(answer, 400, /^Unknown operation id null in command:/)
      })
    })
  },
  { plugins: [plugin] },
)
