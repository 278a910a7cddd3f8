import { processorSeconds } from '../../bench/process-use.ts'
import { median, p99 } from '../search/heavy-query/latencies.ts'
import type { DatabasePlace } from '../support/database-place.ts'
import { anonymousMegabytes, residentMegabytes } from '../support/process-memory.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

/** Bytes of each table and index, by its name. */
type Disk = ReadonlyMap<string, number>

/** What the database takes, once it has put in order what was written. */
export async function diskOf(place: DatabasePlace): Promise<Disk> {
  if (place.engine === 'sqlite') {
    await place.query('PRAGMA wal_checkpoint(TRUNCATE)')
    const rows = await place.query('SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE GROUP BY name')
    return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
  }
  await place.query('VACUUM ANALYZE')
  const rows = await place.query(`
    SELECT relations.relname AS name, pg_relation_size(relations.oid) + coalesce(pg_total_relation_size(nullif(relations.reltoastrelid, 0)), 0) AS bytes
      FROM pg_class AS relations JOIN pg_namespace AS schemas ON schemas.oid = relations.relnamespace
     WHERE schemas.nspname = current_schema() AND relations.relkind IN ('r', 'i')`)
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
}

const leastShown = 0.01

/** What each of those that were added takes, and where. */
export function tellDisk(before: Disk, after: Disk, added: number): void {
  const grown = [...after].map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / added] as const)
  const all = grown.reduce((sum, [, bytes]) => sum + bytes, 0)
  const total = [...after.values()].reduce((sum, bytes) => sum + bytes, 0)
  console.log(`  ${Math.round(all)} bytes each; the database has ${(total / 1e6).toFixed(0)} MB`)
  for (const [name, bytes] of grown.toSorted(([, one], [, other]) => other - one))
    if (bytes > all * leastShown) console.log(`    ${Math.round(bytes).toString().padStart(6)}  ${name}`)
}

export interface Request {
  readonly name: string
  readonly user: string
  readonly times: number
  path(turn: number): string
  /** Sent with POST. */
  body?(): object
}

interface Measured {
  readonly name: string
  readonly milliseconds: readonly number[]
  /** Of all processes of the server, each time, in milliseconds: it depends less on what else the machine does. */
  readonly processor: number
}

interface Times {
  readonly memory: { readonly resident: number; readonly anonymous: number }
  readonly requests: readonly Measured[]
}

const passwordOf = (user: string) => (user === 'Administrator' ? 'Administrator' : user)

/** How long requests take, one after the other on a server of their own. The first of each kind is not counted. */
export async function timesOf(place: DatabasePlace, requests: readonly Request[]): Promise<Times> {
  const program = await startServerProgram(place)
  try {
    const used = () => (processorSeconds(program.startedId) ?? Number.NaN) * 1_000
    const measured: Measured[] = []
    for (const request of requests) {
      await send(program.url, request, request.times)
      const milliseconds: number[] = []
      const before = used()
      for (let turn = 0; turn < request.times; turn++) {
        const started = performance.now()
        await send(program.url, request, turn)
        milliseconds.push(performance.now() - started)
      }
      measured.push({ name: request.name, milliseconds, processor: (used() - before) / request.times })
    }
    const { processId } = program
    return { memory: { resident: residentMegabytes(processId), anonymous: anonymousMegabytes(processId) }, requests: measured }
  } finally {
    await stopProgram(program)
  }
}

async function send(url: string, { user, path, body }: Request, turn: number): Promise<void> {
  const authorization = `Basic ${btoa(`${user}:${passwordOf(user)}`)}`
  const sent = body?.()
  const response = await fetch(`${url}api/v1${path(turn)}`, {
    method: sent === undefined ? 'GET' : 'POST',
    headers: { authorization, ...(sent && { 'content-type': 'application/json' }) },
    ...(sent && { body: JSON.stringify(sent) }),
  })
  const text = await response.text()
  // A search that takes too long is a figure, too.
  if (response.status >= 400 && response.status !== 422)
    throw new Error(`${path(turn)} was answered with ${response.status}: ${text}`)
}

export function tellTimes({ memory, requests }: Times): void {
  for (const { name, milliseconds, processor } of requests)
    console.log(
      `  ${processor.toFixed(1).padStart(8)} ms of processor time, ${median(milliseconds).toFixed(1)} ms (p99 ${p99(milliseconds).toFixed(1)} ms)  ${name}`,
    )
  console.log(
    `  memory of the server: ${memory.resident.toFixed(0)} MB, ${memory.anonymous.toFixed(0)} MB without pages of files`,
  )
}
