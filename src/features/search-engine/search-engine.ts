import { memoised } from '../../base/cache/memo.ts'
import { defineProblem } from '../../base/problem.ts'
import { searchSettings, textRulesOf } from '../../core/search/search-settings.ts'
import type { Repository, SearchIndex } from '../../core/session.ts'
import { createDocumentIndexing } from '../../nxql/document-indexing.ts'
import type { BackgroundTask, HealthProbe, Services } from '../../rest/services.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { outboxSettings } from '../outbox/index.ts'
import { type EngineClient, openEngineClient } from './engine-client.ts'
import { createEngineCounts, engineFamilies } from './engine-counts.ts'
import { createEngineSearch } from './engine-search.ts'
import { findState, forgetEngine } from './engine-state.ts'
import { createEngineFeed } from './feed/engine-feed.ts'
import { type FeedingOptions, keepFed } from './feed/keep-fed.ts'
import { definitionSignature, indexDefinition } from './query/index-definition.ts'
import type { searchEngineSettings } from './settings.ts'

export type SearchEngineValues = SettingValues<typeof searchEngineSettings>

/** All that there is to an engine that was named. */
export interface SearchEngine {
  readonly search: SearchIndex
  readonly task: BackgroundTask
  readonly probe: HealthProbe
  signatureOf(repository: Repository): string
  /** Feeds the engine until all is built that is to be. */
  buildAll(repository: Repository, onWalked: (walked: number) => void, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** So long a process that has died keeps others from feeding the engine in its place. */
const leaseMilliseconds = 15_000

const searchEngineNotReady = defineProblem(
  'searchEngineNotReady',
  'unavailable',
  (of: { repositories: readonly string[] }) =>
    `The search engine has not all documents yet, so the database answers instead: ${of.repositories.join(', ')}`,
)

const searchEngineDown = defineProblem(
  'searchEngineDown',
  'unavailable',
  (_: object) => 'The search engine does not answer, so the database does instead.',
)

/** @param services there once the server is put together: what is made here asks them when it is called. */
export function createSearchEngine(values: SearchEngineValues, services: Services): SearchEngine {
  const { searchEngineUrl: url, searchEngineUser: user, searchEnginePassword: password, searchEngineIndex: prefix } = values
  if (url === undefined) throw new TypeError('An engine has an address.')
  const { searchEngineTimeout: searchMilliseconds, searchEngineBulkSize: bulkBytes } = values
  let opened: Promise<EngineClient> | undefined
  const client = () => {
    opened ??= openEngineClient({ url, user, password }, { searchMilliseconds })
    return opened
  }
  const counts = createEngineCounts()
  let areFiguresTold = false
  /** Once, however often the task is begun. */
  const addFigures = (metrics: Services['metrics']) => {
    if (!areFiguresTold) metrics.add(() => engineFamilies(counts, services))
    areFiguresTold = true
  }
  const indexingOf = memoised(({ model }: Repository) =>
    createDocumentIndexing(model, textRulesOf(services.valuesOf(searchSettings))),
  )
  const signatureOf = memoised((repository: Repository) => definitionSignature(repository.model, indexingOf(repository)))
  const feedOf = async (repository: Repository) =>
    createEngineFeed({ client: await client(), repository, indexing: indexingOf(repository), bulkBytes, counts })

  const feedingOf = async (repository: Repository): Promise<FeedingOptions> => ({
    repository,
    client: await client(),
    feed: await feedOf(repository),
    prefix,
    definition: indexDefinition(repository.model),
    signature: signatureOf(repository),
    leaseMilliseconds,
  })

  const close = async () => (await opened)?.close()

  return {
    search: createEngineSearch({
      client,
      feedOf,
      signatureOf,
      isForFulltext: values.searchEngineFor === 'fulltext',
      searchMilliseconds,
      counts,
    }),
    task: {
      name: 'feedSearchEngine',
      async run({ repositories, metrics, log, valuesOf }, signal) {
        addFigures(metrics)
        if (!valuesOf(outboxSettings).outbox) {
          log.error({ event: 'searchEngine.noOutbox' }, 'the search engine is not told of changes: the setting outbox is off')
          return
        }
        const feeding = [...repositories.values()].map(async (repository) => keepFed(await feedingOf(repository), signal))
        await Promise.all(feeding)
      },
    },
    probe: {
      name: 'searchEngineStatus',
      check: async ({ repositories }) => requireReady(await client(), [...repositories.values()], signatureOf),
    },
    signatureOf,
    async buildAll(repository, onWalked, signal) {
      await keepFed({ ...(await feedingOf(repository)), untilBuilt: true, onWalked }, signal)
    },
    close,
  }
}

/** @throws searchEngineDown, searchEngineNotReady */
async function requireReady(
  client: EngineClient,
  repositories: readonly Repository[],
  signatureOf: (repository: Repository) => string,
): Promise<void> {
  try {
    await client.ping()
  } catch (cause) {
    throw searchEngineDown({}, { cause })
  }
  const unready: string[] = []
  for (const repository of repositories) {
    const state = await findState(repository.store.reader.tables)
    if (state?.serving?.signature !== signatureOf(repository)) unready.push(repository.name)
  }
  if (unready.length > 0) throw searchEngineNotReady({ repositories: unready })
}

/** Where none is named, nothing waits for the one that there was. */
export const forgetSearchEngine: BackgroundTask = {
  name: 'forgetSearchEngine',
  async run({ repositories }) {
    for (const repository of repositories.values()) await forgetEngine(repository)
  },
}
