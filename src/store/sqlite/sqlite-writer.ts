import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { yieldToEventLoop } from '../../base/event-loop.ts'
import type { Problem } from '../../base/problem.ts'
import { databaseUnusable } from '../problems.ts'
import { defaultSearchLimits, type SearchLimits } from '../search-limits.ts'
import type { SearchConnection, SqlStatement } from '../sql/connection.ts'
import { createSemaphore } from '../sql/semaphore.ts'
import { type Deadline, noDeadline, type OpenTransaction } from '../sql/transact.ts'
import type { WriteTurn } from '../write-turns.ts'
import { createDeferredWrites, type DeferredWrites } from './deferred-writes.ts'
import { limitSearches, type TimedConnection } from './search/search-connection.ts'
import { type SqliteConnection, whenFree } from './sqlite-connection.ts'
import { GroupCommitLost } from './sqlite-errors.ts'

export interface SqliteWriter {
  begin(deadline: Deadline): Promise<OpenTransaction>
  /** How many transactions wait for those before them. */
  readonly waiting: number
  /** Once those that have begun are done. */
  close(): Promise<void>
}

export interface WriterSearches {
  readonly limits: SearchLimits
  /** Where they run as long as the transaction has written nothing that they would have to see. */
  readonly elsewhere?: TimedConnection
}

export interface WriterOptions {
  /** Told whether any of the transactions has written, or tried to. */
  beforeCommit?(hasWritten: boolean): void
  afterCommit?(): void
  /** Makes all that was committed so far durable. */
  flush(): Promise<void>
  readonly searches?: WriterSearches
  readonly turn?: WriteTurn | undefined
}

/** How a transaction goes back to where it began. */
interface Beginning {
  /** Else it goes back only with all others of its group. */
  readonly hasSavepoint: boolean
  readonly restoreDeferred: () => void
}

/** Of those who wait when a group is to be committed so many join it. */
const sharedWith = 16

/** As long as a few requests take that only read. */
const turnMilliseconds = 0.5

/** So long after one took others with it that it shared the commit with, none can do so again. */
const guardedMilliseconds = 1_000
/** What is begun again when another fails must not be more than this. */
const fewStatements = 200

/**
 * Transactions one after another on the one connection that writes. Those that come while the disk is busy with others, or in one round
 * of the event loop, share a commit, and so the one wait for the disk: none is answered before what all of them wrote is durable. Others
 * may read it a moment earlier. Among the processes that share the database each such group has its turn.
 *
 * A savepoint for each of a group makes each page be copied that it changes, which takes a sixteenth of the time to create a document. So
 * there is mostly none: the few that fail after they have written take the others of their group with them, which run again, and for a
 * while after that, or where much would have to be done again, each that joins others has a savepoint to go back to.
 */
export function createSqliteWriter(connection: SqliteConnection, options: WriterOptions): SqliteWriter {
  const { beforeCommit, afterCommit, flush, turn, searches = { limits: defaultSearchLimits } } = options
  const writerLock = createSemaphore()
  let turnBegan = 0
  /** Who only reads need not wait until all is written: undefined, or what to wait for before the next statement. */
  const nextTurn = (): Promise<void> | undefined => {
    if (performance.now() - turnBegan < turnMilliseconds) return undefined
    return yieldToEventLoop().then(() => {
      turnBegan = performance.now()
    })
  }
  const deferred = createDeferredWrites({ runNow: connection.runNow, nextTurn })
  const searchesOf = searchesBy(seeingDeferred(connection, deferred), searches)
  let group: PromiseWithResolvers<void> | undefined
  /** Those of all transactions that are not committed yet. */
  let statements = 0
  let hasGroupWritten = false
  let guardedUntil = 0
  let flushing: Promise<void> = Promise.resolve()

  const commitGroup = async () => {
    await flushing
    const release = await writerLock.acquireBehind(sharedWith)
    const committing = group
    group = undefined
    try {
      await deferred.flush()
      await nextTurn()
      beforeCommit?.(hasGroupWritten)
      const isToFlush = hasGroupWritten && connection.isInTransaction()
      if (connection.isInTransaction()) connection.execute('COMMIT')
      forgetStatements()
      if (isToFlush) flushing = flush().then(committing?.resolve, committing?.reject)
      else committing?.resolve()
      afterCommit?.()
    } catch (error) {
      rollBackAll()
      committing?.reject(error)
    } finally {
      endTurn()
      release()
    }
  }
  const joinGroup = (): Promise<void> => {
    if (group === undefined) {
      group = Promise.withResolvers()
      setImmediate(commitGroup)
    }
    return group.promise
  }
  const forgetStatements = () => {
    statements = 0
    hasGroupWritten = false
  }
  const rollBackAll = () => {
    deferred.clear()
    forgetStatements()
    if (connection.isInTransaction()) connection.execute('ROLLBACK')
  }
  const endTurn = () => {
    if (!connection.isInTransaction()) turn?.giveBack()
  }
  const loseGroup = () => {
    group?.reject(new GroupCommitLost())
    group = undefined
    rollBackAll()
  }
  const rollBackOne = ({ hasSavepoint, hasWritten, restoreDeferred }: Beginning & { hasWritten: boolean }) => {
    if (!connection.isInTransaction()) {
      // A full disk and the like: the engine has rolled back everything.
      loseGroup()
    } else if (hasSavepoint) {
      connection.execute('ROLLBACK TO one')
      connection.execute('RELEASE one')
      restoreDeferred()
    } else if (hasWritten) {
      if (group !== undefined) guardedUntil = performance.now() + guardedMilliseconds
      loseGroup()
    }
    if (group === undefined) rollBackAll()
    endTurn()
  }
  const beginOne = async (deadline: Deadline): Promise<Beginning> => {
    if (!connection.isInTransaction()) {
      await turn?.take(deadline)
      await whenFree(() => {
        deadline.check()
        connection.execute('BEGIN IMMEDIATE')
      })
    }
    const hasSavepoint = group !== undefined && (statements > fewStatements || performance.now() < guardedUntil)
    if (hasSavepoint) connection.execute('SAVEPOINT one')
    return { hasSavepoint, restoreDeferred: deferred.mark() }
  }

  return {
    get waiting() {
      return writerLock.waiting
    },
    async begin(deadline) {
      const release = await writerLock.acquire(deadline)
      let begun: Beginning
      try {
        await nextTurn()
        begun = await beginOne(deadline)
      } catch (error) {
        endTurn()
        release()
        throw error
      }
      let isOver = false
      let hasWritten = false
      // What other transactions of the same group commit have written is not visible elsewhere either.
      const isAfterOthers = group !== undefined
      const noted = (statement: SqlStatement) => {
        statements += 1
        if (!hasWritten && !isLookUp(statement)) {
          hasWritten = true
          hasGroupWritten = true
        }
        return statement
      }
      const inTurns =
        <Result>(execute: (statement: SqlStatement) => Promise<Result>) =>
        (statement: SqlStatement): Promise<Result> => {
          const turn = nextTurn()
          if (turn === undefined) return execute(noted(statement))
          return turn.then(() => {
            if (isOver) throw new Error('A statement came after the end of its transaction')
            return execute(noted(statement))
          })
        }
      const end = (work: () => void) => {
        if (isOver) return
        isOver = true
        try {
          work()
        } finally {
          release()
        }
      }
      return {
        all: inTurns(connection.all),
        get: inTurns(connection.get),
        run: inTurns(connection.run),
        send: (statement) => connection.run(noted(statement)),
        runLater: (statement) => deferred.add(noted(statement)),
        lock: connection.all,
        searching: searchesOf(() => hasWritten || isAfterOthers),
        mark: deferred.mark,
        async commit() {
          end(() => {
            if (begun.hasSavepoint) connection.execute('RELEASE one')
          })
          await joinGroup()
        },
        async rollback() {
          end(() => rollBackOne({ ...begun, hasWritten }))
        },
      }
    },
    async close() {
      await commitGroup()
      await flushing
      const release = await writerLock.acquire(noDeadline)
      connection.close()
      release()
    },
  }
}

