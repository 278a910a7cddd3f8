import { createCache } from '../base/cache/bounded-cache.ts'
import { memoised } from '../base/cache/memo.ts'
import { attachedCache, type Document, type DocumentId } from '../model/document.ts'
import type { DocumentReader } from './documents.ts'
import type { SearchReader, SearchScope } from './search.ts'

// Longer ones are for those who go through everything once, and would leave nothing in the cache for others.
export const longestCachedPage = 1_000

// What documents on pages take that are asked for again and again, with their answers, should they be cached nowhere else any more.
const maxBytesOfPages = 24_000_000
const bytesOfDocument = 5_000

/** Tells whether documents have changed since a search began that found them. */
export interface ChangeWatch<Moment> {
  /** What has been committed by now is in all that is found and read from here on. */
  begin(): Moment | Promise<Moment>
  hasChanged(found: readonly Document[], since: Moment): boolean
}

/** What the ids of a page led to. */
interface CachedPage<Moment> {
  readonly documents: readonly Document[]
  /** None of them had changed from then on. */
  readonly since: Moment
  readonly maxBytes: number | undefined
}

/**
 * Searches whose statements find ids alone: what they lead to is mostly cached already, with its answer. A document that has changed
 * between the two may be no longer what was sought, so that all is asked for again in one statement, which sees one moment. While no
 * document has changed, the same list of ids leads to the same list of documents, by which an answer is known that was given before.
 */
export function searchThroughCache<Moment>(
  search: SearchReader,
  documents: DocumentReader,
  changes: ChangeWatch<Moment>,
): SearchReader {
  // By the very list, which the statement gives again until something is committed.
  const pages = createCache<readonly DocumentId[], CachedPage<Moment>>({ maxBytes: maxBytesOfPages, sizeOf })
  const seen = new WeakSet<readonly DocumentId[]>()
  return {
    ...search,
    async listDocuments(query, scope, window) {
      const { limit = Number.POSITIVE_INFINITY, maxBytes } = window
      if (limit > longestCachedPage) return search.listDocuments(query, scope, window)
      const begun = await changes.begin()
      const { ids, ...page } = await search.listPageOfIds(query, scope, window)
      const known = pages.get(ids)
      if (known !== undefined && known.since === begun && known.maxBytes === maxBytes)
        return { ...page, documents: known.documents }
      const found = await documents.findAll(ids, maxBytes)
      const isWhole = found.length === ids.length && areReadable(found, scope)
      if (!isWhole || changes.hasChanged(found, begun)) return search.listDocuments(query, scope, window)
      // At the second time it is known how large the answers are.
      if (seen.has(ids)) pages.set(ids, { documents: found, since: begun, maxBytes })
      seen.add(ids)
      return { ...page, documents: found }
    },
  }
}

function sizeOf({ documents }: CachedPage<unknown>): number {
  return documents.reduce((sum, one) => sum + bytesOfDocument + (attachedCache(one)?.bytes ?? 0), 0)
}

export function areReadable(found: readonly Document[], { readableAcps }: Pick<SearchScope, 'readableAcps'>): boolean {
  if (readableAcps === undefined) return true
  const readable = setOf(readableAcps)
  return found.every(({ acpId }) => readable.has(acpId))
}

// The same array for as long as the same rights are readable.
const setOf = memoised((numbers: readonly number[]): ReadonlySet<number> => new Set(numbers))
