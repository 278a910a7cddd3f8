import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestServer } from '../../src/testing.ts'
import { answerTo, type Call } from '../http/call.ts'
import { askers, groupCount, groupsInChain, namePrefixes, populate, sharedPath, userName } from '../load/population.ts'
import { scatter } from '../load/tree.ts'
import type { Place, Places } from '../place.ts'
import { type LaunchOptions, type QuireProcess, startQuire } from '../quire-process.ts'
import type { Finding } from '../report/finding.ts'
import { type Contender, measureInTurns } from '../rounds.ts'
import { answering, takingTurns } from './contenders.ts'

const [few, many] = [100, 100_000]

const among = `${many.toLocaleString('en')} users and ${groupCount(many).toLocaleString('en')} groups, against ${few}`

/** With a thousand times as many users it may cost half as much again. */
const leastShare = 1 / 1.5

interface PeopledServer extends QuireProcess {
  readonly users: number
}

interface PeopleRow {
  readonly name: string
  readonly title: string
  /** The least share of the rate with few users; a row without it is for information. */
  readonly leastShare?: number
  /** By each asker in turn. */
  calls(users: number): readonly Call[]
}

const turns = Array.from({ length: 20_000 }, (_, turn) => turn)
const asking = (call: (turn: number) => Omit<Call, 'user'>, count = askers.length) =>
  turns.slice(0, count).map((turn): Call => ({ ...call(turn), user: askers[turn % askers.length] ?? '' }))

/** The same calls by the same users: what differs is how many others there are. */
export const peopleRows: readonly PeopleRow[] = [
  {
    name: 'people-login',
    title: 'POST /automation/login with credentials that are remembered',
    leastShare,
    calls: () => asking(() => ({ method: 'POST', path: '/api/v1/automation/login', body: '{}' })),
  },
  {
    name: 'people-me',
    title: 'GET /me',
    leastShare,
    calls: () => asking(() => ({ method: 'GET', path: '/api/v1/me' })),
  },
  {
    name: 'people-search',
    title: 'GET /user/search for the beginning of ten names',
    leastShare,
    calls: () => asking((turn) => ({ method: 'GET', path: `/api/v1/user/search?q=${namePrefixes[turn % namePrefixes.length]}` })),
  },
  {
    name: 'people-rights',
    title: `GET of a document that is open to a group ${groupsInChain} levels up`,
    leastShare,
    calls: () => asking((turn) => ({ method: 'GET', path: `/api/v1/path${sharedPath(turn)}` })),
  },
  {
    name: 'people-anybody',
    title: 'GET /user of anybody',
    calls: (users) =>
      asking((turn) => ({ method: 'GET', path: `/api/v1/user/${userName(scatter(turn) % users)}` }), turns.length),
  },
]

/** The server against itself: one with many users and groups, and one with few. */
export async function measurePeople(
  places: Places,
  rows: readonly PeopleRow[],
  { scratch, seconds, launch }: { scratch: string; seconds: number; launch: LaunchOptions },
): Promise<readonly Finding[]> {
  const servers: PeopledServer[] = []
  try {
    for (const users of [many, few]) {
      const place = places.create(`people_${users}`, join(scratch, `people-${users}`))
      await fill(place, users)
      servers.push({ users, ...(await startQuire(place, launch)) })
    }
    const findings: Finding[] = []
    for (const row of rows) {
      console.error(`measuring ${row.title}`)
      findings.push(await measureRow(row, servers, seconds))
    }
    return findings
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function fill(place: Place, users: number): Promise<void> {
  await mkdir(place.folder, { recursive: true })
  const started = performance.now()
  const server = await startTestServer({ settings: place.settings })
  try {
    await populate(server, users)
  } finally {
    await server.stop()
  }
  const seconds = (performance.now() - started) / 1_000
  console.error(`filling in ${users} users and ${groupCount(users)} groups took ${seconds.toFixed(1)} s`)
}

async function measureRow(row: PeopleRow, servers: readonly PeopledServer[], seconds: number): Promise<Finding> {
  const contenders: Contender[] = []
  for (const server of servers) {
    const calls = row.calls(server.users)
    for (const call of calls.slice(0, askers.length)) await requireAnswer(call, server)
    contenders.push(answering(server, takingTurns(calls)))
  }
  const [quire, bare] = await measureInTurns(contenders, seconds)
  if (quire === undefined || bare === undefined) throw new Error(`The row ${row.name} has nothing to compare.`)
  const { name, title, leastShare: least } = row
  return {
    row: name,
    title,
    files: 0,
    among,
    measure: { kind: 'rate', quire, bare, ...(least !== undefined && { leastShare: least }) },
  }
}

/** Signs everybody in before the rounds begin: it is hashing that takes time then. A search that finds nothing measures nothing. */
async function requireAnswer(call: Call, { target }: QuireProcess): Promise<void> {
  const { body } = await answerTo(call, target)
  if (JSON.parse(body).entries?.length === 0) throw new Error(`${call.path} finds nothing.`)
}
