import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../base/log.ts'
import { answers } from '../sql/connection.ts'
import { migrate } from '../sql/migrations.ts'
import { type IndexedProperty, keepPropertyIndexes } from '../sql/property-indexes.ts'
import { createReader } from '../sql/sql-ports.ts'
import { type TransactionSource, transact } from '../sql/transact.ts'
import type { Store } from '../store.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isSqliteConflict } from './sqlite-errors.ts'
import { createSqliteWriter } from './sqlite-writer.ts'
import { whenFree } from './wait-while-busy.ts'

export interface SqliteOptions {
  readonly file: string
  readonly repository: string
  readonly indexedProperties: readonly IndexedProperty[]
  readonly log: Log
}

/** The embedded database. Several processes may open the same file. */
export async function openSqliteStore({ file, repository, indexedProperties, log }: SqliteOptions): Promise<Store> {
  await mkdir(dirname(file), { recursive: true })
  const connection = await openSqliteConnection(file, 'write')
  const writer = createSqliteWriter(connection)
  try {
    await prepareTables(connection, indexedProperties, log)
  } catch (error) {
    await writer.close()
    throw error
  }
  const reader = await openSqliteConnection(file, 'read')
  const source: TransactionSource = { dialect: sqliteDialect, repository, log, begin: writer.begin, isConflict: isSqliteConflict }
  const close = async () => {
    await writer.close()
    reader.close()
  }
  let closed: Promise<void> | undefined
  return {
    engine: 'sqlite',
    reader: createReader({ connection: reader, dialect: sqliteDialect, repository }),
    transact: (body, options) => transact(source, body, options),
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
