import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type Json } from '../../../base/json.ts'
import type { Repository } from '../../../core/session.ts'
import { newestPosition, readerPosition, readOutbox, settledPosition } from '../../outbox/index.ts'
import type { EngineClient } from '../engine-client.ts'
import {
  beginBuilding,
  type EngineState,
  findState,
  movePosition,
  type NamedIndex,
  noteWalked,
  outboxReader,
  releaseLease,
  renewLease,
  serveBuilt,
  takeLease,
} from '../engine-state.ts'
import { type EngineIndexDefinition, resultWindow } from '../query/index-definition.ts'
import { affectedRoots, everyAffected } from './affected-documents.ts'
import type { EngineFeed } from './engine-feed.ts'

export interface FeedingOptions {
  readonly repository: Repository
  readonly client: EngineClient
  readonly feed: EngineFeed
  /** First part of the names of indexes. */
  readonly prefix: string
  readonly definition: EngineIndexDefinition
  /** Of the model and the rules of words. */
  readonly signature: string
  readonly leaseMilliseconds: number
  /** Ends it when all is built and nothing waits: for a command. */
  readonly untilBuilt?: boolean
  readonly onWalked?: (walked: number) => void
}

/** How soon what happened is looked for; a look is one row. */
const lookMilliseconds = 250
/** How soon it is seen that another process has let go. */
const longestLook = 1_000
const eventsAtOnce = 200
const documentsAtOnce = 500
const [shortestRest, longestRest] = [1_000, 30_000]

/**
 * Feeds the engine with what happens in a repository for as long as the signal lets it, in one process of a deployment at a time. When the
 * engine fails it is said once, and tried again; what happened meanwhile waits in the outbox.
 */
export async function keepFed(options: FeedingOptions, signal: AbortSignal): Promise<void> {
  const { repository, leaseMilliseconds, untilBuilt = false } = options
  const { log, name } = repository
  const leaseLook = untilBuilt ? lookMilliseconds : Math.min(longestLook, leaseMilliseconds / 3)
  const owner = randomUUID()
  const watch = watchLease(leaseMilliseconds)
  let failures = 0
  while (!signal.aborted) {
    try {
      const state = await findState(repository.store.reader.tables)
      if (watch.isFree(state) && (await takeLease(repository, state, owner))) {
        await feedWithLease(options, owner, signal, () => {
          if (failures > 0) log.info({ event: 'searchEngine.fedAgain', repository: name }, 'the search engine is fed again')
          failures = 0
        })
        if (untilBuilt) return
      } else if (untilBuilt) {
        options.onWalked?.(state?.walked ?? 0)
        if (isBuilt(state, options.signature)) return
      }
    } catch (err) {
      if (signal.aborted) return
      if (untilBuilt) throw err
      if (failures === 0) {
        const about = { event: 'searchEngine.notFed', repository: name, err }
        log.warn(about, 'the search engine could not be told of changes; they wait, and it is tried again')
      }
      failures += 1
    }
    const rest = failures === 0 ? leaseLook : Math.min(longestRest, shortestRest * 2 ** (failures - 1))
    await delay(rest, undefined, { signal, ref: false }).catch(() => {})
  }
}

function isBuilt(state: EngineState | undefined, signature: string): boolean {
  return state?.serving?.signature === signature && state.building === undefined && state.wanted === 0
}

/** Who sees the same number for as long as a lease is takes over; no clock of another machine matters. */
function watchLease(leaseMilliseconds: number) {
  let seen: { readonly mark: string; readonly since: number } | undefined
  return {
    isFree(state: EngineState | undefined): boolean {
      if (state === undefined || state.owner === null) return true
      const mark = `${state.owner} ${state.beat}`
      if (seen?.mark !== mark) seen = { mark, since: performance.now() }
      return performance.now() - seen.since >= leaseMilliseconds
    },
  }
}

async function feedWithLease(options: FeedingOptions, owner: string, signal: AbortSignal, onWell: () => void): Promise<void> {
  const { repository, leaseMilliseconds } = options
  const end = new AbortController()
  const renewing = setInterval(() => {
    renewLease(repository, owner).then(
      (isOurs) => {
        if (!isOurs) end.abort()
      },
      () => end.abort(),
    )
  }, leaseMilliseconds / 4).unref()
  try {
    await createFeeding(options, owner, onWell).run(AbortSignal.any([signal, end.signal]))
  } finally {
    clearInterval(renewing)
    await releaseLease(repository, owner).catch((err: unknown) => {
      const about = { event: 'searchEngine.leaseNotReleased', repository: repository.name, err }
      repository.log.debug(about, 'another process feeds the search engine after a while')
    })
  }
}

