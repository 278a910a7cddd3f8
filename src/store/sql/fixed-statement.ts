import type { Sql } from 'sql-template-tag'
import type { SqlStatement, SqlValue } from './connection.ts'

/**
 * A statement whose text never changes, put together once: each call only brings its values, in the order of the
 * template's. For the few that most requests run; making the text of an insert anew cost 15 µs.
 */
export function fixed<Values extends readonly (SqlValue | readonly SqlValue[])[]>(
  template: Sql,
): (...values: Values) => SqlStatement {
  const { sql, text } = template
  return (...values) => ({ sql, text, values: values as unknown as SqlValue[] })
}
