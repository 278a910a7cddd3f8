// Primary result codes (https://sqlite.org/rescode.html): the low byte of the extended code that an error carries.
const conflicts = { SQLITE_BUSY: 5, SQLITE_LOCKED: 6 } as const
const conflictCodes: ReadonlySet<number> = new Set(Object.values(conflicts))

/** A transaction was rolled back with another that it was to be committed with, through no fault of its own. */
export class LostWithOthers extends Error {}

/** A statement was stopped because its time was over. */
export class OutOfTime extends Error {}

/** The process that was to run a search could not be started, or ended before it was done. */
export class SearchProcessLost extends Error {}

/** Another connection was in the way: snapshots that are too old and recovering ones included, they are kinds of busy. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && conflictCodes.has(Number(error.errcode) & 0xff)
}

export function isSqliteConflict(error: unknown): boolean {
  return isSqliteBusy(error) || error instanceof LostWithOthers
}
