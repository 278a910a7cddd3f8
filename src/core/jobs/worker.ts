import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Json } from '../../base/json.ts'
import type { Job } from '../../store/jobs.ts'
import type { Repository } from '../session.ts'
import { freeAllRunning, signMillis, startFreeingJobs } from './abandoned-jobs.ts'
import { retryDelaySeconds } from './retry-delay.ts'

/** Work that is done after the request that asked for it, at least once: it must bear being done twice. */
export interface JobHandler {
  readonly kind: string
  /** How often a failure is tried again before the job is parked for a person to look at. */
  readonly maxAttempts?: number
  /** So many workers that do nothing else: it may take long, or wait for other jobs, and nothing shall wait behind it. */
  readonly ownWorkers?: number
  run(payload: Json, repository: Repository): Promise<void>
}

/** What a job throws that would fail however often it was tried: it is parked at once. */
export class PermanentFailure extends Error {}

export interface JobWorker {
  /** Looks for work now instead of at the next poll. */
  wake(): void
  /** Resolves once nothing that is due is left. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** Until the next look for what other processes left, and for what was put off. */
const idleMillis = 1_000
const defaultMaxAttempts = 8

/**
 * Runs jobs of the repository, also those that processes left which are no more. Gives the function that ends it, once what is under
 * way is done.
 */
export async function startJobs(repository: Repository, handlers: readonly JobHandler[]): Promise<() => Promise<void>> {
  await repository.store.joinWorkers(() => freeAllRunning(repository))
  const workers = startJobWorkers(repository, handlers)
  const endFreeing = startFreeingJobs(repository)
  return async () => {
    await endFreeing()
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

/** One worker for all that can be done one after the other, and those that some jobs have for themselves. */
export function startJobWorkers(repository: Repository, handlers: readonly JobHandler[]): readonly JobWorker[] {
  const shared = handlers.filter(({ ownWorkers = 0 }) => ownWorkers === 0)
  const separate = handlers.flatMap((handler) => Array.from({ length: handler.ownWorkers ?? 0 }, () => [handler]))
  const isAnyDue = createDueLook(repository)
  return [shared, ...separate].map((some) => startJobWorker(repository, some, isAnyDue))
}

/** An owner whose jobs take long leaves workers to other owners. */
function maxConcurrent(handlers: readonly JobHandler[]): number | undefined {
  const workers = Math.min(...handlers.map(({ ownWorkers = 0 }) => ownWorkers))
  return workers > 1 ? Math.ceil(workers / 2) : undefined
}

/** Whether a job of one of the kinds may be due. */
type DueLook = (kinds: readonly string[]) => Promise<boolean>

/** One look for all workers that want to know at the same time: they are woken together, by each job that is added. */
function createDueLook({ store, now }: Repository): DueLook {
  let nextLook: Promise<ReadonlySet<string> | undefined> | undefined
  const look = async () => {
    await nextTurn()
    nextLook = undefined
    return store.reader.jobs.listDueKinds(now())
  }
  return async (kinds) => {
    nextLook ??= look()
    const due = await nextLook
    return due === undefined || kinds.some((kind) => due.has(kind))
  }
}

/** Claims due jobs one after another. Several workers, also in other processes, share one queue. */
export function startJobWorker(
  repository: Repository,
  handlers: readonly JobHandler[],
  isAnyDue: DueLook = createDueLook(repository),
): JobWorker {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]))
  const kinds = [...byKind.keys()]
  const roundRobin = { after: '', maxConcurrent: maxConcurrent(handlers) }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let round: Promise<void> = Promise.resolve()
  let isRunning = false
  let isAskedAgain = false

  function wake(): void {
    clearTimeout(timer)
    if (isStopped) return
    // The current poll may already have passed the queue that has a job now.
    if (isRunning) {
      isAskedAgain = true
      return
    }
    isRunning = true
    round = runDueJobs().finally(() => {
      isRunning = false
      if (isStopped) return
      timer = setTimeout(wake, isAskedAgain ? 0 : idleMillis).unref()
      isAskedAgain = false
    })
  }

  async function runDueJobs(): Promise<void> {
    try {
      // A look before the claim: on SQLite a claim takes the writer, and an idle server should never do so.
      if (!(await isAnyDue(kinds))) return
      while (!isStopped) {
        const job = await claim()
        if (job === undefined) return
        await runJob(job)
      }
    } catch (err) {
      repository.log.error({ event: 'jobs.unreachable', repository: repository.name, err }, 'the job queue does not answer')
    }
  }

  async function claim(): Promise<Job | undefined> {
    const job = await repository.store.transact((tx) => tx.jobs.claim(kinds, repository.now(), roundRobin))
    if (job !== undefined) roundRobin.after = job.owner
    return job
  }

  async function runJob(job: Job): Promise<void> {
    const handler = byKind.get(job.kind)
    if (handler === undefined) return
    const renewal = setInterval(() => renew(job), signMillis).unref()
    try {
      await handler.run(job.payload, repository)
      await repository.store.transact((tx) => tx.jobs.finish(job.id))
    } catch (err) {
      await putBack(job, handler.maxAttempts ?? defaultMaxAttempts, err)
    } finally {
      clearInterval(renewal)
    }
  }

  function renew(job: Job): void {
    repository.store
      .transact((tx) => tx.jobs.renew(job, repository.now()))
      .catch((err) =>
        repository.log.warn({ event: 'job.notRenewed', job: job.id, err }, 'that a job is being done could not be told'),
      )
  }

  async function putBack(job: Job, maxAttempts: number, err: unknown): Promise<void> {
    const message = err instanceof Error ? err.message : String(err)
    const about = { job: job.id, kind: job.kind, attempts: job.attempts, err }
    if (job.attempts >= maxAttempts || err instanceof PermanentFailure) {
      await repository.store.transact((tx) => tx.jobs.park(job, message))
      repository.log.warn({ event: 'job.parked', ...about }, 'job parked')
      return
    }
    const runAfter = new Date(Date.parse(repository.now()) + retryDelaySeconds(job.attempts) * 1_000).toISOString()
    await repository.store.transact((tx) => tx.jobs.retry(job, runAfter, message))
    repository.log.info({ event: 'job.retried', ...about }, 'job failed and will be tried again')
  }

  const endListening = repository.store.onJobsAdded(wake)
  wake()
  return {
    wake,
    async drain() {
      wake()
      await round
    },
    async stop() {
      isStopped = true
      endListening()
      clearTimeout(timer)
      await round
    },
  }
}
