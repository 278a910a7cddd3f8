import sql from 'sql-template-tag'
import type { SqlConnection } from './connection.ts'

/** What a transaction knows beside what is in the database, and what must go with it when a part is undone. */
export interface Rewindable {
  /** Gives the function that brings back what is known now. */
  mark(): () => void
}

export interface SavepointTransaction {
  readonly connection: SqlConnection
  readonly known: readonly Rewindable[]
  /** What the body threw: the code that catches it may not know that it was a conflict, after which all has to be done again. */
  onFailure(error: unknown): void
  /** The part cannot be undone by itself, so nothing of the transaction may be committed. */
  onStuck(error: unknown): void
}

/** Runs a part of a transaction that may fail by itself. Of savepoints with one name the innermost counts, on both engines. */
export async function runInSavepoint<Result>(
  { connection, known, onFailure, onStuck }: SavepointTransaction,
  body: () => Promise<Result>,
): Promise<Result> {
  const rewinds = known.map((one) => one.mark())
  await connection.run(sql`SAVEPOINT attempt`)
  let result: Result
  try {
    result = await body()
  } catch (error) {
    onFailure(error)
    await rollBack(connection).catch(() => onStuck(error))
    for (const rewind of rewinds) rewind()
    throw error
  }
  await connection.run(sql`RELEASE SAVEPOINT attempt`)
  return result
}

async function rollBack(connection: SqlConnection): Promise<void> {
  await connection.run(sql`ROLLBACK TO SAVEPOINT attempt`)
  await connection.run(sql`RELEASE SAVEPOINT attempt`)
}

/** A list that only grows, and becomes as short again as it was. */
export function rewindable(list: unknown[]): Rewindable {
  return {
    mark() {
      const { length } = list
      return () => {
        list.length = length
      }
    },
  }
}
