import type pg from 'pg'
import sql from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Tracer } from '../../base/tracing.ts'
import type { DocumentIndexing } from '../../nxql/document-indexing.ts'
import type { AcpReader } from '../acps.ts'
import type { DirectoryReader } from '../directories.ts'
import { databaseProgramTooOld } from '../problems.ts'
import { defaultSearchLimits, type SearchLimits } from '../search-limits.ts'
import { searchThroughCache } from '../search-through-cache.ts'
import { tellSlowSearches } from '../slow-searches.ts'
import type { Snapshot } from '../snapshot.ts'
import { answers, type SqlConnection } from '../sql/connection.ts'
import { endCopy, requireFinished } from '../sql/copy-mark.ts'
import { fillDocumentIndex } from '../sql/documents/fill-document-index.ts'
import {
  anyDocument,
  type IndexedProperty,
  propertyIndexes,
  syncIndexes,
  type WantedIndexes,
} from '../sql/documents/property-indexes.ts'
import { createJobSignal } from '../sql/jobs/job-signal.ts'
import { harmlessWrite, migrate, requireMigrated, requireVersion } from '../sql/migrations.ts'
import { migratePlugins, requirePluginsMigrated } from '../sql/plugin-tables.ts'
import { cacheResults } from '../sql/search/result-cache.ts'
import { createReader } from '../sql/sql-ports.ts'
import { createSnapshot } from '../sql/sql-snapshot.ts'
import { watchStore } from '../sql/store-watch.ts'
import { type Deadline, noDeadline, type OpenTransaction, type TransactionSource, transact } from '../sql/transact.ts'
import type { Store } from '../store.ts'
import { measureSearches, type StoreUse, storeFamilies } from '../store-metrics.ts'
import type { PluginTables } from '../tables.ts'
import { traceSearches } from '../trace-searches.ts'
import { type BatchedLookups, batchLookups } from './batched-lookups.ts'
import { createCheckedDocuments } from './checked-documents.ts'
import { makeSchema } from './make-schema.ts'
import { createNudges } from './nudges.ts'
import { syncIndexesOnline } from './online-indexes.ts'
import {
  asking,
  bareConnectionOverPool,
  connectionOver,
  connectionOverPool,
  type PostgresServer,
  pipelineOverPool,
  takeClient,
} from './postgres-connection.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { isPostgresConflict, isPostgresLockTimeout } from './postgres-errors.ts'
import { openPools, poolUse } from './postgres-pools.ts'
import { beginTransaction } from './postgres-transaction.ts'
import { searchesOnReplica } from './replica-searches.ts'
import { searchesOver } from './search-connection.ts'
import { watchServer } from './server-watch.ts'
import { createSharedConnections } from './shared-connections.ts'
import { ensureTrigrams, trigramIndexes, withTrigrams } from './trigram-indexes.ts'

export interface PostgresOptions {
  readonly url: string
  /** A server that follows that one. */
  readonly replicaUrl?: string
  /** The same server past a pooler that `url` leads to. */
  readonly directUrl?: string
  /** Created when it does not exist. */
  readonly schema: string
  readonly repository: string
  readonly indexedProperties: readonly IndexedProperty[]
  readonly indexing: DocumentIndexing
  readonly log: Log
  /** How many documents stay at hand once they were looked up. */
  readonly cachedDocuments?: number
  readonly searchLimits?: SearchLimits
  /** Of plugins. */
  readonly tables?: readonly PluginTables[]
  /** Nothing is made and nothing changed but rows. */
  readonly asItIs?: boolean
  /** Rows were copied into it, and the caller will say that they are complete. */
  readonly isCopy?: boolean
  readonly metrics?: Metrics
  readonly tracer?: Tracer
}

