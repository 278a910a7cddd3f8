import { lastMoment } from '../../base/iso-date.ts'
import { isJsonObject, type Json } from '../../base/json.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { typedName } from '../../base/typed-name.ts'
import { homeOf } from '../../core/blob-gc/known-repositories.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import type { Services } from '../../rest/services.ts'
import type { Job, JobReader } from '../../store/jobs.ts'
import type { Transaction } from '../../store/store.ts'
import type { MaintenanceTask, TaskProgress } from './maintenance-task.ts'
import { watchTurn } from './turn-watch.ts'

export const taskUnderWay = defineProblem(
  'taskUnderWay',
  'conflict',
  (of: { name: string }) => `${of.name} is under way already. Wait for its end, or stop it first.`,
)

export const taskNotUnderWay = defineProblem(
  'taskNotUnderWay',
  'conflict',
  (of: { name: string }) => `${of.name} is not under way. There is nothing to stop.`,
)

type Outcome = { readonly [name: string]: Json }

/** What is known of the last time that a task was asked for. */
export interface TaskRun {
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped'
  readonly asked: string
  readonly by: string
  readonly ended: string | null
  readonly done: number
  readonly total: number
  /** Why it failed. */
  readonly problem: string | null
  readonly outcome: Outcome
  /** The last time that it came to its end, which may be now. */
  readonly last: { readonly ended: string; readonly outcome: Outcome } | null
  /** Somebody wants it to end. */
  readonly stops: boolean
}

const keyOf = (name: string) => typedName<TaskRun>(`maintenance/${name}`)
const askedKeyOf = (name: string) => `${keyOf(name)}/asked`
const turnKeyOf = (name: string) => `${keyOf(name)}/turn`
const mostJobs = 100
// Long enough for a transaction to commit that has seen no other job.
const askedSeconds = 5

type Payload = {
  readonly task: string
  readonly progress?: TaskProgress
  /** The turn is done, and what follows is another job's: the process was killed before it could say so. */
  readonly isDone?: boolean
}

const kind = typedName<Payload>('maintenance')

/** Until the transaction ends, nobody else changes what is known of the run: a wish to stop would be written over. */
async function findRunForUpdate({ transient }: Transaction, name: string, now: string): Promise<TaskRun | undefined> {
  await transient.set(turnKeyOf(name), null, lastMoment)
  return transient.find(keyOf(name), now)
}

async function jobOf(jobs: JobReader, name: string): Promise<Job | undefined> {
  return (await jobs.list({ kind }, mostJobs)).find(({ payload }) => isJsonObject(payload) && payload['task'] === name)
}

/** Undefined where it was never asked for. */
export async function findRun({ repositories }: Pick<Services, 'repositories'>, name: string): Promise<TaskRun | undefined> {
  const { store, now } = homeOf(repositories)
  const read = () => store.reader.transient.find(keyOf(name), now())
  const isOpen = (run: TaskRun | undefined) => run?.state === 'waiting' || run?.state === 'running'
  const run = await read()
  if (run === undefined || !isOpen(run)) return run
  const job = await jobOf(store.reader.jobs, name)
  if (job?.state === 'parked') return { ...run, state: 'failed', problem: job.error }
  if (job !== undefined) return run
  // It came to its end meanwhile, or somebody has dropped the job.
  const after = await read()
  return after !== undefined && isOpen(after) ? { ...after, state: 'stopped' } : after
}

/** @throws taskUnderWay */
export async function askFor(services: Pick<Services, 'repositories'>, name: string, by: string): Promise<void> {
  const { store, now } = homeOf(services.repositories)
  await store.transact(async (tx) => {
    const job = await jobOf(tx.jobs, name)
    const isFirst = await tx.transient.lease(askedKeyOf(name), askedSeconds, now())
    if ((job !== undefined && job.state !== 'parked') || !isFirst) throw taskUnderWay({ name })
    if (job !== undefined) await tx.jobs.discard(kind, job.id)
    const before = await tx.transient.find(keyOf(name), now())
    const run: TaskRun = {
      state: 'waiting',
      asked: now(),
      by,
      ended: null,
      done: 0,
      total: 0,
      problem: null,
      outcome: {},
      last: before?.last ?? null,
      stops: false,
    }
    await tx.transient.set(keyOf(name), run, lastMoment)
    await tx.jobs.add(kind, { task: name }, { owner: by })
  })
}

/** It ends after its turn. @throws taskNotUnderWay */
export async function stop(services: Pick<Services, 'repositories'>, name: string): Promise<void> {
  const { store, now } = homeOf(services.repositories)
  await store.transact(async (tx) => {
    const run = await findRunForUpdate(tx, name, now())
    const job = await jobOf(tx.jobs, name)
    if (run === undefined || job === undefined || job.state === 'parked') throw taskNotUnderWay({ name })
    await tx.transient.set(keyOf(name), { ...run, stops: true }, lastMoment)
  })
}

// Whoever watches sees it move, and a server that stops waits no longer.
const usualTurnMillis = 1_000

/** Does a turn of a task and leaves the rest to another job. */
export function maintenanceJob(services: Services, tasks: readonly MaintenanceTask[], turnMillis = usualTurnMillis): JobHandler {
  return defineJob({
    kind,
    // It takes long, and nothing shall wait behind it.
    ownWorkers: 1,
    maxAttempts: 3,
    async run({ task: name, progress, isDone = false }, { store, now, log }, serverStops, noted) {
      if (isDone) return
      const task = tasks.find((one) => one.name === name)
      const run = await store.reader.transient.find(keyOf(name), now())
      if (task === undefined || run === undefined) return
      const write = (change: Partial<TaskRun>, next?: TaskProgress) =>
        store.transact(async (tx) => {
          const before = (await findRunForUpdate(tx, name, now())) ?? run
          await tx.transient.set(keyOf(name), { ...before, ...change }, lastMoment)
          if (change.ended !== undefined) await tx.transient.remove(askedKeyOf(name))
          if (next !== undefined) await tx.jobs.add(kind, { task: name, progress: next }, { owner: run.by })
          if (change.ended !== undefined || next !== undefined) await noted.note(tx, { task: name, isDone: true })
          return before
        })
      if (run.stops) {
        await write({ state: 'stopped', ended: now() })
        return
      }
      const ends = performance.now() + turnMillis
      const watch = watchTurn(
        serverStops,
        (reported) => write({ state: 'running', ...reported }),
        (err) => log.warn({ event: 'maintenance.notWatched', task: name, err }, 'how far a task is could not be told'),
      )
      try {
        const begun = progress ?? (await task.begin(services))
        const isTimeUp = () => performance.now() > ends
        const { isOver, ...left } = await task.turn(services, begun, { isTimeUp, ...watch })
        await watch.end()
        const { done, total, state } = left
        const outcome = task.outcome(state)
        const ended = now()
        if (isOver) await write({ state: 'done', ended, done, total, outcome, last: { ended, outcome } })
        else await write({ state: 'running', done, total, outcome }, left)
      } catch (error) {
        // What is refused is refused however often it is tried; all else may pass.
        if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
        await write({ state: 'failed', ended: now(), problem: error.message })
      } finally {
        await watch.end()
      }
    },
  })
}
