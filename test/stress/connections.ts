import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTestServer } from '../../src/testing.ts'
import type { EngineName } from '../support/database-place.ts'
import { databaseSettings } from '../support/database-settings.ts'

const credentials = Buffer.from('Administrator:Administrator').toString('base64')

const settings = {
  connectionFirstByteTimeout: '3s',
  connectionHeadersTimeout: '6s',
  connectionUploadTimeout: '6s',
  transactionTimeout: '10s',
}

/** Slow connections in thousands: others are answered as before, and the server has none of the slow ones left after their time. */
export async function stressConnections(engine: EngineName, count: number): Promise<boolean> {
  const server = await startTestServer({ settings: { ...settings, ...(await databaseSettings(engine)) } })
  let clients: ChildProcess | undefined
  try {
    const alone = await latencies(server.url, 50)
    const before = openSockets()
    clients = await openSlowConnections(server.url, count)
    const beside = await latencies(server.url, 200)
    const { max, left, seconds } = await watchUntilClosed(() => openSockets() - before)
    const afterwards = await latencies(server.url, 50)
    const slowest = Math.max(...beside)
    console.log(`${engine}: ${count} slow connections, ${max} of them at once, ${left} left after ${seconds} s; a request took`)
    console.log(`  alone ${told(alone)}, beside them ${told(beside)}, afterwards ${told(afterwards)}`)
    return left === 0 && slowest < 1_000
  } finally {
    clients?.kill('SIGKILL')
    await server.stop()
  }
}

/**
 * A head may take 6 s, is looked at every 3 s and has 3 s to hang up when it was told off, and Node accepts one connection in a round
 * of its loop, so that the last one begins some seconds after the first.
 */
const maxSeconds = 30

async function watchUntilClosed(count: () => number): Promise<{ max: number; left: number; seconds: number }> {
  let max = 0
  for (let seconds = 0; ; seconds++) {
    const left = Math.max(0, count())
    max = Math.max(max, left)
    if (left === 0 || seconds === maxSeconds) return { max, left, seconds }
    await wait(1_000)
  }
}

/** They live in another process, whose work is not the server's. */
async function openSlowConnections(url: string, count: number): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('slow-clients-program.ts', import.meta.url))
  const clients = spawn(process.execPath, [program, new URL(url).port, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(clients.stdout, 'data')
  return clients
}

/** Of this process: the server's own and the few by which it is asked. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
}

async function latencies(url: string, requests: number): Promise<readonly number[]> {
  const taken: number[] = []
  for (let index = 0; index < requests; index++) {
    const started = performance.now()
    const answer = await fetch(new URL('api/v1/path/', url), { headers: { authorization: `Basic ${credentials}` } })
    if (answer.status !== 200) throw new Error(`A request beside slow connections was answered with ${answer.status}.`)
    await answer.text()
    taken.push(performance.now() - started)
  }
  return taken
}

function told(taken: readonly number[]): string {
  const sorted = taken.toSorted((left, right) => left - right)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `${median.toFixed(1)} ms (slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms)`
}