/** The database for more than one machine. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const {
    url,
    replicaUrl,
    directUrl,
    schema,
    repository,
    indexing,
    searchLimits = defaultSearchLimits,
    cachedDocuments = 0,
    log,
  } = options
  const searchMilliseconds = searchLimits.timeLimitMilliseconds
  const serverAt = (at: string, isPooled: boolean): PostgresServer => ({
    address: addressOf(at),
    watch: watchServer(at, log),
    sharing: createSharedConnections(isPooled),
  })
  const server = serverAt(url, directUrl !== undefined)
  const direct = directUrl === undefined ? undefined : { url: directUrl, server: serverAt(directUrl, false) }
  const onLost = () => lookups.distrust()
  const replica = replicaUrl === undefined ? undefined : { url: replicaUrl, server: serverAt(replicaUrl, false) }
  const pools = openPools({
    url,
    schema,
    searchMilliseconds,
    server,
    onLost,
    ...(replica && { replica }),
    ...(direct && { direct }),
    log,
  })
  const lookups = batchLookups(pipelineOverPool(pools.reading, server), () => cache.clear())
  const writing = { pool: pools.writing, server, searchMilliseconds, lockWaits: pools.lockWaits }
  const begin = (deadline: Deadline) => beginTransaction(writing, deadline)
  // Past the pooler where there is a way: what takes long would keep others from it, and it may have time limits of its own.
  const long = pools.direct && direct ? { pool: pools.direct, server: direct.server } : undefined
  const beginLong = () => beginTransaction({ ...writing, ...long }, noDeadline)
  const close = async () => {
    await pools.close()
    server.watch.end()
    replica?.server.watch.end()
    direct?.server.watch.end()
  }
  try {
    await inTransaction(await beginLong(), (open) => prepareTables(open, options))
    if (!options.asItIs) await ensureTrigrams(async (body) => inTransaction(await beginLong(), body), log)
    if (!options.asItIs) await makeIndexes(long ?? { pool: pools.reading, server }, options)
  } catch (error) {
    await close()
    throw error
  }
  const connection = connectionOverPool(pools.reading, server)
  const dialect = await withTrigrams(postgresDialect, connection, options.indexedProperties)
  const table = { connection, dialect, repository }
  const searches = measureSearches(repository)
  const onServer = searchesOver(pools.searching, server, searchLimits, lookups)
  const measured = searches.over(
    replica === undefined || pools.replica === undefined
      ? onServer
      : searchesOnReplica({
          onServer,
          ...overReplica(pools.replica, replica.server, searchLimits),
          server: connection,
          lookups,
          log,
        }),
  )
  const searching = tellSlowSearches(traceSearches(measured, { tracer: options.tracer, engine: 'postgresql', repository }), {
    slowMilliseconds: searchLimits.slowMilliseconds,
    explain: 'EXPLAIN',
    repository,
    log,
  })
  const version = async () => (await lookups.readState()).version
  // Each search brings the state that came after it: where that is the one from before, nothing was committed in between.
  const results = cacheResults(searching, version, (before) => before === lookups.known()?.version)
  const ports = createReader(table, results)
  const cache = createCheckedDocuments(table, ports.documents, lookups, cachedDocuments)
  const jobSignal = createJobSignal(options.tracer)
  const nudges = createNudges({ url: directUrl ?? url, schema, connection, log })
  const tally = { committed: 0, failed: 0, repeated: 0 }
  const use: StoreUse = {
    documents: cache.use,
    results: results.use,
    transactions: tally,
    waiting: () => ({
      write: pools.writing.waitingCount,
      read: pools.reading.waitingCount,
      search: pools.searching.waitingCount,
    }),
    connections: () => poolUse(pools),
  }
  options.metrics?.add(() => [...storeFamilies(repository, use), searches.family()])
  const source: TransactionSource = {
    tally,
    jobSignal,
    dialect,
    repository,
    indexing,
    log,
    begin,
    isConflict: isPostgresConflict,
    isLockTimeout: isPostgresLockTimeout,
  }
  const watch = watchStore({
    look: () => requireVersion(connection),
    tryWrite: async () => inTransaction(await begin(noDeadline), (open) => open.run(harmlessWrite)),
  })
  let closed: Promise<void> | undefined
  return {
    engine: 'postgres',
    reader: {
      ...ports,
      documents: cache.documents,
      directories: withKnownGeneration(ports.directories, lookups),
      acps: withKnownLists(ports.acps, lookups),
      search: cachedDocuments === 0 ? ports.search : searchThroughCache(ports.search, cache.documents, cache),
    },
    transact: (body, transactOptions) => watch.writing(() => transact(source, body, transactOptions)),
    onJobsAdded: jobSignal.listen,
    nudge: nudges.send,
    onNudged: nudges.listen,
    admitJobs: jobSignal.admit,
    writersOf: async (table) => (await connection.all(lockingToWrite(table))).map(([name]) => String(name)),
    joinWorkers: async () => {},
    openSnapshot: () => openSnapshot(long ?? { pool: pools.reading, server }, repository),
    meetRequest: lookups.forget,
    isAlive: () => answers(connection),
    findFlaw: watch.findFlaw,
    check: watch.check,
    close() {
      watch.end()
      closed ??= nudges.end().then(close)
      return closed
    },
  }
}

interface PoolOfServer {
  readonly pool: pg.Pool
  readonly server: PostgresServer
}

/** The connection is not used by others afterwards: what it did took long, and nobody waits for it. */
async function openSnapshot({ pool, server }: PoolOfServer, repository: string): Promise<Snapshot> {
  const client = await takeClient(pool, server)
  const preamble = server.sharing.find(client)?.preamble ?? ''
  try {
    await asking(server, client, () => client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${preamble}`))
    // The first look fixes what is seen.
    await asking(server, client, () => client.query('SELECT pg_current_snapshot()'))
  } catch (error) {
    client.release(true)
    throw error
  }
  const table = { connection: connectionOver(client, server), dialect: postgresDialect, repository }
  return createSnapshot(table, async () => client.release(true))
}

function overReplica(pool: pg.Pool, server: PostgresServer, limits: SearchLimits) {
  return { onReplica: searchesOver(pool, server, limits), replica: connectionOverPool(pool, server) }
}

/**
 * A statement that writes or locks rows locks the table before it takes a number for a row, and until the end of its transaction, which
 * is seen by others before the lock is gone. Vacuuming takes another lock.
 */
const lockingToWrite = (table: string) => sql`
  SELECT virtualtransaction FROM pg_locks
   WHERE locktype = 'relation' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND relation = CAST(CAST(${table} AS text) AS regclass) AND mode IN ('RowShareLock', 'RowExclusiveLock') AND granted`

/** Every request asks whether users and groups are still what they were. */
function withKnownGeneration(directories: DirectoryReader, lookups: BatchedLookups): DirectoryReader {
  return {
    ...directories,
    generation: async () => (await lookups.readState()).generation,
    findGeneration: () => lookups.known()?.generation,
  }
}

/** Every search asks whether lists of entries were added. */
function withKnownLists(acps: AcpReader, lookups: BatchedLookups): AcpReader {
  return {
    ...acps,
    listAfter: async (id) => ((await lookups.readState()).lastAcpId > id ? acps.listAfter(id) : []),
  }
}

async function inTransaction(open: OpenTransaction, work: (open: OpenTransaction) => Promise<unknown>): Promise<void> {
  try {
    await work(open)
    await open.commit()
  } catch (error) {
    await open.rollback()
    throw error
  }
}

async function prepareTables(open: OpenTransaction, options: PostgresOptions): Promise<void> {
  const place = `${options.schema} of ${addressOf(options.url)}`
  await requireProgram(open, addressOf(options.url))
  if (!options.asItIs) return makeTables(open, options)
  await requireFinished(open, postgresDialect)
  await requireMigrated(open, postgresDialect, place)
  await requirePluginsMigrated(open, options.tables ?? [])
}

// The collation pg_c_utf8, by which letters are made small as on the other engine.
export const neededVersion = 17

/** @throws databaseProgramTooOld */
export async function requireProgram(connection: Pick<SqlConnection, 'get'>, place: string): Promise<void> {
  const [number, found] = (await connection.get(
    sql`SELECT current_setting('server_version_num')::integer, current_setting('server_version')`,
  )) as [number, string]
  if (number < neededVersion * 10_000) throw databaseProgramTooOld({ place, found, needed: neededVersion })
}

async function makeTables(open: OpenTransaction, options: PostgresOptions): Promise<void> {
  const { schema, indexedProperties, indexing, tables = [], isCopy, log } = options
  // Another process may be building an index on a million documents. No transaction locks our tables for as long.
  await open.run(sql`SET LOCAL lock_timeout = 0`)
  await open.get(sql`SELECT pg_advisory_xact_lock(hashtextextended(${schema}, 0))`)
  await open.run(sql`SET LOCAL lock_timeout = '60s'`)
  await makeSchema(open, schema)
  if (!isCopy) await endCopy(open, postgresDialect)
  await migrate(open, postgresDialect)
  await migratePlugins(open, postgresDialect, tables)
  await fillDocumentIndex({ connection: open, dialect: postgresDialect, indexing }, log)
  // Where there is nothing to index and nobody to wait, that is quicker than beside others.
  if ((await open.all(anyDocument)).length > 0) return
  for (const wanted of await wantedIndexes(open, indexedProperties)) await syncIndexes(open, postgresDialect, wanted, log)
}

async function makeIndexes({ pool, server }: PoolOfServer, { schema, indexedProperties, log }: PostgresOptions): Promise<void> {
  const connection = connectionOverPool(pool, server)
  const place = { connection, bare: bareConnectionOverPool(pool, server), schema }
  for (const wanted of await wantedIndexes(connection, indexedProperties)) await syncIndexesOnline(place, wanted, log)
}

async function wantedIndexes(
  connection: SqlConnection,
  properties: readonly IndexedProperty[],
): Promise<readonly WantedIndexes[]> {
  return [propertyIndexes(postgresDialect, properties), await trigramIndexes(connection, postgresDialect, properties)]
}

/** For messages: without the password. */
export function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
