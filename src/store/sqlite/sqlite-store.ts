import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import sql from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import { makeFolder } from '../../base/make-folder.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Tracer } from '../../base/tracing.ts'
import type { DocumentIndexing } from '../../nxql/document-indexing.ts'
import type { DocumentWriter } from '../documents.ts'
import { databaseAbsent, databaseFull } from '../problems.ts'
import { defaultSearchLimits, type SearchLimits } from '../search-limits.ts'
import { searchThroughCache } from '../search-through-cache.ts'
import { tellSlowSearches } from '../slow-searches.ts'
import type { Snapshot } from '../snapshot.ts'
import { answers, type SqlConnection, type SqlStatement } from '../sql/connection.ts'
import { endCopy, requireFinished } from '../sql/copy-mark.ts'
import { fillDocumentIndex } from '../sql/documents/fill-document-index.ts'
import { type IndexedProperty, propertyIndexes, syncIndexes } from '../sql/documents/property-indexes.ts'
import { createJobSignal } from '../sql/jobs/job-signal.ts'
import { harmlessWrite, migrate, requireMigrated, requireVersion } from '../sql/migrations.ts'
import { migratePlugins, requirePluginsMigrated } from '../sql/plugin-tables.ts'
import { cacheResults } from '../sql/search/result-cache.ts'
import { createReader } from '../sql/sql-ports.ts'
import { createSnapshot } from '../sql/sql-snapshot.ts'
import { watchStore } from '../sql/store-watch.ts'
import { type TransactionSource, transact } from '../sql/transact.ts'
import type { Store, Transaction } from '../store.ts'
import { measureSearches, type StoreUse, storeFamilies } from '../store-metrics.ts'
import type { PluginTables } from '../tables.ts'
import { traceSearches } from '../trace-searches.ts'
import type { WriteTurns } from '../write-turns.ts'
import { appendAnyChange, type CommittedChanges, createChangeLog, createChangeNotes } from './change-notes.ts'
import { createCheckpointer } from './checkpoint/checkpointer.ts'
import { createDocumentCache, createGenerationCache, rememberLatestAcp } from './document-cache.ts'
import { watchOtherCommits } from './other-commits.ts'
import { rememberFiles, restrictToOwner } from './private-file.ts'
import { matchCost } from './search/match-cost.ts'
import { limitSearches } from './search/search-connection.ts'
import { dispatchSearches } from './search/search-dispatch.ts'
import { createSearchPool } from './search/search-pool.ts'
import { createSqliteReader, openSqliteConnection, type SqliteConnection, whenFree } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isSqliteConflict } from './sqlite-errors.ts'
import { createLogFlusher, createSqliteWriter } from './sqlite-writer.ts'
import { syncTrigrams, withTrigrams } from './trigram-table.ts'
import { createWorkersLock } from './workers-lock.ts'

export interface SqliteOptions {
  readonly file: string
  readonly repository: string
  /** How many documents stay at hand once they were looked up. */
  readonly cachedDocuments: number
  readonly indexedProperties: readonly IndexedProperty[]
  readonly indexing: DocumentIndexing
  readonly searchLimits?: SearchLimits
  /** Of plugins. */
  readonly tables?: readonly PluginTables[]
  /** Nothing is made and nothing changed but rows. */
  readonly asItIs?: boolean
  /** Rows were copied into it, and the caller will say that they are complete. */
  readonly isCopy?: boolean
  readonly metrics?: Metrics
  readonly tracer?: Tracer
  /** Among the processes of one server. */
  readonly writeTurns?: WriteTurns
  readonly log: Log
}

