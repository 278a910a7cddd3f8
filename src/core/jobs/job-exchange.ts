import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AddedJob, Job, JobWriter } from '../../store/jobs.ts'
import type { Repository } from '../session.ts'

/** Whether a job of one of the kinds may be due. */
export type DueLook = (kinds: readonly string[]) => Promise<boolean>

/** One look for all workers that want to know at the same time: they are woken together, by each job that is added. */
export function createDueLook(repository: Repository): DueLook {
  let nextLook: Promise<ReadonlySet<string>> | undefined
  const look = async () => {
    await nextTurn()
    nextLook = undefined
    return repository.store.reader.jobs.listDueKinds(repository.now())
  }
  return async (kinds) => {
    nextLook ??= look()
    const due = await nextLook
    return kinds.some((kind) => due.has(kind))
  }
}

/** What became of a job that was run. */
export type JobOutcome =
  | { readonly kind: 'done'; readonly job: Job }
  | { readonly kind: 'retried'; readonly job: Job; readonly runAfter: string; readonly error: string }
  | { readonly kind: 'parked'; readonly job: Job; readonly error: string }

/** Where those who run jobs of some kinds hand in what became of one and get the next. */
export interface JobExchange {
  /** Undefined: nothing is due, or others of its owner are being run already. */
  next(outcome?: JobOutcome): Promise<Job | undefined>
  /** The same without the next. */
  settle(outcome: JobOutcome): Promise<void>
  /** Whether it could be given now. Of an owner who has as many running as may be, it follows upon one of these. */
  couldGive(job: AddedJob): boolean
}

interface Request {
  readonly outcome: JobOutcome | undefined
  readonly wantsJob: boolean
  readonly answer: PromiseWithResolvers<Job | undefined>
}

/**
 * All who come while a transaction is under way share the next one: jobs that take less time than a commit would otherwise wait for two
 * of them each. What is handed in is at risk for as long as a commit takes, and is then done again.
 */
export function createJobExchange(
  repository: Repository,
  kinds: readonly string[],
  { maxConcurrent, isAnyDue }: { readonly maxConcurrent: number | undefined; readonly isAnyDue: DueLook },
): JobExchange {
  const { store } = repository
  let waiting: Request[] = []
  let isUnderWay = false
  let after = ''
  /** How many of each owner's have been given and not handed in. */
  const given = new Map<string, number>()
  const count = (owner: string, change: 1 | -1) => {
    const left = (given.get(owner) ?? 0) + change
    if (left === 0) given.delete(owner)
    else given.set(owner, left)
  }

  function ask(outcome: JobOutcome | undefined, wantsJob: boolean): Promise<Job | undefined> {
    const answer = Promise.withResolvers<Job | undefined>()
    // Before the transaction: a job may be added behind its look.
    if (outcome !== undefined) count(outcome.job.owner, -1)
    waiting.push({ outcome, wantsJob, answer })
    if (!isUnderWay) void answerAll()
    return answer.promise
  }

  async function answerAll(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) {
      const requests = waiting
      waiting = []
      await answerTogether(requests)
    }
    isUnderWay = false
  }

  async function answerTogether(requests: readonly Request[]): Promise<void> {
    try {
      const wanted = requests.filter(({ wantsJob }) => wantsJob).length
      const claimed = await store.transact(async ({ jobs }) => {
        for (const { outcome } of requests) if (outcome !== undefined) await storeOutcome(jobs, outcome)
        return claim(jobs, wanted)
      })
      after = claimed.at(-1)?.owner ?? after
      for (const { owner } of claimed) count(owner, 1)
      const next = claimed.values()
      for (const { wantsJob, answer } of requests) answer.resolve(wantsJob ? next.next().value : undefined)
    } catch (error) {
      for (const { answer } of requests) answer.reject(error)
    }
  }

  async function claim(jobs: JobWriter, wanted: number): Promise<readonly Job[]> {
    const claimed: Job[] = []
    while (claimed.length < wanted) {
      const job = await jobs.claim(kinds, repository.now(), { after: claimed.at(-1)?.owner ?? after, maxConcurrent })
      if (job === undefined) break
      claimed.push(job)
    }
    return claimed
  }

  return {
    async next(outcome) {
      // A look before the claim: on SQLite a claim takes the writer, and an idle server should never do so.
      if (outcome === undefined && !(await isAnyDue(kinds))) return undefined
      return ask(outcome, true)
    },
    async settle(outcome) {
      await ask(outcome, false)
    },
    couldGive: ({ kind, owner }) =>
      kinds.includes(kind) && (owner === '' || maxConcurrent === undefined || (given.get(owner) ?? 0) < maxConcurrent),
  }
}

function storeOutcome(jobs: JobWriter, outcome: JobOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'done':
      return jobs.finish(outcome.job.id)
    case 'retried':
      return jobs.retry(outcome.job, outcome.runAfter, outcome.error)
    case 'parked':
      return jobs.park(outcome.job, outcome.error)
  }
}
