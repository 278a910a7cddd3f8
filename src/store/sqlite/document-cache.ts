import { createCache } from '../../base/cache/bounded-cache.ts'
import { roughSize } from '../../base/json.ts'
import { attachCache, type Document, type DocumentId } from '../../model/document.ts'
import type { DirectoryReader } from '../directories.ts'
import type { DocumentReader } from '../documents.ts'
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

// With its answer a document takes about 5 KB; one that is larger than this takes the place of several.
const usualBytes = 10_000
const bytesOf = ({ properties }: Document) => Math.max(usualBytes, 2 * roughSize(properties))

/**
 * Caches documents that were looked up twice. The same folders are read over and over, and reading a row and its JSON is a third of
 * the work of answering with it (measured); caching also what is looked up only once made each first look-up a third slower. A
 * document leaves when this process changes it; a commit of another process, which may have changed anything, changes the data
 * version and clears the cache.
 */
export function createDocumentCache(documents: DocumentReader, dataVersion: DataVersion, maxDocuments: number): DocumentCache {
  const idsByPath = new Map<string, DocumentId>()
  const byId = createCache<DocumentId, Document>(
    { maxBytes: Math.max(1, maxDocuments) * usualBytes, sizeOf: bytesOf },
    ({ path }) => {
      if (path !== null) idsByPath.delete(path)
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
    byId.set(document.id, document)
    if (document.path !== null) idsByPath.set(document.path, document.id)
    return document
  }

  function findCachedByPath(path: string): Document | undefined {
    const id = idsByPath.get(path)
    return id === undefined ? undefined : byId.get(id)
  }

  return {
    documents: {
      ...documents,
      async find(id) {
        checkDataVersion()
        const cached = byId.get(id)
        if (cached !== undefined) return cached
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
    },
    invalidate(changed) {
      commits += 1
      if (changed === 'any') byId.clear()
      else for (const id of changed) byId.delete(id)
    },
  }
}

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
