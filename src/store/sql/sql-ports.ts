import type { Reader, Transaction } from '../store.ts'
import type { SearchConnection } from './connection.ts'
import { createDirectoryGeneration, createDirectoryReader, createDirectoryWriter } from './directories/sql-directories.ts'
import { createDocumentIndex, type IndexTables } from './documents/document-index.ts'
import type { RowLocks } from './documents/row-locks.ts'
import { createBlobKeyReader, createBlobKeyWriter } from './documents/sql-blob-keys.ts'
import { createDocumentReader, createDocumentWriter, type DocumentTable } from './documents/sql-documents.ts'
import { createFileTextReader, createFileTextWriter } from './documents/sql-file-texts.ts'
import type { JobSignal } from './jobs/job-signal.ts'
import { createJobReader, createJobWriter } from './jobs/sql-jobs.ts'
import { createAcpReader, createAcpWriter } from './rights/sql-acps.ts'
import { runInSavepoint, type SavepointTransaction } from './savepoint.ts'
import { createSearchReader } from './search/sql-search.ts'
import { createTransientReader, createTransientWriter } from './sql-transient.ts'

/** Searches go by a way of their own, on which they cannot hold up what is only looked up. */
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
  }
}

/** How a transaction ends, and what becomes of parts of it that fail. */
export interface TransactionEnd extends Omit<SavepointTransaction, 'connection'> {
  readonly afterCommit: Transaction['afterCommit']
}

export function createTransaction(
  database: DocumentTable & IndexTables,
  searching: SearchConnection,
  jobSignal: JobSignal,
  locks: RowLocks,
  { afterCommit, ...end }: TransactionEnd,
): Transaction {
  const { connection, dialect } = database
  const index = createDocumentIndex(database)
  const generation = createDirectoryGeneration(connection)
  const savepoints = { ...end, connection, known: [...end.known, index, generation] }
  return {
    documents: createDocumentWriter(database, index, locks),
    acps: createAcpWriter(database, locks),
    directories: createDirectoryWriter({ connection, dialect, searching }, generation),
    jobs: createJobWriter(connection, dialect, {
      onAdded: () => afterCommit(jobSignal.raise),
      requireKnown: jobSignal.requireKnown,
    }),
    transient: createTransientWriter(connection, dialect),
    search: createSearchReader({ ...database, connection: searching }),
    fileTexts: createFileTextWriter(connection, dialect, index),
    blobKeys: createBlobKeyWriter(connection, dialect),
    attempt: (body) => runInSavepoint(savepoints, body),
    afterCommit,
  }
}
