import type { SqlConnection } from '../sql/connection.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

export interface SqliteReader extends SqlConnection, Pick<SqliteConnection, 'allWithin'> {
  /** From here on what others have committed by now is seen. */
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
    allWithin(milliseconds, statement) {
      open()
      return connection.allWithin(milliseconds, statement)
    },
    run: connection.run,
    renew,
    close() {
      renew()
      connection.close()
    },
  }
}
