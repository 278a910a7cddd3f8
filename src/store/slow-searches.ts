import { createCache } from '../base/cache/bounded-cache.ts'
import type { Log } from '../base/log.ts'
import type { SearchConnection, SqlStatement } from './sql/connection.ts'

// To explain costs a statement more, and the plan of a query that is asked again and again is the same.
const explainedForMilliseconds = 600_000
const explainedQueries = 200

interface SlowSearches {
  /** What is no slower is not told of; 0: nothing is. */
  readonly slowMilliseconds: number | undefined
  /** What the engine wants before a statement, to say how it would run it. */
  readonly explain: 'EXPLAIN' | 'EXPLAIN QUERY PLAN'
  readonly repository: string
  readonly log: Log
}

/** Tells the log of statements of searches that take long, with the query that they are of and how the database runs them. */
export function tellSlowSearches(connection: SearchConnection, options: SlowSearches): SearchConnection {
  const { slowMilliseconds = 0, explain, repository, log } = options
  if (slowMilliseconds === 0) return connection
  const explainedAt = createCache<string, number>({ maxEntries: explainedQueries })

  async function planOf(statement: SqlStatement): Promise<readonly string[] | undefined> {
    const { sql, text, values } = statement
    const since = explainedAt.get(text)
    if (since !== undefined && performance.now() - since < explainedForMilliseconds) return undefined
    explainedAt.set(text, performance.now())
    const rows = await connection.all({ sql: `${explain} ${sql}`, text: `${explain} ${text}`, values })
    return rows.map((row) => String(row.at(-1)))
  }

  /** Nobody waits for it: the search is over. */
  async function tell(statement: SqlStatement, milliseconds: number, failure?: unknown): Promise<void> {
    const told = {
      event: 'search.slow',
      repository,
      ms: Math.round(milliseconds),
      nxql: statement.nxql,
      ...(failure !== undefined && { failed: failure instanceof Error ? failure.message : String(failure) }),
    }
    try {
      log.warn({ ...told, plan: await planOf(statement) }, 'search took long')
    } catch (err) {
      log.warn({ ...told, err }, 'search took long, and could not be explained')
    }
  }

  async function timed<Result>(statement: SqlStatement, search: Promise<Result>): Promise<Result> {
    const since = performance.now()
    const look = (failure?: unknown) => {
      const milliseconds = performance.now() - since
      if (milliseconds >= slowMilliseconds) void tell(statement, milliseconds, failure)
    }
    try {
      const found = await search
      look()
      return found
    } catch (error) {
      look(error)
      throw error
    }
  }

  return {
    ...connection,
    all: (statement) => timed(statement, connection.all(statement)),
    get: (statement) => timed(statement, connection.get(statement)),
  }
}
