import type { IndexedPage, IndexWindow, Repository, SearchIndex, Session } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import type { Query } from '../../nxql/query.ts'
import type { SearchScope } from '../../store/search.ts'
import { newestPosition } from '../outbox/index.ts'
import { type EngineClient, indexMissing } from './engine-client.ts'
import type { EngineCounts } from './engine-counts.ts'
import { findState } from './engine-state.ts'
import type { EngineFeed } from './feed/engine-feed.ts'
import { resultWindow } from './query/index-definition.ts'
import { ancestorIdsIn, hasFulltext, translateQuery } from './query/translate-query.ts'

export interface EngineSearchOptions {
  readonly client: () => Promise<EngineClient>
  readonly feedOf: (repository: Repository) => Promise<EngineFeed>
  readonly signatureOf: (repository: Repository) => string
  /** Whether only searches with a full-text condition are the engine's. */
  readonly isForFulltext: boolean
  readonly searchMilliseconds: number
  readonly counts: EngineCounts
}

/** An engine that does not answer is left alone for so long: who searches meanwhile does not wait for it. */
const restMilliseconds = 2_000
/** A new index serves from so long after it is there, at most. */
const stateMilliseconds = 1_000
/** The engine takes 65,536 values in a list. */
const mostLists = 20_000

/** Searches that the engine answers; all others, and all while it does not answer, are left to the database. */
export function createEngineSearch(options: EngineSearchOptions): SearchIndex {
  const { counts, isForFulltext, searchMilliseconds } = options
  const serving = createServingNames(options)
  let restsUntil = 0
  let isResting = false

  function rest({ log }: Repository, err: unknown): void {
    restsUntil = performance.now() + restMilliseconds
    if (isResting) return
    isResting = true
    log.warn({ event: 'searchEngine.left', err }, 'the database is searched: the search engine does not answer')
  }

  function resume({ log }: Repository): void {
    if (!isResting) return
    isResting = false
    log.info({ event: 'searchEngine.back' }, 'the search engine is searched again')
  }

  async function ask(session: Session, index: string, body: object): Promise<IndexedPage | undefined> {
    const { repository } = session
    const began = performance.now()
    try {
      const client = await options.client()
      const found = await client.search(index, body)
      resume(repository)
      counts.durations.add({ repository: repository.name }, began)
      return found
    } catch (error) {
      const next = indexMissing.is(error) ? await serving.findAnew(repository) : undefined
      // A new one has taken its place.
      if (next !== undefined && next !== index) return ask(session, next, body)
      rest(repository, error)
      return undefined
    }
  }

  async function findPage(
    session: Session,
    query: Query,
    scope: SearchScope,
    window: IndexWindow,
  ): Promise<IndexedPage | undefined> {
    const { repository } = session
    if (isForFulltext && !hasFulltext(query)) return undefined
    const body = await bodyOf(session, query, scope, window, searchMilliseconds)
    const isNow = body !== undefined && performance.now() >= restsUntil
    const index = isNow ? await serving.find(repository) : undefined
    const found = body === undefined || index === undefined ? undefined : await ask(session, index, body)
    const answeredBy = body === undefined ? 'database' : found === undefined ? 'unavailable' : 'engine'
    counts.searches.add({ repository: repository.name, by: answeredBy })
    return found
  }

  /** Best effort: whoever finds them next says so again. */
  async function takeOut(repository: Repository, ids: readonly DocumentId[]): Promise<void> {
    const index = await serving.find(repository)
    if (index === undefined) return
    const position = await newestPosition(repository)
    await (await options.feedOf(repository)).tell([index], ids, position)
  }

  return {
    name: 'search-engine',
    findPage,
    noteGone(repository, ids) {
      takeOut(repository, ids).catch((err: unknown) => {
        const about = { event: 'searchEngine.notTakenOut', repository: repository.name, err }
        repository.log.debug(about, 'documents that are gone stay in the search engine for now')
      })
    },
  }
}

/** Undefined where the query is none of the engine's. */
export async function bodyOf(
  { model, reader }: Session,
  query: Query,
  { readableAcps, now }: SearchScope,
  { offset, limit, countLimit }: IndexWindow,
  milliseconds: number,
): Promise<object | undefined> {
  if (limit === undefined || offset + limit > resultWindow) return undefined
  if (readableAcps !== undefined && readableAcps.length > mostLists) return undefined
  const paths = new Map<string, string | undefined>()
  for (const id of ancestorIdsIn(query)) paths.set(id, (await reader.documents.find(id))?.path ?? undefined)
  const translated = translateQuery(query, { model, now, pathOf: (id) => paths.get(id) })
  if (translated.kind === 'database') return undefined
  const readable = readableAcps === undefined ? [] : [{ terms: { acp: readableAcps } }]
  return {
    query: { bool: { filter: [...translated.filter, ...readable] } },
    sort: translated.sort,
    from: offset,
    size: limit,
    _source: false,
    track_total_hits: countLimit === undefined ? true : countLimit + 1,
    timeout: `${milliseconds}ms`,
  }
}

/** The index that serves each repository, where there is one for this very model. */
function createServingNames({ signatureOf }: Pick<EngineSearchOptions, 'signatureOf'>) {
  const known = new WeakMap<Repository, { readonly name: string | undefined; readonly at: number }>()
  async function findAnew(repository: Repository): Promise<string | undefined> {
    const at = performance.now()
    const state = await findState(repository.store.reader.tables)
    const name = state?.serving?.signature === signatureOf(repository) ? state.serving.name : undefined
    known.set(repository, { name, at })
    return name
  }
  return {
    findAnew,
    async find(repository: Repository): Promise<string | undefined> {
      const before = known.get(repository)
      return before !== undefined && performance.now() - before.at < stateMilliseconds ? before.name : findAnew(repository)
    },
  }
}
