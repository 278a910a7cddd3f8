import { memoised } from '../base/cache/memo.ts'
import type { Document } from '../model/document.ts'
import type { DocumentReader } from './documents.ts'
import type { SearchReader, SearchScope } from './search.ts'

// Longer ones are for those who go through everything once, and would leave nothing in the cache for others.
export const longestCachedPage = 1_000

/** Tells whether documents have changed since a search began that found them. */
export interface ChangeWatch<Moment> {
  /** What has been committed by now is in all that is found and read from here on. */
  begin(): Moment | Promise<Moment>
  hasChanged(found: readonly Document[], since: Moment): boolean
}

/**
 * Searches whose statements find ids alone: what they lead to is mostly cached already, with its answer. A document that has changed
 * between the two may be no longer what was sought, so that all is asked for again in one statement, which sees one moment.
 */
export function searchThroughCache<Moment>(
  search: SearchReader,
  documents: DocumentReader,
  changes: ChangeWatch<Moment>,
): SearchReader {
  return {
    ...search,
    async listDocuments(query, scope, window) {
      const { limit = Number.POSITIVE_INFINITY, maxBytes } = window
      if (limit > longestCachedPage) return search.listDocuments(query, scope, window)
      const begun = await changes.begin()
      const { ids, ...page } = await search.listPageOfIds(query, scope, window)
      const found = await documents.findAll(ids, maxBytes)
      const isWhole = found.length === ids.length && areReadable(found, scope)
      if (!isWhole || changes.hasChanged(found, begun)) return search.listDocuments(query, scope, window)
      return { ...page, documents: found }
    },
  }
}

export function areReadable(found: readonly Document[], { readableAcps }: Pick<SearchScope, 'readableAcps'>): boolean {
  if (readableAcps === undefined) return true
  const readable = setOf(readableAcps)
  return found.every(({ acpId }) => readable.has(acpId))
}

// The same array for as long as the same rights are readable.
const setOf = memoised((numbers: readonly number[]): ReadonlySet<number> => new Set(numbers))
