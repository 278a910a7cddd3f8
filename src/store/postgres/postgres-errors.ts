import { DatabaseError } from 'pg'
import type { Problem } from '../../base/problem.ts'
import { databaseFull, databaseLocked, databaseUnreachable, databaseUnusable } from '../problems.ts'

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
const diskFull = '53100'

const conflicts: ReadonlySet<string | undefined> = new Set(Object.values(conflictCodes))
const unreachable: ReadonlySet<string | undefined> = new Set(Object.values(unreachableCodes))

/** What keeps a server that answers from serving us, and what an operator can do about it. */
const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['28P01', 'it does not accept the password. Correct it in databaseUrl'],
  ['28000', 'it does not let the role in. Name another in databaseUrl, or allow this one in pg_hba.conf'],
  ['3D000', 'there is no database of that name. Create it, or name another in databaseUrl'],
  ['42501', 'the role lacks a right. Grant it CREATE on the database and all rights on its schema'],
  ['3F000', 'its schema is missing. Restore it from a backup, or restart the server to have an empty one'],
  ['42P01', 'a table is missing. Restore it from a backup'],
  ['25006', 'it takes no writes now, because it is a standby or set read-only'],
  ['53200', 'its server has no memory left'],
  ['53000', 'its server has not enough resources'],
  ['53400', 'a limit of its server is reached'],
  ['58030', 'its server cannot read or write its disk'],
  ['XX001', 'it is damaged. Restore it from a backup'],
  ['XX002', 'an index is damaged. Rebuild it with REINDEX, or restore the database from a backup'],
])

/** Another transaction was in the way. */
export function isPostgresConflict(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return conflicts.has(error.code) || (error.code === uniqueViolation && retriedConstraints.has(error.constraint))
}

/** Another transaction has had a lock for longer than the statement might wait. */
export function isPostgresLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === conflictCodes.lock_not_available
}

/** The server stopped a statement, which it does of itself when the statement's time is over. */
export function isPostgresTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === queryCanceled
}

/** A refusal that the server itself has sent, so that it lives; but for one that is about to end, or not yet up. */
export function isAnswerOfServer(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === unreachableCodes.too_many_connections || !isUnreachable(error))
}

/** The server is not there, or not for us. What the driver reports without a code of the server is a broken connection. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return error instanceof Error && !(error instanceof TypeError)
  return unreachable.has(error.code) || error.code?.startsWith(connectionExceptionClass) === true
}

/** What a failure of the database means for the caller; undefined when it is a mistake of ours. */
export function problemOfPostgres(error: unknown, address: string): Problem | undefined {
  // The driver's own word, and it has no code.
  if (error instanceof Error && error.message.startsWith('SASL')) {
    return databaseUnusable(
      { place: address, reason: 'it wants a password. Give the right one in databaseUrl' },
      { cause: error },
    )
  }
  if (isUnreachable(error)) return databaseUnreachable({ address }, { cause: error })
  if (isPostgresLockTimeout(error)) return databaseLocked({}, { cause: error })
  const code = error instanceof DatabaseError ? error.code : undefined
  if (code === diskFull) return databaseFull({ place: address }, { cause: error })
  const reason = reasons.get(code)
  return reason === undefined ? undefined : databaseUnusable({ place: address, reason }, { cause: error })
}
