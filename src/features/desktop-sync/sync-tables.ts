import type { TableMigration } from '../../store/tables.ts'

/**
 * Who synchronises what, and what has changed there. A change has a row for each root that it concerns, however many users have that one,
 * so that a client is answered by one look into an index for each of its roots. Changes that concern one user alone name them.
 */
export const desktopSyncTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ rowNumber, text, integer }) => [
      `CREATE TABLE desktop_sync_roots (
         root_id ${text} NOT NULL,
         user_name ${text} NOT NULL,
         path ${text} NOT NULL,
         since ${text} NOT NULL,
         PRIMARY KEY (root_id, user_name))`,
      'CREATE INDEX desktop_sync_roots_by_user ON desktop_sync_roots (user_name, root_id)',
      'CREATE INDEX desktop_sync_roots_by_path ON desktop_sync_roots (path)',
      `CREATE TABLE desktop_sync_changes (
         id ${rowNumber},
         root_id ${text} NOT NULL,
         user_name ${text},
         event ${text} NOT NULL,
         event_date ${integer} NOT NULL,
         doc_id ${text} NOT NULL,
         was_acp_id ${integer})`,
      'CREATE INDEX desktop_sync_changes_by_root ON desktop_sync_changes (root_id, id) WHERE user_name IS NULL',
      'CREATE INDEX desktop_sync_changes_by_user ON desktop_sync_changes (user_name, id) WHERE user_name IS NOT NULL',
      // Up to there no change is left.
      `CREATE TABLE desktop_sync_removed (up_to ${integer} NOT NULL)`,
      'INSERT INTO desktop_sync_removed (up_to) VALUES (0)',
      // A row once anybody has ever had a root: until then no write looks for roots that it concerns.
      `CREATE TABLE desktop_sync_used (since ${text} PRIMARY KEY)`,
    ],
  },
]
