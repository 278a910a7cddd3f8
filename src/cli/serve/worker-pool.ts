import { type Log, silentLog } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import { type ExitCode, exitCodes } from '../../command/command.ts'
import type { AdministratorPassword } from '../../settings/administrator-password.ts'
import type { ServerSettings } from '../../settings/server-settings.ts'
import type { StartFacts } from './start-lines.ts'

/**
 * What a worker tells the process that forked it, which reads no settings itself: what it needs of them, that the worker listens, and
 * from then on that it is alive.
 */
export type WorkerReport =
  | ({ kind: 'settings' } & Pick<ServerSettings, 'workers' | 'logLevel'>)
  | { kind: 'listening'; port: number; facts: StartFacts & { administratorPassword: AdministratorPassword }; lines: string }
  | { kind: 'failed'; line: string; code: ExitCode }
  | { kind: 'alive' }

type WorkerSettings = Extract<WorkerReport, { kind: 'settings' }>
export type Listening = Extract<WorkerReport, { kind: 'listening' }>

/** What a worker process could not start for, in its own words. */
export const workerFailed = defineProblem(
  'workerFailed',
  'unavailable',
  (worker: { readonly line: string; readonly code: ExitCode }) => worker.line,
)

/** As much of a `cluster.Worker` as the pool uses. */
export interface WorkerProcess {
  readonly process: { readonly pid?: number | undefined; kill(signal: NodeJS.Signals): unknown }
  on(event: 'message', listener: (report: WorkerReport) => void): unknown
  on(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown
  /** Among others when it could not be started at all; then it has no end either. */
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface WorkerPool {
  /** Forks one, then as many more as its settings say. Settles when all of them listen. @throws workerFailed when one cannot. */
  start(): Promise<{ readonly listening: Listening; readonly log: Log }>
  /** Asks all to finish what they are doing; settles when they are gone, with whether each ended well. */
  stop(): Promise<boolean>
  /** To be called every so often: ends those that have said nothing for many calls. */
  endSilent(): void
}

interface Worker {
  readonly process: WorkerProcess['process']
  readonly startedAt: number
  readonly settings: Promise<WorkerSettings>
  readonly listening: Promise<Listening>
  readonly ended: Promise<WorkerEnd>
  /** Whether it has said since the last look that it is alive, or need not say so yet. */
  isAlive(): boolean
  isListening(): boolean
}

interface WorkerEnd {
  readonly code: number | null
  readonly signal?: string | null
  readonly err?: unknown
}

/**
 * Keeps worker processes running: one that dies is replaced, ever more slowly while its successors die young. One that says nothing
 * for long is killed: clients it has accepted would wait for ever.
 */
export function createWorkerPool(deps: {
  fork(): WorkerProcess
  openLog(level: ServerSettings['logLevel']): Promise<Log>
  now(): number
  pause(milliseconds: number): Promise<unknown>
}): WorkerPool {
  const running = new Set<Worker>()
  const silence = new WeakMap<Worker, number>()
  let isStopping = false
  let log = silentLog

  function launch(): Worker {
    const worker = watch(forked(deps.fork), deps.now())
    running.add(worker)
    worker.ended.then(() => running.delete(worker))
    return worker
  }

  async function keepAlive(worker: Worker): Promise<void> {
    for (let deaths = 0; ; ) {
      const end = await worker.ended
      if (isStopping) return
      deaths = deps.now() - worker.startedAt < longLifeMs ? deaths + 1 : 1
      const delayMs = restartDelayMs(deaths)
      log.error({ event: 'worker.died', worker: worker.process.pid, ...end, restartInMs: delayMs }, 'worker died')
      await deps.pause(delayMs)
      if (isStopping) return
      worker = launch()
      worker.listening.catch((err) => log.error({ event: 'worker.failed', err }, 'worker could not start'))
    }
  }

  async function stop(): Promise<boolean> {
    isStopping = true
    const ends = await Promise.all([...running].map(endedWell))
    return ends.every((isWell) => isWell)
  }

  async function start(): Promise<{ listening: Listening; log: Log }> {
    const first = launch()
    try {
      const { workers, logLevel } = await first.settings
      const all = [first, ...Array.from({ length: workers - 1 }, launch)]
      log = await deps.openLog(logLevel)
      const [listening] = await Promise.all(all.map((worker) => worker.listening))
      for (const worker of all) keepAlive(worker)
      return { listening: listening as Listening, log } // there is at least one worker
    } catch (error) {
      await stop()
      throw error
    }
  }

  function endSilent(): void {
    for (const worker of running) {
      const looks = worker.isAlive() ? 0 : (silence.get(worker) ?? 0) + 1
      silence.set(worker, looks)
      if (looks !== silentLooks) continue
      log.error({ event: 'worker.silent', worker: worker.process.pid }, 'worker does not answer and is ended')
      worker.process.kill('SIGKILL')
    }
  }

  return { start, stop, endSilent }
}

/** Asks one to stop. One that did not listen yet may not even have begun to heed signals: then the signal itself ends it. */
async function endedWell(worker: Worker): Promise<boolean> {
  const wasListening = worker.isListening()
  worker.process.kill('SIGTERM')
  const { code, signal } = await worker.ended
  return code === 0 || (!wasListening && (signal === 'SIGTERM' || signal === 'SIGINT'))
}

/** A process that cannot be started is one that has ended already. */
function forked(fork: () => WorkerProcess): WorkerProcess | { readonly err: unknown } {
  try {
    return fork()
  } catch (err) {
    return { err }
  }
}

function watch(worker: WorkerProcess | { readonly err: unknown }, startedAt: number): Worker {
  const settings = Promise.withResolvers<WorkerSettings>()
  const listening = Promise.withResolvers<Listening>()
  const ended = Promise.withResolvers<WorkerEnd>()
  let failure: { line: string; code: ExitCode } = { line: 'a worker process ended before it listened', code: exitCodes.failed }
  let isListening = false
  let isHeard = false
  const end = (how: WorkerEnd) => {
    const problem = workerFailed(failure, { cause: how.err })
    settings.reject(problem)
    listening.reject(problem)
    ended.resolve(how)
  }
  for (const { promise } of [settings, listening]) promise.catch(() => {}) // whoever needs it awaits it, maybe later
  const about = {
    startedAt,
    settings: settings.promise,
    listening: listening.promise,
    ended: ended.promise,
    isListening: () => isListening,
  }
  if ('err' in worker) {
    end({ code: null, err: worker.err })
    return { ...about, process: { kill: () => false }, isAlive: () => true }
  }
  worker.on('message', (report) => {
    isHeard = true
    if (report.kind === 'failed') failure = report
    if (report.kind === 'settings') settings.resolve(report)
    if (report.kind !== 'listening') return
    isListening = true
    listening.resolve(report)
  })
  worker.on('exit', (code, signal) => end({ code, signal }))
  worker.on('error', (err) => worker.process.pid === undefined && end({ code: null, err }))
  return {
    ...about,
    process: worker.process,
    isAlive() {
      const wasHeard = isHeard || !isListening
      isHeard = false
      return wasHeard
    },
  }
}

/** How often a worker says that it is alive, and how often that is looked for. */
export const aliveMs = 5_000
// Five minutes: no statement that the embedded database was seen to need blocks its process for longer. Checks are counted, not
// time, which goes on while all processes are suspended.
const silentLooks = 60
const longLifeMs = 60_000
const longestDelayMs = 30_000

/** The first replacement comes almost at once, the tenth in a row of early deaths after half a minute. */
export function restartDelayMs(deaths: number): number {
  return Math.min(longestDelayMs, 100 * 2 ** (deaths - 1))
}
