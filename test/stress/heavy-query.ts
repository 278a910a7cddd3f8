import { heavyPath } from '../search/heavy-query/heavy-text.ts'
import { keepDoing, latenciesOf, p99 } from '../search/heavy-query/latencies.ts'
import type { EngineName } from '../support/database-place.ts'
import { type FilledServer, onFilledServer } from './filled-server.ts'
import { onStressPlace } from './stress-place.ts'

/** All but one in a hundred look-ups may take so many times as long while a heavy query runs. */
const toleratedFactor = 3
const warmUpMilliseconds = 3_000
const measuredMilliseconds = 10_000

/** Looks documents up on a server that has nothing else to do, and then on one that runs a heavy query. */
export async function stressByHeavyQuery(engine: EngineName, documents: number): Promise<boolean> {
  const { quiet, busy, times } = await onStressPlace(engine, (place) =>
    onFilledServer(place, documents, ['--search-time-limit', '4s'], measure),
  )
  const isFair = busy < toleratedFactor * quiet
  console.log(
    `${isFair ? 'ok    ' : 'FAILED'} ${engine}: ${documents} documents, p99 of GET /id ${quiet.toFixed(2)} ms, ` +
      `${busy.toFixed(2)} ms while a heavy query runs (${times} were stopped): ${(busy / quiet).toFixed(2)} times`,
  )
  return isFair
}

async function measure({ call, lookUp }: FilledServer) {
  await latenciesOf(lookUp, warmUpMilliseconds)
  const quiet = p99(await latenciesOf(lookUp, measuredMilliseconds))
  const heavy = keepDoing(async () => {
    const { status } = await call('GET', heavyPath)
    if (status !== 422) throw new Error(`A heavy query was answered with ${status}.`)
  })
  const busy = p99(await latenciesOf(lookUp, measuredMilliseconds))
  return { quiet, busy, times: await heavy.end() }
}
