import type { OthersVersion } from './kept-documents.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/**
 * Asks the connection that writes, whose own commits do not count, at most once in a round of the event loop: requests that
 * a round brings were sent before, so what others commit during it none of their clients knows of yet.
 */
export function createOthersVersion(writing: SqliteConnection): { version: OthersVersion; renew(): void } {
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
