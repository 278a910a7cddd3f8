import { createCache } from '../base/cache/bounded-cache.ts'
import { roughSize } from '../base/json.ts'
import { attachCache, type Document, type DocumentId } from '../model/document.ts'
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
}

// With its answer a document takes about 5 KB; one that is larger than this takes the place of several.
const usualBytes = 10_000
const sizeOf = ({ bytes }: CachedDocument<unknown>) => Math.max(usualBytes, 2 * bytes)

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
  return {
    find: (id) => byId.get(id),
    findByPath(path) {
      const id = idsByPath.get(path)
      return id === undefined ? undefined : byId.get(id)
    },
    offer(document, note) {
      if (maxDocuments === 0 || !isAdmitted(document.id)) return
      attachCache(document)
      byId.set(document.id, { document, bytes: roughSize(document.properties), note })
      if (document.path !== null) idsByPath.set(document.path, document.id)
    },
    delete: (id) => byId.delete(id),
    clear: () => byId.clear(),
  }
}
