import sql, { type Sql } from 'sql-template-tag'
import type { NumberList } from '../sql/connection.ts'

const lists = new WeakMap<readonly number[], NumberList>()

/** The same list for the same array, whose text is then not made again. */
export function listOf(numbers: readonly number[]): NumberList {
  const known = lists.get(numbers)
  if (known !== undefined) return known
  const list = { text: JSON.stringify(numbers), size: numbers.length }
  lists.set(numbers, list)
  return list
}

/** In the table of list-cache.ts. The list is one, or what gives one for each run. */
export function isInList(column: Sql, list: unknown): Sql {
  return sql`EXISTS (SELECT 1 FROM temp.lists WHERE list = ${list} AND item = ${column})`
}
