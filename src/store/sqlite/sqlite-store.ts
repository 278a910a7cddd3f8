import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../base/log.ts'
import { answers } from '../sql/connection.ts'
import { createJobSignal } from '../sql/job-signal.ts'
import { migrate } from '../sql/migrations.ts'
import { type IndexedProperty, keepPropertyIndexes } from '../sql/property-indexes.ts'
import { createReader } from '../sql/sql-ports.ts'
import { type TransactionSource, transact } from '../sql/transact.ts'
import type { Store } from '../store.ts'
import { createChangeNotes } from './change-notes.ts'
import { keepDocuments } from './kept-documents.ts'
import { keepGeneration } from './kept-generation.ts'
import { createOthersVersion } from './others-version.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isSqliteConflict } from './sqlite-errors.ts'
import { createSqliteReader } from './sqlite-reader.ts'
import { createSqliteWriter } from './sqlite-writer.ts'
import { whenFree } from './wait-while-busy.ts'

export interface SqliteOptions {
  readonly file: string
  readonly repository: string
  /** How many documents stay at hand once they were looked up. */
  readonly keptDocuments: number
  readonly indexedProperties: readonly IndexedProperty[]
  readonly log: Log
}

/** The embedded database. Several processes may open the same file. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { file, repository, indexedProperties, log } = options
  await mkdir(dirname(file), { recursive: true })
  const connection = await openSqliteConnection(file, 'write')
  try {
    await prepareTables(connection, indexedProperties, log)
  } catch (error) {
    connection.close()
    throw error
  }
  const reader = createSqliteReader(await openSqliteConnection(file, 'read'))
  const ports = createReader({ connection: reader, dialect: sqliteDialect, repository })
  const others = createOthersVersion(connection)
  const kept = keepDocuments(ports.documents, others.version, options.keptDocuments)
  const generation = keepGeneration(ports.directories, others.version)
  const notes = createChangeNotes()
  // With no snapshot open the log can be written back whole, and who is told that a write is done reads it, also in the same
  // round of the event loop.
  const writer = createSqliteWriter(connection, () => {
    const changes = notes.take()
    kept.forget(changes.documents)
    if (changes.directories) generation.forget()
    others.renew()
    reader.renew()
  })
  const jobSignal = createJobSignal()
  const source: TransactionSource = {
    dialect: sqliteDialect,
    repository,
    log,
    jobSignal,
    begin: writer.begin,
    isConflict: isSqliteConflict,
  }
  const close = async () => {
    await writer.close()
    reader.close()
  }
  let closed: Promise<void> | undefined
  return {
    engine: 'sqlite',
    reader: { ...ports, documents: kept.documents, directories: generation.directories },
    transact: (body, options) => transact(source, (tx) => body(notes.watch(tx)), options),
    onJobsAdded: jobSignal.listen,
    isAlive: () => answers(reader),
    close() {
      closed ??= close()
      return closed
    },
  }
}

async function prepareTables(connection: SqliteConnection, properties: readonly IndexedProperty[], log: Log): Promise<void> {
  await whenFree(() => connection.execute('BEGIN IMMEDIATE'))
  try {
    await migrate(connection, sqliteDialect)
    await keepPropertyIndexes(connection, sqliteDialect, properties, log)
    connection.execute('COMMIT')
  } catch (error) {
    if (connection.isInTransaction()) connection.execute('ROLLBACK')
    throw error
  }
}
