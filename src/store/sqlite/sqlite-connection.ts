import { basename } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { raw } from 'sql-template-tag'
import { createCache } from '../../base/cache/bounded-cache.ts'
import { databaseLocked } from '../problems.ts'
import type { NumberList, SqlConnection, SqlRow, SqlStatement, SqlValue } from '../sql/connection.ts'
import type { LogState } from './checkpoint/write-back.ts'
import { createListCache, type ListCache } from './list-cache.ts'
import { type BoundStatement, fillPlanned, findPlanned, type PlannedText } from './planned-values.ts'
import { defineSearchFunctions } from './search/search-functions.ts'
import { isSqliteBusy, OutOfTime, problemOfSqlite } from './sqlite-errors.ts'

const longestWaitMilliseconds = 30_000
const longestPauseMilliseconds = 20

/**
 * Does something that another process may be in the way of, again and again until it is free. The engine's own waiting
 * would stop the event loop.
 * @throws databaseLocked when it stays busy.
 */
export async function whenFree<Result>(attempt: () => Result): Promise<Result> {
  try {
    return attempt()
  } catch (error) {
    return attemptAgain(attempt, error)
  }
}

async function attemptAgain<Result>(attempt: () => Result, failure: unknown): Promise<Result> {
  const giveUpAt = performance.now() + longestWaitMilliseconds
  for (let pause = 1, error = failure; ; pause = Math.min(pause * 1.5, longestPauseMilliseconds)) {
    if (!isSqliteBusy(error)) throw error
    if (performance.now() > giveUpAt) throw databaseLocked({}, { cause: error })
    await delay(pause * (0.5 + Math.random()))
    try {
      return attempt()
    } catch (again) {
      error = again
    }
  }
}

export interface SqliteConnection extends SqlConnection {
  /** All rows of a statement that asks for the time; rejects with OutOfTime when that is over. */
  allWithin(milliseconds: number, statement: SqlStatement): Promise<readonly SqlRow[]>
  /** The same in time of the processor that the thread gets, or ten times as much by the clock on the wall. */
  allBriefly(processorMilliseconds: number, statement: SqlStatement): Promise<readonly SqlRow[]>
  /** All rows at once, for statements that meet no lock: those of an open transaction, and those that only read. */
  allNow(statement: SqlStatement): readonly SqlRow[]
  /** The same where nobody asks for the outcome. */
  runNow(statement: SqlStatement): void
  /** A statement of no values and no rows, such as BEGIN. */
  execute(text: string): void
  isInTransaction(): boolean
  /** A number that another connection's commit changes, of this process or any other. */
  dataVersion(): number
  /** Outside of a transaction. */
  lookAtLog(): LogState
  close(): void
}

// More than the statements of this program; only generated ones come and go.
const maxStatements = 1_000

/** Of every connection; the benchmark's bare programs have the same. */
export const connectionSettings = `
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -65536;
  -- Reads pages where the system has them instead of copying each: of a million documents a random one in 24 µs and not 49.
  PRAGMA mmap_size = 2147418112;
  -- Another thread writes the log back long before it has 64 MB (checkpoint/); this is for when it cannot.
  PRAGMA wal_autocheckpoint = 16000;
  -- What one large transaction needed is given back.
  PRAGMA journal_size_limit = 67108864`

/** Readers have pages of the file mapped; only those of the log are copied, which is written back at 16 MB. */
const readerSettings = `
  PRAGMA query_only = 1;
  PRAGMA cache_size = -16384`

export async function openSqliteConnection(file: string, mode: 'read' | 'write'): Promise<SqliteConnection> {
  const translating = translatingErrors(basename(file))
  const database = translating(
    () => new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 0, returnArrays: true }),
  )
  try {
    await whenFree(() => translating(() => database.exec('PRAGMA journal_mode = WAL')))
    translating(() => database.exec(connectionSettings))
    return connectionOf(database, mode, translating)
  } catch (error) {
    database.close()
    throw error
  }
}

type ErrorTranslation = <Result>(work: () => Result) => Result

/** @throws databaseFull, databaseUnusable when the work fails for want of the database. */
function translatingErrors(place: string): ErrorTranslation {
  return (work) => {
    try {
      return work()
    } catch (error) {
      throw problemOfSqlite(error, place) ?? error
    }
  }
}

function connectionOf(database: DatabaseSync, mode: 'read' | 'write', translating: ErrorTranslation): SqliteConnection {
  const clock = createStatementClock(database)
  defineSearchFunctions(database, clock.check)
  const lists = createListCache(database, mode)
  if (mode === 'read') database.exec(readerSettings)
  const prepare = createStatementCache(database)
  // With the number of changes comes that of the last row, which full text gives numbers that no double can hold.
  const prepareChange = createStatementCache(database, (statement) => statement.setReadBigInts(true))
  const rowsOf = (statement: SqlStatement) => {
    const { prepared, values } = prepare(statement)
    return prepared.all(...valuesOf(values, lists)) as unknown as readonly SqlRow[]
  }
  const rowOf = (statement: SqlStatement) => {
    const { prepared, values } = prepare(statement)
    return prepared.get(...valuesOf(values, lists)) as unknown as SqlRow | undefined
  }
  const changesOf = (statement: SqlStatement) => {
    const { prepared, values } = prepareChange(statement)
    return Number(prepared.run(...valuesOf(values, lists)).changes)
  }
  // A statement that meets no lock, as good as all, is done without waiting for anything.
  return {
    all: (statement) => whenFree(() => translating(() => rowsOf(statement))),
    allWithin: (milliseconds, statement) =>
      whenFree(() => translating(() => clock.within(milliseconds, () => rowsOf(statement)))),
    allBriefly: (processorMilliseconds, statement) =>
      whenFree(() => translating(() => clock.briefly(processorMilliseconds, () => rowsOf(statement)))),
    get: (statement) => whenFree(() => translating(() => rowOf(statement))),
    run: (statement) => whenFree(() => translating(() => changesOf(statement))),
    allNow: (statement) => translating(() => rowsOf(statement)),
    runNow: (statement) => void translating(() => changesOf(statement)),
    execute: (text) => translating(() => void changesOf(raw(text))),
    isInTransaction: () => database.isTransaction,
    dataVersion: () => translating(() => rowOf(dataVersion)?.[0] as number),
    lookAtLog() {
      const row = translating(() => rowOf(stateOfLog))
      const [, pages, writtenBack] = row as unknown as readonly [isBusy: number, pages: number, writtenBack: number]
      return { pages, writtenBack }
    },
    close: () => database.close(),
  }
}

