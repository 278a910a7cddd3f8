import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { callApi } from '../../support/call-api.ts'
import { createRandom } from '../kill/random.ts'
import { type Deployment, type DeploymentDatabase, startDeployment } from './deployment.ts'
import {
  createDocument,
  createShelf,
  downloadFile,
  fetchFile,
  listShelf,
  lookUp,
  readDocument,
  removeDocument,
  type Scene,
  searchDocument,
  trashDocument,
  updateDocument,
  uploadDocument,
} from './documents.ts'
import { type FaultName, type FaultTimes, type FaultWindow, undergo, windowOf } from './faults.ts'
import { createLedger, knownOf, type Ledger } from './ledger.ts'
import { lookIntoRoom, makeRoom, type Room, renewRoom, turnRoom } from './rooms.ts'
import { createTraffic, isFailure, type Measured } from './traffic.ts'

export interface DeploymentRun {
  readonly seconds: number
  /** Requests a second, sent at their time whether those before were answered or not. */
  readonly rate: number
  readonly seed: number
  /** In turn, at equal distances; the first after one such distance. */
  readonly faults: readonly FaultName[]
  readonly times: FaultTimes
  /** Absent: a primary and a replica for this run alone. */
  readonly database?: DeploymentDatabase
  onProgress?(sentence: string): void
}

export interface DeploymentOutcome {
  readonly ledger: Ledger
  readonly measured: readonly Measured[]
  readonly windows: readonly FaultWindow[]
  /** Requests that were not sent at their time, as too many were under way. */
  readonly held: number
  /** Lines that servers logged. */
  readonly logged: readonly string[]
}

const writers = ['writer-0', 'writer-1']
const readers = ['reader-0', 'reader-1', 'reader-2', 'reader-3']

/** Starts a deployment from nothing, lets things happen to it under load, and compares what is there in the end with what it owes. */
export async function runDeployment(run: DeploymentRun): Promise<DeploymentOutcome> {
  const deployment = await startDeployment(run.database)
  const traffic = createTraffic(deployment.url)
  const ledger = createLedger()
  const windows: FaultWindow[] = []
  let held = 0
  let logged: readonly string[] = []
  try {
    let numbers = 0
    const next = () => ++numbers
    const home = await prepareHome(deployment.url)
    const scene: Scene = { traffic, ledger, random: createRandom(run.seed), home, writers, next }
    const rooms = await prepareRooms(scene)
    run.onProgress?.(`${deployment.servers.length} servers are ready, load begins`)
    const happening = undergoAll(deployment, run, windows)
    held = await sendAll(scene, rooms, run)
    await happening
    run.onProgress?.(`${ledger.documents.length} documents are compared`)
    await compareAll(scene)
    ledger.broken.push(...(await findStuckJobs(deployment.url)))
    ledger.broken.push(...strayErrors(traffic.measured, windows))
  } finally {
    traffic.close()
    logged = await deployment.stop()
  }
  return { ledger, measured: traffic.measured, windows, held, logged }
}

