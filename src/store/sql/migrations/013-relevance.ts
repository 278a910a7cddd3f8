import type { Migration } from '../migration.ts'

/** How often a document has each of its words. It is filled with the words, which are written anew when the store opens. */
export const relevance: Migration = {
  version: 13,
  statements: ({ columns: { text, integer }, fulltext, tableOptions }) => [
    'DROP TABLE IF EXISTS word_counts',
    `CREATE TABLE word_counts (seq ${integer} PRIMARY KEY, counts ${text} NOT NULL)${tableOptions}`,
    ...fulltext.clear,
    "DELETE FROM kept_indexes WHERE name LIKE 'ecm:fulltext %'",
  ],
}
