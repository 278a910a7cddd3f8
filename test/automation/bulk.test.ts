import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { defineBulkAction } from '../../src/core/bulk/bulk-action.ts'
import { PermanentFailure } from '../../src/core/jobs/worker.ts'
import { definePageProvider } from '../../src/core/search/providers/page-provider.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/accounts.ts'
import { bulkOn, scheduledByBob } from '../support/bulk.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'

const batches: number[] = []

const plugin = definePlugin({
  name: 'test-bulk-operations',
  bulkActions: [
    defineBulkAction({
      name: 'hopeless',
      isOpen: true,
      produce: async () => {
        throw new PermanentFailure('the disk is gone')
      },
    }),
    defineBulkAction({ name: 'slowly', isOpen: true, batchSize: 1, run: async () => void (await wait(30)) }),
    defineBulkAction({
      name: 'counting',
      isOpen: true,
      run: async () => undefined,
      runAll: async (_session, ids) => void batches.push(ids.length),
    }),
  ],
  pageProviders: [
    definePageProvider({
      name: 'filesOf',
      pattern: 'SELECT * FROM File WHERE ecm:parentId = ?',
      quickFilters: [{ name: 'second', clause: "dc:title = 'file 1'" }],
    }),
    definePageProvider({ name: 'titled', pattern: 'SELECT * FROM File WHERE dc:title = :title AND ecm:parentId = :folder' }),
  ],
})

