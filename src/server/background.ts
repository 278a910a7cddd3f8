import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from '../builtin-settings.ts'
import { carryOverJob, carryOverSchedule } from '../core/blob-addresses/carry-over.ts'
import { createBulkJobs } from '../core/bulk/bulk-jobs.ts'
import { readFileTextsJob } from '../core/file-texts/read-file-texts.ts'
import { removeOrphanVersionsJob, startSweeping } from '../core/jobs/housekeeping.ts'
import { listenerJob } from '../core/jobs/listener-jobs.ts'
import { startSchedules } from '../core/jobs/schedule.ts'
import { createJobMeasures, type JobHandler, startJobs } from '../core/jobs/worker.ts'
import { type OwnedJob, requireKnownJobs } from '../plugin/check-contributions.ts'
import type { Plugin } from '../plugin/define-plugin.ts'
import type { BackgroundTask, Services } from '../rest/services.ts'
import { fileTextOptionsOf } from './create-services.ts'
import type { Definitions } from './definitions.ts'

type Definition = Pick<Definitions, 'plugins' | 'contributions'>

/** What goes on in a server without a request: jobs, schedules, and the removal of what has expired. */
export interface BackgroundWork {
  /** Begins nothing more. Resolves once the jobs under way have ended, or the server has waited for them long enough. */
  endJobs(): Promise<void>
  /** Resolves once no schedule has its turn and no task goes on. */
  endSchedules(): Promise<void>
}

/** The jobs of the server itself and of all plugins. @throws pluginMistake */
export function createJobs(
  settings: Settings,
  { plugins, contributions }: Definition,
  services: Services,
): readonly JobHandler[] {
  const bulkJobs = createBulkJobs({ principals: services.principals, actions: services.bulkActions })
  const fileTextsJob = readFileTextsJob(fileTextOptionsOf(settings, contributions))
  const ownJobs = [removeOrphanVersionsJob, listenerJob, fileTextsJob, carryOverJob(), ...bulkJobs]
  const jobsOf = ({ name: plugin, jobs = [] }: Plugin): readonly OwnedJob[] => jobs.map((job) => ({ plugin, job }))
  const all = [...ownJobs.map((job) => ({ plugin: 'quire', job })), ...plugins.flatMap(jobsOf)]
  requireKnownJobs(plugins, all)
  return all.map(({ job }) => job)
}

export async function startBackground(
  { stopTimeout, backgroundBulkWorkers: bulkLanes }: Settings,
  { contributions }: Definition,
  services: Services,
  jobs: readonly JobHandler[],
): Promise<BackgroundWork> {
  const { repositories, log } = services
  const all = [...repositories.values()]
  for (const { store } of all) store.admitJobs(jobs.map(({ kind }) => kind))
  const measures = createJobMeasures()
  services.metrics.add(measures.families)
  const endings = await Promise.all(all.map((repository) => startJobs(repository, jobs, { measures, bulkLanes })))
  const sweepers = all.map(startSweeping)
  const schedules = [...contributions.schedules, carryOverSchedule]
  const scheduled = all.map((repository) => startSchedules(repository, schedules))
  const endTasks = startTasks(contributions.backgroundTasks, services)
  const warn = () => log.warn({ event: 'jobs.cutOff' }, 'jobs under way were cut off; the next start takes them up')
  return {
    endJobs: () => inTime(Promise.all(endings.map((end) => end())), stopTimeout, warn),
    async endSchedules() {
      for (const endSweeping of sweepers) endSweeping()
      await Promise.all([...scheduled.map((end) => end()), inTime(endTasks(), stopTimeout, warn)])
    },
  }
}

const pauseAfterFailure = 5_000

/** Gives the function that ends them. */
function startTasks(tasks: readonly BackgroundTask[], services: Services): () => Promise<unknown> {
  const end = new AbortController()
  const runAgain = async (task: BackgroundTask) => {
    while (!end.signal.aborted) {
      try {
        return await task.run(services, end.signal)
      } catch (err) {
        services.log.error({ event: 'task.failed', task: task.name, err }, 'a background task failed and will be run again')
      }
      await delay(pauseAfterFailure, undefined, { signal: end.signal, ref: false }).catch(() => {})
    }
  }
  const running = Promise.all(tasks.map(runAgain))
  return () => {
    end.abort()
    return running
  }
}

/** Waits for something, but no longer than that. */
async function inTime(work: Promise<unknown>, milliseconds: number, onLate: () => void): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    onLate()
    late.resolve()
  }, milliseconds)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
