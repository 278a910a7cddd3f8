import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { defineBulkAction } from '../../src/core/bulk/bulk-action.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { freshPostgresSchema } from '../support/postgres.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const files = 30

/** Adds one to a number of the document: whatever was done twice shows. */
const counting = definePlugin({
  name: 'counting',
  bulkActions: [
    defineBulkAction({
      name: 'count',
      isOpen: true,
      batchSize: 2,
      async run({ tx }, id) {
        await wait(10)
        const before = await tx.documents.findForUpdate(id)
        if (before === undefined) return
        const count = Number(before.properties['dc:source'] ?? 0) + 1
        await tx.documents.update(before, { ...before, properties: { ...before.properties, 'dc:source': String(count) } })
      },
    }),
  ],
})

async function databaseOf(engine: 'sqlite' | 'postgres'): Promise<{ readonly [name: string]: unknown }> {
  if (engine === 'sqlite') return {}
  const { url, schema } = await freshPostgresSchema()
  return { databaseUrl: url, databaseSchema: schema }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a bulk action that is under way when the server stops (${engine})`, () => {
    test('goes on where it was once the server is there again, and does nothing twice', async () => {
      const data = await mkdtemp(join(tmpdir(), 'quire-bulk-'))
      const settings = { data, ...(await databaseOf(engine)) }
      const start = () => startTestServer({ plugins: [counting], settings })
      let server: TestServer = await start()
      try {
        const bench = workbenchOn(server)
        const made = await Promise.all(Array.from({ length: files }, () => bench.create('File')))
        const query = "SELECT * FROM File WHERE ecm:path STARTSWITH '/default-domain/workspaces'"
        const address = `/search/bulk/count?${new URLSearchParams({ query })}`
        const { commandId } = requireStatus(202, await server.as('Administrator').post(address, {}))
        await wait(150)
        await server.stop()

        server = await start()
        const status = () => server.as('Administrator').get(`/bulk/${commandId}`)
        await untilIdle(server)
        const { state, processed, total, errorCount } = requireStatus(200, await status())
        assert.deepEqual(
          { state, processed, total, errorCount },
          { state: 'COMPLETED', processed: files, total: files, errorCount: 0 },
        )
        const again = workbenchOn(server)
        const counts = await Promise.all(made.map(async ({ uid }) => (await again.readProperties(uid))['dc:source']))
        assert.deepEqual(new Set(counts), new Set(['1']))
      } finally {
        await server.stop()
        await rm(data, { recursive: true, force: true })
      }
    })
  })
}
