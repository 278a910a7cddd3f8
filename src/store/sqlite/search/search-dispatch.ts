import { createCache } from '../../../base/cache/bounded-cache.ts'
import type { SqlRow, SqlStatement } from '../../sql/connection.ts'
import { OutOfTime } from '../sqlite-errors.ts'
import type { TimedConnection } from './search-connection.ts'
import type { SearchPool } from './search-pool.ts'

/**
 * For so long a search may block the event loop, in time of the processor: by the clock on the wall nearly all searches of a busy
 * machine were long, and made it busier.
 */
const briefMilliseconds = 5

/** The connection of this process. */
export interface BriefConnection {
  /** Rejects with OutOfTime when the rows take longer, in time of the processor, or much longer for want of it or of the disk. */
  allBriefly(processorMilliseconds: number, statement: SqlStatement): Promise<readonly SqlRow[]>
}

// More than the statements of a deployment's providers and clients; those that come once push each other out.
const maxTexts = 1_000

/**
 * Runs a search here as long as it is brief, and from its beginning elsewhere when it is not. Most are pages of an index, done in
 * less time than it takes to hand them over, and this way they never wait behind long ones. A statement that was not brief goes
 * elsewhere directly the next time, until it has been brief there.
 * @param mayHoldUp whether a statement could take long before it notices that its time is over
 */
export function dispatchSearches(
  here: BriefConnection,
  elsewhere: Pick<SearchPool, 'searchWithin'>,
  mayBlock: (statement: SqlStatement) => Promise<boolean> = async () => false,
): TimedConnection {
  // A statement leaves when it was brief.
  const longOnes = createCache<string, true>({ maxEntries: maxTexts })

  async function findHere(milliseconds: number, statement: SqlStatement): Promise<readonly SqlRow[] | undefined> {
    if (longOnes.get(statement.sql) !== undefined || (await mayBlock(statement))) return undefined
    try {
      return await here.allBriefly(Math.min(milliseconds, briefMilliseconds), statement)
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error
      longOnes.set(statement.sql, true)
      return undefined
    }
  }

  async function listElsewhere(milliseconds: number, statement: SqlStatement): Promise<readonly SqlRow[]> {
    const { rows, processorMilliseconds } = await elsewhere.searchWithin(milliseconds, statement)
    if (processorMilliseconds < briefMilliseconds) longOnes.delete(statement.sql)
    return rows
  }

  return {
    allWithin: async (milliseconds, statement) =>
      (await findHere(milliseconds, statement)) ?? listElsewhere(milliseconds, statement),
  }
}
