import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { heavyPath } from '../search/heavy-query/heavy-text.ts'
import { keepDoing, median, p99 } from '../search/heavy-query/latencies.ts'
import type { EngineName } from '../support/database-place.ts'
import { seededBytes } from '../support/seeded-bytes.ts'
import { type FilledServer, onFilledServer } from './filled-server.ts'
import { createHttpClient } from './http-client.ts'
import { onStressPlace } from './stress-place.ts'

/** All but one in a hundred look-ups may take so many times as long as on an idle server, whatever else it does. */
const toleratedFactor = 5
const warmUpMilliseconds = 3_000
const measuredMilliseconds = 10_000

const createsInSecond = 200
const uploadedBytes = 100_000_000
const listedDocuments = 1_000

/** Begins to load a server. */
type Load = (server: FilledServer, seed: number) => { end(): Promise<unknown> }

const loads: ReadonlyMap<string, Load> = new Map<string, Load>([
  [`${createsInSecond} documents are created a second`, creating],
  [`files of ${uploadedBytes / 1e6} MB go up`, uploading],
  ['a heavy query runs', ({ call }) => keepDoing(() => call('GET', heavyPath))],
  [`pages of ${listedDocuments} documents are read`, listing],
])

/** Looks documents up on an idle server, and on one under each of the loads that others may put on it. */
export function stressTails(engine: EngineName, documents: number, seed: number): Promise<boolean> {
  return onStressPlace(engine, (place) =>
    onFilledServer(place, documents, ['--search-time-limit', '4s'], async (server) => {
      const reader = startReader(server)
      await reader.readFor(warmUpMilliseconds)
      const idle = await reader.readFor(measuredMilliseconds)
      console.log(`       ${engine}: ${documents} documents, seed ${seed}: GET /id takes ${described(idle)} when idle`)
      let isSound = true
      for (const [what, load] of loads) {
        const running = load(server, seed)
        const busy = await reader.readFor(measuredMilliseconds)
        await running.end()
        isSound = tell(`${engine}: ${described(busy)} while ${what}`, p99(busy) / p99(idle)) && isSound
      }
      reader.end()
      return isSound
    }),
  )
}

function tell(what: string, factor: number): boolean {
  const isSound = factor < toleratedFactor
  console.log(`${isSound ? 'ok    ' : 'FAILED'} ${what}: p99 ${factor.toFixed(1)} times`)
  return isSound
}

function described(latencies: readonly number[]): string {
  return `${median(latencies).toFixed(2)} ms (p99 ${p99(latencies).toFixed(2)} ms)`
}

const readDocuments = 1_000
const program = fileURLToPath(new URL('look-up-program.ts', import.meta.url))

/** A process of its own, which nothing that this one sends delays. It ends with this one, too. */
function startReader({ url, ids }: FilledServer) {
  const child = fork(program, [url], { serialization: 'advanced' })
  child.send(ids.filter((_, index) => index % Math.ceil(ids.length / readDocuments) === 0))
  return {
    async readFor(milliseconds: number): Promise<readonly number[]> {
      child.send(milliseconds)
      const [latencies] = (await once(child, 'message')) as [readonly number[]]
      return latencies
    },
    end: () => child.disconnect(),
  }
}

function creating({ url }: FilledServer, seed: number) {
  const client = createHttpClient(url, 32)
  const underWay = new Set<Promise<void>>()
  const started = performance.now()
  let created = 0
  return keepDoing(async () => {
    for (; created < ((performance.now() - started) / 1_000) * createsInSecond; created++) {
      const request = client.send(aNote(`tail-${seed}-${created}`)).finally(() => underWay.delete(request))
      underWay.add(request)
    }
    await pause(5)
    // A server that is behind is not asked for more than it can do.
    if (underWay.size > createsInSecond) await Promise.race(underWay)
  })
}

function aNote(name: string) {
  const properties = { 'dc:title': name, 'note:note': 'text '.repeat(100) }
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Note', name, properties })
  return { method: 'POST', path: '/api/v1/path/default-domain/workspaces', user: 'Administrator', body } as const
}

function uploading({ url, call }: FilledServer, seed: number) {
  const authorization = `Basic ${btoa('Administrator:Administrator')}`
  const headers = { authorization, 'content-type': 'application/octet-stream', 'x-file-name': 'large.bin' }
  const body = seededBytes(seed, 0, uploadedBytes)
  return keepDoing(async () => {
    const { batchId } = JSON.parse((await call('POST', '/upload')).body)
    const response = await fetch(`${url}api/v1/upload/${batchId}/0`, { method: 'POST', headers, body })
    await response.body?.cancel()
    await call('DELETE', `/upload/${batchId}`)
  })
}

function listing({ call }: FilledServer) {
  const query = encodeURIComponent("SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain/workspaces'")
  let page = 0
  return keepDoing(async () => {
    page = (page + 1) % 5
    const path = `/search/execute?query=${query}&pageSize=${listedDocuments}&currentPageIndex=${page}`
    await call('GET', path, undefined, { properties: '*' })
  })
}
