import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../faults/kill/random.ts'
import { callApi } from '../../support/call-api.ts'

/** What a writer's folder holds: by the path below it, the title, the digest of the file and the number of versions. */
export type State = ReadonlyMap<string, string>

/** One writer, who does one thing after another in a folder that nobody else writes to. */
export interface Writer {
  readonly name: string
  /** As its folder is after so many of its writes. */
  readonly states: State[]
  /** When each write was sent and answered, by a clock that all writers have in common; the first state has none. */
  readonly sent: number[]
  readonly answered: number[]
}

/** Everything that was done to a server by several writers at once. */
export interface History {
  readonly writers: readonly Writer[]
  /** The common clock, which goes on whenever it is looked at. */
  now(): number
  /** The longest that anybody waited for an answer. */
  slowestMillis: number
}

export function createHistory(writers: number): History {
  let clock = 0
  const everyWriter = Array.from({ length: writers }, (_, number) => {
    return { name: `writer-${number}`, states: [], sent: [], answered: [] }
  })
  return { writers: everyWriter, now: () => ++clock, slowestMillis: 0 }
}

const workspaces = '/path/default-domain/workspaces'
// So that histories of any length can be compared.
const mostFiles = 20
/** Copied and removed as a whole, so that a half would be seen. */
const set = ['set', 'set/a', 'set/b', 'set/c']
const type = (path: string) => (path === '' || path === 'set' ? 'Folder' : 'File')

export async function prepareWriters(url: string, { writers }: History): Promise<void> {
  for (const { name, states } of writers) {
    const made = new Map<string, string>()
    for (const path of ['', ...set]) {
      const at = path.lastIndexOf('/')
      const parent = path === '' ? workspaces : `${workspaces}/${name}${at < 0 ? '' : `/${path.slice(0, at)}`}`
      await expect(
        201,
        callApi(url, 'POST', parent, draft(type(path), path === '' ? name : path.slice(at + 1), path, `${name} ${path}`)),
      )
      made.set(path, describe(path, type(path) === 'File' ? `${name} ${path}` : undefined, 0))
    }
    states.push(made)
  }
}

/** Lets everybody write until told to end. */
export async function writeAll(url: string, history: History, random: Random, isOver: () => boolean): Promise<void> {
  await Promise.all(history.writers.map((writer) => write(url, history, writer, random, isOver)))
}

async function write(url: string, history: History, writer: Writer, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const before = writer.states.at(-1) ?? new Map<string, string>()
    const { send, after } = planWrite(url, writer, before, random)
    // Noted ahead, so that what a backup sees of a write that is not answered yet is known.
    writer.states.push(after)
    writer.sent.push(history.now())
    const started = performance.now()
    await send()
    history.slowestMillis = Math.max(history.slowestMillis, performance.now() - started)
    writer.answered.push(history.now())
    await pause(random.between(0, 80))
  }
}

interface PlannedWrite {
  readonly after: State
  send(): Promise<unknown>
}

function planWrite(url: string, { name, states }: Writer, before: State, random: Random): PlannedWrite {
  const chance = random.next()
  const number = states.length
  const own = [...before.keys()].filter((path) => path.startsWith('file-'))
  const copies = [...before.keys()].filter((path) => /^copy-\d+$/.test(path))
  const path = random.pick(own)
  const title = `title ${number} ${random.next()}`
  const content = 'x'.repeat(random.between(0, 3_000)) + title
  const copy = random.pick(copies)
  if (chance < 0.1) {
    const copied = set.map((one) => [one.replace('set', `copy-${number}`), before.get(one) ?? ''] as const)
    const params = { target: `/default-domain/workspaces/${name}`, name: `copy-${number}` }
    const input = `/default-domain/workspaces/${name}/set`
    return {
      after: new Map([...before, ...copied]),
      send: () => expect(200, callApi(url, 'POST', '/automation/Document.Copy', { input, params })),
    }
  }
  if (chance < 0.2 && copy !== undefined) {
    const after = new Map([...before].filter(([one]) => one !== copy && !one.startsWith(`${copy}/`)))
    return { after, send: () => expect(204, callApi(url, 'DELETE', `${workspaces}/${name}/${copy}`)) }
  }
  if (path !== undefined && own.length > mostFiles) {
    const after = new Map([...before].filter(([one]) => one !== path))
    return { after, send: () => expect(204, callApi(url, 'DELETE', `${workspaces}/${name}/${path}`)) }
  }
  if (path === undefined || chance < 0.5) {
    const created = `file-${number}`
    const after = new Map([...before, [created, describe(title, content, 0)]])
    return {
      after,
      send: () => expect(201, callApi(url, 'POST', `${workspaces}/${name}`, draft('File', created, title, content))),
    }
  }
  const { body, headers, versions } = planUpdate(before.get(path) ?? '', title, content, random)
  const after = new Map([...before, [path, describe(title, content, versions)]])
  return { after, send: () => expect(200, callApi(url, 'PUT', `${workspaces}/${name}/${path}`, body, headers)) }
}

function planUpdate(before: string, title: string, content: string, random: Random) {
  const option = random.pick(['MINOR', 'MAJOR', undefined, undefined, undefined, undefined])
  const versions = Number(JSON.parse(before)[2]) + (option === undefined ? 0 : 1)
  const { properties } = draft('File', '', title, content)
  const headers: Record<string, string> = option === undefined ? {} : { 'X-Versioning-Option': option }
  return { body: { 'entity-type': 'document', properties }, headers, versions }
}

function draft(ofType: string, name: string, title: string, content: string) {
  const file = ofType === 'File' ? { 'file:content': { data: content, name: 'content.txt', 'mime-type': 'text/plain' } } : {}
  return { 'entity-type': 'document', type: ofType, name, properties: { 'dc:title': title, ...file } }
}

export function describe(title: string, content: string | undefined, versions: number): string {
  return describeStored(title, content === undefined ? null : createHash('md5').update(content).digest('hex'), versions)
}

export function describeStored(title: string, digest: string | null, versions: number): string {
  return JSON.stringify([title, digest, versions])
}

async function expect(status: number, called: ReturnType<typeof callApi>): Promise<void> {
  const { status: found, body } = await called
  if (found !== status) throw new Error(`A write was answered ${found}: ${JSON.stringify(body)}`)
}
