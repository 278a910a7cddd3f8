import sql, { raw, type Sql } from 'sql-template-tag'

/**
 * Below a path, not the path itself: an index range under code-point order, in which `0` follows `/`. Neither a wildcard
 * in a name nor a sibling that begins alike (`/a-b` beside `/a`) matches.
 */
export function below(path: string, column: Sql = raw('path')): Sql {
  const prefix = prefixOf(path)
  return sql`${column} > ${prefix} AND ${column} < ${`${prefix.slice(0, -1)}0`}`
}

/**
 * The same behind the last of the page before, or from the first on. One bound: of two SQLite takes the first to begin with, and so would
 * read all pages before it again for each.
 */
export function belowAfter(path: string, after: string): Sql {
  const prefix = prefixOf(path)
  return sql`path > ${after.startsWith(prefix) ? after : prefix} AND path < ${`${prefix.slice(0, -1)}0`}`
}

const prefixOf = (path: string) => (path === '/' ? '/' : `${path}/`)

export function atOrBelow(path: string): Sql {
  return sql`(path = ${path} OR (${below(path)}))`
}

/** One range around the path and all below it, with siblings in between (`/a-b`): for indexes that hold few documents. */
export function around(path: string): Sql {
  return sql`path >= ${path} AND path < ${path === '/' ? '0' : `${path}0`}`
}
