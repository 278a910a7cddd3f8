import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional } from '../../../automation/parameter.ts'
import { jsonBlob } from '../../../automation/values/flowing-blob.ts'
import type { Repository } from '../../../core/session.ts'
import type { Job } from '../../../store/jobs.ts'
import { waitUntil } from './wait-until.ts'

interface ParkedJob {
  readonly repository: Repository
  readonly job: Job
}

// More than any operator has left unattended, and few enough for memory.
const maxParked = 100_000

export const runFailedWork = defineOperation({
  id: 'WorkManager.RunWorkInFailure',
  category: 'Services',
  description: 'Tries background work once more that was given up, and waits for it.',
  effect: 'waits',
  access: { administrators: true },
  params: {
    timeoutSeconds: defaulted('long', 3_600),
    dryRun: defaulted('boolean', false, { description: 'Only count it' }),
    categoryFilter: optional('stringlist', { description: 'Only work of these kinds' }),
  },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, params, context: { services, host } }) => {
      const { timeoutSeconds, dryRun, categoryFilter: kinds = [] } = params
      const parked = await listParked([...services.repositories.values()])
      const wanted = parked.filter(({ job }) => kinds.length === 0 || kinds.includes(job.kind))
      const counts = { total: parked.length, success: 0, filtered: parked.length - wanted.length }
      if (dryRun) return jsonBlob(counts)
      for (const one of wanted) await tryAgain(one)
      await waitUntil(session, { seconds: Number(timeoutSeconds), signal: host.signal }, async () =>
        (await listLeft(wanted)).every(({ state }) => state === 'parked'),
      )
      return jsonBlob({ ...counts, success: wanted.length - (await listLeft(wanted)).length })
    }),
  ],
})

async function listParked(repositories: readonly Repository[]): Promise<readonly ParkedJob[]> {
  const lists = repositories.map(async (repository) => {
    const jobs = await repository.store.reader.jobs.list({ state: 'parked' }, maxParked)
    return jobs.map((job) => ({ repository, job }))
  })
  return (await Promise.all(lists)).flat()
}

async function tryAgain({ repository, job }: ParkedJob): Promise<void> {
  await repository.store.transact((tx) => tx.jobs.retry(job, repository.now(), job.error ?? ''))
}

/** Those that are not done. */
async function listLeft(parked: readonly ParkedJob[]): Promise<readonly Job[]> {
  const byRepository = Map.groupBy(parked, ({ repository }) => repository)
  const lists = [...byRepository].map(([{ store }, jobs]) => store.reader.jobs.findAll(jobs.map(({ job }) => job.id)))
  return (await Promise.all(lists)).flat()
}
