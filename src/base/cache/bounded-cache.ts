import { LRUCache } from 'lru-cache'

/** So many entries, or so many bytes by the size of each, about. */
export type CacheBound<Key, Value> =
  | { readonly maxEntries: number }
  | { readonly maxBytes: number; sizeOf(value: Value, key: Key): number }

/** What a program needs of a cache, beside knowing when to delete from it. */
export interface BoundedCache<Key, Value> {
  readonly size: number
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
  clear(): void
}

/**
 * The cache of this server: the entry that was used least recently leaves first, one at a time, so that a full cache is no cliff.
 * What is larger than the whole bound is not cached. Each use says in a line what invalidates its entries.
 * @param onEvicted called with what leaves, whether it was evicted or deleted, so that an index beside the cache can follow
 */
export function createCache<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>(
  bound: CacheBound<Key, Value>,
  onEvicted?: (value: Value, key: Key) => void,
): BoundedCache<Key, Value> {
  const options = onEvicted === undefined ? {} : { dispose: onEvicted }
  // By size in both cases: told a number of entries, the library takes the memory of a full cache when it is made.
  const [maxSize, sizeCalculation] =
    'maxEntries' in bound
      ? [bound.maxEntries, () => 1]
      : // The library takes whole numbers from 1 on.
        [bound.maxBytes, (value: Value, key: Key) => Math.max(1, Math.ceil(bound.sizeOf(value, key)))]
  const lru = new LRUCache<Key, Value>({ maxSize, sizeCalculation, ...options })
  return lru
}