/** The connection for searches, which find what was written before them. */
function seeingDeferred({ allWithin }: SqliteConnection, deferred: DeferredWrites): TimedConnection {
  return {
    async allWithin(milliseconds, statement) {
      await deferred.flush()
      return allWithin(milliseconds, statement)
    },
  }
}

/**
 * Searches of transactions. What one has written only its own connection sees, and there a search blocks all writers; so they
 * run elsewhere until then, and from then on they have to be brief.
 */
function searchesBy(connection: TimedConnection, { limits, elsewhere }: WriterSearches) {
  const { timeLimitMilliseconds, whileWritingMilliseconds } = limits
  const brief = limitSearches(
    connection,
    Math.min(whileWritingMilliseconds, timeLimitMilliseconds),
    whileWritingMilliseconds < timeLimitMilliseconds ? 'searchTimeLimitWhileWriting' : undefined,
  )
  const long = elsewhere && limitSearches(elsewhere, timeLimitMilliseconds)
  return (hasWritten: () => boolean): SearchConnection => {
    const chosen = () => (hasWritten() ? brief : (long ?? brief))
    return {
      timeLimitMilliseconds,
      all: (statement) => chosen().all(statement),
      get: (statement) => chosen().get(statement),
      run: brief.run,
    }
  }
}

/** Anything that does not begin so may write, also when it gives rows. */
function isLookUp({ sql }: SqlStatement): boolean {
  return /^\s*SELECT\b/i.test(sql)
}

/** Brings the log of a database to the disk, beside the thread that answers requests. */
export interface LogFlusher {
  /** Resolves when all that was committed before the call is durable. @throws databaseUnusable */
  flush(): Promise<void>
  /** Whether there is a point in committing more. @throws databaseUnusable after a flush that failed */
  requireSound(): void
  /** Once no flush is under way. */
  close(): Promise<void>
}

/**
 * What was committed without waiting for the disk is in the log in the order of the commits, each with a checksum over all before it:
 * once the log is flushed, a database that lost its power comes back with all of them.
 */
export function createLogFlusher(file: string): LogFlusher {
  let log: Promise<FileHandle> | undefined
  let failure: Problem | undefined

  return {
    requireSound() {
      if (failure !== undefined) throw failure
    },
    async flush() {
      try {
        log ??= open(`${file}-wal`, 'r+')
        await (await log).datasync()
      } catch (cause) {
        // The system says it once, and forgets the bytes: what is committed after them would be lost with them, whatever it says later.
        failure = databaseUnusable({ place: basename(file), reason: failed }, { cause })
        throw failure
      }
    },
    async close() {
      await (await log?.catch(() => undefined))?.close()
    },
  }
}

const failed = 'what was written to it did not reach the disk. Look into the log of the system, and start the server again'
