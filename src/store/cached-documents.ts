import { createCache } from '../base/cache/bounded-cache.ts'
import { roughSize } from '../base/json.ts'
import { attachCache, attachedCache, type Document, type DocumentId } from '../model/document.ts'
import { createAdmissionFilter } from './admission-filter.ts'

export interface CachedDocument<Note> {
  readonly document: Document
  /** Of its properties. */
  readonly bytes: number
  /** What its engine has to know of it. */
  readonly note: Note
}

/** Documents at hand, by id and by path. When one of them is void, the engine knows. */
export interface CachedDocuments<Note> {
  find(id: DocumentId): CachedDocument<Note> | undefined
  findByPath(path: string): CachedDocument<Note> | undefined
  /** Called with each document that was read: caches those that were lately read before. */
  offer(document: Document, note: Note): void
  delete(id: DocumentId): void
  clear(): void
  readonly use: CacheUse
}

/** How well a cache serves, since the start. */
export interface CacheUse {
  readonly hits: number
  readonly misses: number
  readonly entries: number
}

// What a document takes with the answer that is mostly asked for; with more of them, or larger, it takes the place of several.
const usualBytes = 5_000

// Measured on documents of usual properties: a document without them, and the values of properties for each byte of their JSON.
const bytesWithoutProperties = 1_500
const bytesInMemory = 2

/** What a document takes in memory with the answers that are attached to it, by the bytes that its properties have as JSON. */
export function bytesTakenBy(document: Document, bytesOfProperties: number): number {
  return bytesWithoutProperties + bytesInMemory * bytesOfProperties + (attachedCache(document)?.bytes ?? 0)
}

/** In the memory of the process, about, with the texts of answers that are attached to it. */
const sizeOf = ({ document, bytes }: CachedDocument<unknown>) => Math.max(usualBytes, bytesTakenBy(document, bytes))

/**
 * The same folders are read over and over, and reading a row and its JSON is a third of the work of answering with it (measured);
 * caching also what is looked up only once made each first look-up a third slower.
 */
export function createCachedDocuments<Note>(maxDocuments: number): CachedDocuments<Note> {
  const idsByPath = new Map<string, DocumentId>()
  // Those that use it say what invalidates an entry.
  const byId = createCache<DocumentId, CachedDocument<Note>>(
    { maxBytes: Math.max(1, maxDocuments) * usualBytes, sizeOf },
    ({ document }) => {
      if (document.path !== null) idsByPath.delete(document.path)
    },
  )
  const isAdmitted = createAdmissionFilter()
  const use = {
    hits: 0,
    misses: 0,
    get entries() {
      return byId.size
    },
  }

  function noted(found: CachedDocument<Note> | undefined): CachedDocument<Note> | undefined {
    if (found === undefined) use.misses += 1
    else use.hits += 1
    return found
  }

  function put(cached: CachedDocument<Note>): void {
    const { id, path } = cached.document
    byId.set(id, cached)
    if (path !== null) idsByPath.set(path, id)
  }

  /** Another value of the same key is weighed anew; a document that was evicted meanwhile is let go. */
  function weighAgain(document: Document): void {
    const cached = byId.get(document.id)
    if (cached?.document === document) put({ ...cached })
  }

  return {
    use,
    find: (id) => noted(byId.get(id)),
    findByPath(path) {
      const id = idsByPath.get(path)
      return noted(id === undefined ? undefined : byId.get(id))
    },
    offer(document, note) {
      if (maxDocuments === 0 || !isAdmitted(document.id)) return
      attachCache(document, () => weighAgain(document))
      put({ document, bytes: roughSize(document.properties), note })
    },
    delete: (id) => byId.delete(id),
    clear: () => byId.clear(),
  }
}
