import type { DatabaseSync } from 'node:sqlite'

/** The log, in pages that were written to it. */
export interface LogState {
  readonly pages: number
  /** So many of them are in the database, too. */
  readonly writtenBack: number
}

type Mode = 'NOOP' | 'PASSIVE' | 'FULL'

/** What the log is like, after it was written back so. @throws when the connection is in a transaction */
function checkpoint(database: DatabaseSync, mode: Mode): LogState {
  const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
  const [, pages, writtenBack] = row as unknown as readonly [isBusy: number, pages: number, writtenBack: number]
  return { pages, writtenBack }
}

// Written in the turn of a writer, which others wait for: with their two flushes they take some milliseconds.
const fewPages = 500
const maxRounds = 5

/**
 * Writes the log back so that the next writer begins it anew, which it does only if all of it is in the database. While others write
 * there is always a little more; so most of it is written beside them, and what is left when that is little, in the turn of a writer.
 * Not RESTART, which changes what other connections take for a commit, and with that empties their caches. Readers of an old snapshot
 * are not waited for: what they keep from being written back is left for another time.
 */
export function writeBack(database: DatabaseSync): void {
  for (let round = 0; round < maxRounds; round++) {
    const seen = checkpoint(database, 'PASSIVE')
    if (isHeldUp(seen)) return
    const now = checkpoint(database, 'NOOP')
    if (now.pages - now.writtenBack <= fewPages) break
  }
  checkpoint(database, 'FULL')
}

function isHeldUp({ pages, writtenBack }: LogState): boolean {
  return pages - writtenBack > fewPages
}
