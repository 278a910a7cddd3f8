import type { Migration } from '../migration.ts'

/**
 * Which files documents and upload batches let go of, and when: a transaction that read of one there may still be about to refer
 * to it. The keys of files are written anew when the store opens, now with those of properties that the model does not know.
 */
export const releasedFiles: Migration = {
  version: 10,
  statements: ({ columns: { text, integer }, tableOptions }) => [
    `CREATE TABLE released_files (
       file_key ${text} NOT NULL,
       seq ${integer} NOT NULL,
       released ${text} NOT NULL,
       PRIMARY KEY (file_key, seq)
     )${tableOptions}`,
    'CREATE INDEX released_files_by_time ON released_files (released)',
    "DELETE FROM document_values WHERE name = 'ecm:blobKeys'",
    "DELETE FROM kept_indexes WHERE name = 'ecm:blobKeys'",
  ],
}
