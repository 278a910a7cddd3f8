import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytes } from '../../test/support/process-memory.ts'
import type { Finding } from '../report/finding.ts'
import type { ServedSite } from '../site.ts'

const settlingMilliseconds = 1_000

/** What the server holds when it has started and nobody has asked for anything yet. */
export async function measureIdleMemory(sites: readonly ServedSite[]): Promise<readonly Finding[]> {
  await pause(settlingMilliseconds)
  return sites.map(({ files, server }) => {
    const measure = { kind: 'memory', megabytes: residentMegabytes(server.processId), maxMegabytes: 150 } as const
    return { row: 'memory-idle', title: 'memory after the start', files, measure }
  })
}

export async function measureMemoryAfterWork(sites: readonly ServedSite[]): Promise<readonly Finding[]> {
  await pause(settlingMilliseconds)
  return sites.map(({ files, server }) => {
    const measure = { kind: 'memory', megabytes: residentMegabytes(server.processId) } as const
    return { row: 'memory-after-work', title: 'memory after all of this', files, measure }
  })
}
