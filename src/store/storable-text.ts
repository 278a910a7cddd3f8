import { type Json, parseJson, stringifyJson } from '../base/json.ts'
import { defineProblem } from '../base/problem.ts'

export const unstorableText = defineProblem(
  'unstorableText',
  'invalid',
  (of: { text: string }) =>
    `A text holds a character that cannot be stored (U+0000 or half of a surrogate pair), after: ${of.text}`,
)

/**
 * No stored text holds U+0000 or half of a surrogate pair. PostgreSQL refuses even to look for one, and SQLite would look for
 * another text: cut at the first, with U+FFFD in place of the second.
 */
export function mayBeStored(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be stored
const unstorableCharacter = /\u0000|\p{Surrogate}/u

/** @throws unstorableText */
export function storableText(text: string): string {
  if (mayBeStored(text)) return text
  throw unstorableAt(text, text.search(unstorableCharacter))
}

/** The refusal of a text, with what stands before the character that cannot be stored. */
function unstorableAt(text: string, index: number): Error {
  return unstorableText({ text: text.slice(Math.max(0, index - 40), index) })
}

/** For texts that no client can correct, such as the message of an error: what cannot be stored is replaced. */
export function madeStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

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
