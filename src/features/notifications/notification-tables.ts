import type { TableMigration } from '../../store/tables.ts'

export const notificationTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ rowNumber, text, json }) => [
      // One row once anybody has ever subscribed: until then no write looks for subscribers.
      `CREATE TABLE notifications_used (since ${text} PRIMARY KEY)`,
      // Members of a group that subscribed who do not want to be told with it.
      `CREATE TABLE notifications_opt_outs (
         document_id ${text} NOT NULL,
         notification ${text} NOT NULL,
         user_name ${text} NOT NULL,
         PRIMARY KEY (document_id, notification, user_name))`,
      // What is told later, in one mail.
      `CREATE TABLE notifications_pending (
         id ${rowNumber},
         user_name ${text} NOT NULL,
         added ${text} NOT NULL,
         item ${json} NOT NULL)`,
      'CREATE INDEX notifications_pending_by_user ON notifications_pending (user_name, added, id)',
    ],
  },
  {
    version: 2,
    statements: ({ rowNumber, text }) => [
      // What users were told of, to be looked at in a program; the newest of each user alone.
      `CREATE TABLE notifications_inbox (
         id ${rowNumber},
         user_name ${text} NOT NULL,
         event ${text} NOT NULL,
         document_id ${text} NOT NULL,
         actor ${text} NOT NULL,
         happened ${text} NOT NULL,
         remark ${text} NOT NULL,
         is_read integer NOT NULL)`,
      'CREATE INDEX notifications_inbox_by_user ON notifications_inbox (user_name, id)',
      // A job may run twice.
      'CREATE UNIQUE INDEX notifications_inbox_once ON notifications_inbox (document_id, event, happened, actor, user_name)',
    ],
  },
  {
    version: 3,
    statements: ({ text, integer }) => [
      // How long news of a user are collected, of those who have chosen; in the repository of the directories.
      `CREATE TABLE notifications_preferences (user_name ${text} PRIMARY KEY, digest_seconds ${integer} NOT NULL)`,
    ],
  },
  {
    version: 4,
    // What a comment says is looked up when it is shown: it may be another text by then, or gone.
    statements: ({ text }) => [`ALTER TABLE notifications_inbox ADD COLUMN comment_id ${text}`],
  },
  {
    version: 5,
    statements: ({ text }) => [
      // Since when users subscribe whose name was somebody else's before; of all others the document says enough.
      `CREATE TABLE notifications_renewed (
         document_id ${text} NOT NULL,
         notification ${text} NOT NULL,
         user_name ${text} NOT NULL,
         since ${text} NOT NULL,
         PRIMARY KEY (document_id, notification, user_name))`,
      `ALTER TABLE notifications_opt_outs ADD COLUMN since ${text}`,
    ],
  },
  {
    version: 6,
    statements: () => [
      // One person may comment twice in the same millisecond.
      'DROP INDEX notifications_inbox_once',
      `CREATE UNIQUE INDEX notifications_inbox_once
         ON notifications_inbox (document_id, event, happened, actor, user_name, coalesce(comment_id, ''))`,
    ],
  },
]
