import type { Migration } from '../migration.ts'

/** What a job is a part of, as collectors of traces know it (`traceparent`); null where that is not recorded. */
export const jobTraces: Migration = {
  version: 17,
  statements: ({ columns: { text } }) => [`ALTER TABLE jobs ADD COLUMN trace ${text}`],
}
