import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { createRandom, type Random } from '../faults/kill/random.ts'
import { factsOf, named, partingOf, passing, pretty } from '../same-answers/answers.ts'
import { anyRequest, type ServerFacts, type WorldRequest } from '../same-answers/requests.ts'
import { makeWorld, type VisibleDocument, type WorldPlan } from '../same-answers/world.ts'
import { type DatabasePlace, dumpTables } from '../support/database-place.ts'
import { anyChange, type Change, groups, people } from './changes.ts'
import { type Line, type LineAnswer, openLine } from './line.ts'

/** A difference between what a process answered and what one that has just started does. */
export interface StaleAnswer {
  readonly round: number
  readonly line: number
  readonly question: string
  /** What was changed last. */
  readonly after: readonly string[]
  readonly at: string
}

export interface FreshComparison {
  readonly changes: number
  /** Of changes, by status. */
  readonly statuses: ReadonlyMap<number, number>
  readonly compared: number
  /** Answers that two looks of the same fresh process tell differently, which compare nothing. */
  readonly unsteady: number
  readonly stale: readonly StaleAnswer[]
}

export interface FreshOptions {
  readonly rounds: number
  readonly seed: number
  /** Asked after each round. */
  readonly questions: number
  readonly max?: number
}

interface Question {
  readonly by: string
  readonly request: WorldRequest
}

/** Who was removed and asks on is soon told to wait, by a clock that no two servers are asked at the same time of. */
export const settingsAt = ({ settings }: DatabasePlace) => ({ ...settings, loginThrottleEnabled: false })

/** A place with documents and people, on which no server runs. */
export async function furnish(place: DatabasePlace, plan: WorldPlan): Promise<readonly VisibleDocument[]> {
  const { server, visible } = await makeWorld(settingsAt(place), 'nothing', plan)
  await server.addUser('carol', ['members'])
  for (const id of groups) await server.as('Administrator').post('/group', { 'entity-type': 'group', id })
  await server.stop()
  return visible
}

/**
 * Changes documents, rights and people at random through processes that go on running, asks them the same questions again and again, and
 * holds each answer against that of a process which has just been started on the same database: it has nothing cached.
 * @param lines one to each process
 */
export async function compareWithFresh(
  place: DatabasePlace,
  lines: readonly Line[],
  visible: readonly VisibleDocument[],
  { rounds, seed, questions, max = 5 }: FreshOptions,
): Promise<FreshComparison> {
  const random = createRandom(seed)
  const documents = [...visible]
  const registry = await (lines[0] as Line).call('Administrator', { method: 'GET', path: '/automation' })
  const facts = readingFacts(factsOf(JSON.parse(registry.text)))
  const statuses = new Map<number, number>()
  const stale: StaleAnswer[] = []
  const pool: Question[] = []
  let [changes, compared, unsteady] = [0, 0, 0]
  for (let round = 0; round < rounds && stale.length < max; round++) {
    renewPool(pool, questions, random, documents.length, facts)
    await askAll(lines, pool, documents)
    const after: string[] = []
    for (let more = random.between(1, 4); more > 0; more--) {
      const change = anyChange({ random, documents: documents.length, facts })
      const answer = await make(change, random.pick(lines) as Line, documents)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      after.push(
        `${answer.status} ${change.by} ${change.request.method} ${change.request.path} ${JSON.stringify(change.request.body ?? '')}`,
      )
      changes += 1
      // What is asked in between is remembered for what comes next.
      await askAll(lines, someOf(pool, random), documents)
      if (change.turnsAfter !== undefined) await pause(change.turnsAfter + 50)
    }
    const looked = await lookTwice(place, lines, pool, documents)
    compared += looked.compared
    unsteady += looked.unsteady
    stale.push(...looked.differences.map((difference) => ({ round, after, ...difference })))
  }
  return { changes, statuses, compared, unsteady, stale }
}

type Difference = Pick<StaleAnswer, 'line' | 'question' | 'at'>

interface Looked {
  readonly compared: number
  readonly unsteady: number
  readonly differences: readonly Difference[]
}

/** Asks the processes and a fresh one. Begins anew when the database has changed meanwhile, as a server does things by itself. */
async function lookTwice(
  place: DatabasePlace,
  lines: readonly Line[],
  pool: readonly Question[],
  documents: readonly VisibleDocument[],
): Promise<Looked> {
  for (;;) {
    await untilSettled(place)
    const before = await dumpTables(place, shownTables)
    const answers = await askAll(lines, pool, documents)
    const fresh = await startTestServer({ settings: settingsAt(place) })
    try {
      const expected = await askFresh(fresh, pool, documents)
      const again = await askFresh(fresh, pool, documents)
      if (isDeepStrictEqual(before, await dumpTables(place, shownTables)))
        return compare(pool, documents, answers, expected, again)
    } finally {
      await fresh.stop()
    }
  }
}

