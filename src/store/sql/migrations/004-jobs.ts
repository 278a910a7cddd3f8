import type { Migration } from '../migration.ts'

export const jobs: Migration = {
  version: 4,
  statements: ({ columns: { identity, text, integer }, tableOptions }) => [
    // `due` is when a worker may take it: its time to run, the end of a running one's lease, null once parked.
    `CREATE TABLE jobs (
       seq ${identity},
       kind ${text} NOT NULL,
       payload ${text} NOT NULL,
       state ${text} NOT NULL,
       attempts ${integer} NOT NULL,
       run_after ${text} NOT NULL,
       due ${text},
       error ${text}
     )${tableOptions}`,
    'CREATE INDEX jobs_by_due ON jobs (due, seq) WHERE due IS NOT NULL',
  ],
}
