import { startTestServer } from '../../src/testing.ts'
import { fuzzOperations } from '../automation/fuzz/fuzz-operations.ts'
import type { EngineName } from '../support/database-place.ts'
import { onStressPlace } from './stress-place.ts'

/** Sends random requests to operations. Gives whether all were done or refused with a reason. */
export async function stressOperations(engine: EngineName, requests: number, seed: number): Promise<boolean> {
  console.log(`${engine}: ${requests} requests to operations with seed ${seed}`)
  return onStressPlace(engine, async (place) => {
    const server = await startTestServer({ settings: place.settings })
    try {
      const { statuses, complaints } = await fuzzOperations(server, place, requests, seed)
      for (const sentence of complaints) console.log(`FAILED ${sentence}`)
      const counted = [...statuses].sort(([left], [right]) => left - right).map(([status, count]) => `${count} × ${status}`)
      console.log(`${complaints.length === 0 ? 'ok' : 'FAILED'}: ${counted.join(', ')}`)
      return complaints.length === 0
    } finally {
      await server.stop()
    }
  })
}
