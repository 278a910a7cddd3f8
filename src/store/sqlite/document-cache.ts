import type { Document, DocumentId } from '../../model/document.ts'
import type { AcpReader } from '../acps.ts'
import { type CacheUse, createCachedDocuments } from '../cached-documents.ts'
import type { DirectoryReader } from '../directories.ts'
import type { DocumentReader, DocumentWriter } from '../documents.ts'
import { documentsTooLarge } from '../problems.ts'
import type { ChangeWatch } from '../search-through-cache.ts'
import type { CommittedChanges, LookUps } from './change-notes.ts'

/** Invalidates what other processes have changed by now. */
type MeetOthers = () => unknown

interface DocumentCache extends ChangeWatch<number> {
  readonly documents: DocumentReader
  readonly use: CacheUse
  /**
   * The look-ups of a transaction. While it is open no other process commits, so what is cached holds in it, but for what the
   * transactions that share its commit have changed.
   */
  within(documents: DocumentWriter, isChanged: (id: DocumentId) => boolean): LookUps
  /** Called synchronously with what this process commits, and with what another has committed. */
  invalidate(changed: CommittedChanges['documents']): void
}

// As many as the steps of one request look up again and again; each may be as large as a document may be.
const rememberedReads = 8

// Of so many commits it is remembered what they changed. A search during which there were more is taken for one that met a change.
const rememberedChanges = 100

/**
 * Caches documents that were looked up twice. A document leaves when this process changes it, or another one has, which is asked before
 * each use.
 */
export function createDocumentCache(documents: DocumentReader, meetOthers: MeetOthers, maxDocuments: number): DocumentCache {
  const cached = createCachedDocuments<undefined>(maxDocuments)
  let commits = 0
  // The last of those that changed documents; the oldest is overwritten by the next.
  const changes: CommittedChanges['documents'][] = []
  let changeCount = 0

  /** Unless something was committed while the document was on its way. */
  function add(document: Document | undefined, commitsBefore: number): Document | undefined {
    if (document !== undefined && commits === commitsBefore) cached.offer(document, undefined)
    return document
  }

  async function findAll(ids: readonly DocumentId[], maxBytes = Number.POSITIVE_INFINITY): Promise<readonly Document[]> {
    meetOthers()
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
    use: cached.use,
    documents: {
      ...documents,
      async find(id) {
        meetOthers()
        const found = cached.find(id)
        if (found !== undefined) return found.document
        const before = commits
        return add(await documents.find(id), before)
      },
      async findByPath(path) {
        meetOthers()
        const found = cached.findByPath(path)
        if (found !== undefined) return found.document
        const before = commits
        return add(await documents.findByPath(path), before)
      },
      findAll,
    },
    within({ find, findByPath, findForShare }, isChanged) {
      // As they are stored: a caller may have made another document of one, as it does of what a proxy shows.
      const read = new Map<DocumentId, Document>()
      function remember(document: Document | undefined): Document | undefined {
        if (document === undefined || isChanged(document.id)) return document
        const [oldest] = read.keys()
        if (read.size === rememberedReads && oldest !== undefined) read.delete(oldest)
        read.set(document.id, document)
        return document
      }
      async function look(id: DocumentId): Promise<Document | undefined> {
        meetOthers()
        const known = isChanged(id) ? undefined : (read.get(id) ?? cached.find(id)?.document)
        return known ?? remember(await find(id))
      }
      return {
        find: look,
        // Nobody else writes meanwhile: a row needs no lock.
        findForUpdate: look,
        async findByPath(path) {
          meetOthers()
          const found = cached.findByPath(path)
          if (found !== undefined && !isChanged(found.document.id)) return found.document
          return remember(await findByPath(path))
        },
        findForShare(document) {
          // A folder that something is put into stays what it is, and the next is put there too. Most else would leave the cache at once,
          // as the transaction changes it.
          if (document === read.get(document.id) && !isChanged(document.id)) cached.offer(document, undefined)
          return findForShare(document)
        },
      }
    },
    begin() {
      meetOthers()
      return changeCount
    },
    hasChanged(found, since) {
      if (changeCount - since > rememberedChanges) return true
      for (let number = since; number < changeCount; number++) {
        const changed = changes[number % rememberedChanges] ?? 'any'
        if (changed === 'any' || found.some(({ id }) => changed.has(id))) return true
      }
      return false
    },
    invalidate(changed) {
      commits += 1
      if (changed === 'any' || changed.size > 0) changes[changeCount++ % rememberedChanges] = changed
      if (changed === 'any') cached.clear()
      else for (const id of changed) cached.delete(id)
    },
  }
}

interface GenerationCache {
  readonly directories: DirectoryReader
  /** Called synchronously when this process commits a change of directories, or another one has. */
  invalidate(): void
}

/**
 * Caches the number that every request asks for to know whether users and groups are still what they were. Invalidated by a commit
 * that changes directories, of this process or another, which is asked before each use.
 */
export function createGenerationCache(directories: DirectoryReader, meetOthers: MeetOthers): GenerationCache {
  let cached: number | undefined
  let changes = 0

  function findGeneration(): number | undefined {
    meetOthers()
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
 * Remembers that no list of entries was added since one last looked, which each search asks before it knows what its caller may read. Any
 * commit, of this process or another, is another version, and ends it.
 */
export function rememberLatestAcp(acps: AcpReader, version: () => number): AcpReader {
  let latest: { readonly id: number; readonly version: number } | undefined

  return {
    ...acps,
    async listAfter(id) {
      const before = version()
      if (latest?.version === before && id >= latest.id) return []
      const added = await acps.listAfter(id)
      if (version() === before) latest = { id: added.at(-1)?.id ?? id, version: before }
      return added
    },
  }
}
