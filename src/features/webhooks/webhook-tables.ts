import type { TableMigration } from '../../store/tables.ts'

/** Who is to be told over HTTPS. The secret is needed to sign with, so it lies there as it is; no answer shows it again. */
export const webhookTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ text, flag, integer, json }) => [
      `CREATE TABLE webhooks_hooks (
         id ${text} PRIMARY KEY,
         url ${text} NOT NULL,
         description ${text} NOT NULL,
         events ${json} NOT NULL,
         is_enabled ${flag} NOT NULL,
         secret ${text} NOT NULL,
         creator ${text} NOT NULL,
         created ${text} NOT NULL,
         revision ${integer} NOT NULL)`,
    ],
  },
]
