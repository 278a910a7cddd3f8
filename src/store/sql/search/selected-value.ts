import sql, { type Sql } from 'sql-template-tag'
import { parseLong } from '../../../model/properties/long.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import type { SearchValue } from '../../search.ts'
import type { SqlValue } from '../connection.ts'

/** A value so selected that no digit is lost on the way: long ones beyond the exact numbers come as text. */
export function selected(value: Sql, type: ValueType): Sql {
  switch (type) {
    case 'long':
      return sql`CAST(${value} AS TEXT)`
    case 'double':
      return sql`CAST(${value} AS DOUBLE PRECISION)`
    default:
      return value
  }
}

/** What was selected so. */
export function readSelected(value: SqlValue, type: ValueType): SearchValue {
  if (value === null) return null
  switch (type) {
    case 'long':
      return parseLong(String(value)) ?? Number(value)
    case 'double':
      return Number(value)
    case 'boolean':
      return Number(value) === 1
    default:
      return String(value)
  }
}
