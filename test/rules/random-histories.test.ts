import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { freshPostgresSchema } from '../support/postgres.ts'
import { enginesAgree } from './history/compare-engines.ts'
import { prepareStage, type Stage } from './history/replay.ts'

describe('whatever people do to documents, in any order', () => {
  const servers: TestServer[] = []
  const stages: Stage[] = []

  before(async () => {
    const { url, schema } = await freshPostgresSchema()
    for (const settings of [{}, { databaseUrl: url, databaseSchema: schema }]) {
      const server = await startTestServer({ settings })
      servers.push(server)
      stages.push(await prepareStage(server))
    }
  })
  after(async () => {
    for (const server of servers) await server.stop()
  })

  test('nothing contradicts anything else, and both engines end with the same', async () => {
    await fc.assert(enginesAgree(stages), { seed: 1, numRuns: 8 })
  })
})
