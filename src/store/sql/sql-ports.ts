import sql from 'sql-template-tag'
import type { AddedJob } from '../jobs.ts'
import type { Reader, Transaction, TransactionWatch } from '../store.ts'
import type { Rewindable, SearchConnection, SqlConnection, TransactionConnection } from './connection.ts'
import { createDirectoryGeneration, createDirectoryReader, createDirectoryWriter } from './directories/sql-directories.ts'
import { createDocumentIndex, type DocumentIndex, type IndexTables } from './documents/document-index.ts'
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
    transient: createTransientReader(connection, dialect),
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

/** What the ports of a transaction are made of. */
interface TransactionParts {
  readonly database: TransactionTables
  readonly searching: SearchConnection
  readonly jobSignal: JobSignal
  readonly locks: RowLocks
  readonly end: TransactionEnd
}

type TransactionTables = DocumentTable & IndexTables & { readonly connection: TransactionConnection }

export function createTransaction(
  database: TransactionTables,
  searching: SearchConnection,
  jobSignal: JobSignal,
  locks: RowLocks,
  end: TransactionEnd,
): Transaction {
  return new SqlTransaction({ database, searching, jobSignal, locks, end })
}

/**
 * A port is made when it is first used: most transactions write documents and nothing else, and making the writers of directories,
 * rights and jobs for each took longer than the statement of a small one. A class, because V8 gives every object literal with accessors
 * a hidden class to itself, which keeps all that they refer to until the next major collection.
 */
class SqlTransaction implements Transaction {
  readonly tables: Transaction['tables']
  readonly afterCommit: Transaction['afterCommit']
  readonly #parts: TransactionParts
  readonly #index: DocumentIndex
  readonly #generation: ReturnType<typeof rewindableGeneration>
  #documents: Transaction['documents'] | undefined
  #acps: Transaction['acps'] | undefined
  #directories: Transaction['directories'] | undefined
  #jobs: Transaction['jobs'] | undefined
  #transient: Transaction['transient'] | undefined
  #search: Transaction['search'] | undefined
  #fileTexts: Transaction['fileTexts'] | undefined
  #blobKeys: Transaction['blobKeys'] | undefined
  readonly #watches: TransactionWatch[] = []

  constructor(parts: TransactionParts) {
    this.#parts = parts
    this.tables = parts.database.connection
    this.afterCommit = parts.end.afterCommit
    this.#index = createDocumentIndex(parts.database)
    this.#generation = rewindableGeneration(parts.database.connection)
  }

  get documents(): Transaction['documents'] {
    const { database, locks } = this.#parts
    this.#documents ??= this.#watched(createDocumentWriter(database, this.#index, locks), (watch, documents) =>
      watch.documents?.(documents),
    )
    return this.#documents
  }

  get acps(): Transaction['acps'] {
    const { database, locks } = this.#parts
    this.#acps ??= this.#watched(createAcpWriter(database, locks), (watch, acps) => watch.acps?.(acps, this.documents))
    return this.#acps
  }

  get directories(): Transaction['directories'] {
    const { database, searching } = this.#parts
    const { connection, dialect } = database
    this.#directories ??= this.#watched(
      createDirectoryWriter({ connection, dialect, searching }, this.#generation.read()),
      (watch, directories) => watch.directories?.(directories),
    )
    return this.#directories
  }

  get jobs(): Transaction['jobs'] {
    const { database, jobSignal } = this.#parts
    const onAdded = (job: AddedJob) => this.afterCommit(() => jobSignal.raise(job))
    const { requireKnown, currentTrace } = jobSignal
    this.#jobs ??= createJobWriter(database.connection, database.dialect, { onAdded, requireKnown, currentTrace })
    return this.#jobs
  }

  get transient(): Transaction['transient'] {
    const { connection, dialect } = this.#parts.database
    this.#transient ??= createTransientWriter(connection, dialect)
    return this.#transient
  }

  get search(): Transaction['search'] {
    this.#search ??= createSearchReader({ ...this.#parts.database, connection: this.#parts.searching })
    return this.#search
  }

  get fileTexts(): Transaction['fileTexts'] {
    const { connection, dialect } = this.#parts.database
    this.#fileTexts ??= createFileTextWriter(connection, dialect, this.#index)
    return this.#fileTexts
  }

  // Asked at the end of every transaction, of which few have anything to do with texts of files.
  listAwaitingTexts(): ReturnType<Transaction['listAwaitingTexts']> {
    return [...this.#index.awaiting.values()]
  }

  get blobKeys(): Transaction['blobKeys'] {
    const { connection, dialect } = this.#parts.database
    this.#blobKeys ??= createBlobKeyWriter(connection, dialect)
    return this.#blobKeys
  }

  attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    const { database, end } = this.#parts
    const known = [...end.known, this.#index, this.#generation, ...this.#watches.filter(canRewind)]
    return runInSavepoint({ ...end, connection: database.connection, known }, body)
  }

  watch(watch: TransactionWatch): void {
    if (this.#documents ?? this.#acps ?? this.#directories) throw new Error('A watch came after what it was to see')
    this.#watches.push(watch)
  }

  #watched<Port>(plain: Port, by: (watch: TransactionWatch, port: Port) => Port | undefined): Port {
    return this.#watches.reduce((port, watch) => by(watch, port) ?? port, plain)
  }
}

const canRewind = (watch: TransactionWatch): watch is TransactionWatch & Rewindable => watch.mark !== undefined

const rewindableGeneration = (connection: SqlConnection) => rewindableOnce(() => createDirectoryGeneration(connection))

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
