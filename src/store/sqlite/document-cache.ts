import { createCache } from '../../base/cache/bounded-cache.ts'
import { memoised } from '../../base/cache/memo.ts'
import { roughSize } from '../../base/json.ts'
import { attachCache, type Document, type DocumentId } from '../../model/document.ts'
import type { DirectoryReader } from '../directories.ts'
import type { DocumentReader } from '../documents.ts'
import { documentsTooLarge } from '../problems.ts'
import { type SearchReader, withOneMore } from '../search.ts'
import { createAdmissionFilter } from './admission-filter.ts'
import type { CommittedChanges } from './change-notes.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** A number that changes when another process has committed. */
type DataVersion = () => number

interface DocumentCache {
  readonly documents: DocumentReader
  /** Called synchronously with what this process commits. */
  invalidate(changed: CommittedChanges['documents']): void
}

interface CachedDocument {
  readonly document: Document
  /** Of its properties. */
  readonly bytes: number
}

// With its answer a document takes about 5 KB; one that is larger than this takes the place of several.
const usualBytes = 10_000
const sizeOf = ({ bytes }: CachedDocument) => Math.max(usualBytes, 2 * bytes)

/**
 * Caches documents that were looked up twice. The same folders are read over and over, and reading a row and its JSON is a third of
 * the work of answering with it (measured); caching also what is looked up only once made each first look-up a third slower. A
 * document leaves when this process changes it; a commit of another process, which may have changed anything, changes the data
 * version and clears the cache.
 */
export function createDocumentCache(documents: DocumentReader, dataVersion: DataVersion, maxDocuments: number): DocumentCache {
  const idsByPath = new Map<string, DocumentId>()
  const byId = createCache<DocumentId, CachedDocument>(
    { maxBytes: Math.max(1, maxDocuments) * usualBytes, sizeOf },
    ({ document }) => {
      if (document.path !== null) idsByPath.delete(document.path)
    },
  )
  const isAdmitted = createAdmissionFilter()
  let cachedVersion = -1
  let commits = 0

  function checkDataVersion(): void {
    const version = dataVersion()
    if (version === cachedVersion) return
    cachedVersion = version
    commits += 1
    byId.clear()
  }

  /** Unless something was committed while the document was on its way. */
  function add(document: Document | undefined, commitsBefore: number): Document | undefined {
    if (document === undefined || commits !== commitsBefore || maxDocuments === 0) return document
    if (!isAdmitted(document.id)) return document
    attachCache(document)
    byId.set(document.id, { document, bytes: roughSize(document.properties) })
    if (document.path !== null) idsByPath.set(document.path, document.id)
    return document
  }

  function findCachedByPath(path: string): Document | undefined {
    const id = idsByPath.get(path)
    return id === undefined ? undefined : byId.get(id)?.document
  }

  async function findAll(ids: readonly DocumentId[], maxBytes = Number.POSITIVE_INFINITY): Promise<readonly Document[]> {
    checkDataVersion()
    const found = ids.map((id) => byId.get(id))
    const missing = ids.filter((_, index) => found[index] === undefined)
    const bytes = found.reduce((sum, cached) => sum + (cached?.bytes ?? 0), 0)
    if (bytes > maxBytes) throw documentsTooLarge({ maxBytes })
    if (missing.length === 0) return found.flatMap((cached) => cached?.document ?? [])
    const before = commits
    const read = new Map((await documents.findAll(missing, maxBytes)).map((document) => [document.id, add(document, before)]))
    return ids.flatMap((id, index) => found[index]?.document ?? read.get(id) ?? [])
  }

  return {
    documents: {
      ...documents,
      async find(id) {
        checkDataVersion()
        const cached = byId.get(id)
        if (cached !== undefined) return cached.document
        const before = commits
        return add(await documents.find(id), before)
      },
      async findByPath(path) {
        checkDataVersion()
        const cached = findCachedByPath(path)
        if (cached !== undefined) return cached
        const before = commits
        return add(await documents.findByPath(path), before)
      },
      findAll,
    },
    invalidate(changed) {
      commits += 1
      if (changed === 'any') byId.clear()
      else for (const id of changed) byId.delete(id)
    },
  }
}

// Longer ones are for those who go through everything once, and would leave nothing in the cache for others.
const longestPage = 1_000

/**
 * Searches whose statements find ids alone: what they lead to is mostly cached already, with its answer. A document that has changed
 * between the two is found as it is now, or not any more if its rights are others.
 */
export function searchThroughCache(search: SearchReader, documents: DocumentReader): SearchReader {
  return {
    ...search,
    async listDocuments(query, scope, window) {
      const { limit = Number.POSITIVE_INFINITY, maxBytes } = window
      if (limit > longestPage) return search.listDocuments(query, scope, window)
      const ids = await search.listIds(query, scope, withOneMore(window))
      const found = await documents.findAll(ids.slice(0, limit), maxBytes)
      const readable = scope.readableAcps && setOf(scope.readableAcps)
      return {
        documents: readable === undefined ? found : found.filter(({ acpId }) => readable.has(acpId)),
        hasMore: ids.length > limit,
      }
    },
  }
}

// The same array for as long as the same rights are readable.
const setOf = memoised((numbers: readonly number[]): ReadonlySet<number> => new Set(numbers))

interface GenerationCache {
  readonly directories: DirectoryReader
  /** Called synchronously when this process commits a change of directories. */
  invalidate(): void
}

/**
 * Caches the number that every request asks for to know whether users and groups are still what they were. Invalidated by a commit
 * of this process that changes directories, and by any commit of another (the data version).
 */
export function createGenerationCache(directories: DirectoryReader, dataVersion: DataVersion): GenerationCache {
  let cached: number | undefined
  let cachedVersion = -1
  let changes = 0

  function findGeneration(): number | undefined {
    const version = dataVersion()
    if (version !== cachedVersion) invalidate()
    cachedVersion = version
    return cached
  }

  /** Unless something was committed while the number was on its way. */
  async function generation(): Promise<number> {
    const known = findGeneration()
    if (known !== undefined) return known
    const changesBefore = changes
    const read = await directories.generation()
    if (changes === changesBefore) cached = read
    return read
  }

  function invalidate(): void {
    cached = undefined
    changes += 1
  }

  return { directories: { ...directories, generation, findGeneration }, invalidate }
}

/**
 * Asks the connection that writes, whose own commits do not count, at most once in a round of the event loop: requests that
 * a round brings were sent before, so what other processes commit during it none of their clients knows of yet.
 */
export function createDataVersion(writing: SqliteConnection): { version: DataVersion; renew(): void } {
  let known: number | undefined
  const renew = () => {
    known = undefined
  }
  return {
    version() {
      if (known === undefined) {
        known = writing.dataVersion()
        setImmediate(renew)
      }
      return known
    },
    renew,
  }
}
