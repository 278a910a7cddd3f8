import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freshPostgresSchema } from '../support/postgres.ts'
import { compareWorlds } from './compare-worlds.ts'

const settingsOn = {
  sqlite: async () => ({}),
  postgres: async () => {
    const { url, schema } = await freshPostgresSchema()
    return { databaseUrl: url, databaseSchema: schema }
  },
}

describe('servers that differ only in what a user may not read', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    test(`give that user the same answers (${engine})`, async () => {
      const settings = [await settingsOn[engine](), await settingsOn[engine]()] as const
      const { compared, statuses, differences } = await compareWorlds(settings, {
        requests: 150,
        seed: Number(process.env['QUIRE_TEST_SEED'] ?? 1),
      })
      const told = differences.map(
        ({ number, request, at }) => `${number} ${request.kind} ${request.method} ${request.path}\n${at}`,
      )
      assert.deepEqual(told, [])
      assert.equal(compared, 150)
      // Requests that are all refused would compare nothing.
      assert.ok((statuses.get(200) ?? 0) > 50, JSON.stringify([...statuses]))
      assert.equal(statuses.get(500), undefined)
    })
  }
})