async function prepareHome(url: string): Promise<string> {
  const make = async (path: string, body: object) => {
    const answer = await callApi(url, 'POST', path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  for (const username of [...writers, ...readers]) {
    await make('/user', { 'entity-type': 'user', id: username, properties: { username, password: username } })
  }
  const workspace = { 'entity-type': 'document', type: 'Workspace', name: 'home', properties: { 'dc:title': 'home' } }
  const { uid } = await make('/path/default-domain/workspaces', workspace)
  const params = { users: writers, permission: 'ReadWrite' }
  await make('/automation/Document.AddPermission', { input: `doc:${uid}`, params, context: {} })
  return uid
}

async function prepareRooms(scene: Scene): Promise<Room[]> {
  const rooms: Room[] = []
  for (const [at, reader] of readers.entries()) {
    const room = await makeRoom(scene, reader, at % 2 === 1)
    assert.ok(room)
    rooms.push(room)
  }
  for (let shelf = 0; shelf < 6; shelf++) await createShelf(scene)
  return rooms
}

type Work = (scene: Scene, rooms: Room[]) => Promise<void>

/** How often each is done, of a hundred, and how many requests it takes. */
const works: readonly (readonly [share: number, requests: number, work: Work])[] = [
  [30, 1, readDocument],
  [13, 1, listShelf],
  [9, 1, searchDocument],
  [12, 1, createDocument],
  [13, 1, updateDocument],
  [3, 3, uploadDocument],
  [6, 1, downloadFile],
  [2, 1, trashDocument],
  [2, 1, removeDocument],
  [2, 1, turnAnyRoom],
  [8, 1, lookIntoAnyRoom],
]
const allShares = works.reduce((sum, [share]) => sum + share, 0)

async function turnAnyRoom(scene: Scene, rooms: Room[]): Promise<void> {
  const at = scene.random.between(0, rooms.length)
  const room = rooms[at]
  if (room === undefined || room.state === 'changing') return readDocument(scene)
  await (room.state === 'unknown' ? renewRoom(scene, rooms, at) : turnRoom(scene, room))
}

async function lookIntoAnyRoom(scene: Scene, rooms: readonly Room[]): Promise<void> {
  const room = scene.random.pick(rooms)
  if (room !== undefined) await lookIntoRoom(scene, room)
}

const betweenLooksMilliseconds = 2
/** More than come in the time in which a server has to say that its database is away. */
const mostUnderWay = 4_000

async function sendAll(scene: Scene, rooms: Room[], { rate, seconds, onProgress }: DeploymentRun): Promise<number> {
  const started = performance.now()
  const underWay = new Set<Promise<void>>()
  let [sent, held, told] = [0, 0, 0]
  for (let passed = 0; passed < seconds; passed = (performance.now() - started) / 1_000) {
    while (sent + held < Math.floor(rate * passed)) {
      const [, requests, work] = anyWork(scene)
      if (underWay.size >= mostUnderWay) {
        held += requests
        continue
      }
      sent += requests
      const working: Promise<void> = work(scene, rooms).finally(() => underWay.delete(working))
      underWay.add(working)
    }
    if (passed > told + 60) {
      told += 60
      onProgress?.(`${told} s: ${sent} requests, ${underWay.size} under way, ${scene.ledger.broken.length} promises broken`)
    }
    await pause(betweenLooksMilliseconds)
  }
  await Promise.all(underWay)
  return held
}

function anyWork({ random }: Scene): readonly [share: number, requests: number, work: Work] {
  let left = random.next() * allShares
  const found = works.find(([share]) => {
    left -= share
    return left < 0
  })
  return found ?? [1, 1, readDocument]
}

async function undergoAll(deployment: Deployment, run: DeploymentRun, windows: FaultWindow[]): Promise<void> {
  const { faults, seconds, times, onProgress } = run
  const distance = (seconds * 1_000) / (faults.length + 1)
  const started = performance.now()
  for (const [at, fault] of faults.entries()) {
    await pause(Math.max(0, started + distance * (at + 1) - performance.now()))
    // By turns the one server and the other.
    const round = faults.slice(0, at).filter((one) => one === fault).length
    await undergo(deployment, fault, round, times, windows)
    const { from = 0, to = 0 } = windows.at(-1) ?? {}
    onProgress?.(`${((from - started) / 1_000).toFixed(0)} s: ${fault}, all was back after ${((to - from) / 1_000).toFixed(1)} s`)
  }
}

const comparedAtOnce = 8

/** Every document and every file as it has to be; nothing is changed any more. */
async function compareAll(scene: Scene): Promise<void> {
  const left = scene.ledger.documents[Symbol.iterator]()
  const compare = async () => {
    for (const document of left) {
      const known = knownOf(document)
      const answer = await lookUp(scene, known, 'Administrator', 'compared')
      if (isFailure(answer)) scene.ledger.broken.push(`in the end ${document.name} is answered ${answer.status}`)
      if (document.file === undefined || answer.status !== 200) continue
      const { status } = await fetchFile(scene, known, 'Administrator', 'compared')
      if (status !== 200) scene.ledger.broken.push(`in the end the file of ${document.name} is answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: comparedAtOnce }, compare))
}

const jobsMilliseconds = 60_000

/** Work that follows from requests is done by whoever is left, in time. */
async function findStuckJobs(url: string): Promise<readonly string[]> {
  for (const giveUpAt = performance.now() + jobsMilliseconds; ; await pause(200)) {
    const { body } = await callApi(url, 'GET', '/management/jobs')
    if (body.parked > 0) return [`${body.parked} jobs were given up: ${JSON.stringify(body.entries).slice(0, 500)}`]
    if (body.pending === 0) return []
    if (performance.now() > giveUpAt) return [`${body.pending} jobs are stuck: ${JSON.stringify(body.entries).slice(0, 500)}`]
  }
}

/** Errors while nothing was away. */
function strayErrors(measured: readonly Measured[], windows: readonly FaultWindow[]): readonly string[] {
  const stray = measured.filter((one) => isFailure(one) && windowOf(windows, one) === undefined)
  return stray.map(({ kind, status, started }) => {
    const last = windows.findLast(({ to }) => to < started)
    const since = last === undefined ? 'before anything' : `${((started - last.to) / 1_000).toFixed(1)} s after "${last.fault}"`
    return `${kind} was answered ${status || 'nothing'} ${since} happened`
  })
}
