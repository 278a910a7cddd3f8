import type { IsoDate } from '../../base/iso-date.ts'
import { lastMoment } from '../../base/iso-date.ts'
import { systemAccess } from '../access.ts'
import type { Repository, WriteSession } from '../session.ts'

/**
 * Something to be done every so often, in each repository or once for all of them, and by one process only.
 * @example
 * const remindOfDrafts: Schedule = {
 *   name: 'remindOfDrafts', everySeconds: 3600, job: 'sendReminders',
 * }
 */
export type Schedule = ScheduleTiming & (ScheduledRun | ScheduledJob)

interface ScheduleTiming {
  readonly name: string
  readonly everySeconds: number
  /** What all repositories share is seen to in the first of them. */
  readonly isShared?: boolean
}

/** For what takes time or may fail: a job of this kind is added, whose payload is the tick. */
export interface ScheduledJob {
  readonly job: string
}

export interface ScheduledRun {
  /** In one transaction with the note that it was done; may run twice, and waits for nothing but the store. */
  run(session: WriteSession, tick: ScheduleTick): Promise<void>
}

export type ScheduleTick = {
  /** When it was last done, be it days ago; the present moment when never. */
  readonly since: IsoDate
}

/** Runs the schedules now and from then on in their time. Gives the function that ends it, once nothing is under way. */
export function startSchedules(repository: Repository, schedules: readonly Schedule[]): () => Promise<void> {
  const own = repository.home === repository ? schedules : schedules.filter(({ isShared = false }) => !isShared)
  // One after another: they are in no hurry, and all of them are due when a server starts.
  let running = Promise.resolve()
  const tick = (schedule: Schedule) => {
    running = running
      .then(() => runIfDue(repository, schedule))
      .catch((err: unknown) => {
        const about = { event: 'schedule.failed', schedule: schedule.name, repository: repository.name, err }
        repository.log.error(about, 'scheduled work failed and will be tried again after its interval')
      })
  }
  const timers = own.map((schedule) => {
    tick(schedule)
    return setInterval(tick, schedule.everySeconds * 1_000, schedule).unref()
  })
  return () => {
    for (const timer of timers) clearInterval(timer)
    return running
  }
}

/** Does the work unless it was done, here or by another process, less than its interval ago. */
export async function runIfDue(repository: Repository, schedule: Schedule): Promise<void> {
  const { name, everySeconds } = schedule
  const [leaseKey, doneKey] = [`schedule/${name}/turn`, `schedule/${name}/done`]
  await systemAccess(repository).write(async (session) => {
    const { tx, now } = session
    // A little less than the interval: the next tick of the timer that took this lease must find it free.
    if (!(await tx.transient.lease(leaseKey, everySeconds * 0.9, now))) return
    const done = await tx.transient.find(doneKey, now)
    // What was done at a time that is yet to come was done before the clock was set back.
    await runNow(session, schedule, { since: typeof done === 'string' && done < now ? done : now })
    await tx.transient.set(doneKey, now, lastMoment)
  })
}

function runNow(session: WriteSession, schedule: Schedule, tick: ScheduleTick): Promise<void> {
  return 'job' in schedule ? session.tx.jobs.add(schedule.job, tick) : schedule.run(session, tick)
}
