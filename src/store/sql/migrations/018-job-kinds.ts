import type { Migration } from '../migration.ts'

/** Which kinds of jobs are due, and whose turn it is, is asked whenever one is added, and must cost the same however many wait. */
export const jobKinds: Migration = {
  version: 18,
  statements: () => [
    'CREATE INDEX IF NOT EXISTS jobs_by_kind ON jobs (kind, due) WHERE due IS NOT NULL',
    'CREATE INDEX IF NOT EXISTS jobs_by_turn ON jobs (kind, owner, due, seq) WHERE due IS NOT NULL',
    'DROP INDEX IF EXISTS jobs_by_owner',
  ],
}