function createFeeding(options: FeedingOptions, owner: string, onWell: () => void) {
  const { repository, client, feed, prefix, definition, signature, untilBuilt = false, onWalked } = options
  const { reader } = repository.store
  const { documents, tables } = reader
  const positions = `${prefix}-positions`

  async function readState(): Promise<EngineState> {
    const state = await findState(tables)
    if (state === undefined) throw new Error('The state of the search engine is gone.')
    return state
  }

  /** Begins a new index. One that serves goes on doing so, and is told what happens, until the new one has everything. */
  async function begin(state: EngineState, isServingWell: boolean): Promise<void> {
    const built: NamedIndex = { name: `${prefix}-${repository.name}-${randomUUID()}`, signature }
    await ensurePositions()
    await client.createIndex(built.name, definition)
    const anew = isServingWell ? undefined : await settledPosition(repository)
    await beginBuilding(repository, owner, built, anew)
    await feed.notePosition(positions, built.name, anew ?? (await readPosition()))
    if (state.building !== undefined) await client.deleteIndex(state.building.name)
    if (!isServingWell && state.serving !== undefined) await client.deleteIndex(state.serving.name)
    repository.log.info({ event: 'searchEngine.building', repository: repository.name, index: built.name }, 'an index is built')
  }

  async function ensurePositions(): Promise<void> {
    if (await client.hasIndex(positions)) return
    const mappings = { dynamic: 'strict', properties: { position: { type: 'long' } } }
    try {
      await client.createIndex(positions, { mappings })
    } catch (error) {
      // Another process was quicker.
      if (!(await client.hasIndex(positions))) throw error
    }
  }

  async function readPosition(): Promise<number> {
    return (await readerPosition(tables, outboxReader)) ?? 0
  }

  /**
   * Whether the index is there and knows no more than the database does: one that does was told by a database that has since been put back
   * to an earlier state, whose numbers come again.
   */
  async function isSound(index: NamedIndex | undefined, newest: number): Promise<boolean> {
    if (index === undefined || !(await client.hasIndex(index.name))) return false
    const position = positionIn(await client.findSource(positions, index.name))
    return position !== undefined && position <= newest
  }

  async function prepare(): Promise<void> {
    const state = await readState()
    const newest = await newestPosition(repository)
    const isServingWell = (await isSound(state.serving, newest)) && (await readerPosition(tables, outboxReader)) !== undefined
    const isServing = isServingWell && state.serving?.signature === signature
    const isBuilding = state.building?.signature === signature && (await isSound(state.building, newest))
    if (state.wanted === 1 || (!isServing && !isBuilding)) await begin(state, isServingWell)
  }

  /** Puts some more documents into the index that is built. */
  async function walkOn(state: EngineState & { readonly building: NamedIndex }): Promise<void> {
    const page = await documents.listIdsAfter(state.walked, documentsAtOnce)
    const last = page.at(-1)
    if (last !== undefined) {
      const ids = page.map(({ id }) => id)
      await feed.tell([state.building.name], ids, await readPosition())
      await noteWalked(repository, owner, last.seq)
      onWalked?.(last.seq)
      return
    }
    await client.refresh(state.building.name)
    await serveBuilt(repository, owner)
    if (state.serving !== undefined) await client.deleteIndex(state.serving.name)
    const about = { event: 'searchEngine.built', repository: repository.name, index: state.building.name }
    repository.log.info(about, 'an index has all documents and serves')
  }

  /** Tells what happened since; false where nothing did. */
  async function tellEvents(indexes: readonly string[], signal: AbortSignal): Promise<boolean> {
    const page = await readOutbox(repository, await readPosition(), eventsAtOnce)
    if (page.isLossy) {
      repository.log.warn(
        { event: 'searchEngine.lossy', repository: repository.name },
        'events were removed before the search engine was told of them; all is built anew',
      )
      await begin(await readState(), false)
      return true
    }
    if (page.events.length === 0) return page.hasMore
    const roots = affectedRoots(page.events)
    for await (const ids of everyAffected(documents, roots)) {
      signal.throwIfAborted()
      await feed.tell(indexes, ids, page.position)
    }
    for (const index of indexes) await tellRemoved(index, roots.removed, page.position)
    for (const index of indexes) await feed.notePosition(positions, index, page.position)
    if (!(await movePosition(repository, owner, page.position))) throw new Error('Another process feeds the search engine.')
    return true
  }

  /** What was below a document that is gone, level by level as the index has it, and its versions. */
  async function tellRemoved(index: string, removed: readonly string[], version: number): Promise<void> {
    if (removed.length === 0) return
    await client.refresh(index)
    const seen = new Set(removed)
    for (let level = removed; level.length > 0; ) {
      const next: string[] = []
      for (let start = 0; start < level.length; start += documentsAtOnce) {
        for await (const found of everyRelated(index, level.slice(start, start + documentsAtOnce))) {
          const present = new Set((await documents.listNumbers(found)).map(({ id }) => id))
          await feed.tell([index], found, version)
          next.push(...found.filter((id) => !present.has(id)))
        }
      }
      level = next.filter((id) => !seen.has(id))
      for (const id of level) seen.add(id)
    }
  }

  async function* everyRelated(index: string, ids: readonly string[]): AsyncGenerator<readonly string[]> {
    const isRelated = [{ terms: { 'p.ecm:parentId': ids } }, { terms: { series: ids } }]
    const query = { bool: { should: isRelated, minimum_should_match: 1 } }
    for (let after: string | undefined; ; ) {
      const body = {
        query,
        size: Math.min(documentsAtOnce, resultWindow),
        sort: [{ 'p.ecm:uuid': { order: 'asc' } }],
        _source: false,
        ...(after !== undefined && { search_after: [after] }),
      }
      const { ids: found } = await client.search(index, body)
      if (found.length > 0) yield found
      if (found.length < documentsAtOnce) return
      after = found.at(-1)
    }
  }

  return {
    async run(signal: AbortSignal): Promise<void> {
      await prepare()
      onWell()
      while (!signal.aborted) {
        const state = await readState()
        if (state.owner !== owner) return
        if (state.wanted === 1) {
          await begin(state, state.serving !== undefined)
          continue
        }
        const { serving, building } = state
        const indexes = [serving, building].flatMap((index) => (index === undefined ? [] : [index.name]))
        const hasMore = await tellEvents(indexes, signal)
        if (building !== undefined) await walkOn({ ...state, building })
        else if (!hasMore) {
          if (untilBuilt) return
          await delay(lookMilliseconds, undefined, { signal, ref: false }).catch(() => {})
        }
      }
    },
  }
}

function positionIn(source: Json | undefined): number | undefined {
  const position = isJsonObject(source) ? source['position'] : undefined
  return typeof position === 'number' ? position : undefined
}
