import fc from 'fast-check'
import { startTestServer } from '../../src/testing.ts'
import { enginesAgree } from '../rules/history/compare-engines.ts'
import { prepareStage } from '../rules/history/replay.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'

/** Lets people do all sorts of things to documents at random, on both engines. Gives whether nothing contradicted anything. */
export async function stressHistories(rounds: number, seed: number): Promise<boolean> {
  const postgres = await startEmbeddedPostgres()
  const servers = [await startTestServer(), await startTestServer({ settings: { databaseUrl: postgres.url } })]
  console.log(`${rounds} histories with seed ${seed}`)
  try {
    const stages = await Promise.all(servers.map(prepareStage))
    await fc.assert(enginesAgree(stages), { seed, numRuns: rounds })
    console.log('ok')
    return true
  } catch (error) {
    console.log(`FAILED: ${error instanceof Error ? error.message : error}`)
    console.log(`To repeat: npm run stress -- histories --rounds ${rounds} --seed ${seed}`)
    return false
  } finally {
    for (const server of servers) await server.stop()
    await postgres.stop()
  }
}
