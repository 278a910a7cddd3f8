import type { Document, DocumentId } from '../../model/document.ts'
import { createCachedDocuments } from '../cached-documents.ts'
import type { DirectoryReader } from '../directories.ts'
import type { DocumentReader } from '../documents.ts'
import { documentsTooLarge } from '../problems.ts'
import type { CommittedChanges } from './change-notes.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** A number that changes when another process has committed. */
type DataVersion = () => number

interface DocumentCache {
  readonly documents: DocumentReader
  /** Called synchronously with what this process commits. */
  invalidate(changed: CommittedChanges['documents']): void
}

/**
 * Caches documents that were looked up twice. A document leaves when this process changes it; a commit of another process, which may
 * have changed anything, changes the data version and clears the cache.
 */
export function createDocumentCache(documents: DocumentReader, dataVersion: DataVersion, maxDocuments: number): DocumentCache {
  const cached = createCachedDocuments<undefined>(maxDocuments)
  let cachedVersion = -1
  let commits = 0

  function checkDataVersion(): void {
    const version = dataVersion()
    if (version === cachedVersion) return
    cachedVersion = version
    commits += 1
    cached.clear()
  }

  /** Unless something was committed while the document was on its way. */
  function add(document: Document | undefined, commitsBefore: number): Document | undefined {
    if (document !== undefined && commits === commitsBefore) cached.offer(document, undefined)
    return document
  }

  async function findAll(ids: readonly DocumentId[], maxBytes = Number.POSITIVE_INFINITY): Promise<readonly Document[]> {
    checkDataVersion()
    const found = ids.map((id) => cached.find(id))
    const missing = ids.filter((_, index) => found[index] === undefined)
    const bytes = found.reduce((sum, one) => sum + (one?.bytes ?? 0), 0)
    if (bytes > maxBytes) throw documentsTooLarge({ maxBytes })
    if (missing.length === 0) return found.flatMap((one) => one?.document ?? [])
    const before = commits
    const read = new Map((await documents.findAll(missing, maxBytes)).map((document) => [document.id, add(document, before)]))
    return ids.flatMap((id, index) => found[index]?.document ?? read.get(id) ?? [])
  }

  return {
    documents: {
      ...documents,
      async find(id) {
        checkDataVersion()
        const found = cached.find(id)
        if (found !== undefined) return found.document
        const before = commits
        return add(await documents.find(id), before)
      },
      async findByPath(path) {
        checkDataVersion()
        const found = cached.findByPath(path)
        if (found !== undefined) return found.document
        const before = commits
        return add(await documents.findByPath(path), before)
      },
      findAll,
    },
    invalidate(changed) {
      commits += 1
      if (changed === 'any') cached.clear()
      else for (const id of changed) cached.delete(id)
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
