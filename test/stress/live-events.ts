import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { startTestServer } from '../../src/testing.ts'
import { idleFlags, openIdleListeners } from '../live-events/idle-listeners.ts'
import { addListeners, checkHistory, history } from '../live-events/rights-history.ts'
import { callOnce } from '../support/call-once.ts'
import type { DatabasePlace, EngineName } from '../support/database-place.ts'
import { basicHeader, openEventStream } from '../support/event-stream.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

const idleCount = 1_000
const mostMegabytes = 40
const idleLooks = 30
const mostMilliseconds = 200
const saves = 100
const listeningProcesses = 6

/**
 * How soon clients of two processes hear of a commit, what a thousand who hear nothing cost, and random changes of rights under the eyes of
 * those who listen. Gives whether all of it is within its bounds.
 */
export async function stressLiveEvents(engine: EngineName, histories: number, seed: number): Promise<boolean> {
  const isSoon = await onStressPlace(engine, (place) => measureDelay(engine, place))
  const isSmall = await onStressPlace(engine, (place) => measureMemory(engine, place))
  const isRight = await onStressPlace(engine, (place) => tryHistories(engine, place, histories, seed))
  return isSoon && isSmall && isRight
}

function report(isSound: boolean, engine: EngineName, sentence: string): boolean {
  console.log(`${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${sentence}`)
  return isSound
}

/** From the answer to a save, which comes with its commit, to the event at each of the clients, which both processes have some of. */
async function measureDelay(engine: EngineName, place: DatabasePlace): Promise<boolean> {
  const servers = engine === 'sqlite' ? 1 : 2
  const flags = engine === 'sqlite' ? ['--workers', '2'] : []
  const programs: Program[] = []
  for (let count = 0; count < servers; count += 1) programs.push(await startServerProgram(place, flags))
  try {
    let turn = 0
    const next = () => programs[turn++ % programs.length]?.url ?? ''
    const call = (method: string, path: string, body: object) => callOnce(next(), 'Administrator', method, path, body)
    const file = { 'entity-type': 'document', type: 'File', name: 'watched' }
    const { uid } = (await call('POST', '/path/default-domain/workspaces', file)).body
    const open = () => openEventStream(next(), basicHeader('Administrator'), `?document=${uid}&event=documentModified`)
    const streams = await Promise.all(Array.from({ length: listeningProcesses }, open))
    const delays: number[] = []
    for (let save = 0; save < saves; save += 1) {
      const body = { 'entity-type': 'document', properties: { 'dc:title': `save ${save}` } }
      const { changeToken } = (await call('PUT', `/id/${uid}`, body)).body
      const savedAt = performance.now()
      const heard = await Promise.all(streams.map((stream) => stream.until(({ data }) => data.changeToken === changeToken)))
      delays.push(...heard.map(({ at }) => Math.max(0, at - savedAt)))
    }
    for (const stream of streams) stream.close()
    const sorted = delays.toSorted((left, right) => left - right)
    const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
    const figures = `half within ${at(0.5)} ms, 95 % within ${at(0.95)} ms, all within ${at(1)} ms`
    return report(at(0.95) < mostMilliseconds, engine, `two processes tell of a save after its answer: ${figures}`)
  } finally {
    for (const program of programs) await stopProgram(program)
  }
}

async function measureMemory(engine: EngineName, place: DatabasePlace): Promise<boolean> {
  const program = await startServerProgram(place, idleFlags)
  try {
    const { streams, measure } = await openIdleListeners(program, idleCount)
    const atFirst = measure()
    // What opening them left behind is collected when nothing has happened for a while.
    let least = atFirst
    for (let look = 0; look < idleLooks; look += 1) {
      await pause(1_000)
      least = Math.min(least, measure())
    }
    for (const stream of streams) stream.close()
    const figures = `${atFirst.toFixed(1)} MB at first and ${least.toFixed(1)} MB when idle`
    return report(least < mostMegabytes, engine, `${idleCount} who listen cost ${figures}`)
  } finally {
    await stopProgram(program)
  }
}

async function tryHistories(engine: EngineName, place: DatabasePlace, histories: number, seed: number): Promise<boolean> {
  const server = await startTestServer({ settings: { ...place.settings, liveEventStreamsPerUser: 1_000 } })
  try {
    await addListeners(server)
    await fc.assert(
      fc.asyncProperty(history, (steps) => checkHistory(server, steps)),
      { numRuns: histories, seed, endOnFailure: true },
    )
    return report(true, engine, `${histories} histories of rights, seed ${seed}: nobody heard what they may not`)
  } catch (error) {
    const { message, cause } = error as Error
    return report(false, engine, `${message}\n${String(cause)}`)
  } finally {
    await server.stop()
  }
}
