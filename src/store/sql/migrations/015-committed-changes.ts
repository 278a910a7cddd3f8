import type { Migration } from '../migration.ts'

/**
 * What the last commits changed, for processes that share an embedded database: each reads what others have written here and forgets
 * that alone. PostgreSQL has no such cache, and keeps the table empty.
 *
 * `documents` is a JSON list of ids, or null for any; `writer` the process that wrote the row.
 */
export const committedChanges: Migration = {
  version: 15,
  statements: ({ columns: { text, integer } }) => [
    `CREATE TABLE IF NOT EXISTS committed_changes (
      seq ${integer} PRIMARY KEY, writer ${integer} NOT NULL, documents ${text}, directories ${integer} NOT NULL)`,
  ],
}
