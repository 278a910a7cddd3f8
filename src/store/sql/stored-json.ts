import { type Json, parseJson, stringifyJson } from '../../base/json.ts'
import { unstorableAt } from '../storable-text.ts'

// JSON.stringify escapes both with lower-case digits; an even number of backslashes before is a text that only looks so.
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** @throws unstorableText for what PostgreSQL refuses and SQLite would cut, so that both answer alike. */
export function storableJson(value: unknown): string {
  const text = stringifyJson(value)
  const found = findUnstorable(text)
  if (found !== null) throw unstorableAt(text, found.index)
  return text
}

/** Whether a text of JSON is one that `storableJson` could have given. */
export function mayBeStoredAsJson(json: string): boolean {
  return findUnstorable(json) === null
}

function findUnstorable(json: string): RegExpExecArray | null {
  return json.includes('\\u') ? unstorableEscape.exec(json) : null
}

// As in base/json.ts: without sixteen digits in a row there is neither a large long nor a large double.
const mayContainLargeNumber = /\d{16}/

/**
 * Reads JSON of a column. PostgreSQL writes the double 1e300 as an integer of 301 digits, which would pass for a long;
 * no long has more than 19.
 */
export function parseStoredJson(text: string): Json {
  return mayContainLargeNumber.test(text) ? withDoubles(parseJson(text)) : JSON.parse(text)
}

const largestLong = 2n ** 63n - 1n

function withDoubles(value: Json): Json {
  if (typeof value === 'bigint') return value > largestLong || value < -largestLong - 1n ? Number(value) : value
  if (Array.isArray(value)) return value.map(withDoubles)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withDoubles(member)]))
}
