import type { DatabaseSync } from 'node:sqlite'
import { createCache } from '../../base/cache/bounded-cache.ts'
import type { NumberList } from '../sql/connection.ts'

/** The lists of numbers that statements of a connection look into. */
export interface ListCache {
  /** The number under which the list is in the table. */
  numberOf(list: NumberList): number
}

interface CachedList {
  /** Under which the list is in the table. */
  readonly number: number
  readonly size: number
}

// Of all lists of a connection.
const maxListBytes = 20_000_000
const bytesOf = (numbers: number) => 40 * numbers

/**
 * Puts lists of numbers into a table of the connection's own and leaves them there: looking one number up in a list takes a
 * microsecond, while handing a list of 300 over with each statement takes 50. The readable ACLs of a user are the same from one
 * request to the next.
 *
 * What a transaction that is rolled back had put there is gone, so only connections that never roll back keep lists; others put
 * each there anew.
 */
export function createListCache(database: DatabaseSync, mode: 'read' | 'write'): ListCache {
  database.exec('CREATE TEMP TABLE lists (list INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (list, item)) WITHOUT ROWID')
  const insert = database.prepare('INSERT OR IGNORE INTO temp.lists (list, item) SELECT ?, value FROM json_each(?)')
  const remove = database.prepare('DELETE FROM temp.lists WHERE list = ?')
  // What was inserted last on the connection may have a number that no double can hold, and is told with every change.
  for (const statement of [insert, remove]) statement.setReadBigInts(true)
  // Nothing invalidates a list: its text says all of it.
  const numbers = createCache<string, CachedList>({ maxBytes: maxListBytes, sizeOf: ({ size }) => bytesOf(size) }, ({ number }) =>
    remove.run(number),
  )
  let last = 0

  function add({ text, size }: NumberList): number {
    last += 1
    insert.run(last, text)
    numbers.set(text, { number: last, size })
    return last
  }

  function addOnce({ text }: NumberList): number {
    remove.run(0)
    insert.run(0, text)
    return 0
  }

  function find(list: NumberList): number | undefined {
    return numbers.get(list.text)?.number
  }

  if (mode === 'write') return { numberOf: addOnce }
  const mayBeCached = ({ size }: NumberList) => bytesOf(size) <= maxListBytes
  return { numberOf: (list) => find(list) ?? writing(database, () => (mayBeCached(list) ? add(list) : addOnce(list))) }
}

/** A connection that only reads may change nothing, not even what is its own alone. */
function writing<Result>(database: DatabaseSync, change: () => Result): Result {
  database.exec('PRAGMA query_only = 0')
  try {
    return change()
  } finally {
    database.exec('PRAGMA query_only = 1')
  }
}
