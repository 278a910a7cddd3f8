import type { Migration } from '../migration.ts'

export const acps: Migration = {
  version: 2,
  statements: ({ columns: { identity, text }, tableOptions }) => [
    // The hash is unique in the entries' stead: a list may be longer than an index entry can be.
    `CREATE TABLE acps (id ${identity}, hash ${text} NOT NULL UNIQUE, aces ${text} NOT NULL)${tableOptions}`,
  ],
}
