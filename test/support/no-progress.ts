import type { JobProgress } from '../../src/core/jobs/worker.ts'

/** Of a job that is run by hand. */
export const noProgress: JobProgress = {
  note: async () => {},
  handOver: (tx, kind, payload) => tx.jobs.add(kind, payload),
}
