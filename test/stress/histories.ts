import fc from 'fast-check'
import { silentLog } from '../../src/base/log.ts'
import type { Repository } from '../../src/core/session.ts'
import { openStore } from '../../src/store/open-store.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { enginesAgree } from '../rules/history/compare-engines.ts'
import { prepareStage } from '../rules/history/replay.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import { builtinModel } from '../support/model/builtin-model.ts'
import { asTwoProcesses } from '../support/two-processes.ts'
import { onStressPlace } from './stress-place.ts'

/** Lets people do all sorts of things to documents at random, on both engines. Gives whether nothing contradicted anything. */
export function stressHistories(rounds: number, seed: number, workers: number): Promise<boolean> {
  return onStressPlace('sqlite', async ({ folder: data }) => {
    const postgres = await startEmbeddedPostgres()
    const servers = [
      await startTestServer({ settings: { data } }),
      await startTestServer({ settings: { databaseUrl: postgres.url } }),
    ] as const
    const other = await openStore(
      { repository: 'default', dataFolder: data, databaseSchema: '', cachedDocuments: 1_000 },
      builtinModel,
      silentLog,
    )
    console.log(`${rounds} histories with seed ${seed}, ${workers > 1 ? 'on SQLite in two processes' : 'in one process each'}`)
    try {
      const [sqlite, postgresStage] = await Promise.all(servers.map(prepareStage))
      if (sqlite === undefined || postgresStage === undefined) return false
      const first = workers > 1 ? { ...sqlite, server: alsoWritingThrough(sqlite.server, other) } : sqlite
      await fc.assert(enginesAgree([first, postgresStage]), { seed, numRuns: rounds })
      console.log('ok')
      return true
    } catch (error) {
      console.log(`FAILED: ${error instanceof Error ? error.message : error}`)
      console.log(`To repeat: npm run stress -- histories --workers ${workers} --rounds ${rounds} --seed ${seed}`)
      return false
    } finally {
      await other.close()
      for (const server of servers) await server.stop()
      await postgres.stop()
    }
  })
}

/** The server with another process that does half of what is done to its documents. */
function alsoWritingThrough(server: TestServer, other: Parameters<typeof asTwoProcesses>[1]): TestServer {
  const both = ([name, repository]: [string, Repository]) =>
    [name, { ...repository, store: asTwoProcesses(repository.store, other) }] as const
  const repositories = new Map([...server.services.repositories].map(both))
  return { ...server, services: { ...server.services, repositories } }
}
