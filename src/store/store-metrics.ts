import { addDuration, counterOf, durationsOf, figureOf, gaugeOf, type MetricFamily, newDurationCell } from '../base/metrics.ts'
import type { CacheUse } from './cached-documents.ts'
import type { SearchConnection } from './sql/connection.ts'
import type { TransactionTally } from './sql/transact.ts'

export interface PoolUse {
  readonly pool: string
  readonly idle: number
  readonly busy: number
}

/** What a store tells of itself. */
export interface StoreUse {
  readonly documents: CacheUse
  readonly results: CacheUse
  readonly transactions: TransactionTally
  /** How many wait, by what for. */
  waiting(): { readonly [what: string]: number }
  /** Of PostgreSQL. */
  connections?(): readonly PoolUse[]
  /** Of the embedded database. */
  searchProcesses?(): number
}

export function storeFamilies(repository: string, use: StoreUse): readonly MetricFamily[] {
  const { transactions } = use
  const caches = { documents: use.documents, results: use.results }
  const ofCaches = (figure: keyof CacheUse) =>
    Object.entries(caches).map(([cache, one]) => figureOf(one[figure], { repository, cache }))
  return [
    counterOf('quire_cache_hits_total', 'What caches of a repository had when they were asked', ofCaches('hits')),
    counterOf('quire_cache_misses_total', 'What caches of a repository did not have when they were asked', ofCaches('misses')),
    gaugeOf('quire_cache_entries', 'What caches of a repository hold', ofCaches('entries')),
    counterOf(
      'quire_transactions_total',
      'Transactions by outcome; those that were repeated had met another one',
      Object.entries(transactions).map(([outcome, count]) => figureOf(count, { repository, outcome })),
    ),
    gaugeOf(
      'quire_database_waiting',
      'Transactions, look-ups and searches that wait for a connection or for their turn',
      Object.entries(use.waiting()).map(([what, count]) => figureOf(count, { repository, for: what })),
    ),
    ...(use.connections === undefined ? [] : [connectionsOf(repository, use.connections())]),
    ...(use.searchProcesses === undefined ? [] : [searchProcessesOf(repository, use.searchProcesses())]),
  ]
}

function connectionsOf(repository: string, pools: readonly PoolUse[]): MetricFamily {
  const values = pools.flatMap(({ pool, idle, busy }) => [
    figureOf(idle, { repository, pool, state: 'idle' }),
    figureOf(busy, { repository, pool, state: 'busy' }),
  ])
  return gaugeOf('quire_database_connections', 'Open connections to PostgreSQL', values)
}

function searchProcessesOf(repository: string, processes: number): MetricFamily {
  const help = 'Processes for long searches (embedded database)'
  return gaugeOf('quire_search_processes', help, [figureOf(processes, { repository })])
}

/** How long the statements of searches take that no cache could answer. */
export function measureSearches(repository: string): {
  over(connection: SearchConnection): SearchConnection
  family(): MetricFamily
} {
  const cell = newDurationCell({ repository })
  const timed = async <Result>(work: Promise<Result>): Promise<Result> => {
    const since = performance.now()
    try {
      return await work
    } finally {
      addDuration(cell, since)
    }
  }
  return {
    over: (connection) => ({
      ...connection,
      all: (statement) => timed(connection.all(statement)),
      get: (statement) => timed(connection.get(statement)),
    }),
    family: () =>
      durationsOf(
        'quire_search_duration_seconds',
        'Time that statements of searches took, with waiting for a place; those that a cache answered are not among them',
        [cell],
      ),
  }
}
