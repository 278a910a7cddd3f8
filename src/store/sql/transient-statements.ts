import sql from 'sql-template-tag'
import type { Json } from '../../base/json.ts'
import { storableJson, storableText } from './stored-json.ts'

/** Served by the primary key. */
export const transientByKey = (key: string, now: string) =>
  sql`SELECT value FROM transient_values WHERE key = ${key} AND expires > ${now}`

export const setTransient = (key: string, value: Json, expires: string) => sql`
  INSERT INTO transient_values (key, value, expires) VALUES (${storableText(key)}, ${storableJson(value)}, ${expires})
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`

/** An expired value is as good as none. */
export const addTransient = (key: string, value: Json, expires: string, now: string) => sql`
  ${setTransient(key, value, expires)} WHERE transient_values.expires <= ${now}`

/** Served by the primary key. */
export const deleteTransient = (key: string) => sql`DELETE FROM transient_values WHERE key = ${key}`

/** Served by transient_values_by_expiry. */
export const deleteExpired = (now: string) => sql`DELETE FROM transient_values WHERE expires <= ${now}`
