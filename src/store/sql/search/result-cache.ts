import { createCache } from '../../../base/cache/bounded-cache.ts'
import { memoised } from '../../../base/cache/memo.ts'
import { newId } from '../../../base/ids.ts'
import type { CacheUse } from '../../cached-documents.ts'
import type { NumberList, SearchConnection, SqlRow, SqlStatement } from '../connection.ts'

// Statements are long, and each has the values of its run behind it.
const maxBytes = 16_000_000
const bytesOfEntry = 100
const bytesOfValue = 60

/**
 * Remembers what statements found: while nothing is written, a query that is asked again has the same total and the same ids on its
 * page, and so has each probe of where to start from. Any commit, of this process or another, empties the cache.
 * @param version another one after each commit
 * @param isStill whether a version may still be met, once rows were found that are to be cached for it
 */
export function cacheResults<Version>(
  connection: SearchConnection,
  version: () => Version | Promise<Version>,
  isStill: (version: Version) => boolean,
): SearchConnection & { readonly use: CacheUse } {
  const results = createCache<string, readonly SqlRow[]>({ maxBytes, sizeOf })
  const use = {
    hits: 0,
    misses: 0,
    get entries() {
      return results.size
    },
  }
  let cachedVersion: Version | undefined

  async function checkVersion(): Promise<Version> {
    const current = await version()
    if (current !== cachedVersion) results.clear()
    cachedVersion = current
    return current
  }

  return {
    ...connection,
    use,
    async remembered(statement) {
      const before = await checkVersion()
      const key = keyOf(statement)
      const known = cachedVersion === before ? results.get(key) : undefined
      if (known !== undefined) {
        use.hits += 1
        return known
      }
      use.misses += 1
      const rows = await connection.all(statement)
      if (cachedVersion === before && isStill(before)) results.set(key, rows)
      return rows
    },
  }
}

function sizeOf(rows: readonly SqlRow[], key: string): number {
  return bytesOfEntry + 2 * key.length + bytesOfValue * rows.length * (rows[0]?.length ?? 0)
}

function keyOf({ sql, values }: SqlStatement): string {
  return JSON.stringify(values.map(keyOfValue)) + sql
}

/** Texts, numbers and nulls are themselves. */
function keyOfValue(value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  return isNumberList(value) ? { list: nameOf(value) } : value
}

function isNumberList(value: unknown): value is NumberList {
  return typeof value === 'object' && value !== null
}

// Lists are long, and the same array is always the same list.
const nameOf = memoised((_: NumberList) => newId())
