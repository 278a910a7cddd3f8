import sql, { type Sql } from 'sql-template-tag'
import type { TypeFilter } from '../../../nxql/query.ts'
import type { Dialect } from '../dialect.ts'
import { no } from './junction.ts'

/** Whether the types of a query are fewer than the others. */
export function isListOfTypes({ types, otherTypes }: TypeFilter): boolean {
  return types.length <= otherTypes.length
}

/** By the shorter list; undefined where all types are wanted. */
export function typeCondition(dialect: Dialect, from: TypeFilter, column: Sql): Sql | undefined {
  const { types, otherTypes } = from
  if (types.length === 0) return no
  if (otherTypes.length === 0) return undefined
  return isListOfTypes(from) ? sql`${column} ${dialect.oneOfTexts(types)}` : sql`NOT ${column} ${dialect.oneOfTexts(otherTypes)}`
}
