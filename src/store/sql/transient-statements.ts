import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Json } from '../../base/json.ts'
import { storableJson, storableText } from '../storable-text.ts'
import type { Dialect } from './dialect.ts'

/** Served by the primary key. */
export const transientByKey = (key: string, now: string) =>
  sql`SELECT value FROM transient_values WHERE key = ${key} AND expires > ${now}`

/** Served by the primary key, a look-up for each. */
export const transientsByKey = (dialect: Dialect, keys: readonly string[], now: string) =>
  sql`SELECT key, value FROM transient_values WHERE key ${dialect.oneOfTexts(keys)} AND expires > ${now}`

/** Served by the primary key, which is also the order. */
export const transientsByPrefix = (prefix: string, now: string) =>
  sql`SELECT key, value FROM transient_values WHERE ${beginningWith(prefix)} AND expires > ${now} ORDER BY key`

export const setTransient = (key: string, value: Json, expires: string) => sql`
  INSERT INTO transient_values (key, value, expires) VALUES (${storableText(key)}, ${storableJson(value)}, ${expires})
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`

/** An expired value is as good as none. */
export const addTransient = (key: string, value: Json, expires: string, now: string) => sql`
  ${setTransient(key, value, expires)} WHERE transient_values.expires <= ${now}`

/** One that lasts until `tooLate` or longer is void like one that has expired. */
export const leaseTransient = (key: string, expires: string, now: string, tooLate: string) => sql`
  ${setTransient(key, true, expires)} WHERE transient_values.expires <= ${now} OR transient_values.expires > ${tooLate}`

/** Served by the primary key: behind `||` the engine does not take the index by expiry for the better one. Never earlier than before. */
export const renewTransients = (prefix: string, expires: string, now: string) => sql`
  UPDATE transient_values SET expires = ${expires}
   WHERE ${beginningWith(prefix)} AND expires || '' > ${now} AND expires || '' < ${expires}`

/** A number that several may change at once; an expired one starts anew. */
export const increaseTransient = (key: string, by: number, expires: string, now: string) => sql`
  INSERT INTO transient_values (key, value, expires) VALUES (${storableText(key)}, ${String(by)}, ${expires})
  ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, value = CASE
    WHEN transient_values.expires > ${now}
    THEN CAST(CAST(transient_values.value AS bigint) + CAST(excluded.value AS bigint) AS text)
    ELSE excluded.value END
  RETURNING value`

/** Served by the primary key. */
export const deleteTransient = (key: string) => sql`DELETE FROM transient_values WHERE key = ${key} RETURNING value`

/** Served by the primary key. */
export const deleteTransients = (prefix: string) =>
  sql`DELETE FROM transient_values WHERE ${beginningWith(prefix)} RETURNING value`

/** Served by transient_values_by_expiry. */
export const deleteExpired = (now: string) => sql`DELETE FROM transient_values WHERE expires <= ${now}`

/** A range under code-point order, which ends before the prefix with its last character replaced by the next one. */
function beginningWith(prefix: string): Sql {
  const last = prefix.codePointAt(prefix.length - 1)
  if (last === undefined) throw new Error('Every key begins with an empty prefix.')
  return sql`key >= ${prefix} AND key < ${prefix.slice(0, -1) + String.fromCodePoint(last + 1)}`
}
