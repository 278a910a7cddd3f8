import type { Migration } from '../migration.ts'

/** Which kinds of jobs are due is asked whenever one is added, and must cost the same however many wait. */
export const jobKinds: Migration = {
  version: 18,
  statements: () => ['CREATE INDEX IF NOT EXISTS jobs_by_kind ON jobs (kind, due) WHERE due IS NOT NULL'],
}
