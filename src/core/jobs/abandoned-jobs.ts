import type { BegunJob, Job } from '../../store/jobs.ts'
import type { Repository } from '../session.ts'
import { retryDelaySeconds } from './retry-delay.ts'

/** The heartbeat of a worker that runs a job; other processes check for it as often. */
export const signMillis = 4_000
/** So many checks without a heartbeat, and its worker is dead. Checks are counted because clocks may be set back. */
const silentLooks = 5
/** A job that took so many processes with it is likely to be the reason. */
const maxDeaths = 8

/** Tells whoever waits for a job that it is about to be parked. Gives whether it could. */
export type TellParked = (job: Job) => Promise<boolean>

/** Frees jobs of processes that died, and those whose time a clock that was set back put off. Gives the function that ends it. */
export function startFreeingJobs(repository: Repository, tellParked: TellParked): () => Promise<void> {
  const findSilent = createSilenceWatch()
  let look = Promise.resolve()
  const timer = setInterval(() => {
    look = look
      .then(async () => {
        const begun = await repository.store.reader.jobs.listBegun()
        const silent = findSilent(begun.filter(({ state }) => state === 'running'))
        await freeAll(repository, tellParked, silent)
        await freeAll(repository, tellParked, findPutOffTooLong(begun, repository.now()))
      })
      .catch((err: unknown) =>
        repository.log.warn({ event: 'jobs.unwatched', repository: repository.name, err }, 'jobs could not be looked after'),
      )
  }, signMillis).unref()
  return () => {
    clearInterval(timer)
    return look
  }
}

/** Frees jobs marked as running, when no process but this one could be running them. */
export async function freeAllRunning(repository: Repository, tellParked: TellParked): Promise<void> {
  const begun = await repository.store.reader.jobs.listBegun()
  await freeAll(
    repository,
    tellParked,
    begun.filter(({ state }) => state === 'running'),
  )
}

/** Gives, of jobs as they are seen one look after another, those that have been the same for some looks. */
export function createSilenceWatch(): (running: readonly BegunJob[]) => readonly BegunJob[] {
  let looks = new Map<string, number>()
  const signOf = ({ id, attempts, due }: BegunJob) => `${id} ${attempts} ${due}`
  return (running) => {
    looks = new Map(running.map((job) => [signOf(job), (looks.get(signOf(job)) ?? -1) + 1]))
    return running.filter((job) => (looks.get(signOf(job)) ?? 0) >= silentLooks)
  }
}

/** A failed job waits no longer than failed jobs do: where its time is farther away, the clock was ahead when it was put off. */
export function findPutOffTooLong(begun: readonly BegunJob[], now: string): readonly BegunJob[] {
  return begun.filter(
    ({ state, due, attempts }) =>
      state === 'waiting' && Date.parse(due) > Date.parse(now) + 2 * retryDelaySeconds(attempts) * 1_000,
  )
}

async function freeAll(repository: Repository, tellParked: TellParked, jobs: readonly BegunJob[]): Promise<void> {
  for (const job of jobs) {
    const about = { job: job.id, repository: repository.name, attempts: job.attempts }
    if (job.state === 'running' && job.attempts >= maxDeaths) {
      const [stored] = await repository.store.reader.jobs.findAll([job.id])
      if (stored !== undefined && !(await tellParked(stored))) continue
      await repository.store.transact((tx) => tx.jobs.park(job, 'The process died whenever it did this.'))
      repository.log.warn({ event: 'job.parked', ...about }, 'job parked')
    } else if (await repository.store.transact((tx) => tx.jobs.free(job, dueAgain(job, repository.now())))) {
      repository.log.info({ event: 'job.freed', ...about }, 'job of a process that died is taken up again')
    }
  }
}

/** At once, unless it has outlived several processes already: a job that kills would leave no time for anything else. */
function dueAgain({ attempts }: BegunJob, now: string): string {
  const waitSeconds = attempts <= 2 ? 0 : retryDelaySeconds(attempts)
  return new Date(Date.parse(now) + waitSeconds * 1_000).toISOString()
}
