import type { Migration } from '../migration.ts'

export const directories: Migration = {
  version: 3,
  statements: ({ columns: { text, integer, json }, tableOptions }) => [
    `CREATE TABLE directory_entries (
       directory ${text} NOT NULL,
       id ${text} NOT NULL,
       entry ${json} NOT NULL,
       PRIMARY KEY (directory, id)
     )${tableOptions}`,
    `CREATE TABLE directory_references (
       reference ${text} NOT NULL,
       source_id ${text} NOT NULL,
       target_id ${text} NOT NULL,
       pos ${integer} NOT NULL,
       PRIMARY KEY (reference, source_id, pos)
     )${tableOptions}`,
    'CREATE UNIQUE INDEX directory_references_by_target ON directory_references (reference, target_id, source_id)',
    `CREATE TABLE generations (name ${text} PRIMARY KEY, value ${integer} NOT NULL)${tableOptions}`,
    "INSERT INTO generations (name, value) VALUES ('directories', 0)",
  ],
}
