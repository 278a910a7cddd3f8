import sql from 'sql-template-tag'
import type { Reader, Transaction } from '../store.ts'
import type { Rewindable, SearchConnection, SqlConnection } from './connection.ts'
import { createDirectoryGeneration, createDirectoryReader, createDirectoryWriter } from './directories/sql-directories.ts'
import { createDocumentIndex, type IndexTables } from './documents/document-index.ts'
import type { RowLocks } from './documents/row-locks.ts'
import { createBlobKeyReader, createBlobKeyWriter } from './documents/sql-blob-keys.ts'
import { createDocumentReader, createDocumentWriter, type DocumentTable } from './documents/sql-documents.ts'
import { createFileTextReader, createFileTextWriter } from './documents/sql-file-texts.ts'
import type { JobSignal } from './jobs/job-signal.ts'
import { createJobReader, createJobWriter } from './jobs/sql-jobs.ts'
import { createAcpReader, createAcpWriter } from './rights/sql-acps.ts'
import { createSearchReader } from './search/sql-search.ts'
import { createTransientReader, createTransientWriter } from './sql-transient.ts'

/** Searches have a connection of their own, where they cannot block look-ups. */
export function createReader(database: DocumentTable, searching: SearchConnection): Reader {
  const { connection, dialect } = database
  return {
    documents: createDocumentReader(database),
    acps: createAcpReader(database),
    directories: createDirectoryReader({ connection, dialect, searching }),
    jobs: createJobReader(connection, dialect),
    transient: createTransientReader(connection),
    search: createSearchReader({ ...database, connection: searching }),
    fileTexts: createFileTextReader(connection, dialect),
    blobKeys: createBlobKeyReader(connection, dialect),
    tables: { all: (statement) => searching.all(statement), get: (statement) => connection.get(statement) },
  }
}

/** How a transaction ends, and what becomes of parts of it that fail. */
interface TransactionEnd extends Omit<SavepointTransaction, 'connection'> {
  readonly afterCommit: Transaction['afterCommit']
}

/**
 * A port is made when it is first used: most transactions write documents and nothing else, and making the writers of directories,
 * rights and jobs for each took longer than the statement of a small one.
 */
export function createTransaction(
  database: DocumentTable & IndexTables,
  searching: SearchConnection,
  jobSignal: JobSignal,
  locks: RowLocks,
  { afterCommit, ...end }: TransactionEnd,
): Transaction {
  const { connection, dialect } = database
  const index = createDocumentIndex(database)
  const generation = rewindableOnce(() => createDirectoryGeneration(connection))
  const savepoints = { ...end, connection, known: [...end.known, index, generation] }
  const documents = once(() => createDocumentWriter(database, index, locks))
  const acps = once(() => createAcpWriter(database, locks))
  const directories = once(() => createDirectoryWriter({ connection, dialect, searching }, generation.read()))
  const jobs = once(() => createJobWriter(connection, dialect, { onAdded, requireKnown: jobSignal.requireKnown }))
  const transient = once(() => createTransientWriter(connection, dialect))
  const search = once(() => createSearchReader({ ...database, connection: searching }))
  const fileTexts = once(() => createFileTextWriter(connection, dialect, index))
  const blobKeys = once(() => createBlobKeyWriter(connection, dialect))
  const onAdded = () => afterCommit(jobSignal.raise)
  return {
    get documents() {
      return documents()
    },
    get acps() {
      return acps()
    },
    get directories() {
      return directories()
    },
    get jobs() {
      return jobs()
    },
    get transient() {
      return transient()
    },
    get search() {
      return search()
    },
    get fileTexts() {
      return fileTexts()
    },
    get blobKeys() {
      return blobKeys()
    },
    tables: connection,
    attempt: (body) => runInSavepoint(savepoints, body),
    afterCommit,
  }
}

function once<Port>(make: () => Port): () => Port {
  let made: Port | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What knows nothing before it is made: an attempt that began before then takes it back to that. */
function rewindableOnce<Known extends Rewindable>(make: () => Known): Rewindable & { read(): Known } {
  let made: Known | undefined
  let forgetAll = () => {}
  return {
    read() {
      if (made === undefined) {
        made = make()
        forgetAll = made.mark()
      }
      return made
    },
    mark: () => made?.mark() ?? (() => forgetAll()),
  }
}

interface SavepointTransaction {
  readonly connection: SqlConnection
  readonly known: readonly Rewindable[]
  /** What the body threw: the code that catches it may not know that it was a conflict, after which all has to be done again. */
  onFailure(error: unknown): void
  /** The part cannot be undone by itself, so nothing of the transaction may be committed. */
  onStuck(error: unknown): void
}

/** Runs a part of a transaction that may fail by itself. Of savepoints with one name the innermost counts, on both engines. */
async function runInSavepoint<Result>(
  { connection, known, onFailure, onStuck }: SavepointTransaction,
  body: () => Promise<Result>,
): Promise<Result> {
  const rewinds = known.map((one) => one.mark())
  await connection.run(sql`SAVEPOINT attempt`)
  let result: Result
  try {
    result = await body()
  } catch (error) {
    onFailure(error)
    await rollBack(connection).catch(() => onStuck(error))
    for (const rewind of rewinds) rewind()
    throw error
  }
  await connection.run(sql`RELEASE SAVEPOINT attempt`)
  return result
}

async function rollBack(connection: SqlConnection): Promise<void> {
  await connection.run(sql`ROLLBACK TO SAVEPOINT attempt`)
  await connection.run(sql`RELEASE SAVEPOINT attempt`)
}

/** A list that only grows, and becomes as short again as it was. */
export function rewindable(list: unknown[]): Rewindable {
  return {
    mark() {
      const { length } = list
      return () => {
        list.length = length
      }
    },
  }
}