/** The embedded database. Several processes may open the same file. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { file, repository, indexing, searchLimits = defaultSearchLimits, log } = options
  await prepareFile(options)
  const connection = await openSqliteConnection(file, 'write')
  try {
    await prepareTables(connection, options)
  } catch (error) {
    connection.close()
    throw error
  }
  // From here on the log is flushed after each commit, and not by it: that would keep all requests waiting for the disk.
  connection.execute('PRAGMA synchronous = NORMAL')
  const dialect = await withTrigrams(sqliteDialect, connection)
  const requireSameFiles = rememberFiles(file)
  const reader = createSqliteReader(await openSqliteConnection(file, 'read'))
  const searchPool = createSearchPool(file, searchLimits)
  const dispatched = dispatchSearches(reader, searchPool, matchesMany(reader))
  const forget = (changes: CommittedChanges) => {
    cache.invalidate(changes.documents)
    if (changes.directories) generation.invalidate()
  }
  const changeLog = createChangeLog(connection, (changes) => {
    // What is read from now on must not be older than what was forgotten.
    reader.renew()
    forget(changes)
  })
  let commits = 0
  const version = () => commits + changeLog.version()
  const searches = measureSearches(repository)
  const measured = searches.over(limitSearches(dispatched, searchLimits.timeLimitMilliseconds))
  const searching = cacheResults(
    tellSlowSearches(traceSearches(measured, { tracer: options.tracer, engine: 'sqlite', repository }), {
      slowMilliseconds: searchLimits.slowMilliseconds,
      explain: 'EXPLAIN QUERY PLAN',
      repository,
      log,
    }),
    version,
    (before) => before === version(),
  )
  const ports = createReader({ connection: reader, dialect, repository }, searching)
  const cache = createDocumentCache(ports.documents, changeLog.version, options.cachedDocuments)
  const generation = createGenerationCache(ports.directories, changeLog.version)
  /** Documents were read just now, with what others had committed by then. */
  const hasChanged: typeof cache.hasChanged = (found, since) => {
    changeLog.renew()
    changeLog.version()
    return cache.hasChanged(found, since)
  }
  const logFlusher = createLogFlusher(file)
  const notes = createChangeNotes()
  const withinTransaction = (documents: DocumentWriter) => cache.within(documents, notes.isNoted)
  /** What was cached before it began is met with what other processes have committed until then. */
  const watched = (tx: Transaction): Transaction => {
    changeLog.renew()
    notes.watch(tx, withinTransaction)
    return tx
  }
  // With no snapshot open the log can be written back whole, and who is told that a write is done reads it, also in the same
  // round of the event loop.
  const beforeCommit = (hasWritten: boolean) => {
    requireSameFiles()
    logFlusher.requireSound()
    commits += 1
    const changes = notes.take()
    // What has written nothing leaves nothing to tell others, and nothing that would have to reach the disk.
    if (hasWritten && connection.isInTransaction()) changeLog.append(changes)
    forget(changes)
    changeLog.renew()
    reader.renew()
  }
  const checkpointer = createCheckpointer(file, connection.lookAtLog, log)
  const within = { limits: searchLimits, elsewhere: dispatched }
  const writer = createSqliteWriter(connection, {
    beforeCommit,
    afterCommit: checkpointer.noteCommit,
    flush: logFlusher.flush,
    searches: within,
    turn: options.writeTurns?.at(file),
  })
  const jobSignal = createJobSignal(options.tracer)
  const tally = { committed: 0, failed: 0, repeated: 0 }
  const untallied: TransactionSource = {
    dialect,
    repository,
    indexing,
    log,
    jobSignal,
    begin: writer.begin,
    isConflict: isSqliteConflict,
  }
  const source: TransactionSource = { ...untallied, tally }
  const meetRequest = oncePerRound(() => {
    changeLog.renew()
    reader.renew()
  })
  const use: StoreUse = {
    documents: cache.use,
    results: searching.use,
    transactions: tally,
    waiting: () => ({ write: writer.waiting, search: searchPool.waiting }),
    searchProcesses: () => searchPool.processes,
  }
  options.metrics?.add(() => [...storeFamilies(repository, use), searches.family()])
  const workers = createWorkersLock(file)
  const watch = watchStore({
    async look() {
      requireSameFiles()
      await requireVersion(reader)
    },
    tryWrite: async () => {
      await requireSpace(file)
      await transact(untallied, (tx) => tx.tables.run(harmlessWrite))
    },
  })
  const others = watchOtherCommits(connection.dataVersion)
  const close = async () => {
    watch.end()
    others.end()
    // First, for the last connection to close puts the log back into the file.
    await Promise.all([searchPool.close(), checkpointer.close()])
    await writer.close()
    await logFlusher.close()
    reader.close()
    workers.leave()
  }
  let closed: Promise<void> | undefined
  return {
    engine: 'sqlite',
    reader: {
      ...ports,
      documents: cache.documents,
      acps: rememberLatestAcp(ports.acps, version),
      directories: generation.directories,
      search:
        options.cachedDocuments === 0
          ? ports.search
          : searchThroughCache(ports.search, cache.documents, { ...cache, hasChanged }),
    },
    transact: (body, options) => watch.writing(() => transact(source, (tx) => body(watched(tx)), options)),
    onJobsAdded: jobSignal.listen,
    // Their commits show by themselves.
    nudge() {},
    onNudged: others.listen,
    admitJobs: jobSignal.admit,
    // One transaction writes after the other, and numbers of one that is undone are given again.
    writersOf: async () => [],
    joinWorkers: (whenAlone) => workers.join(whenAlone),
    openSnapshot: () => openSnapshot(file, repository),
    meetRequest,
    isAlive: () => answers(reader),
    findFlaw: watch.findFlaw,
    check: watch.check,
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** On a connection of its own, so that those of the server go on to what comes next. */
async function openSnapshot(file: string, repository: string): Promise<Snapshot> {
  const connection = await openSqliteConnection(file, 'read')
  try {
    connection.execute('BEGIN')
    // The first look fixes what is seen.
    await connection.get(newestRow)
  } catch (error) {
    connection.close()
    throw error
  }
  return createSnapshot({ connection, dialect: sqliteDialect, repository }, async () => connection.close())
}

/**
 * Work that goes on after its turn, or that a timer began, takes its snapshot before the requests that the same round of the event loop
 * brings; so the first of these has another one taken.
 */
function oncePerRound(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    setImmediate(() => {
      isDone = false
    })
    work()
  }
}

