import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import type { SqlConnection } from '../sql/connection.ts'

/**
 * Makes the schema unless it is there, for whoever has made others wait who would do the same. Who waited may remember that there was none,
 * and `IF NOT EXISTS` is asked of what a connection remembers: only a look at the table makes PostgreSQL hear of what has been made meanwhile.
 */
export async function makeSchema(connection: Pick<SqlConnection, 'get' | 'run'>, schema: string): Promise<void> {
  const found = await connection.get(sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`)
  if (found === undefined) await connection.run(raw(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`))
}