const shownTables = ['documents', 'acps', 'directory_entries', 'directory_references']

function compare(
  pool: readonly Question[],
  documents: readonly VisibleDocument[],
  answers: readonly (readonly string[])[],
  expected: readonly string[],
  again: readonly string[],
): Looked {
  const steady = [...pool.entries()].filter(([number]) => expected[number] === again[number])
  const differences = steady.flatMap(([number, { by, request }]) =>
    answers.flatMap((told, line) => {
      if (told[number] === expected[number]) return []
      const { method, path, headers = {}, body = '' } = request
      const question = `${by} ${method} ${named(documents, path, encodeURIComponent)} ${JSON.stringify(headers)} ${JSON.stringify(body)}`
      return [{ line, question, at: partingOf(told[number] ?? '', expected[number] ?? '', ['running', '  fresh']) }]
    }),
  )
  return { compared: answers.length * steady.length, unsteady: pool.length - steady.length, differences }
}

/** Operations of this kind make what is not there yet. */
function readingFacts({ operations, ...facts }: ServerFacts): ServerFacts {
  return { ...facts, operations: operations.filter(({ id }) => !/Workspace/.test(id)) }
}

/** A tenth of the questions is replaced by others each time. */
function renewPool(pool: Question[], size: number, random: Random, documents: number, facts: ServerFacts): void {
  pool.splice(0, Math.ceil(pool.length / 10))
  while (pool.length < size) {
    const request = anyRequest(random, documents, facts)
    if (request.kind.startsWith('write') || request.method === 'DELETE' || tellsOfProcess(request)) continue
    pool.push({ by: random.pick([...people, 'Administrator']) as string, request })
  }
}

/** When it was started, and what it has done since. */
function tellsOfProcess({ path }: WorldRequest): boolean {
  return path.startsWith('/management/')
}

function someOf(pool: readonly Question[], random: Random): readonly Question[] {
  const from = random.between(0, pool.length)
  return pool.slice(from, from + 8)
}

async function make({ by, request }: Change, line: Line, documents: VisibleDocument[]): Promise<LineAnswer> {
  const answer = await line.call(by, callOf(request, documents))
  noteDocument(documents, answer)
  return answer
}

/** New ones are asked about from here on, and others where they are now. */
function noteDocument(documents: VisibleDocument[], { status, text }: LineAnswer): void {
  if (status >= 300 || !text.startsWith('{')) return
  const { uid: id, path, type, ...entity } = JSON.parse(text)
  if (entity['entity-type'] !== 'document' || typeof path !== 'string') return
  const known = documents.findIndex((one) => one.id === id)
  if (known >= 0) documents[known] = { id, path, type }
  else documents.push({ id, path, type })
}

function callOf({ method, path, headers, body }: WorldRequest, documents: readonly VisibleDocument[]) {
  return {
    method,
    path: named(documents, path, encodeURIComponent),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body: named(documents, JSON.stringify(body), (text) => text) }),
  }
}

/** What each line answers, to all questions. */
function askAll(lines: readonly Line[], pool: readonly Question[], documents: readonly VisibleDocument[]) {
  return Promise.all(lines.map((line) => ask(line, pool, documents)))
}

async function ask(line: Line, pool: readonly Question[], documents: readonly VisibleDocument[]): Promise<readonly string[]> {
  const answers: string[] = []
  for (const { by, request } of pool) answers.push(shown(await line.call(by, callOf(request, documents))))
  return answers
}

async function askFresh(server: TestServer, pool: readonly Question[], documents: readonly VisibleDocument[]) {
  const line = openLine(server.url)
  try {
    return await ask(line, pool, documents)
  } finally {
    line.close()
  }
}

function shown({ status, headers, text }: LineAnswer): string {
  const told = Object.entries(headers).filter(([name]) => !passing.has(name))
  return [`${status}`, ...told.map(([name, value]) => `${name}: ${value}`), pretty(text)].join('\n')
}

const patienceMilliseconds = 30_000

/** Until nobody has anything left to do that was put off. */
async function untilSettled(place: DatabasePlace): Promise<void> {
  const giveUpAt = Date.now() + patienceMilliseconds
  const due = `due IS NOT NULL AND (attempts > 0 OR due <= '${new Date().toISOString()}')`
  for (;;) {
    const [row] = await place.query(`SELECT count(*) AS jobs FROM jobs WHERE ${due}`)
    if (Number(row?.['jobs']) === 0) return
    if (Date.now() > giveUpAt) throw new Error(`${row?.['jobs']} jobs are not done.`)
    await pause(20)
  }
}
