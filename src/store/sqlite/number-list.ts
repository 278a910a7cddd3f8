import sql, { type Sql } from 'sql-template-tag'
import { memoised } from '../../base/cache/memo.ts'
import type { NumberList } from '../sql/connection.ts'

/** The same list for the same array, whose text is then not made again. */
export const listOf = memoised(
  (numbers: readonly number[]): NumberList => ({ text: JSON.stringify(numbers), size: numbers.length }),
)

/** In the table of list-cache.ts. The list is one, or what gives one for each run. */
export function isInList(column: Sql, list: unknown): Sql {
  return sql`EXISTS (SELECT 1 FROM temp.lists WHERE list = ${list} AND item = ${column})`
}
