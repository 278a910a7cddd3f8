import { DatabaseError } from 'pg'

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const conflictCodes = {
  serialization_failure: '40001',
  deadlock_detected: '40P01',
  lock_not_available: '55P03',
} as const
const uniqueViolation = '23505'
// A document that came in between: when the body runs again it sees that one.
const retriedConstraints: ReadonlySet<string | undefined> = new Set(['documents_by_name', 'documents_by_path'])

const unreachableCodes = {
  too_many_connections: '53300',
  admin_shutdown: '57P01',
  crash_shutdown: '57P02',
  cannot_connect_now: '57P03',
} as const
const connectionExceptionClass = '08'

const queryCanceled = '57014'

const conflicts: ReadonlySet<string | undefined> = new Set(Object.values(conflictCodes))
const unreachable: ReadonlySet<string | undefined> = new Set(Object.values(unreachableCodes))

/** Another transaction was in the way. */
export function isPostgresConflict(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return conflicts.has(error.code) || (error.code === uniqueViolation && retriedConstraints.has(error.constraint))
}

/** Somebody has held a lock for longer than the statement might wait. */
export function isPostgresLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === conflictCodes.lock_not_available
}

/** The server stopped a statement, which it does of itself when the statement's time is over. */
export function isPostgresTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === queryCanceled
}

/** The server is not there, or not for us. What the driver reports without a code of the server is a broken connection. */
export function isPostgresUnreachable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return error instanceof Error && !(error instanceof TypeError)
  return unreachable.has(error.code) || error.code?.startsWith(connectionExceptionClass) === true
}
