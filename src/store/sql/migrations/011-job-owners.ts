import type { Migration } from '../migration.ts'

/** The user who caused a job, for fair queueing: empty for work of the server itself. */
export const jobOwners: Migration = {
  version: 11,
  statements: ({ columns: { text } }) => [
    `ALTER TABLE jobs ADD COLUMN owner ${text} NOT NULL DEFAULT ''`,
    'CREATE INDEX jobs_by_owner ON jobs (owner, due, seq) WHERE due IS NOT NULL',
  ],
}
