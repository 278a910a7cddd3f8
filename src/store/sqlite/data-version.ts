import type { DataVersion } from './document-cache.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/**
 * Asks the connection that writes, whose own commits do not count, at most once in a round of the event loop: requests that
 * a round brings were sent before, so what other processes commit during it none of their clients knows of yet.
 */
export function createDataVersion(writing: SqliteConnection): { version: DataVersion; renew(): void } {
  let known: number | undefined
  const renew = () => {
    known = undefined
  }
  return {
    version() {
      if (known === undefined) {
        known = writing.dataVersion()
        setImmediate(renew)
      }
      return known
    },
    renew,
  }
}
