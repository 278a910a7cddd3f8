import type { TableMigration } from '../../store/tables.ts'

/**
 * The folders that have a quota: how much it is (0 limits nothing), and the bytes of all files at and below, which every transaction that
 * changes them keeps. What is noted is what the properties of the folder said last.
 */
export const quotaTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ text, integer }) => [
      `CREATE TABLE quotas_folders (
         document_id ${text} PRIMARY KEY,
         max_bytes ${integer} NOT NULL,
         total_bytes ${integer} NOT NULL,
         trash_bytes ${integer} NOT NULL,
         versions_bytes ${integer} NOT NULL,
         noted_total ${integer} NOT NULL,
         noted_trash ${integer} NOT NULL,
         noted_versions ${integer} NOT NULL)`,
    ],
  },
]
