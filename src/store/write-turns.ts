import type { Deadline } from './sql/transact.ts'

/** Turns at writing to an embedded database, among processes that share it and agree on an order. */
export interface WriteTurns {
  /** @param file the database, by the same name in all of them */
  at(file: string): WriteTurn
}

/**
 * Only an order: who writes without it, as other programs do, is kept apart by the lock of the database, and waits by asking again and
 * again for that.
 */
export interface WriteTurn {
  /** Resolves when it is the turn of this process, or when that takes too long to be worth waiting for. @throws what the deadline does */
  take(deadline: Deadline): Promise<void>
  /** What was to be written is committed or rolled back. Does nothing when it was not taken. */
  giveBack(): void
}
