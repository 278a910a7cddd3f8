import { Durations, gaugeOf, LabelledCounter, type MetricFamily } from '../../base/metrics.ts'
import type { Services } from '../../rest/services.ts'
import { newestPosition, readerPosition } from '../outbox/index.ts'
import { outboxReader } from './engine-state.ts'

/** What is counted of the engine in this process. */
export interface EngineCounts {
  /** By repository, and by who answered: `engine`, `database` where it was none of the engine's, `unavailable` where the engine did not answer. */
  readonly searches: LabelledCounter
  readonly durations: Durations
  /** By repository and outcome. */
  readonly fed: LabelledCounter
}

export function createEngineCounts(): EngineCounts {
  return {
    searches: new LabelledCounter('quire_search_engine_searches_total', 'Searches by who answered them beside a search engine'),
    durations: new Durations('quire_search_engine_search_duration_seconds', 'How long the search engine took to answer'),
    fed: new LabelledCounter('quire_search_engine_documents_total', 'Documents that the search engine was told of, by outcome'),
  }
}

/** The figures, with how far the engine is behind. */
export async function engineFamilies(
  { searches, durations, fed }: EngineCounts,
  { repositories }: Services,
): Promise<readonly MetricFamily[]> {
  const lags = [...repositories.values()].map(async (repository) => {
    const read = (await readerPosition(repository.store.reader.tables, outboxReader)) ?? 0
    return { labels: { repository: repository.name }, value: Math.max(0, (await newestPosition(repository)) - read) }
  })
  const behind = gaugeOf(
    'quire_search_engine_behind',
    'Events that the search engine was not told of yet',
    await Promise.all(lags),
    'max',
  )
  return [searches.family(), durations.family(), fed.family(), behind]
}
