import { createCache } from '../../../base/cache/bounded-cache.ts'
import { memoised } from '../../../base/cache/memo.ts'
import { newId } from '../../../base/ids.ts'
import { type NumberList, type SearchConnection, type SqlStatement, totalOf } from '../connection.ts'

// Statements are long, and each has the values of its run behind it.
const maxBytes = 8_000_000
const bytesOfEntry = 100

/**
 * Remembers what statements counted: while nothing is written, a query that is asked again has the same total, and so has each probe
 * of where to start from. Any commit, of this process or another, empties the cache.
 * @param version another one after each commit
 * @param isStill whether a version may still be met, once a total was counted that is to be cached for it
 */
export function cacheTotals<Version>(
  connection: SearchConnection,
  version: () => Version | Promise<Version>,
  isStill: (version: Version) => boolean,
): SearchConnection {
  const totals = createCache<string, number>({ maxBytes, sizeOf: (_, key) => bytesOfEntry + 2 * key.length })
  let cachedVersion: Version | undefined

  async function checkVersion(): Promise<Version> {
    const current = await version()
    if (current !== cachedVersion) totals.clear()
    cachedVersion = current
    return current
  }

  return {
    ...connection,
    async total(statement) {
      const before = await checkVersion()
      const key = keyOf(statement)
      const known = cachedVersion === before ? totals.get(key) : undefined
      if (known !== undefined) return known
      const total = await totalOf(connection, statement)
      if (cachedVersion === before && isStill(before)) totals.set(key, total)
      return total
    },
  }
}

function keyOf({ sql, values }: SqlStatement): string {
  return JSON.stringify([sql, ...values.map(keyOfValue)])
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
