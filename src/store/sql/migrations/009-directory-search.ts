import { raw } from 'sql-template-tag'
import type { Migration } from '../migration.ts'

/**
 * The words by which entries of directories are found and ordered. Those of older entries are filled in at the start, which knows
 * what the directories declare; indexed_directories says which fields every entry of a directory has a term of.
 */
export const directorySearch: Migration = {
  version: 9,
  statements: ({ columns: { text, integer }, tableOptions, keyTableOptions, search }) => [
    `CREATE TABLE directory_terms (
       directory ${text} NOT NULL,
       field ${text} NOT NULL,
       term ${text} NOT NULL,
       id ${text} NOT NULL,
       PRIMARY KEY (directory, field, term, id)
     )${keyTableOptions}`,
    'CREATE INDEX directory_terms_by_entry ON directory_terms (directory, id, field)',
    `CREATE TABLE indexed_directories (directory ${text} PRIMARY KEY, fields ${text} NOT NULL)${tableOptions}`,
    `CREATE TABLE directory_counters (directory ${text} PRIMARY KEY, last ${integer} NOT NULL)${tableOptions}`,
    `ALTER TABLE directory_references ADD COLUMN target_term ${text} NOT NULL DEFAULT ''`,
    `UPDATE directory_references SET target_term = ${search.lowered(raw('target_id')).sql}`,
    'CREATE INDEX directory_references_by_term ON directory_references (reference, source_id, target_term)',
  ],
}
