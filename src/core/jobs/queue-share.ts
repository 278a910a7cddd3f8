import { defineProblem } from '../../base/problem.ts'
import { systemUser } from '../../model/rights/principal.ts'
import type { JobReader } from '../../store/jobs.ts'
import type { Repository } from '../session.ts'

export const tooManyJobsWait = defineProblem(
  'tooManyJobsWait',
  'unavailable',
  (of: { owner: string; max: number }) =>
    `${of.owner} has ${of.max} jobs waiting in the background, which is as many as one person may have. Wait until some are done.`,
)

/** Makes sure that no single user fills a queue. @throws tooManyJobsWait */
export async function requireShareOfQueue(
  { rules: { maxWaitingJobs: max } }: Pick<Repository, 'rules'>,
  jobs: JobReader,
  owner: string,
  kinds: readonly string[],
): Promise<void> {
  if (owner !== systemUser && (await jobs.countOf(owner, kinds)) >= max) throw tooManyJobsWait({ owner, max })
}
