import type { Reader, Transaction } from '../store.ts'
import type { JobSignal } from './job-signal.ts'
import { createAcpReader, createAcpWriter } from './sql-acps.ts'
import { createDirectoryReader, createDirectoryWriter } from './sql-directories.ts'
import { createDocumentReader, createDocumentWriter, type DocumentTable } from './sql-documents.ts'
import { createJobReader, createJobWriter } from './sql-jobs.ts'
import { createTransientReader, createTransientWriter } from './sql-transient.ts'

export function createReader(database: DocumentTable): Reader {
  const { connection } = database
  return {
    documents: createDocumentReader(database),
    acps: createAcpReader(database),
    directories: createDirectoryReader(connection),
    jobs: createJobReader(connection),
    transient: createTransientReader(connection),
  }
}

export function createTransaction(
  database: DocumentTable,
  jobSignal: JobSignal,
  afterCommit: Transaction['afterCommit'],
): Transaction {
  const { connection, dialect } = database
  return {
    documents: createDocumentWriter(database),
    acps: createAcpWriter(database),
    directories: createDirectoryWriter(connection, dialect),
    jobs: createJobWriter(connection, dialect, () => afterCommit(jobSignal.raise)),
    transient: createTransientWriter(connection),
    afterCommit,
  }
}