onEachServer(
  'Bulk.RunAction',
  (server) => {
    const { bench, filesInFolder, ended, start, run, valuesOf } = bulkOn(server)
    const asBob = operationsOn(server, 'bob')
    const same = '{"dc:description":"same"}'
    before(() => server.addUser('bob', ['members']))

    test('is answered at once with a status that stands in itself once more', async () => {
      const { query } = await filesInFolder(1)
      const params = { action: 'setProperties', query, parameters: same }
      const answer = requireStatus(200, await asBob('Bulk.RunAction', { params }))
      const { commandId, submitted: _, ...status } = answer.value
      assert.equal(answer['entity-type'], 'bulkStatus')
      assert.deepEqual(status, scheduledByBob)
      assert.deepEqual((({ state, total }) => [state, total])(await ended({ commandId })), ['COMPLETED', 1])
    })

    test('does what the action says to all documents of the query, whose ? it fills', async () => {
      const { files, folder } = await filesInFolder(3)
      const query = 'SELECT * FROM File WHERE ecm:parentId = ? AND dc:title <> ?'
      await run({ action: 'setProperties', query, queryParams: [folder.uid, 'file 1'], parameters: same })
      assert.deepEqual(await valuesOf(files, 'dc:description'), ['same', null, 'same'])
    })

    test('passes over a property that is gone', async () => {
      const { files, query } = await filesInFolder(1)
      const { state } = await run({ action: 'setProperties', query, parameters: '{"common:size":"5","dc:source":"new"}' })
      assert.deepEqual([state, await valuesOf(files, 'dc:source')], ['COMPLETED', ['new']])
    })

    test('takes the documents of a page provider, of its quick filters and its named parameters', async () => {
      const { files, folder } = await filesInFolder(3)
      const all = { action: 'setProperties', providerName: 'filesOf', queryParams: folder.uid }
      await run({ ...all, quickFilters: ['second'], parameters: same })
      assert.deepEqual(await valuesOf(files, 'dc:description'), [null, 'same', null])
      await run({ ...all, parameters: '{"dc:source":"all"}' })
      assert.deepEqual(await valuesOf(files, 'dc:source'), ['all', 'all', 'all'])
      const namedParameters = { title: 'file 2', folder: folder.uid }
      await run({ action: 'setProperties', providerName: 'titled', namedParameters, parameters: '{"dc:rights":"named"}' })
      assert.deepEqual(await valuesOf(files, 'dc:rights'), [null, null, 'named'])
    })

    test('is over when its job is given up, with all that is left counted as failed', async () => {
      const { query } = await filesInFolder(2)
      const { state, error, errorCount, errorMessage, commandId } = await run({ action: 'hopeless', query })
      assert.deepEqual([state, error, errorCount, errorMessage], ['ABORTED', true, 2, 'Internal Server Error'])
      const { entries } = requireStatus(200, await server.as('Administrator').get('/management/bulk'))
      assert.ok(entries.every((one: { commandId: string }) => one.commandId !== commandId))
    })

    test('leaves the documents of excludeDocs alone and does not count them', async () => {
      const { files, query } = await filesInFolder(4)
      const excludeDocs = [files[0]?.uid, files[3]?.uid]
      const { total, processed, state } = await run({ action: 'setProperties', query, excludeDocs, parameters: same })
      assert.deepEqual({ total, processed, state }, { total: 2, processed: 2, state: 'COMPLETED' })
      assert.deepEqual(await valuesOf(files, 'dc:description'), [null, 'same', 'same', null])
    })

    test('is completed at once when all that is found is excluded', async () => {
      const { files, query } = await filesInFolder(2)
      const excludeDocs = files.map(({ uid }) => uid).join(',')
      const { total, state } = await run({ action: 'setProperties', query, excludeDocs, parameters: same })
      assert.deepEqual([total, state], [0, 'COMPLETED'])
    })

    test('does as many documents at once as batchSize says', async () => {
      const { query } = await filesInFolder(5)
      batches.length = 0
      await run({ action: 'counting', query, batchSize: 2, bucketSize: 100 })
      assert.deepEqual(batches, [2, 2, 1])
    })

    test('does no more documents at once than others may wait for, whatever batchSize says', async () => {
      const { query } = await filesInFolder(103)
      batches.length = 0
      await run({ action: 'counting', query, batchSize: 2_147_483_647 })
      assert.deepEqual(batches, [100, 3])
    })

    test('acts with the rights of who started it, and counts what they may not', async () => {
      const { files, query } = await filesInFolder(3)
      const [hidden, readable] = files
      await bench.restrict(hidden?.uid)
      await bench.restrict(readable?.uid, grant('bob', 'Read'))
      const { total, errorCount, errorMessage } = await run({ action: 'setProperties', query, parameters: same })
      assert.deepEqual([total, errorCount], [2, 1], 'what cannot be read is not found')
      assert.match(errorMessage, /WriteProperties/)
      assert.deepEqual(await valuesOf(files, 'dc:description'), [null, null, 'same'])
    })

    test('acts in another repository when that is named, where there is one', async () => {
      const { query } = await filesInFolder(1)
      assertRefused(
        await asBob('Bulk.RunAction', { params: { action: 'counting', query, repositoryName: 'elsewhere' } }),
        404,
        /There is no repository elsewhere\.$/,
      )
      assert.equal((await run({ action: 'counting', query, repositoryName: 'default' })).total, 1)
    })

    test('ignores parameters that it does not know', async () => {
      const { query } = await filesInFolder(1)
      assert.equal((await run({ action: 'counting', query, somethingElse: true })).state, 'COMPLETED')
    })

    describe('is refused', () => {
      const query = 'SELECT * FROM File'
      for (const [why, params, status, message] of [
        ['without an action', { query }, 400, /Failed to inject parameter 'action'/],
        ['with an unknown action', { action: 'nothing', query }, 404, /There is no bulk action nothing\.$/],
        ['without a query and a provider', { action: 'setProperties' }, 400, /send a query, or the providerName/],
        ['with a blank query', { action: 'setProperties', query: ' ' }, 400, /send a query, or the providerName/],
        ['with an unknown provider', { action: 'setProperties', providerName: 'nobody' }, 404, /'nobody'$/],
        ['with a ? that nothing fills', { action: 'setProperties', query: `${query} WHERE dc:title = ?` }, 400, /\?/],
        ['with a query that is none', { action: 'setProperties', query: 'SELECT' }, 400, /./],
        ['with parameters that are no JSON', { action: 'setProperties', query, parameters: '{oops' }, 400, /JSON object/],
        ['with parameters that are no object', { action: 'setProperties', query, parameters: '[]' }, 400, /JSON object/],
        ['with a property that nothing has', { action: 'setProperties', query, parameters: '{"a:b":1}' }, 400, /a:b/],
        ['with a batch of nothing', { action: 'setProperties', query, batchSize: 0 }, 400, /batchSize must be at least 1/],
        ['for what is for administrators', { action: 'trash', query }, 403, /is for administrators/],
      ] as const) {
        test(`${why} with ${status}`, async () => {
          assertRefused(await asBob('Bulk.RunAction', { params }), status, message)
        })
      }

      test('and then nothing is started', async () => {
        const pending = () => server.services.repositories.get('default')?.store.reader.jobs.list({ kind: 'bulkScroll' }, 9)
        await asBob('Bulk.RunAction', { params: { action: 'trash', query } })
        assert.deepEqual(await pending(), [])
      })
    })

    describe('Bulk.WaitForAction', () => {
      const asAdministrator = operationsOn(server)

      test('gives true once the command is over', async () => {
        const { query } = await filesInFolder(3)
        const { commandId } = await start({ action: 'slowly', query })
        const answer = await asAdministrator('Bulk.WaitForAction', { params: { commandId } })
        assert.deepEqual(requireStatus(200, answer), { 'entity-type': 'boolean', value: true })
        const status = requireStatus(200, await server.as('bob').get(`/bulk/${commandId}`))
        assert.deepEqual([status.state, status.processed], ['COMPLETED', 3])
      })

      test('gives false when it takes longer', async () => {
        const { query } = await filesInFolder(3)
        const { commandId } = await start({ action: 'slowly', query })
        const answer = await asAdministrator('Bulk.WaitForAction', { params: { commandId, timeoutSecond: 0 } })
        assert.equal(requireStatus(200, answer).value, false)
        await ended({ commandId })
      })

      test('is refused for a command that there is not, and hidden from whoever is no administrator', async () => {
        const params = { commandId: 'none' }
        assertRefused(await asAdministrator('Bulk.WaitForAction', { params }), 404, /with id=none doesn't exist$/)
        assert.equal((await asBob('Bulk.WaitForAction', { params })).status, 404)
        assertRefused(await asAdministrator('Bulk.WaitForAction'), 400, /Failed to inject parameter 'commandId'/)
      })
    })
  },
  { plugins: [plugin] },
)
