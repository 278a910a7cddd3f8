import type { Migration } from '../migration.ts'

export const transient: Migration = {
  version: 5,
  statements: ({ columns: { text }, tableOptions }) => [
    `CREATE TABLE transient_values (key ${text} PRIMARY KEY, value ${text} NOT NULL, expires ${text} NOT NULL)${tableOptions}`,
    'CREATE INDEX transient_values_by_expiry ON transient_values (expires)',
  ],
}
