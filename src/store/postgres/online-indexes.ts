import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import type { SqlConnection } from '../sql/connection.ts'
import { planIndexes, type WantedIndexes } from '../sql/documents/property-indexes.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { isPostgresConflict } from './postgres-errors.ts'

// Of two processes that build on one table, each may wait for the other until PostgreSQL ends one of them.
const [mostTries, pauseMillis] = [20, 1_000]

/** Where indexes are made. */
export interface OnlinePlace {
  readonly connection: SqlConnection
  /** Its statements run in no transaction, and name the schema. */
  readonly bare: SqlConnection
  readonly schema: string
}

/**
 * Makes indexes as the model wants them while others read and write: a usual CREATE INDEX has every writer wait for its end, which on a
 * million documents takes minutes. Not in a transaction.
 */
export async function syncIndexesOnline(
  { connection, bare, schema }: OnlinePlace,
  wanted: WantedIndexes,
  log: Log,
): Promise<void> {
  const within = (name: string) => `${pg.escapeIdentifier(schema)}.${name}`
  const drop = (name: string) => run(bare, `DROP INDEX CONCURRENTLY IF EXISTS ${within(name)}`)
  for (const name of await listUnfinished(connection, wanted.prefix)) await drop(name)
  const { created, dropped } = await planIndexes(connection, postgresDialect, wanted)
  if (created.length === 0 && dropped.length === 0) return
  log.info(
    { event: wanted.event, created, dropped },
    'indexes of properties are made as the model wants them, while others write',
  )
  for (const name of dropped) await drop(name)
  const definitions = new Map(wanted.wanted)
  for (const name of created)
    await run(bare, `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${within('documents')} ${definitions.get(name)}`)
}

/** Those whose process was killed while it built them; nobody uses them, and every write would go on paying for them. */
async function listUnfinished(connection: SqlConnection, prefix: string): Promise<readonly string[]> {
  const found = await connection.all(sql`
    SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace AND starts_with(relname, ${prefix})
       AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_create_index WHERE index_relid = indexrelid)`)
  return found.map(([name]) => String(name))
}

async function run(connection: SqlConnection, statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await connection.run(raw(statement))
      return
    } catch (error) {
      if (!isPostgresConflict(error) || tries === mostTries) throw error
      await delay(pauseMillis)
    }
  }
}
