import { createRandom, type Random } from '../faults/kill/random.ts'
import type { EngineName } from '../support/database-place.ts'
import { anonymousMegabytes, residentMegabytes } from '../support/process-memory.ts'
import { type FilledServer, onFilledServer } from './filled-server.ts'
import { onStressPlace } from './stress-place.ts'

/** What docs/operating/grow.md says that the caches of a process may take together, and what a process may take beside them. */
const cacheMegabytes = 260
const besideMegabytes = 60

/** Documents are shown in so many ways; each way is a text of its own that is kept with the document. */
const ways = ['', 'dublincore', '*', 'file,note', 'dublincore,uid', 'uid,file']
const pageSize = 500
const clients = 8

/** Reads all documents in many ways, and reads, writes and searches for so long. Gives whether the process holds what it may. */
export async function stressMemory(engine: EngineName, documents: number, seconds: number, seed: number): Promise<boolean> {
  const { idle, used } = await onStressPlace(engine, (place) =>
    onFilledServer(place, documents, [], (server) => measure(server, seconds, seed)),
  )
  const most = idle.anonymous + cacheMegabytes + besideMegabytes
  const isSound = used.anonymous < most
  console.log(
    `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${documents} documents, ${seconds} s, seed ${seed}: ${described(used)} after ${described(idle)} ` +
      `idle; at most ${most.toFixed(0)} MB without pages of files`,
  )
  return isSound
}

interface Held {
  readonly resident: number
  readonly anonymous: number
}

function described({ resident, anonymous }: Held): string {
  return `${resident.toFixed(0)} MB (${anonymous.toFixed(0)} MB without pages of files)`
}

async function measure(server: FilledServer, seconds: number, seed: number) {
  const held = (): Held => ({
    resident: residentMegabytes(server.processId),
    anonymous: anonymousMegabytes(server.processId),
  })
  const idle = held()
  await readAll(server)
  const end = performance.now() + 1_000 * seconds
  const random = createRandom(seed)
  await Promise.all(Array.from({ length: clients }, () => mix(server, random, end)))
  return { idle, used: held() }
}

/** Twice, for a document is cached when it is read again. */
async function readAll({ ids, call }: FilledServer): Promise<void> {
  const query = encodeURIComponent("SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain/workspaces'")
  for (const properties of [ways[0] ?? '', ...ways]) {
    for (let page = 0; page * pageSize < ids.length; page++) {
      const path = `/search/execute?query=${query}&pageSize=${pageSize}&currentPageIndex=${page}`
      requireStatus(200, await call('GET', path, undefined, { properties }))
    }
  }
}

async function mix({ ids, call }: FilledServer, random: Random, end: number): Promise<void> {
  while (performance.now() < end) {
    const id = random.pick(ids)
    const choice = random.next()
    if (choice < 0.7) requireStatus(200, await call('GET', `/id/${id}`, undefined, { properties: random.pick(ways) ?? '' }))
    else if (choice < 0.8) requireStatus(200, await call('GET', `/search/execute?query=${encodeURIComponent(queryOf(random))}`))
    else if (choice < 0.9) requireStatus(201, await call('POST', '/path/default-domain/workspaces', aNote(random)))
    else requireStatus(200, await call('PUT', `/id/${id}`, anUpdate(random)))
  }
}

function queryOf(random: Random): string {
  return `SELECT * FROM Document WHERE dc:source = 'source ${random.between(0, 10_000)}' OR dc:creator = 'user${random.between(0, 100)}'`
}

function aNote(random: Random): object {
  const name = `note${random.between(0, 1e9)}`
  return { 'entity-type': 'document', type: 'Note', name, properties: { 'dc:title': name, 'note:note': 'text '.repeat(100) } }
}

function anUpdate(random: Random): object {
  return { 'entity-type': 'document', properties: { 'dc:description': `changed ${random.next()}` } }
}

function requireStatus(expected: number, { status, body }: { readonly status: number; readonly body: string }): void {
  if (status !== expected) throw new Error(`A request was answered with ${status}: ${body}`)
}
