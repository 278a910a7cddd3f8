import pg, { type ClientBase, type Pool } from 'pg'
import sql, { raw } from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import { answers } from '../sql/connection.ts'
import { noDeadline } from '../sql/deadline.ts'
import { createJobSignal } from '../sql/job-signal.ts'
import { migrate } from '../sql/migrations.ts'
import { type IndexedProperty, keepPropertyIndexes } from '../sql/property-indexes.ts'
import { createReader } from '../sql/sql-ports.ts'
import { type OpenTransaction, type TransactionSource, transact } from '../sql/transact.ts'
import type { Store } from '../store.ts'
import { connectionOver } from './postgres-connection.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { isPostgresConflict } from './postgres-errors.ts'
import { beginTransaction } from './postgres-transaction.ts'

export interface PostgresOptions {
  readonly url: string
  /** Created when it does not exist. */
  readonly schema: string
  readonly repository: string
  readonly indexedProperties: readonly IndexedProperty[]
  readonly log: Log
  /** Connections for transactions; there are as many for reading. */
  readonly poolSize?: number
}

/** The database for more than one machine. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, repository, log } = options
  const address = addressOf(url)
  // Apart, because a transaction that reads beside itself must not wait for a connection that others wait for likewise.
  const pools = { writing: openPool(options), reading: openPool(options) }
  const close = async () => {
    await Promise.all([pools.writing.end(), pools.reading.end()])
  }
  try {
    await prepareTables(await beginTransaction(pools.writing, address, noDeadline), options)
  } catch (error) {
    await close()
    throw error
  }
  const connection = connectionOver(pools.reading, address)
  const jobSignal = createJobSignal()
  const source: TransactionSource = {
    jobSignal,
    dialect: postgresDialect,
    repository,
    log,
    begin: (deadline) => beginTransaction(pools.writing, address, deadline),
    isConflict: isPostgresConflict,
  }
  let closed: Promise<void> | undefined
  return {
    engine: 'postgres',
    reader: createReader({ connection, dialect: postgresDialect, repository }),
    transact: (body, transactOptions) => transact(source, body, transactOptions),
    onJobsAdded: jobSignal.listen,
    isAlive: () => answers(connection),
    close() {
      closed ??= close()
      return closed
    },
  }
}

function openPool({ url, schema, log, poolSize = 10 }: PostgresOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Without it a body that asks for two things at once would have the second wait for the first one's answer.
    pipeline: true,
    onConnect: (client) => prepareConnection(client, schema, log),
  })
  // Said already by the connection itself; without anybody listening it would end the process.
  pool.on('error', () => {})
  return pool
}

/**
 * Compiling costs short statements more than it gains. Reading out of order costs little on today's disks, and a page of a
 * folder is then taken in order from its index. Whoever waits this long for a lock had better start over.
 */
async function prepareConnection(client: ClientBase, schema: string, log: Log): Promise<void> {
  client.on('error', (err) => log.warn({ event: 'store.connectionLost', err }, 'database connection lost'))
  await client.query(`SET search_path = ${pg.escapeIdentifier(schema)}`)
  await client.query("SET jit = off; SET random_page_cost = 1.1; SET lock_timeout = '5s'")
}

async function prepareTables(open: OpenTransaction, { schema, indexedProperties, log }: PostgresOptions): Promise<void> {
  try {
    // Another process may be building an index on a million documents.
    await open.run(sql`SET LOCAL lock_timeout = 0`)
    await open.get(sql`SELECT pg_advisory_xact_lock(hashtextextended(${schema}, 0))`)
    await open.run(raw(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`))
    await migrate(open, postgresDialect)
    await keepPropertyIndexes(open, postgresDialect, indexedProperties, log)
    await open.commit()
  } catch (error) {
    await open.rollback()
    throw error
  }
}

/** For messages: without the password. */
function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
