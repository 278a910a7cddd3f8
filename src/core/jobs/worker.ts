import type { Json } from '../../base/json.ts'
import { Durations, figureOf, gaugeOf, LabelledCounter, type MetricFamily } from '../../base/metrics.ts'
import type { SpanStart, TraceSpan } from '../../base/tracing.ts'
import type { HeldBy, TypedName } from '../../base/typed-name.ts'
import type { Job } from '../../store/jobs.ts'
import type { Transaction } from '../../store/store.ts'
import type { Repository } from '../session.ts'
import { freeAllRunning, signMillis, startFreeingJobs, type TellParked } from './abandoned-jobs.ts'
import { createDueLook, createJobExchange, type DueLook, type JobOutcome } from './job-exchange.ts'
import { retryDelaySeconds } from './retry-delay.ts'

/** Work that is done after the request that asked for it, at least once: it must bear being done twice. */
export interface JobHandler<Payload = Json> {
  readonly kind: string
  /** How often a failure is tried again before the job is parked for a person to look at. */
  readonly maxAttempts?: number
  /** So many at once beside all other jobs: it may take long, or wait for others, and nothing shall wait behind it. */
  readonly ownWorkers?: number
  /** Much work that nobody waits for, such as cleaning up: other jobs never wait for it, and it has workers that do nothing else. */
  readonly isBulk?: boolean
  /** Who takes long ends at a good moment once the signal tells that the server stops, and leaves the rest to another job. */
  run(payload: Payload, repository: Repository, signal: AbortSignal, progress: JobProgress<Payload>): Promise<void>
  /** Tells whoever waits for it that it is about to be parked, perhaps twice. Tried anew it has nothing to do. */
  tellParked?(payload: Payload, repository: Repository): Promise<void>
}

/** A handler that knows its payload by the kind, whose every job was added with such a one. */
export function defineJob<Payload>(job: JobHandler<Payload> & { readonly kind: TypedName<Payload> }): JobHandler {
  return job as unknown as JobHandler
}

/** For a job of several transactions, of which none is to be done twice. */
export interface JobProgress<Payload = Json> {
  /** Writes down, with what a transaction did, the payload with which the job is run should it be run again. */
  note(tx: Transaction, payload: Payload): Promise<void>
  /** Leaves the rest to another job. That transaction is the end of this one: whatever kills the process, there are never both. */
  handOver<Kind extends string>(tx: Transaction, kind: Kind, payload: HeldBy<Kind>): Promise<void>
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
export async function startJobs(
  repository: Repository,
  handlers: readonly JobHandler[],
  options: WorkerOptions = {},
): Promise<() => Promise<void>> {
  const tellParked = createTellParked(repository, handlers)
  await repository.store.joinWorkers(() => freeAllRunning(repository, tellParked))
  const workers = startJobWorkers(repository, handlers, options)
  const endFreeing = startFreeingJobs(repository, tellParked)
  return async () => {
    await endFreeing()
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

interface WorkerOptions {
  readonly measures?: JobMeasures
  /** How many bulk jobs are run at once. */
  readonly bulkLanes?: number
}

/** One worker for all that can be done one after the other, one for bulk work, and one for each kind that has some for itself. */
export function startJobWorkers(
  repository: Repository,
  handlers: readonly JobHandler[],
  { measures = createJobMeasures(), bulkLanes = 1 }: WorkerOptions = {},
): readonly JobWorker[] {
  const together = handlers.filter(({ ownWorkers = 0 }) => ownWorkers === 0)
  const separate = handlers.filter(({ ownWorkers = 0 }) => ownWorkers > 0)
  const [shared, bulk] = [together.filter(({ isBulk }) => !isBulk), together.filter(({ isBulk }) => isBulk)]
  const isAnyDue = createDueLook(repository)
  return [
    startJobWorker(repository, shared, { isAnyDue, measures }),
    ...(bulk.length === 0 ? [] : [startJobWorker(repository, bulk, { lanes: bulkLanes, isAnyDue, measures })]),
    ...separate.map((handler) => startJobWorker(repository, [handler], { lanes: handler.ownWorkers ?? 1, isAnyDue, measures })),
  ]
}

/** What the jobs of a process come to, of all its repositories. */
export interface JobMeasures {
  begin(kind: string): void
  end(kind: string, outcome: JobOutcome['kind'], since: number): void
  families(): readonly MetricFamily[]
}

export function createJobMeasures(): JobMeasures {
  const runs = new LabelledCounter(
    'quire_job_runs_total',
    'Runs of jobs by kind and outcome: done, retried later, or parked for good',
  )
  const durations = new Durations('quire_job_duration_seconds', 'Time that runs of jobs took, by kind')
  let running = 0
  return {
    begin() {
      running += 1
    },
    end(kind, outcome, since) {
      running -= 1
      runs.add({ kind, outcome })
      durations.add({ kind }, since)
    },
    families: () => [
      runs.family(),
      durations.family(),
      gaugeOf('quire_jobs_running', 'Jobs that are being run', [figureOf(running)]),
    ],
  }
}

function createTellParked(repository: Repository, handlers: readonly JobHandler[]): TellParked {
  return async (job) => {
    try {
      await handlers.find(({ kind }) => kind === job.kind)?.tellParked?.(job.payload, repository)
      return true
    } catch (err) {
      repository.log.warn(
        { event: 'job.parkedUntold', job: job.id, kind: job.kind, err },
        'that a job is given up could not be told',
      )
      return false
    }
  }
}

function progressOf(job: Job): JobProgress {
  const requireStillOurs = (isOurs: boolean) => {
    if (!isOurs) throw new Error(`another worker has taken job ${job.id} for abandoned, and goes on with it`)
  }
  return {
    note: async (tx, payload) => requireStillOurs(await tx.jobs.goOn(job, payload)),
    async handOver(tx, kind, payload) {
      requireStillOurs(await tx.jobs.end(job))
      await tx.jobs.add(kind, payload, { owner: job.owner })
    },
  }
}

/** A part of what asked for it, wherever and whenever it is run. */
function spanOf({ id, kind, attempts, trace }: Job, { name }: Repository): SpanStart {
  return {
    name: `job ${kind}`,
    kind: 'consumer',
    attributes: { 'quire.repository': name, 'quire.job.kind': kind, 'quire.job.id': id, 'quire.job.attempts': attempts },
    parent: trace === null ? null : { traceparent: trace },
  }
}

/** An owner whose jobs take long leaves workers to other owners. */
function maxConcurrent(lanes: number): number | undefined {
  return lanes > 1 ? Math.ceil(lanes / 2) : undefined
}

/** Claims due jobs and runs so many of them at once. Several workers, also in other processes, share one queue. */
export function startJobWorker(
  repository: Repository,
  handlers: readonly JobHandler[],
  {
    lanes = 1,
    isAnyDue = createDueLook(repository),
    measures = createJobMeasures(),
  }: { readonly lanes?: number; readonly isAnyDue?: DueLook; readonly measures?: JobMeasures } = {},
): JobWorker {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]))
  const exchange = createJobExchange(repository, [...byKind.keys()], { maxConcurrent: maxConcurrent(lanes), isAnyDue })
  const tellParked = createTellParked(repository, handlers)
  const { tracer } = repository
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  const stopping = new AbortController()
  let isStopped = false
  let isUnreachable = false
  let calls = 0

