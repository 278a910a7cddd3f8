import sql, { raw, type Sql } from 'sql-template-tag'

export const yes = raw('(1 = 1)')
export const no = raw('(1 = 0)')

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? yes : balanced(conditions, raw('AND'))
}

export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? no : balanced(conditions, raw('OR'))
}

/** In halves of halves: SQLite refuses what is more than a thousand operators deep, and a plain chain is as deep as it is long. */
function balanced(conditions: readonly Sql[], operator: Sql): Sql {
  const [first = yes, second] = conditions
  if (second === undefined) return first
  const middle = Math.ceil(conditions.length / 2)
  return sql`(${balanced(conditions.slice(0, middle), operator)} ${operator} ${balanced(conditions.slice(middle), operator)})`
}
