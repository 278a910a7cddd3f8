import type { JobHandler } from '../jobs/worker.ts'
import { createBatchJob } from './batch-job.ts'
import type { BulkDependencies } from './bulk-job.ts'
import { createScrollJob } from './scroll-job.ts'

/** What carries bulk commands out. */
export function createBulkJobs(deps: BulkDependencies): readonly JobHandler[] {
  return [createScrollJob(deps), createBatchJob(deps)]
}
