import type { Problem } from '../../base/problem.ts'
import { databaseFull, databaseUnusable } from '../problems.ts'

// Primary result codes (https://sqlite.org/rescode.html): the low byte of the extended code that an error carries.
const conflicts = { SQLITE_BUSY: 5, SQLITE_LOCKED: 6 } as const
const conflictCodes: ReadonlySet<number | undefined> = new Set(Object.values(conflicts))
const full = 13

/** What keeps the database from serving us, and what an operator can do about it. */
const reasons: ReadonlyMap<number | undefined, string> = new Map([
  [3, 'the system does not allow the server to use its file'],
  [7, 'the server has no memory left'],
  [8, 'its file cannot be written to. Give the server the right to write to it and to its folder'],
  [10, 'its disk cannot be read or written. Look into the log of the system'],
  [11, 'it is damaged. Restore it from a backup'],
  [
    14,
    'its file cannot be opened. See that it is a file, that the server may write to it and its folder, and that descriptors are left',
  ],
  [15, 'another program holds its locks'],
  [26, 'its file is no database. Restore it from a backup, or name another data folder'],
])

/** A transaction was rolled back with another that it was to be committed with, through no fault of its own. */
export class GroupCommitLost extends Error {}

/** A statement was stopped because its time was over. */
export class OutOfTime extends Error {}

/** The process that was to run a search could not be started, or ended before it was done. */
export class SearchProcessLost extends Error {}

/** Another connection was in the way: snapshots that are too old and recovering ones included, they are kinds of busy. */
export function isSqliteBusy(error: unknown): boolean {
  return conflictCodes.has(codeOf(error))
}

export function isSqliteConflict(error: unknown): boolean {
  return isSqliteBusy(error) || error instanceof GroupCommitLost
}

/** What a failure of the database means for the caller; undefined when it is a mistake of ours. */
export function problemOfSqlite(error: unknown, place: string): Problem | undefined {
  const code = codeOf(error)
  if (code === full) return databaseFull({ place }, { cause: error })
  const reason = reasons.get(code)
  return reason === undefined ? undefined : databaseUnusable({ place, reason }, { cause: error })
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}
