import type { TableMigration } from '../../store/tables.ts'

/**
 * Endpoints, the operations that made and removed them, and how many each region of a project has. `request_id` is set for as long as
 * a repeated request is answered with the same operation.
 */
export const endpointTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ text, integer, json }) => [
      `CREATE TABLE notification_endpoints_resources (
         id ${text} PRIMARY KEY,
         project ${text} NOT NULL,
         region ${text} NOT NULL,
         name ${text} NOT NULL,
         created ${text} NOT NULL,
         description ${text},
         grpc_settings ${json} NOT NULL)`,
      'CREATE UNIQUE INDEX notification_endpoints_by_name ON notification_endpoints_resources (project, region, name)',
      'CREATE INDEX notification_endpoints_by_date ON notification_endpoints_resources (project, region, created, id)',
      `CREATE TABLE notification_endpoints_scopes (
         project ${text} NOT NULL,
         region ${text} NOT NULL,
         endpoints ${integer} NOT NULL,
         PRIMARY KEY (project, region))`,
      `CREATE TABLE notification_endpoints_operations (
         id ${text} PRIMARY KEY,
         project ${text} NOT NULL,
         region ${text} NOT NULL,
         name ${text} NOT NULL,
         type ${text} NOT NULL,
         target_name ${text} NOT NULL,
         target_id ${text} NOT NULL,
         user_name ${text} NOT NULL,
         inserted ${text} NOT NULL,
         ended ${text} NOT NULL,
         request_id ${text},
         request_digest ${text})`,
      'CREATE UNIQUE INDEX notification_endpoints_operations_by_name ON notification_endpoints_operations (project, region, name)',
      'CREATE UNIQUE INDEX notification_endpoints_operations_by_request ON notification_endpoints_operations (project, request_id)',
      'CREATE INDEX notification_endpoints_operations_by_date ON notification_endpoints_operations (project, inserted, id)',
    ],
  },
  {
    version: 2,
    // Removed, and still the answer to a request that is repeated.
    statements: ({ integer }) => [
      `ALTER TABLE notification_endpoints_operations ADD COLUMN is_removed ${integer} NOT NULL DEFAULT 0`,
    ],
  },
]
