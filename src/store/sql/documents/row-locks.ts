import type { Sql } from 'sql-template-tag'
import type { DocumentId } from '../../../model/document.ts'
import type { SqlRow, SqlStatement } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { lockedDocument, lockOrphanVersions } from './document-statements.ts'
import { pathForShare } from './place-statements.ts'
import { lockAhead, lockSubtree } from './subtree-statements.ts'

// What is beyond them is waited for when it comes to it.
const maxIds = 1_000
const maxPaths = 50

/**
 * The rows that the attempts of one transaction asked for. A transaction that has a lock waits for another one only briefly, then
 * gives all back; the next attempt locks all that is known here before it begins, in the one order of all: that of the row numbers.
 * So no two ever wait for each other for longer than a moment.
 */
export interface WantedRows {
  readonly ids: Set<DocumentId>
  readonly paths: Set<string>
}

export function createWantedRows(): WantedRows {
  return { ids: new Set(), paths: new Set() }
}

/** The statement that locks all that is wanted, each subtree whole; undefined when that is nothing. */
export function lockWanted(dialect: Dialect, { ids, paths }: WantedRows): SqlStatement | undefined {
  return ids.size + paths.size === 0 ? undefined : lockAhead(dialect, [...ids], [...paths])
}

/** Keeps rows as they are until the transaction ends. Where one writes at a time they are so already. */
export interface RowLocks {
  /** A document and, before it, what it points to. */
  document(id: DocumentId, strength: Sql): Promise<readonly SqlRow[]>
  /** Gives the path of a document that is not moved from now on. */
  place(id: DocumentId): Promise<SqlRow | undefined>
  /**
   * Everything at and below a path. A transaction that creates a child has locked its parent, and a statement does not see what was committed while
   * it waited for that: so it locks again until nothing new is found.
   */
  subtree(path: string): Promise<void>
  /** Of these series, as many as that; in the order of their numbers. */
  orphanVersions(seriesIds: readonly DocumentId[], lists: readonly string[], limit: number): Promise<readonly DocumentId[]>
}

export function createRowLocks(
  lock: (statement: SqlStatement) => Promise<readonly SqlRow[]>,
  dialect: Dialect,
  wanted: WantedRows,
): RowLocks {
  const want = (id: DocumentId) => {
    if (!dialect.writesOneAtATime && wanted.ids.size < maxIds) wanted.ids.add(id)
  }
  return {
    async document(id, strength) {
      want(id)
      const rows = await lock(lockedDocument(dialect, id, strength))
      for (const [found] of rows) want(found as string)
      return rows
    },
    async place(id) {
      want(id)
      return (await lock(pathForShare(dialect, id)))[0]
    },
    async subtree(path) {
      if (dialect.writesOneAtATime) return
      if (wanted.paths.size < maxPaths) wanted.paths.add(path)
      const lockAll = async () => (await lock(lockSubtree(dialect, path)))[0]?.[0] as number
      for (let before = -1, found = await lockAll(); found !== before; ) {
        before = found
        found = await lockAll()
      }
    },
    async orphanVersions(seriesIds, lists, limit) {
      return (await lock(lockOrphanVersions(dialect, seriesIds, lists, limit))).map(([id]) => id as string)
    },
  }
}
