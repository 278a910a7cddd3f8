import { memoised } from '../base/cache/memo.ts'
import type { DocumentReader } from './documents.ts'
import type { SearchReader } from './search.ts'

// Longer ones are for those who go through everything once, and would leave nothing in the cache for others.
export const longestCachedPage = 1_000

/**
 * Searches whose statements find ids alone: what they lead to is mostly cached already, with its answer. A document that has changed
 * between the two is found as it is now, or not any more if its rights are others.
 */
export function searchThroughCache(search: SearchReader, documents: DocumentReader): SearchReader {
  return {
    ...search,
    async listDocuments(query, scope, window) {
      const { limit = Number.POSITIVE_INFINITY, maxBytes } = window
      if (limit > longestCachedPage) return search.listDocuments(query, scope, window)
      const { ids, ...page } = await search.listPageOfIds(query, scope, window)
      const found = await documents.findAll(ids, maxBytes)
      const readable = scope.readableAcps && setOf(scope.readableAcps)
      return { ...page, documents: readable === undefined ? found : found.filter(({ acpId }) => readable.has(acpId)) }
    },
  }
}

// The same array for as long as the same rights are readable.
const setOf = memoised((numbers: readonly number[]): ReadonlySet<number> => new Set(numbers))
