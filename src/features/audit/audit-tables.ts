import type { TableMigration } from '../../store/tables.ts'

/**
 * The log. Dates are milliseconds, which makes the entries of each index a third as long as texts would. Every index ends in the usual
 * order of a page, so that the newest rows of a document, an event, a user or a category are one look however long the log is.
 */
export const auditTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ rowNumber, text, integer }) => [
      `CREATE TABLE audit_entries (
         id ${rowNumber},
         event_id ${text} NOT NULL,
         event_date ${integer} NOT NULL,
         log_date ${integer} NOT NULL,
         category ${text},
         principal_name ${text} NOT NULL,
         comment ${text},
         doc_uuid ${text},
         doc_type ${text},
         doc_path ${text},
         doc_life_cycle ${text},
         repository_id ${text},
         extended ${text})`,
      'CREATE INDEX audit_entries_by_document ON audit_entries (doc_uuid, event_date, id)',
      'CREATE INDEX audit_entries_by_date ON audit_entries (event_date, id)',
      'CREATE INDEX audit_entries_by_event ON audit_entries (event_id, event_date, id)',
      'CREATE INDEX audit_entries_by_principal ON audit_entries (principal_name, event_date, id)',
      'CREATE INDEX audit_entries_by_category ON audit_entries (category, event_date, id)',
    ],
  },
]
