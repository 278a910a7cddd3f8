import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { callApi } from '../../support/call-api.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import type { Program } from '../../support/program.ts'
import { startServerProgram, stopProgram } from '../../support/server-programs.ts'
import type { GreedyRequest } from './greedy-request.ts'

/** What one request of an ordinary user may take at the most. */
export const greedyBounds = { heldMilliseconds: 250, heapMegabytes: 200, neighbourMilliseconds: 500, seconds: 60 }

type Bounds = typeof greedyBounds

/** What a request took while it was answered. */
export interface Taken {
  readonly what: string
  /** Undefined when there was no answer. */
  readonly status: number | undefined
  readonly seconds: number
  /** How long the event loop was held at the longest. */
  readonly heldMilliseconds: number
  /** What the heap held at the most, above what it held before. */
  readonly heapMegabytes: number
  /** How long somebody else waited for a document at the longest. */
  readonly neighbourMilliseconds: number
}

/** What is wrong with what a request took; empty when nothing is. */
export function complaintsAbout({ status, ...taken }: Taken, bounds: Bounds = greedyBounds): readonly string[] {
  const answered = status === undefined ? ['no answer'] : status >= 500 && status !== 503 ? [`status ${status}`] : []
  const names = ['heldMilliseconds', 'heapMegabytes', 'neighbourMilliseconds', 'seconds'] as const
  return [...answered, ...names.filter((name) => taken[name] > bounds[name]).map((name) => `${name} ${taken[name].toFixed(0)}`)]
}

const tries = 3
const watchConfig = fileURLToPath(new URL('watch.config.ts', import.meta.url))
const neighbourProgram = fileURLToPath(new URL('neighbour-program.ts', import.meta.url))

/**
 * Sends each of the requests to a server of its own process, and sees what it takes. One that took too much is sent again: what a
 * busy machine did once does not count, what the request does each time does.
 */
export async function* tryGreedy(
  place: DatabasePlace,
  requests: readonly GreedyRequest[],
  bounds: Bounds = greedyBounds,
): AsyncGenerator<Taken> {
  let site = await openSite(place)
  try {
    for (const request of requests) {
      let taken = await take(site, request)
      for (let again = 1; again < tries && complaintsAbout(taken, bounds).length > 0; again++) {
        if (!(await isAlive(site))) {
          await closeSite(site)
          site = await openSite(place)
        }
        taken = await take(site, request)
      }
      yield taken
    }
  } finally {
    await closeSite(site)
  }
}

interface Site {
  readonly program: Program
  readonly neighbour: ChildProcess
  readonly home: string
  readonly file: string
  readonly heavy: string
}

const greedyUser = 'mallory'
const greedyCredentials = `Basic ${Buffer.from(`${greedyUser}:${greedyUser}`).toString('base64')}`
const childrenOfHome = 200
const heavyNotes = 60

async function openSite(place: DatabasePlace): Promise<Site> {
  const program = await startServerProgram(place, ['--config', watchConfig])
  const { url } = program
  await callApi(url, 'POST', '/user', {
    'entity-type': 'user',
    id: greedyUser,
    properties: { username: greedyUser, password: greedyUser, groups: ['members'] },
  })
  const home = await createHome(url)
  const neighbour = fork(neighbourProgram, [`${url}api/v1/id/${home}`, greedyCredentials])
  return { program, neighbour, home, file: await createFile(url, home), heavy: await createHeavy(url, home) }
}

async function createHome(url: string): Promise<string> {
  const { body } = await callApi(url, 'POST', '/path/default-domain/workspaces', {
    'entity-type': 'document',
    type: 'Workspace',
    name: 'home',
    properties: { 'dc:title': 'Home' },
  })
  await callApi(url, 'POST', `/id/${body.uid}/@op/Document.AddPermission`, {
    params: { username: greedyUser, permission: 'Everything' },
  })
  for (let child = 0; child < childrenOfHome; child++) {
    await callApi(url, 'POST', `/id/${body.uid}`, {
      'entity-type': 'document',
      type: 'Note',
      name: `note ${child}`,
      properties: { 'dc:title': `Note ${child}`, 'note:note': 'banana '.repeat(200) },
    })
  }
  return body.uid
}

