import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import type { DocumentIndexing } from '../../nxql/document-indexing.ts'
import { storageConflict } from '../problems.ts'
import type { Transaction, TransactOptions } from '../store.ts'
import { rewindable } from './attempt.ts'
import type { SqlConnection, Statement } from './connection.ts'
import { type Deadline, deadlineIn } from './deadline.ts'
import type { Dialect } from './dialect.ts'
import type { JobSignal } from './job-signal.ts'
import { Overtaken } from './overtaken.ts'
import { createTransaction } from './sql-ports.ts'

/** A connection on which a transaction has begun. */
export interface OpenTransaction extends SqlConnection {
  /** The same for searches, which have a time limit. */
  readonly searching: SqlConnection
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
  begin(deadline: Deadline): Promise<OpenTransaction>
  /** Whether an error says that another transaction was in the way, by its code. */
  isConflict(error: unknown): boolean
}

const maxAttempts = 6

/** Runs a body in a transaction, again when others were in its way. */
export async function transact<Result>(
  source: TransactionSource,
  body: (tx: Transaction) => Promise<Result>,
  { timeoutSeconds }: TransactOptions = {},
): Promise<Result> {
  const deadline = deadlineIn(timeoutSeconds)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await runOnce(source, body, deadline)
    if (outcome.kind === 'committed') return outcome.result
    if (outcome.kind === 'failed') throw outcome.error
    if (attempt === maxAttempts) throw storageConflict({}, { cause: outcome.error })
    source.log.debug({ event: 'store.retry', attempt, err: outcome.error }, 'transaction runs again')
    // Two that met once would meet again if both came back at once.
    await delay(Math.random() * 2 ** attempt)
  }
}

type Outcome<Result> =
  | { readonly kind: 'committed'; readonly result: Result }
  | { readonly kind: 'conflict' | 'failed'; readonly error: unknown }

async function runOnce<Result>(
  source: TransactionSource,
  body: (tx: Transaction) => Promise<Result>,
  deadline: Deadline,
): Promise<Outcome<Result>> {
  const open = await source.begin(deadline)
  const statements = guarded(open, source, deadline)
  const actions: (() => void)[] = []
  const { connection, searching } = statements
  const tx = createTransaction({ ...source, connection }, searching, source.jobSignal, {
    afterCommit: (action) => actions.push(action),
    known: [rewindable(actions)],
    onFailure: statements.noteConflict,
    onStuck: statements.giveUp,
  })
  try {
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
      if (source.isConflict(one) || one instanceof Overtaken) conflict ??= one
    }
  }
  const guard =
    <Result>(execute: (statement: Statement) => Promise<Result>) =>
    async (statement: Statement): Promise<Result> => {
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
    connection: guardAll(open),
    searching: guardAll(open.searching),
    conflict: () => conflict,
    noteConflict,
    /** No statement comes any more, and what came is not kept. */
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
