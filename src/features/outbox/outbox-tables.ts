import type { TableMigration } from '../../store/tables.ts'

/**
 * What happened, for those who tell others of it. Rows are only ever read in the order of their numbers, so there is no index beside
 * the primary key: a create pays for one small row and nothing else. How far readers have come that shall miss nothing is
 * `outbox_readers`, and up to which number rows were removed is `outbox_removed`. How it stands with those who are told over the network is
 * `outbox_deliveries`, and what they could not be told `outbox_undelivered`.
 */
export const outboxTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ rowNumber, text, integer, flag }) => [
      `CREATE TABLE outbox_events (
         id ${rowNumber},
         event ${text} NOT NULL,
         event_date ${integer} NOT NULL,
         principal_name ${text} NOT NULL,
         category ${text},
         comment ${text},
         doc_id ${text},
         doc_type ${text},
         doc_path ${text},
         doc_life_cycle ${text},
         doc_acp_id ${integer},
         is_quiet ${flag} NOT NULL,
         extended ${text})`,
      `CREATE TABLE outbox_readers (
         name ${text} PRIMARY KEY,
         position ${integer} NOT NULL)`,
      `CREATE TABLE outbox_removed (up_to ${integer} NOT NULL)`,
      'INSERT INTO outbox_removed (up_to) VALUES (0)',
    ],
  },
  {
    version: 2,
    statements: ({ text }) => [
      `ALTER TABLE outbox_events ADD COLUMN doc_parent_id ${text}`,
      `ALTER TABLE outbox_events ADD COLUMN doc_change_token ${text}`,
    ],
  },
  {
    version: 3,
    statements: ({ text, integer }) => [
      `CREATE TABLE outbox_deliveries (
         reader ${text} PRIMARY KEY,
         owner ${text},
         beat ${integer} NOT NULL,
         delivered ${integer} NOT NULL,
         failed ${integer} NOT NULL,
         last_attempt ${integer},
         last_error ${text},
         attempts ${text})`,
      `CREATE TABLE outbox_undelivered (
         reader ${text} NOT NULL,
         position ${integer} NOT NULL,
         json ${text} NOT NULL,
         PRIMARY KEY (reader, position))`,
    ],
  },
  {
    version: 4,
    statements: ({ integer }) => [`ALTER TABLE outbox_events ADD COLUMN membership_generation ${integer}`],
  },
  { version: 5, statements: ({ text }) => [`ALTER TABLE outbox_events ADD COLUMN trace ${text}`] },
]