/** A folder of notes each of which is nearly as long as it may be. */
async function createHeavy(url: string, home: string): Promise<string> {
  const create = async (parent: string, type: string, name: string, properties: object) =>
    (await callApi(url, 'POST', `/id/${parent}`, { 'entity-type': 'document', type, name, properties })).body.uid as string
  const heavy = await create(home, 'Folder', 'heavy', { 'dc:title': 'Heavy' })
  const properties = { 'note:note': 'banana '.repeat(270_000), 'note:mime_type': 'text/plain' }
  const first = await create(heavy, 'Note', 'heavy 0', properties)
  // Copied where they are: to send each of them takes three times as long.
  for (let note = 1; note < heavyNotes; note++) {
    const params = { target: heavy, name: `heavy ${note}` }
    await callApi(url, 'POST', '/automation/Document.Copy', { input: first, params })
  }
  return heavy
}

async function createFile(url: string, home: string): Promise<string> {
  const headers = { authorization: greedyCredentials }
  const batch = (await callApi(url, 'POST', '/upload', undefined, headers)).body.batchId
  const bytes = Buffer.alloc(5_000_000, 'quire')
  await fetch(new URL(`api/v1/upload/${batch}/0`, url), {
    method: 'POST',
    headers: { ...headers, 'x-file-name': 'large' },
    body: bytes,
  })
  const { body } = await callApi(
    url,
    'POST',
    `/id/${home}`,
    {
      'entity-type': 'document',
      type: 'File',
      name: 'large',
      properties: { 'file:content': { 'upload-batch': batch, 'upload-fileId': '0' } },
    },
    headers,
  )
  return body.uid
}

async function closeSite({ program, neighbour }: Site): Promise<void> {
  neighbour.disconnect()
  await stopProgram(program)
}

async function isAlive({ program }: Site): Promise<boolean> {
  return (
    (await Promise.race([program.ended, fetch(new URL('runningstatus', program.url)).catch(() => undefined)])) instanceof Response
  )
}

async function take(site: Site, request: GreedyRequest): Promise<Taken> {
  const { url } = site.program
  const sent = { ...request, body: request.body && fill(request.body(), site) }
  const before = await watched(url)
  await longestWait(site.neighbour)
  const started = performance.now()
  const status = await send(url, sent, site)
  const seconds = (performance.now() - started) / 1000
  const neighbourMilliseconds = await longestWait(site.neighbour)
  const { heldMilliseconds, largestHeapMegabytes } = await watched(url)
  return {
    what: request.what,
    status,
    seconds,
    heldMilliseconds,
    heapMegabytes: largestHeapMegabytes - before.heapMegabytes,
    neighbourMilliseconds,
  }
}

/** The status, once all of the answer has come. */
async function send(
  url: string,
  { method, path, headers, body }: Omit<GreedyRequest, 'body'> & { body: string | undefined },
  site: Site,
): Promise<number | undefined> {
  try {
    const response = await fetch(new URL(`api/v1${fill(path, site)}`, url), {
      method,
      headers: { authorization: greedyCredentials, ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(2 * greedyBounds.seconds * 1000),
    })
    for await (const chunk of response.body ?? []) void chunk
    return response.status
  } catch {
    return refusedWhileSending(url)
  }
}

/** A server that refuses a body before it has come may close the connection while the rest is still sent. What counts is that it lives. */
async function refusedWhileSending(url: string): Promise<number | undefined> {
  const alive = await fetch(new URL('runningstatus', url)).catch(() => undefined)
  return alive === undefined ? undefined : 413
}

function fill(text: string, { home, file, heavy }: Site): string {
  return text.replaceAll('<home>', home).replaceAll('<file>', file).replaceAll('<heavy>', heavy)
}

interface Watched {
  readonly heldMilliseconds: number
  readonly largestHeapMegabytes: number
  readonly heapMegabytes: number
}

async function watched(url: string): Promise<Watched> {
  const response = await fetch(new URL('watched', url)).catch(() => undefined)
  if (response === undefined) return { heldMilliseconds: Infinity, largestHeapMegabytes: Infinity, heapMegabytes: 0 }
  return (await response.json()) as Watched
}

async function longestWait(neighbour: ChildProcess): Promise<number> {
  neighbour.send('longest')
  const [longest] = await once(neighbour, 'message')
  return longest
}
