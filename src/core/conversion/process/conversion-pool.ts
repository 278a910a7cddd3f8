import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineProblem } from '../../../base/problem.ts'
import { type ConversionProcess, folderPrefix } from './conversion-process.ts'
import { createFairQueue, type Waiting } from './fair-queue.ts'

export const conversionsBusy = defineProblem(
  'conversionsBusy',
  'unavailable',
  (of: { waiting: number }) => `${of.waiting} conversions are waiting already. Try again later.`,
)

export const tooManyConversions = defineProblem(
  'tooManyConversions',
  'throttled',
  (of: { user: string; most: number; retryAfterSeconds: number }) =>
    `${of.user} has ${of.most} conversions of files running or waiting, which is as many as one person may have. Wait for some of them.`,
)

export interface ConversionPoolOptions {
  readonly processes: number
  start(): Promise<ConversionProcess>
  /** After a conversion, a process that holds more than that is ended: another one starts smaller. */
  readonly keptBytes: number
  /** How many of one user that somebody waits for may run and wait; 0: any number. */
  readonly perUser?: number
}

export interface PoolWish {
  /** Whoever waits for an answer goes before it, nine times of ten. */
  readonly isBackground?: boolean
  /** Whom it is for; absent for the server itself. */
  readonly user?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Says what is left to do once the result is there. */
export type Afterwards = (task: () => Promise<void>) => void

/** The conversion processes of a server: as many as may run at once, started when they are needed and ended when they idle. */
export interface ConversionPool {
  /**
   * Runs it with a process to itself, when one is free. What it throws may have lost the process. What it has done afterwards, before the
   * next has the process, its caller does not wait for. @throws conversionsBusy, tooManyConversions
   */
  run<Result>(work: (process: ConversionProcess, afterwards: Afterwards) => Promise<Result>, wish?: PoolWish): Promise<Result>
  readonly running: number
  readonly waiting: number
  /** Ends all processes, and what waits for one. */
  end(): Promise<void>
}

const maxWaiting = 1_000
const retryAfterSeconds = 10
const idleMilliseconds = 30_000
// Whatever a library holds on to is given back in time.
const maxConversions = 200

interface Idle {
  readonly process: ConversionProcess
  readonly done: number
  readonly timer: NodeJS.Timeout
}

export function createPool({ processes, start, keptBytes, perUser = 0 }: ConversionPoolOptions): ConversionPool {
  const queue = createFairQueue()
  const idle: Idle[] = []
  const running = new Set<ConversionProcess>()
  let free = processes
  let isEnded = false
  let tidied: Promise<void> | undefined

  function enter(wish: PoolWish): Promise<void> {
    wish.signal?.throwIfAborted()
    const { user, isBackground = false } = wish
    // Of what is made in the background there is never more than a queue of jobs has workers.
    if (perUser > 0 && user !== undefined && !isBackground && queue.countOf(user) >= perUser)
      throw tooManyConversions({ user, most: perUser, retryAfterSeconds })
    if (free > 0) {
      free -= 1
      queue.place(wish)
      return Promise.resolve()
    }
    if (queue.waiting >= maxWaiting) throw conversionsBusy({ waiting: queue.waiting })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Waiting = { wish, start: resolve, refuse: reject }
    const giveUp = () => {
      if (queue.remove(entry)) reject(wish.signal?.reason)
    }
    wish.signal?.addEventListener('abort', giveUp, { once: true })
    queue.add(entry)
    return promise.finally(() => wish.signal?.removeEventListener('abort', giveUp))
  }

  function leave(wish: PoolWish): void {
    queue.leave(wish)
    const next = queue.next()
    if (next === undefined) free += 1
    else next.start()
  }

  async function take(): Promise<{ readonly process: ConversionProcess; readonly done: number }> {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      clearTimeout(next.timer)
      if (next.process.isRunning()) return next
      await next.process.end()
    }
    tidied ??= removeAbandoned()
    await tidied
    return { process: await start(), done: 0 }
  }

  async function giveBack(process: ConversionProcess, done: number): Promise<void> {
    const isKept = !isEnded && done < maxConversions && process.isRunning() && process.residentBytes() <= keptBytes
    if (!isKept || isEnded) return process.end()
    const entry: Idle = {
      process,
      done,
      timer: setTimeout(() => {
        const place = idle.indexOf(entry)
        if (place !== -1) idle.splice(place, 1)
        void process.end()
      }, idleMilliseconds).unref(),
    }
    idle.push(entry)
  }

  /** Removing a folder and looking at what all processes hold are dozens of calls to the system: who waits for the result waits for none. */
  async function tidyUp(
    process: ConversionProcess,
    done: number,
    wish: PoolWish,
    tasks: readonly (() => Promise<void>)[],
  ): Promise<void> {
    try {
      for (const task of tasks) await task()
      await giveBack(process, done)
    } catch {
      await process.end().catch(() => {})
    } finally {
      running.delete(process)
      leave(wish)
    }
  }

  return {
    get running() {
      return running.size
    },
    get waiting() {
      return queue.waiting
    },
    async run(work, wish = {}) {
      if (isEnded) throw conversionsBusy({ waiting: 0 })
      await enter(wish)
      const taken = await take().catch((error: unknown) => {
        leave(wish)
        throw error
      })
      const tasks: (() => Promise<void>)[] = []
      running.add(taken.process)
      try {
        return await work(taken.process, (task) => tasks.push(task))
      } finally {
        void tidyUp(taken.process, taken.done + 1, wish, tasks)
      }
    },
    async end() {
      isEnded = true
      for (const { refuse } of queue.clear()) refuse(conversionsBusy({ waiting: 0 }))
      const all = [
        ...running,
        ...idle.splice(0).map(({ process, timer }) => {
          clearTimeout(timer)
          return process
        }),
      ]
      await Promise.all(all.map((process) => process.end()))
    },
  }
}

/** Folders of servers that were killed. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir()).catch(() => [])).filter((name) => name.startsWith(folderPrefix))
  const isAbandoned = (name: string) => !isAlive(Number.parseInt(name.slice(folderPrefix.length), 10))
  await Promise.all(
    names.filter(isAbandoned).map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})),
  )
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