  function wake(): void {
    clearTimeout(timer)
    if (isStopped) return
    calls += 1
    timer = setTimeout(wake, idleMillis).unref()
    while (running.size < lanes) startLane()
  }

  function startLane(): void {
    const lane: Promise<void> = runDueJobs().finally(() => running.delete(lane))
    running.add(lane)
  }

  async function runDueJobs(): Promise<void> {
    try {
      let outcome: JobOutcome | undefined
      for (;;) {
        const callsBefore = calls
        const job: Job | undefined = isStopped ? await settle(outcome) : await exchange.next(outcome)
        isUnreachable = false
        outcome = undefined
        if (job !== undefined) outcome = await measured(job)
        // The look may already have passed the queue that has a job now.
        else if (calls === callsBefore || isStopped) return
      }
    } catch (err) {
      // Said once: while a database is away every look of every lane fails.
      if (isUnreachable) return
      isUnreachable = true
      repository.log.error({ event: 'jobs.unreachable', repository: repository.name, err }, 'the job queue does not answer')
    }
  }

  async function settle(outcome: JobOutcome | undefined): Promise<undefined> {
    if (outcome !== undefined) await exchange.settle(outcome)
  }

  async function measured(job: Job): Promise<JobOutcome | undefined> {
    const since = performance.now()
    measures.begin(job.kind)
    const outcome = await (tracer.isOn ? tracer.run(spanOf(job, repository), (span) => told(span, job)) : runJob(job))
    measures.end(job.kind, outcome?.kind ?? 'done', since)
    return outcome
  }

  async function told(span: TraceSpan, job: Job): Promise<JobOutcome | undefined> {
    const outcome = await runJob(job)
    if (outcome !== undefined && outcome.kind !== 'done') span.fail(outcome.kind)
    return outcome
  }

  async function runJob(job: Job): Promise<JobOutcome | undefined> {
    const handler = byKind.get(job.kind)
    if (handler === undefined) return undefined
    const renewal = setInterval(() => renew(job), signMillis).unref()
    try {
      await handler.run(job.payload, repository, stopping.signal, progressOf(job))
      return { kind: 'done', job }
    } catch (err) {
      return await failed(job, handler.maxAttempts ?? defaultMaxAttempts, err)
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

  async function failed(job: Job, maxAttempts: number, err: unknown): Promise<JobOutcome> {
    const error = err instanceof Error ? err.message : String(err)
    const about = { job: job.id, kind: job.kind, attempts: job.attempts, err }
    const isHopeless = job.attempts >= maxAttempts || err instanceof PermanentFailure
    if (isHopeless && (await tellParked(job))) {
      repository.log.warn({ event: 'job.parked', ...about }, 'job parked')
      return { kind: 'parked', job, error }
    }
    repository.log.info({ event: 'job.retried', ...about }, 'job failed and will be tried again')
    const runAfter = new Date(Date.parse(repository.now()) + retryDelaySeconds(job.attempts) * 1_000).toISOString()
    return { kind: 'retried', job, runAfter, error }
  }

  const endListening = repository.store.onJobsAdded((job) => {
    if (exchange.couldGive(job)) wake()
  })
  wake()
  return {
    wake,
    async drain() {
      wake()
      while (running.size > 0) await Promise.all(running)
    },
    async stop() {
      isStopped = true
      stopping.abort()
      endListening()
      clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
