import { createCache } from '../base/cache/bounded-cache.ts'
import { memoised } from '../base/cache/memo.ts'
import { roughSize } from '../base/json.ts'
import type { Document, DocumentId } from '../model/document.ts'
import { bytesTakenBy } from './cached-documents.ts'
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

/** What the ids of a page led to. */
interface CachedPage {
  readonly documents: readonly Document[]
  /** That they were allowed to have. */
  readonly maxBytes: number | undefined
}

// What documents on these pages take, with their answers, should they be cached nowhere else any more.
const maxBytesOfPages = 48_000_000
// Where more pages go round than there is room for, some of them stay, instead of each making way for the next.
const offersForOnePlace = 8

function sizeOf({ documents }: CachedPage): number {
  return documents.reduce((sum, one) => sum + bytesTakenBy(one, roughSize(one.properties)), 0)
}

/** The pages that were asked for again since any document changed. */
class CachedPages<Moment> {
  /** By the very list, which a statement gives again until something is committed. */
  readonly #pages = createCache<readonly DocumentId[], CachedPage>({ maxBytes: maxBytesOfPages, sizeOf }, () => {
    this.#isFull = true
  })
  readonly #seen = new WeakSet<readonly DocumentId[]>()
  #moment: Moment | undefined
  #isFull = false
  #offers = 0

  find(ids: readonly DocumentId[], moment: Moment, maxBytes: number | undefined): readonly Document[] | undefined {
    if (moment !== this.#moment) {
      this.#pages.clear()
      this.#isFull = false
      this.#moment = moment
    }
    const page = this.#pages.get(ids)
    return page?.maxBytes === maxBytes ? page?.documents : undefined
  }

  /** At the second time it is known how large the answers are. */
  offer(ids: readonly DocumentId[], moment: Moment, page: CachedPage): void {
    const isAgain = this.#seen.has(ids)
    this.#seen.add(ids)
    if (!isAgain || moment !== this.#moment) return
    if (!this.#isFull || this.#offers++ % offersForOnePlace === 0) this.#pages.set(ids, page)
  }
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
  const pages = new CachedPages<Moment>()
  return {
    ...search,
    async listDocuments(query, scope, window) {
      const { limit = Number.POSITIVE_INFINITY, maxBytes } = window
      if (limit > longestCachedPage) return search.listDocuments(query, scope, window)
      const begun = await changes.begin()
      const { ids, ...page } = await search.listPageOfIds(query, scope, window)
      const known = pages.find(ids, begun, maxBytes)
      if (known !== undefined) return { ...page, documents: known }
      const found = await documents.findAll(ids, maxBytes)
      const isWhole = found.length === ids.length && areReadable(found, scope)
      if (!isWhole || changes.hasChanged(found, begun)) return search.listDocuments(query, scope, window)
      pages.offer(ids, begun, { documents: found, maxBytes })
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
