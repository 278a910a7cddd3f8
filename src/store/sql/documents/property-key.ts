import { raw, type Sql } from 'sql-template-tag'
import type { ScalarKind } from '../../../model/field.ts'
import type { Dialect } from '../dialect.ts'
import { quoted } from '../quoted.ts'

/**
 * Texts are indexed and ordered by so many characters: an index entry of PostgreSQL has room for about 2,700 bytes, and a
 * character takes up to four. A comparison with anything shorter is decided within them.
 */
export const keyLength = 500

/** The expression by which a property is indexed, compared and ordered. */
export function propertyKey(dialect: Dialect, name: string, kind: ScalarKind): Sql {
  switch (kind) {
    case 'long':
    case 'double':
      return dialect.jsonNumber('properties', name)
    case 'boolean':
      return dialect.jsonBoolean('properties', name)
    default:
      return textKey(dialect, name)
  }
}

export function textKey(dialect: Dialect, name: string): Sql {
  return dialect.byCodePoint(raw(`substr(properties ->> ${quoted(name)}, 1, ${keyLength})`))
}