// Half of what is tolerable, at 0.1 µs for each (measured).
const maxEntries = 1_000_000

/** Whether the words of a search may be in so many documents that finding the first takes long. */
function matchesMany(reader: SqlConnection): (statement: SqlStatement) => Promise<boolean> {
  return async (statement) => {
    const cost = matchCost(statement)
    if (cost === 0) return false
    const [documents] = (await reader.get(newestRow)) ?? []
    return cost * Number(documents) > maxEntries
  }
}

/** Served by the primary key. */
const newestRow = sql`SELECT max(seq) FROM documents`

/** Opening a file that is not there would make one, which every user of the machine could read. */
async function prepareFile({ file, asItIs, log }: SqliteOptions): Promise<void> {
  if (asItIs && !existsSync(file)) throw databaseAbsent({ place: file })
  if (asItIs) return
  await makeFolder(dirname(file))
  await restrictToOwner(file, log)
}

async function prepareTables(connection: SqliteConnection, options: SqliteOptions): Promise<void> {
  const { file, indexedProperties, indexing, tables = [], asItIs, isCopy, log } = options
  if (asItIs) {
    await requireFinished(connection, sqliteDialect)
    await requireMigrated(connection, sqliteDialect, file)
    return requirePluginsMigrated(connection, tables)
  }
  await whenFree(() => connection.execute('BEGIN IMMEDIATE'))
  try {
    if (!isCopy) await endCopy(connection, sqliteDialect)
    await migrate(connection, sqliteDialect)
    await migratePlugins(connection, sqliteDialect, tables)
    await syncIndexes(connection, sqliteDialect, propertyIndexes(sqliteDialect, indexedProperties), log)
    await fillDocumentIndex({ connection, dialect: sqliteDialect, indexing }, log)
    await syncTrigrams(connection, indexedProperties, log)
    appendAnyChange(connection)
    connection.execute('COMMIT')
  } catch (error) {
    if (connection.isInTransaction()) connection.execute('ROLLBACK')
    throw error
  }
}

// A small write may find a place where the one that failed did not.
const leastBytes = 1_000_000

/** @throws databaseFull */
async function requireSpace(file: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file))
  if (bavail * bsize < leastBytes) throw databaseFull({ place: basename(file) })
}
