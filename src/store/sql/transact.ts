import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import type { DocumentIndexing } from '../../nxql/document-indexing.ts'
import { databaseLocked, storageConflict, transactionTimedOut } from '../problems.ts'
import type { Transaction, TransactOptions } from '../store.ts'
import type { Rewindable, SearchConnection, SqlConnection, SqlRow, SqlStatement, TransactionConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { createRowLocks, createWantedRows, lockWanted, type WantedRows } from './documents/row-locks.ts'
import type { JobSignal } from './jobs/job-signal.ts'
import { createTransaction, rewindable } from './sql-ports.ts'
import { StaleRead } from './stale-read.ts'

/** The moment by which something must have finished, mostly a transaction. */
export interface Deadline {
  /** Undefined when there is all the time in the world. */
  remainingMilliseconds(): number | undefined
  /** @throws transactionTimedOut, or what else was given to be thrown */
  check(): void
  /** The promise's outcome, or the same problem when that comes first. */
  race<Result>(work: Promise<Result>): Promise<Result>
}

export const noDeadline: Deadline = { remainingMilliseconds: () => undefined, check() {}, race: (work) => work }

export function deadlineIn(
  seconds: number | undefined,
  timedOut: () => Error = () => transactionTimedOut({ seconds: seconds ?? 0 }),
): Deadline {
  if (seconds === undefined) return noDeadline
  const end = performance.now() + seconds * 1_000
  return {
    remainingMilliseconds: () => Math.max(1, Math.ceil(end - performance.now())),
    check() {
      if (performance.now() >= end) throw timedOut()
    },
    async race(work) {
      const { promise: alarm, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(timedOut()), end - performance.now())
      try {
        return await Promise.race([work, alarm])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** A connection on which a transaction has begun, and what it knows of it. */
export interface OpenTransaction extends TransactionConnection, Rewindable {
  /** The same for searches, which have a time limit. */
  readonly searching: SearchConnection
  /** Runs a statement that locks rows. The first of a transaction, which has no lock yet, may wait for longer than later ones. */
  lock(statement: SqlStatement): Promise<readonly SqlRow[]>
  /** Durable when it resolves; the connection is given back either way. */
  commit(): Promise<void>
  /** Never fails: a connection that cannot roll back is thrown away. */
  rollback(): Promise<void>
}

/** What an engine contributes to transactions. */
export interface TransactionSource {
  readonly dialect: Dialect
  readonly repository: string
  readonly indexing: DocumentIndexing
  readonly log: Log
  readonly jobSignal: JobSignal
  readonly tally?: TransactionTally
  begin(deadline: Deadline): Promise<OpenTransaction>
  /** Whether an error says that another transaction was in the way, by its code. */
  isConflict(error: unknown): boolean
  /** Whether such a conflict was no more than a lock that was not given back in time, which may take as long as patience lasts. */
  isLockTimeout?(error: unknown): boolean
}

/** What became of transactions, since the start. */
export interface TransactionTally {
  committed: number
  failed: number
  /** Begun again because another was in the way. */
  repeated: number
}

const maxAttempts = 6
const lockPatienceSeconds = 20
/**
 * So many waits fill that time on a machine that is not busy. On one that is, most of it may pass while nobody gets to run, and the one that
 * has the lock least of all: the clock alone would tell a caller that the server is at fault who has only come second.
 */
const fewestLockWaits = 25
const longestPauseMilliseconds = 64

/**
 * Runs a body in a transaction, again after a conflict with another transaction.
 * @throws storageConflict, databaseLocked, transactionTimedOut
 */
export async function transact<Result>(
  source: TransactionSource,
  body: (tx: Transaction) => Promise<Result>,
  { timeoutSeconds }: TransactOptions = {},
): Promise<Result> {
  const deadline = deadlineIn(timeoutSeconds)
  const wanted = createWantedRows()
  const giveUpAt = performance.now() + lockPatienceSeconds * 1_000
  for (let attempt = 1, clashes = 0, lockWaits = 0; ; attempt += 1) {
    const outcome = await runOnce(source, body, deadline, wanted)
    if (source.tally !== undefined) source.tally[tallied[outcome.kind]] += 1
    if (outcome.kind === 'committed') return outcome.result
    if (outcome.kind === 'failed') throw outcome.error
    const cause = outcome.error
    const isLockTimeout = source.isLockTimeout?.(cause) ?? false
    if (isLockTimeout) lockWaits += 1
    else clashes += 1
    if (clashes === maxAttempts) throw storageConflict({}, { cause })
    if (lockWaits >= fewestLockWaits && isLockTimeout && performance.now() > giveUpAt) throw databaseLocked({}, { cause })
    source.log.debug({ event: 'store.retry', attempt, err: cause }, 'transaction runs again')
    // Two that met once would meet again if both came back at once.
    await delay(Math.random() * Math.min(2 ** attempt, longestPauseMilliseconds))
  }
}

const tallied = { committed: 'committed', failed: 'failed', conflict: 'repeated' } as const

type Outcome<Result> =
  | { readonly kind: 'committed'; readonly result: Result }
  | { readonly kind: 'conflict' | 'failed'; readonly error: unknown }

async function runOnce<Result>(
  source: TransactionSource,
  body: (tx: Transaction) => Promise<Result>,
  deadline: Deadline,
  wanted: WantedRows,
): Promise<Outcome<Result>> {
  const open = await source.begin(deadline)
  const statements = guarded(open, source, deadline)
  const actions: (() => void)[] = []
  const { connection, searching, lock } = statements
  const locks = createRowLocks(lock, source.dialect, wanted)
  const tx = createTransaction({ ...source, connection }, searching, source.jobSignal, locks, {
    afterCommit: (action) => actions.push(action),
    known: [rewindable(actions), open],
    onFailure: statements.noteConflict,
    onStuck: statements.giveUp,
  })
  try {
    const ahead = lockWanted(source.dialect, wanted)
    if (ahead !== undefined) await statements.lock(ahead)
    const result = await deadline.race(body(tx))
    statements.requireWhole()
    statements.end()
    await open.commit()
    runAll(actions, source.log)
    return { kind: 'committed', result }
  } catch (error) {
    statements.end()
    await open.rollback()
    statements.noteConflict(error)
    const conflict = statements.conflict()
    return conflict === undefined ? { kind: 'failed', error } : { kind: 'conflict', error: conflict }
  }
}

/** The body's statements: none after the end of the transaction or its time, and a conflict is remembered. */
function guarded(open: OpenTransaction, source: TransactionSource, deadline: Deadline) {
  let isOpen = true
  let conflict: unknown
  let stuck: unknown
  // The body may have dressed the error in one of its own: what lies underneath counts.
  const noteConflict = (error: unknown) => {
    for (let one = error; one instanceof Error; one = one.cause) {
      if (source.isConflict(one) || one instanceof StaleRead) conflict ??= one
    }
  }
  const guard =
    <Result>(execute: (statement: SqlStatement) => Promise<Result>) =>
    async (statement: SqlStatement): Promise<Result> => {
      if (!isOpen) throw new Error('A statement came after the end of its transaction')
      deadline.check()
      try {
        return await execute(statement)
      } catch (error) {
        noteConflict(error)
        throw error
      }
    }
  const guardAll = ({ all, get, run }: SqlConnection): SqlConnection => ({ all: guard(all), get: guard(get), run: guard(run) })
  return {
    connection: { ...guardAll(open), runLater: guard(open.runLater), send: guard(open.send) },
    searching: { ...guardAll(open.searching), timeLimitMilliseconds: open.searching.timeLimitMilliseconds },
    lock: guard(open.lock),
    conflict: () => conflict,
    noteConflict,
    /** No statement comes any more, and what came is rolled back. */
    giveUp(error: unknown) {
      stuck ??= error
      isOpen = false
    },
    /** A body may catch what a part of it threw, but then the transaction may still have to run again, or be past saving. */
    requireWhole() {
      const flaw = stuck ?? conflict
      if (flaw !== undefined) throw flaw
    },
    end() {
      isOpen = false
    },
  }
}

function runAll(actions: readonly (() => void)[], log: Log): void {
  for (const action of actions) {
    try {
      action()
    } catch (err) {
      log.error({ event: 'store.afterCommitFailed', err }, 'action after commit failed')
    }
  }
}
