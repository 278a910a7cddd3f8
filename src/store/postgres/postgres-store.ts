import pg, { type ClientBase, type Pool } from 'pg'
import sql, { raw } from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import type { DocumentIndexing } from '../../nxql/document-indexing.ts'
import { defaultSearchLimits, type SearchLimits } from '../search-limits.ts'
import { answers } from '../sql/connection.ts'
import { type Deadline, noDeadline } from '../sql/deadline.ts'
import { createJobSignal } from '../sql/job-signal.ts'
import { keepDocumentIndex } from '../sql/keep-document-index.ts'
import { migrate, requireMigrated } from '../sql/migrations.ts'
import { type IndexedProperty, keepPropertyIndexes } from '../sql/property-indexes.ts'
import { createReader } from '../sql/sql-ports.ts'
import { type OpenTransaction, type TransactionSource, transact } from '../sql/transact.ts'
import type { Store } from '../store.ts'
import { connectionOver } from './postgres-connection.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { isPostgresConflict, isPostgresLockTimeout } from './postgres-errors.ts'
import { beginTransaction, type LockWaits, lockWaitsFor } from './postgres-transaction.ts'
import { searchesOver } from './search-connection.ts'

export interface PostgresOptions {
  readonly url: string
  /** Created when it does not exist. */
  readonly schema: string
  readonly repository: string
  readonly indexedProperties: readonly IndexedProperty[]
  readonly indexing: DocumentIndexing
  readonly log: Log
  /** Connections for transactions; there are as many for reading, and half as many for searches. */
  readonly poolSize?: number
  readonly searchLimits?: SearchLimits
  /** Nothing is made and nothing changed but rows. */
  readonly asItIs?: boolean
}

/** The database for more than one machine. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, repository, indexing, poolSize = 10, searchLimits = defaultSearchLimits, log } = options
  const searchMilliseconds = searchLimits.timeLimitMilliseconds
  const address = addressOf(url)
  let lockWaits = lockWaitsFor(usualDeadlockMilliseconds)
  // Apart, because a transaction that reads beside itself must not wait for a connection that others wait for likewise.
  const pools = {
    writing: openPool(options, poolSize, async (client) => {
      lockWaits = await readLockWaits(client)
      return { lockMilliseconds: lockWaits.firstMilliseconds }
    }),
    reading: openPool(options, poolSize, async () => ({})),
    searching: openPool(options, Math.ceil(poolSize / 2), async () => ({ statementMilliseconds: searchMilliseconds })),
  }
  const writing = { pool: pools.writing, address, searchMilliseconds, lockWaits: () => lockWaits }
  const begin = (deadline: Deadline) => beginTransaction(writing, deadline)
  const close = async () => {
    await Promise.all(Object.values(pools).map((pool) => pool.end()))
  }
  try {
    await prepareTables(await begin(noDeadline), options)
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
    indexing,
    log,
    begin,
    isConflict: isPostgresConflict,
    isLockTimeout: isPostgresLockTimeout,
  }
  let closed: Promise<void> | undefined
  return {
    engine: 'postgres',
    reader: createReader(
      { connection, dialect: postgresDialect, repository },
      searchesOver(pools.searching, address, searchMilliseconds),
    ),
    transact: (body, transactOptions) => transact(source, body, transactOptions),
    onJobsAdded: jobSignal.listen,
    // Of processes on other machines the database knows nothing: they are told by their silence.
    joinWorkers: async () => {},
    isAlive: () => answers(connection),
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** How long the statements of a connection may take, and wait for a lock. */
interface TimeLimits {
  /** Absent: as long as it takes. */
  readonly statementMilliseconds?: number
  readonly lockMilliseconds?: number
}

function openPool(
  { url, schema, log }: PostgresOptions,
  size: number,
  limitsOf: (client: ClientBase) => Promise<TimeLimits>,
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Without it a body that asks for two things at once would have the second wait for the first one's answer.
    pipeline: true,
    onConnect: async (client) => {
      client.on('error', (err) => log.warn({ event: 'store.connectionLost', err }, 'database connection lost'))
      await prepareConnection(client, schema, await limitsOf(client))
    },
  })
  // Said already by the connection itself; without anybody listening it would end the process.
  pool.on('error', () => {})
  return pool
}

// The server's own default.
const usualDeadlockMilliseconds = 1_000
// Who only reads holds nothing that others wait for, and waits for somebody who has locked a whole table.
const readLockMilliseconds = 5_000

async function readLockWaits(client: ClientBase): Promise<LockWaits> {
  const { rows } = await client.query<{ setting: string }>("SELECT setting FROM pg_settings WHERE name = 'deadlock_timeout'")
  return lockWaitsFor(Number(rows[0]?.setting ?? usualDeadlockMilliseconds))
}

/**
 * Compiling costs short statements more than it gains. Reading out of order costs little on today's disks, and a page of a
 * folder is then taken in order from its index.
 */
async function prepareConnection(client: ClientBase, schema: string, limits: TimeLimits): Promise<void> {
  const { statementMilliseconds = 0, lockMilliseconds = readLockMilliseconds } = limits
  await client.query(
    `SET search_path = ${pg.escapeIdentifier(schema)}; SET jit = off; SET random_page_cost = 1.1;
     SET lock_timeout = ${lockMilliseconds}; SET statement_timeout = ${statementMilliseconds}`,
  )
}

async function prepareTables(open: OpenTransaction, options: PostgresOptions): Promise<void> {
  try {
    if (options.asItIs) await requireMigrated(open, postgresDialect, `${options.schema} of ${addressOf(options.url)}`)
    else await makeTables(open, options)
    await open.commit()
  } catch (error) {
    await open.rollback()
    throw error
  }
}

async function makeTables(open: OpenTransaction, options: PostgresOptions): Promise<void> {
  const { schema, indexedProperties, indexing, log } = options
  // Another process may be building an index on a million documents.
  await open.run(sql`SET LOCAL lock_timeout = 0`)
  await open.get(sql`SELECT pg_advisory_xact_lock(hashtextextended(${schema}, 0))`)
  await open.run(raw(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`))
  await migrate(open, postgresDialect)
  await keepPropertyIndexes(open, postgresDialect, indexedProperties, log)
  await keepDocumentIndex({ connection: open, dialect: postgresDialect, indexing }, log)
}

/** For messages: without the password. */
function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
