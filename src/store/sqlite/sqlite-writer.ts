import { defaultSearchLimits } from '../search-limits.ts'
import { type Deadline, noDeadline } from '../sql/deadline.ts'
import type { OpenTransaction } from '../sql/transact.ts'
import { createTurns } from '../sql/turns.ts'
import { limitSearches } from './search-connection.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { LostWithOthers } from './sqlite-errors.ts'
import { whenFree } from './wait-while-busy.ts'

export interface SqliteWriter {
  begin(deadline: Deadline): Promise<OpenTransaction>
  /** Once those that have begun are done. */
  close(): Promise<void>
}

/**
 * Transactions one after another on the one connection that writes. Those of one round of the event loop share a commit,
 * and so the one wait for the disk: each is a savepoint, and none is answered before the commit of all.
 */
export function createSqliteWriter(
  connection: SqliteConnection,
  beforeCommit: () => void,
  searchMilliseconds = defaultSearchLimits.timeLimitMilliseconds,
): SqliteWriter {
  const turns = createTurns()
  const searching = limitSearches(connection, searchMilliseconds)
  let group: PromiseWithResolvers<void> | undefined

  const commitGroup = async () => {
    const endTurn = await turns.takeNext()
    const committing = group
    group = undefined
    try {
      beforeCommit()
      if (connection.isInTransaction()) connection.execute('COMMIT')
      committing?.resolve()
    } catch (error) {
      rollBackAll()
      committing?.reject(error)
    } finally {
      endTurn()
    }
  }
  const joinGroup = (): Promise<void> => {
    if (group === undefined) {
      group = Promise.withResolvers()
      setImmediate(commitGroup)
    }
    return group.promise
  }
  const rollBackAll = () => {
    if (connection.isInTransaction()) connection.execute('ROLLBACK')
  }
  const rollBackOne = () => {
    if (connection.isInTransaction()) {
      connection.execute('ROLLBACK TO one')
      connection.execute('RELEASE one')
      if (group === undefined) rollBackAll()
    } else {
      // A full disk and the like: the engine has rolled back everything.
      group?.reject(new LostWithOthers())
      group = undefined
    }
  }
  const beginOne = async (deadline: Deadline) => {
    if (!connection.isInTransaction()) {
      await whenFree(() => {
        deadline.check()
        connection.execute('BEGIN IMMEDIATE')
      })
    }
    connection.execute('SAVEPOINT one')
  }

  return {
    async begin(deadline) {
      const endTurn = await turns.take(deadline)
      try {
        await beginOne(deadline)
      } catch (error) {
        endTurn()
        throw error
      }
      let isOver = false
      const end = (work: () => void) => {
        if (isOver) return
        isOver = true
        try {
          work()
        } finally {
          endTurn()
        }
      }
      return {
        all: connection.all,
        get: connection.get,
        run: connection.run,
        lock: connection.all,
        searching,
        async commit() {
          end(() => connection.execute('RELEASE one'))
          await joinGroup()
        },
        async rollback() {
          end(rollBackOne)
        },
      }
    },
    async close() {
      await commitGroup()
      const endTurn = await turns.take(noDeadline)
      connection.close()
      endTurn()
    },
  }
}
