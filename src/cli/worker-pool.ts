import type { Log } from '../base/log.ts'
import { defineProblem } from '../base/problem.ts'

/** What a worker tells the process that forked it. */
export type WorkerReport = { kind: 'listening'; url: string; port: number } | { kind: 'failed'; line: string }

export type Listening = Extract<WorkerReport, { kind: 'listening' }>

/** As much of a `cluster.Worker` as the pool uses. */
export interface WorkerProcess {
  readonly process: { readonly pid?: number | undefined; kill(signal: NodeJS.Signals): unknown }
  on(event: 'message', listener: (report: WorkerReport) => void): unknown
  on(event: 'exit', listener: (code: number | null) => void): unknown
}

export interface WorkerPool {
  /** Settles when all of them listen. @throws workerFailed when one cannot. */
  start(count: number): Promise<Listening>
  /** Asks all to finish what they are doing; settles when they are gone, with whether each ended well. */
  stop(): Promise<boolean>
}

interface Worker {
  readonly process: WorkerProcess['process']
  readonly startedAt: number
  readonly listening: Promise<Listening>
  readonly ended: Promise<number | null>
}

export const workerFailed = defineProblem('workerFailed', 'unavailable', (worker: { line: string }) => worker.line)

/** Keeps worker processes running: one that dies is replaced, ever more slowly while its successors die young. */
export function createWorkerPool(deps: {
  fork(): WorkerProcess
  log: Log
  now(): number
  pause(milliseconds: number): Promise<unknown>
}): WorkerPool {
  const running = new Set<Worker>()
  let isStopping = false

  function launch(): Worker {
    const worker = watch(deps.fork(), deps.now())
    running.add(worker)
    worker.ended.then(() => running.delete(worker))
    return worker
  }

  async function keepAlive(worker: Worker): Promise<void> {
    for (let deaths = 0; ; ) {
      const code = await worker.ended
      if (isStopping) return
      deaths = deps.now() - worker.startedAt < longLifeMs ? deaths + 1 : 1
      const delayMs = restartDelayMs(deaths)
      deps.log.error({ event: 'worker.died', worker: worker.process.pid, code, restartInMs: delayMs }, 'worker died')
      await deps.pause(delayMs)
      if (isStopping) return
      worker = launch()
      worker.listening.catch((err) => deps.log.error({ event: 'worker.failed', err }, 'worker could not start'))
    }
  }

  async function stop(): Promise<boolean> {
    isStopping = true
    const leaving = [...running]
    for (const worker of leaving) worker.process.kill('SIGTERM')
    const codes = await Promise.all(leaving.map((worker) => worker.ended))
    return codes.every((code) => code === 0)
  }

  async function start(count: number): Promise<Listening> {
    const workers = Array.from({ length: count }, launch)
    try {
      const [first] = await Promise.all(workers.map((worker) => worker.listening))
      for (const worker of workers) keepAlive(worker)
      return first as Listening // there is at least one worker
    } catch (error) {
      await stop()
      throw error
    }
  }

  return { start, stop }
}

function watch(worker: WorkerProcess, startedAt: number): Worker {
  const listening = Promise.withResolvers<Listening>()
  const ended = Promise.withResolvers<number | null>()
  let line = 'a worker process ended before it listened'
  worker.on('message', (report) => {
    if (report.kind === 'listening') listening.resolve(report)
    else line = report.line
  })
  worker.on('exit', (code) => {
    listening.reject(workerFailed({ line }))
    ended.resolve(code)
  })
  return { process: worker.process, startedAt, listening: listening.promise, ended: ended.promise }
}

const longLifeMs = 60_000
const longestDelayMs = 30_000

/** The first replacement comes almost at once, the tenth in a row of early deaths after half a minute. */
export function restartDelayMs(deaths: number): number {
  return Math.min(longestDelayMs, 100 * 2 ** (deaths - 1))
}