const dataVersion = raw('PRAGMA data_version')
const stateOfLog = raw('PRAGMA wal_checkpoint(NOOP)')

interface KnownStatement {
  readonly prepared: StatementSync
  /** Where values are to be written into the text. */
  readonly planned: PlannedText | undefined
}

/** A statement with the values that are to be bound. */
interface PreparedStatement {
  readonly prepared: StatementSync
  readonly values: BoundStatement['values']
}

function createStatementCache(database: DatabaseSync, onPrepared: (statement: StatementSync) => void = () => {}) {
  // Nothing invalidates a statement: SQLite prepares it anew when the tables have changed.
  const cached = createCache<string, KnownStatement>({ maxEntries: maxStatements })
  const find = (text: string): KnownStatement => {
    const known = cached.get(text)
    if (known !== undefined) return known
    const fresh = { prepared: database.prepare(text), planned: findPlanned(text) }
    onPrepared(fresh.prepared)
    cached.set(text, fresh)
    return fresh
  }
  return ({ sql, values }: BoundStatement): PreparedStatement => {
    const { prepared, planned } = find(sql)
    const filled = planned && fillPlanned(planned, values)
    return filled === undefined ? { prepared, values } : { prepared: find(filled.sql).prepared, values: filled.values }
  }
}

function valuesOf(values: BoundStatement['values'], lists: ListCache): SqlValue[] {
  const isWithList = values.some(isNumberList)
  return (isWithList ? values.map((value) => (isNumberList(value) ? lists.numberOf(value) : value)) : values) as SqlValue[]
}

function isNumberList(value: unknown): value is NumberList {
  return typeof value === 'object' && value !== null
}

/** Stops a statement of a connection when its time is over. */
interface StatementClock {
  /** @throws OutOfTime from inside the work, at the next row that asks for the time. */
  within<Result>(milliseconds: number, work: () => Result): Result
  /** The same by the time of the processor. */
  briefly<Result>(processorMilliseconds: number, work: () => Result): Result
  /** For functions that take long over one row. @throws OutOfTime */
  check(): void
}

/**
 * Gives the connection the function `in_time(column)` of the dialect, which statements call for every row they look at. A call costs
 * 0.05 µs, where looking at a row of documents costs 0.15 µs and looking into its properties more than 1 µs (measured).
 */
function createStatementClock(database: DatabaseSync): StatementClock {
  let end = Number.POSITIVE_INFINITY
  let extension: ((now: number) => number) | undefined
  const check = () => {
    const now = performance.now()
    if (now <= end) return
    end = extension?.(now) ?? now
    if (end <= now) throw new OutOfTime()
  }
  database.function('in_time', (_row) => {
    check()
    return 1
  })
  const within = <Result>(milliseconds: number, work: () => Result): Result => {
    end = performance.now() + milliseconds
    try {
      return work()
    } finally {
      end = Number.POSITIVE_INFINITY
      extension = undefined
    }
  }
  return {
    check,
    within,
    briefly(processorMilliseconds, work) {
      const latest = performance.now() + patience * processorMilliseconds
      const processorEnd = processorTime() + processorMilliseconds
      // Asking for the time of the processor takes 1 µs, and is worth it only when by the clock on the wall the time is over.
      extension = (now) => Math.min(latest, now + processorEnd - processorTime())
      return within(processorMilliseconds, work)
    },
  }
}

// A machine may give the thread a tenth of a processor; beyond that it is the disk that is waited for, and all requests with it.
const patience = 10

/** Of this thread, in milliseconds. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

interface SqliteReader extends SqlConnection, Pick<SqliteConnection, 'allBriefly'> {
  /** From here on what other connections have committed by now is seen. */
  renew(): void
  close(): void
}

/**
 * Reads of one round of the event loop see one snapshot. A statement by itself takes a lock on the file and gives it back,
 * which costs as much as the look-up itself (about 10 µs together); so the statements of a round share one lock. The first request
 * that a round brings renews it: each was sent before the snapshot that it is answered from, so none sees less than its client knows of.
 */
export function createSqliteReader(connection: SqliteConnection): SqliteReader {
  let isOpen = false

  const renew = () => {
    if (!isOpen) return
    isOpen = false
    connection.execute('COMMIT')
  }
  const open = () => {
    if (isOpen) return
    connection.execute('BEGIN')
    isOpen = true
    setImmediate(renew)
  }
  return {
    all(statement) {
      open()
      return connection.all(statement)
    },
    get(statement) {
      open()
      return connection.get(statement)
    },
    allBriefly(processorMilliseconds, statement) {
      open()
      return connection.allBriefly(processorMilliseconds, statement)
    },
    run: connection.run,
    renew,
    close() {
      renew()
      connection.close()
    },
  }
}
