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
 * @param version a number that is another one after each commit
 */
export function cacheTotals(connection: SearchConnection, version: () => number): SearchConnection {
  const totals = createCache<string, number>({ maxBytes, sizeOf: (_, key) => bytesOfEntry + 2 * key.length })
  let cachedVersion = Number.NaN

  function checkVersion(): number {
    const current = version()
    if (current !== cachedVersion) totals.clear()
    cachedVersion = current
    return current
  }

  return {
    ...connection,
    async total(statement) {
      const before = checkVersion()
      const key = keyOf(statement)
      const known = totals.get(key)
      if (known !== undefined) return known
      const total = await totalOf(connection, statement)
      if (checkVersion() === before) totals.set(key, total)
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

// Lists are long, and the same array of numbers is always the same list.
const nameOf = memoised((_: NumberList) => newId())
