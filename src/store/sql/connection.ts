import sql, { type Sql } from 'sql-template-tag'

export type SqlValue = string | number | null

/** Numbers that an engine may keep at hand from one statement to the next. */
export interface NumberList {
  /** As a JSON list. */
  readonly text: string
  readonly size: number
}

/** Values in the order of the selected columns: both drivers give arrays faster than objects. */
export type SqlRow = readonly SqlValue[]

/** A statement with its values, in the placeholders of either engine. */
export interface SqlStatement extends Pick<Sql, 'sql' | 'text' | 'values'> {
  /** The query that it is of, for the log. */
  readonly nxql?: string
  /** Who asked, so that nobody takes all places for searches. */
  readonly user?: string | undefined
}

/** What the statements need of an engine. Flags come and go as 0 and 1, JSON as text. */
export interface SqlConnection {
  all(statement: SqlStatement): Promise<readonly SqlRow[]>
  get(statement: SqlStatement): Promise<SqlRow | undefined>
  /** Gives how many rows were inserted, changed or removed. */
  run(statement: SqlStatement): Promise<number>
}

/** A connection on which something is written. */
export interface TransactionConnection extends SqlConnection {
  /** Runs a statement whose rows only searches look at, before the next one and before the commit. */
  runLater(statement: SqlStatement): Promise<void>
  /** Runs a statement whose answer need not be awaited: all that come after see what it wrote, and one of them tells when it failed. */
  send(statement: SqlStatement): Promise<unknown>
}

/** A connection for searches, each of which is stopped after the time limit. */
export interface SearchConnection extends SqlConnection {
  readonly timeLimitMilliseconds: number
  /** The rows of a statement whose rows are few and short, where the connection remembers such. */
  remembered?(statement: SqlStatement): Promise<readonly SqlRow[]>
}

/** What a transaction knows beside what is in the database, and what must go with it when a part is undone. */
export interface Rewindable {
  /** Gives the function that brings back what is known now. */
  mark(): () => void
}

/** What only reads, as a connection for searches. */
export function searchConnection(all: SqlConnection['all'], timeLimitMilliseconds: number): SearchConnection {
  return {
    timeLimitMilliseconds,
    all,
    get: async (statement) => (await all(statement))[0],
    run: () => Promise.reject(new Error('A search changes nothing.')),
  }
}

/** The rows of a statement whose rows are few and short. */
export function fewRows(connection: SearchConnection, statement: SqlStatement): Promise<readonly SqlRow[]> {
  return connection.remembered?.(statement) ?? connection.all(statement)
}

export async function answers(connection: SqlConnection): Promise<boolean> {
  try {
    return (await connection.get(sql`SELECT 1`)) !== undefined
  } catch {
    return false
  }
}
