import { spawn } from 'node:child_process'
import { type Call, targetOf, textOf } from '../../bench/http/call.ts'
import { sendFor, sendTimes } from '../../bench/http/load.ts'
import { processorSeconds } from '../../bench/process-use.ts'
import { median, p99 } from '../search/heavy-query/latencies.ts'
import type { EngineName } from '../support/database-place.ts'
import { type FilledServer, onFilledServer } from './filled-server.ts'
import { createHttpClient, sendAtRate } from './http-client.ts'
import { onStressPlace } from './stress-place.ts'

export interface ProcessesStress {
  readonly documents: number
  readonly rounds: number
  readonly seconds: number
  /** Programs beside the server that take all the processor time they can get. */
  readonly busyPrograms: number
}

const connections = 16
const readsInSecond = 1_500
const createsInSecond = 200

/** Two runs of the same differ by as much on a machine that does other things, too. */
const toleratedFactor = 1.25

const cost = 'ms of processor time each'
const rate = 'in a second'

/** What a load came to, by the name of the measure. */
type Measures = Readonly<Record<string, number>>

interface Load {
  warmUp(server: FilledServer, workers: number): Promise<void>
  send(server: FilledServer, seconds: number): Promise<Measures>
}

const loads: ReadonlyMap<string, Load> = new Map([
  ['reads', atFullSpeed(20_000, reading)],
  ['pages', atFullSpeed(4_000, paging)],
  ['creates', atFullSpeed(3_000, creating)],
  ['both', { warmUp: async () => {}, send: sendBoth }],
  ['both at full speed', { warmUp: async () => {}, send: sendBothAtFullSpeed }],
])

/**
 * Compares what requests cost a server of one process and one of two: processor time of all its processes, the rate, and how long
 * requests took that came at a rate. Both servers run, and are loaded by turns; the median of all rounds counts.
 */
export function stressByProcesses(engine: EngineName, options: ProcessesStress): Promise<boolean> {
  const { documents, rounds, seconds, busyPrograms } = options
  console.log(`${engine}: ${rounds} rounds of ${seconds} s, ${documents} documents, ${busyPrograms} busy programs`)
  const onServer = <Result>(workers: number, body: (server: FilledServer) => Promise<Result>) =>
    onStressPlace(engine, (place) => onFilledServer(place, documents, ['--workers', String(workers)], body))
  return onServer(1, (one) => onServer(2, (two) => besideBusyPrograms(busyPrograms, () => compare(one, two, options))))
}

async function besideBusyPrograms<Result>(count: number, body: () => Promise<Result>): Promise<Result> {
  const programs = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }))
  try {
    return await body()
  } finally {
    for (const program of programs) program.kill('SIGKILL')
  }
}

async function compare(one: FilledServer, two: FilledServer, { rounds, seconds }: ProcessesStress): Promise<boolean> {
  let isSound = true
  for (const [name, load] of loads) {
    const ofOne: Measures[] = []
    const ofTwo: Measures[] = []
    await load.warmUp(one, 1)
    await load.warmUp(two, 2)
    for (let round = 0; round < rounds; round++) {
      ofOne.push(await measure(one, load, seconds))
      ofTwo.push(await measure(two, load, seconds))
    }
    isSound = tell(name, mediansOf(ofOne), mediansOf(ofTwo)) && isSound
  }
  return isSound
}

async function measure(server: FilledServer, load: Load, seconds: number): Promise<Measures> {
  const started = performance.now()
  const before = processorSeconds(server.startedId) ?? Number.NaN
  const measures = await load.send(server, seconds)
  const requests = ((measures[rate] ?? 0) * (performance.now() - started)) / 1_000
  const spent = (processorSeconds(server.startedId) ?? Number.NaN) - before
  return { [cost]: (1_000 * spent) / requests, ...measures }
}

function mediansOf(rounds: readonly Measures[]): Measures {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name] ?? Number.NaN))]))
}

function tell(name: string, one: Measures, two: Measures): boolean {
  const times = (measure: string) => (two[measure] ?? 0) / (one[measure] ?? 0)
  const isSound = times(cost) < toleratedFactor && times(rate) > 1 / toleratedFactor
  const columns = Object.keys(one).map((measure) => `${shown(one[measure])} → ${shown(two[measure])} ${measure}`)
  console.log(`${isSound ? 'ok    ' : 'FAILED'} ${name}, one process → two: ${columns.join(', ')}`)
  return isSound
}

function shown(value = Number.NaN): string {
  return value < 10 ? value.toPrecision(2) : value.toFixed(0)
}

/** @param warmUps how many requests a process has to answer before its code is compiled as well as it will be */
function atFullSpeed(warmUps: number, callsOf: (server: FilledServer) => () => Call): Load {
  const textsOf = (server: FilledServer) => {
    const next = callsOf(server)
    return () => textOf(next())
  }
  return {
    // A connection stays with the process that accepted it: of so many each process has some.
    warmUp: (server, workers) => sendTimes(warmUps * workers, targetOf(server.url), 4 * connections, textsOf(server)),
    send: async (server, seconds) => ({
      [rate]: await sendFor(seconds, targetOf(server.url), connections, textsOf(server)),
    }),
  }
}

async function sendBoth(server: FilledServer, seconds: number): Promise<Measures> {
  const readers = createHttpClient(server.url, connections)
  const writers = createHttpClient(server.url, connections)
  const nextRead = reading(server)
  const nextCreate = creating()
  const started = performance.now()
  const [reads, creates] = await Promise.all([
    sendAtRate({ perSecond: readsInSecond, seconds }, () => readers.send(nextRead())),
    sendAtRate({ perSecond: createsInSecond, seconds }, () => writers.send(nextCreate())),
  ])
  const elapsed = performance.now() - started
  readers.close()
  writers.close()
  return {
    [rate]: (1_000 * (reads.length + creates.length)) / elapsed,
    'ms for half the reads': median(reads),
    'ms for 99 in 100 reads': p99(reads),
    'ms for half the creates': median(creates),
    'ms for 99 in 100 creates': p99(creates),
  }
}

async function sendBothAtFullSpeed(server: FilledServer, seconds: number): Promise<Measures> {
  const target = targetOf(server.url)
  const [nextRead, nextCreate] = [reading(server), creating()]
  const [reads, creates] = await Promise.all([
    sendFor(seconds, target, connections, () => textOf(nextRead())),
    sendFor(seconds, target, connections, () => textOf(nextCreate())),
  ])
  return { [rate]: reads + creates, 'reads in a second': reads, 'creates in a second': creates }
}

const user = 'Administrator'

function reading({ ids }: FilledServer): () => Call {
  let next = 0
  return () => {
    next = (next + 7_919) % ids.length
    return { method: 'GET', path: `/api/v1/id/${ids[next]}`, user, headers: { properties: '*' } }
  }
}

function paging(): () => Call {
  const query = encodeURIComponent("SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain/workspaces'")
  let next = 0
  return () => {
    next = (next + 1) % 20
    const path = `/api/v1/search/execute?query=${query}&pageSize=50&currentPageIndex=${next}`
    return { method: 'GET', path, user, headers: { properties: '*' } }
  }
}

function creating(): () => Call {
  return () => {
    const name = crypto.randomUUID()
    const properties = { 'dc:title': name, 'dc:description': 'text '.repeat(40) }
    const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties })
    return { method: 'POST', path: '/api/v1/path/default-domain/workspaces', user, body }
  }
}
