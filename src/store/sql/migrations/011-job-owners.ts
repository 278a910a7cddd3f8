import type { Migration } from '../migration.ts'

/** Who caused a job, so that people take turns: empty for what nobody in particular did. */
export const jobOwners: Migration = {
  version: 11,
  statements: ({ columns: { text } }) => [
    `ALTER TABLE jobs ADD COLUMN owner ${text} NOT NULL DEFAULT ''`,
    'CREATE INDEX jobs_by_owner ON jobs (owner, due, seq) WHERE due IS NOT NULL',
  ],
}
