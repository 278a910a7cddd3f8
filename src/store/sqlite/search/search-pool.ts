import { searchUnavailable, tooManySearches } from '../../problems.ts'
import type { SearchLimits } from '../../search-limits.ts'
import type { SqlStatement, SqlValue } from '../../sql/connection.ts'
import { createFairPlaces } from '../../sql/fair-places.ts'
import { deadlineIn } from '../../sql/transact.ts'
import { SearchProcessLost } from '../sqlite-errors.ts'
import type { SearchOrder, SearchResult } from './search-messages.ts'
import { type SearchProcess, startSearchProcess } from './search-process.ts'

/** A few processes for all searches that take long. */
export interface SearchPool {
  /**
   * Rejects with OutOfTime. A search whose process is lost is tried once more.
   * @throws tooManySearches when no process gets free in the time that a search may take; searchUnavailable when two were lost
   */
  searchWithin(milliseconds: number, statement: SqlStatement): Promise<SearchResult>
  readonly processes: number
  /** Searches for which no process is free. */
  readonly waiting: number
  close(): Promise<void>
}

/** Those who search take turns; a process is started when all that there are have work. */
export function createSearchPool(
  file: string,
  { processes: maxProcesses, perUser }: Pick<SearchLimits, 'processes' | 'perUser'>,
  start = startSearchProcess,
): SearchPool {
  const places = createFairPlaces(maxProcesses, perUser)
  const processes = new Set<SearchProcess>()
  const idle: SearchProcess[] = []
  let isClosed = false

  function takeProcess(): SearchProcess {
    if (isClosed) throw new Error('The store is closed.')
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
      if (process.isRunning()) return process
      processes.delete(process)
    }
    const process = start(file)
    processes.add(process)
    return process
  }

  function giveBack(process: SearchProcess): void {
    if (process.isRunning()) idle.push(process)
    else processes.delete(process)
  }

  async function search(order: SearchOrder): Promise<SearchResult> {
    const process = takeProcess()
    try {
      return await process.search(order)
    } finally {
      giveBack(process)
    }
  }

  async function searchAgain(order: SearchOrder): Promise<SearchResult> {
    try {
      return await search(order)
    } catch (error) {
      throw error instanceof SearchProcessLost ? searchUnavailable({}, { cause: error }) : error
    }
  }

  return {
    get processes() {
      return processes.size
    },
    get waiting() {
      return places.waiting
    },
    async searchWithin(milliseconds, { sql, values, user }) {
      const release = await places.take(
        user,
        deadlineIn(milliseconds / 1_000, () => tooManySearches({})),
      )
      const order = { sql, values: values as SqlValue[], milliseconds }
      try {
        return await search(order)
      } catch (error) {
        if (!(error instanceof SearchProcessLost)) throw error
        return await searchAgain(order)
      } finally {
        release()
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...processes].map((process) => process.end()))
    },
  }
}
