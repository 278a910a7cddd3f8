import type { Row, SqlConnection } from '../sql/connection.ts'
import type { DatabaseVersion } from './kept-documents.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

export interface SqliteReader extends SqlConnection, DatabaseVersion {
  /** From here on what others have committed by now is seen. */
  renew(): void
  close(): void
}

/**
 * Reads of one round of the event loop see one snapshot. A statement by itself takes a lock on the file and gives it back,
 * which costs as much as the look-up itself (about 10 µs together); so the statements of a round share one lock. Requests
 * that a round brings were sent before its snapshot was taken, so none sees less than its client knows of.
 */
export function createSqliteReader(connection: SqliteConnection): SqliteReader {
  let isOpen = false
  let version = 0
  const kept = new Map<string, Promise<Row | undefined>>()

  const renew = () => {
    if (!isOpen) return
    isOpen = false
    kept.clear()
    connection.execute('COMMIT')
  }
  const open = () => {
    if (isOpen) return
    connection.execute('BEGIN')
    isOpen = true
    version = connection.dataVersion()
    setImmediate(renew)
  }
  return {
    all(statement) {
      open()
      return connection.all(statement)
    },
    get(statement) {
      open()
      if (statement.values.length > 0) return connection.get(statement)
      // Nothing it depends on can change within the snapshot.
      const known = kept.get(statement.sql) ?? connection.get(statement)
      kept.set(statement.sql, known)
      return known
    },
    run: connection.run,
    version() {
      open()
      return version
    },
    renew,
    close() {
      renew()
      connection.close()
    },
  }
}
