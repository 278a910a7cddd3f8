import { openStoreAt } from '../faults/subtree/open-place.ts'
import { heavyPath } from '../search/heavy-query/heavy-text.ts'
import { keepDoing, latenciesOf, p99 } from '../search/heavy-query/latencies.ts'
import { fillLibrary } from '../search/library.ts'
import type { DatabasePlace, EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

/** All but one in a hundred look-ups may take so many times as long while a heavy query runs. */
const toleratedFactor = 3
const warmUpMilliseconds = 3_000
const measuredMilliseconds = 10_000

/** Looks documents up on a server that has nothing else to do, and then on one that runs a heavy query. */
export async function stressByHeavyQuery(engine: EngineName, documents: number): Promise<boolean> {
  const { quiet, busy, times } = await onStressPlace(engine, (place) => measure(place, documents))
  const isFair = busy < toleratedFactor * quiet
  console.log(
    `${isFair ? 'ok    ' : 'FAILED'} ${engine}: ${documents} documents, p99 of GET /id ${quiet.toFixed(2)} ms, ` +
      `${busy.toFixed(2)} ms while a heavy query runs (${times} were stopped): ${(busy / quiet).toFixed(2)} times`,
  )
  return isFair
}

async function measure(place: DatabasePlace, documents: number) {
  const server = await startServerProgram(place, ['--search-time-limit', '4s'])
  try {
    const ids = await fill(place, documents)
    const get = (path: string) => getFrom(server.url, path)
    let next = 0
    const lookUp = async () => {
      next = (next + 7919) % ids.length
      const status = await get(`/id/${ids[next]}`)
      if (status !== 200) throw new Error(`A look-up was answered with ${status}.`)
    }
    await latenciesOf(lookUp, warmUpMilliseconds)
    const quiet = p99(await latenciesOf(lookUp, measuredMilliseconds))
    const heavy = keepDoing(async () => {
      const status = await get(heavyPath)
      if (status !== 422) throw new Error(`A heavy query was answered with ${status}.`)
    })
    const busy = p99(await latenciesOf(lookUp, measuredMilliseconds))
    return { quiet, busy, times: await heavy.end() }
  } finally {
    await stopProgram(server)
  }
}

async function fill(place: DatabasePlace, documents: number): Promise<readonly string[]> {
  const store = await openStoreAt(place)
  try {
    const parent = await store.reader.documents.findByPath('/default-domain/workspaces')
    if (parent === undefined) throw new Error('There is nowhere to put a library.')
    return (await fillLibrary(store, parent, documents)).items.map(({ id }) => id)
  } finally {
    await store.close()
  }
}

async function getFrom(url: string, path: string): Promise<number> {
  const authorization = `Basic ${btoa('Administrator:Administrator')}`
  const response = await fetch(`${url}api/v1${path}`, { headers: { authorization } })
  await response.arrayBuffer()
  return response.status
}
