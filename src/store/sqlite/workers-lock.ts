import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { whenFree } from './sqlite-connection.ts'
import { isSqliteBusy } from './sqlite-errors.ts'

/** The lock of every process that runs jobs of a database, for as long as it lives. */
export interface WorkersLock {
  /** Acquires it; calls `whenAlone` first when no other process has it. */
  join(whenAlone: () => Promise<void>): Promise<void>
  leave(): void
}

/**
 * The lock of an empty database beside the real one, shared by all worker processes. One that gets it exclusively knows that all
 * others are gone: the system takes it from a process that dies, however that happens, and a process id says nothing in a container.
 */
export function createWorkersLock(file: string): WorkersLock {
  let database: DatabaseSync | undefined
  return {
    async join(whenAlone) {
      const lock = openLock(`${file}-workers`)
      database = lock
      if (isFree(lock)) await whenAlone().finally(() => lock.exec('ROLLBACK'))
      await whenFree(() => share(lock))
    },
    leave() {
      database?.close()
      database = undefined
    },
  }
}

function openLock(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600)) // private; the engine would make it readable to all
  return new DatabaseSync(file, { timeout: 0 })
}

function isFree(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (isSqliteBusy(error)) return false
    throw error
  }
}

/** A transaction that has read keeps its share until it ends. */
function share(lock: DatabaseSync): void {
  if (!lock.isTransaction) lock.exec('BEGIN')
  lock.prepare('SELECT count(*) FROM sqlite_schema').get()
}
