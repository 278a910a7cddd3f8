import { basename } from 'node:path'
import { DatabaseSync, type StatementResultingChanges, type StatementSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { raw } from 'sql-template-tag'
import { createCache } from '../../base/cache/bounded-cache.ts'
import { databaseLocked } from '../problems.ts'
import type { NumberList, SqlConnection, SqlRow, SqlStatement, SqlValue } from '../sql/connection.ts'
import type { LogState } from './checkpoint/write-back.ts'
import { createListCache, type ListCache } from './list-cache.ts'
import { type BoundStatement, fillPlanned, findPlanned, type PlannedText } from './planned-values.ts'
import { defineSearchFunctions } from './search/search-functions.ts'
import { isSqliteBusy, problemOfSqlite } from './sqlite-errors.ts'
import { createStatementClock } from './statement-clock.ts'

const longestWaitMilliseconds = 30_000
const longestPauseMilliseconds = 20

/**
 * Does something that another process may be in the way of, again and again until it is free. The engine's own waiting
 * would stop the event loop.
 * @throws databaseLocked when it stays busy.
 */
export function whenFree<Result>(attempt: () => Result): Promise<Result> {
  try {
    return Promise.resolve(attempt())
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
  -- As much as the log has before it is written back; all else is mapped. Of a larger cache SQLite looks through the whole index at most
  -- commits while the file has less than 1 GB (a page that is exchanged with another gets a number beyond that for a moment): an eighth
  -- of what statements and commit of a new document cost with 64 MB.
  PRAGMA cache_size = -16384;
  -- Reads pages where the system has them instead of copying each: of a million documents a random one in 24 µs and not 49.
  PRAGMA mmap_size = 2147418112;
  -- Another thread writes the log back long before it has 64 MB (checkpoint/); this is for when it cannot.
  PRAGMA wal_autocheckpoint = 16000;
  -- What one large transaction needed is given back.
  PRAGMA journal_size_limit = 67108864`

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
  if (mode === 'read') database.exec('PRAGMA query_only = 1')
  const prepare = createStatementCache(database)
  // With the number of changes comes that of the last row, which full text gives numbers that no double can hold.
  const prepareChange = createStatementCache(database, (statement) => statement.setReadBigInts(true))
  const rowsOf = (statement: SqlStatement) => {
    const { prepared, values } = prepare(statement)
    return prepared.all(...valuesOf(values, lists)) as unknown as readonly SqlRow[]
  }
  const rowOf = (statement: SqlStatement): SqlRow | undefined => {
    const { prepared, values, isNumbering } = prepare(statement)
    if (isNumbering) return numberOfInserted(prepared.run(...valuesOf(values, lists)))
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
  /** Inserts a row, of which the number is asked for. */
  readonly isNumbering: boolean
}

/** A statement with the values that are to be bound. */
interface PreparedStatement extends Pick<KnownStatement, 'prepared' | 'isNumbering'> {
  readonly values: BoundStatement['values']
}

function createStatementCache(database: DatabaseSync, onPrepared: (statement: StatementSync) => void = () => {}) {
  // Nothing invalidates a statement: SQLite prepares it anew when the tables have changed.
  const cached = createCache<string, KnownStatement>({ maxEntries: maxStatements })
  const find = (text: string): KnownStatement => {
    const known = cached.get(text)
    if (known !== undefined) return known
    const numbering = findNumbering(text)
    const prepared = database.prepare(numbering ?? text)
    if (numbering !== undefined) prepared.setReadBigInts(true)
    onPrepared(prepared)
    const fresh = { prepared, planned: findPlanned(text), isNumbering: numbering !== undefined }
    cached.set(text, fresh)
    return fresh
  }
  return ({ sql, values }: BoundStatement): PreparedStatement => {
    const { prepared, planned, isNumbering } = find(sql)
    const filled = planned && fillPlanned(planned, values)
    return filled === undefined
      ? { prepared, values, isNumbering }
      : { prepared: find(filled.sql).prepared, values: filled.values, isNumbering }
  }
}

/**
 * The text of a statement that inserts one document and gives its number, without that: for what a statement gives back SQLite makes a
 * table, which takes a third of the time of the insert, and the number of the last row it knows by itself.
 */
export function findNumbering(text: string): string | undefined {
  return /^(\s*INSERT INTO documents \([^)]*\) VALUES \([^)]*\)(?: ON CONFLICT .*)?) RETURNING seq$/.exec(text)?.[1]
}

/** The row that the statement would have given; none where it did not insert any. */
export function numberOfInserted({ changes, lastInsertRowid }: StatementResultingChanges): SqlRow | undefined {
  return Number(changes) === 0 ? undefined : [Number(lastInsertRowid)]
}

function valuesOf(values: BoundStatement['values'], lists: ListCache): SqlValue[] {
  const isWithList = values.some(isNumberList)
  return (isWithList ? values.map((value) => (isNumberList(value) ? lists.numberOf(value) : value)) : values) as SqlValue[]
}

function isNumberList(value: unknown): value is NumberList {
  return typeof value === 'object' && value !== null
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
