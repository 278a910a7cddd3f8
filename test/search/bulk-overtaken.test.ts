import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineBulkAction } from '../../src/core/bulk/bulk-action.ts'
import { batchKind } from '../../src/core/bulk/bulk-job.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

/** Which documents had the slow action, as often as they had it. */
const slowlyDone: string[] = []
let [began, overtaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
const apart = defineBulkAction({
  name: 'apart',
  isOpen: true,
  run: async () => assert.fail('it has a slow way'),
  findSlowRun: () => async (_access, id) => {
    slowlyDone.push(id)
    if (slowlyDone.length > 1) return overtaken.resolve()
    began.resolve()
    await overtaken.promise
  },
})

onEachServer(
  'a slow bulk action that two workers have, as the first was taken for dead',
  (server) => {
    test('counts no document twice, and so leaves none out', async () => {
      const bench = workbenchOn(server)
      slowlyDone.length = 0
      ;[began, overtaken] = [Promise.withResolvers(), Promise.withResolvers()]
      const folder = await bench.create('Folder')
      for (let index = 0; index < 4; index++) await bench.create('File', {}, { parent: folder.path, name: `f${index}` })
      const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'`
      const address = `/search/bulk/apart?${new URLSearchParams({ query })}`
      const { commandId } = requireStatus(202, await server.as('Administrator').post(address, {}))
      await began.promise
      await server.asSystem(({ tx }) => tx.jobs.add(batchKind, { commandId }))
      await untilIdle(server)
      const { state, processed } = requireStatus(200, await server.as('Administrator').get(`/bulk/${commandId}`))
      assert.equal(slowlyDone[0], slowlyDone[1])
      assert.deepEqual([state, processed, new Set(slowlyDone).size], ['COMPLETED', 4, 4])
    })
  },
  { plugins: [definePlugin({ name: 'slow-actions', bulkActions: [apart] })], settings: { backgroundBulkWorkers: 2 } },
)
