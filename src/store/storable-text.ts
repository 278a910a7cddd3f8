import { type Json, parseJson, stringifyJson } from '../base/json.ts'
import { defineProblem } from '../base/problem.ts'

export const unstorableText = defineProblem(
  'unstorableText',
  'invalid',
  (of: { what: string; before: string }) =>
    `${of.what} holds a character that cannot be stored, U+0000 or half of a surrogate pair, ${of.before === '' ? 'at its beginning' : `behind ${JSON.stringify(of.before)}`}. Leave it out.`,
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

/** @param what as a sentence about it begins. @throws unstorableText */
export function storableText(text: string, what = 'A text'): string {
  if (mayBeStored(text)) return text
  throw refusalOf(text, what)
}

/** The same for all texts in a value. @throws unstorableText */
export function requireStorable(value: unknown, what: string): void {
  const found = findUnstorable(value)
  if (found !== undefined) throw refusalOf(found.text, what)
}

function refusalOf(text: string, what: string): Error {
  const index = text.search(unstorableCharacter)
  return unstorableText({ what, before: text.slice(Math.max(0, index - 40), index) })
}

/** For texts that no client can correct, such as the message of an error: what cannot be stored is replaced. */
export function madeStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

// JSON.stringify escapes both with lower-case digits; an even number of backslashes before is a text that only looks so.
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/**
 * Names the member that is wrong, and shows nothing of the others, which may be those of somebody else.
 * @throws unstorableText for what PostgreSQL refuses and SQLite would cut, so that both answer alike.
 */
export function storableJson(value: unknown): string {
  const json = stringifyJson(value)
  if (mayBeStoredAsJson(json)) return json
  const { text, path } = findUnstorable(value) ?? { text: '', path: [] }
  throw refusalOf(text, path.length === 0 || Array.isArray(value) ? 'A text' : path.join('/'))
}

/** Whether a text of JSON is one that `storableJson` could have given. */
export function mayBeStoredAsJson(json: string): boolean {
  return !json.includes('\\u') || !unstorableEscape.test(json)
}

/** The first text in a value that cannot be stored, be it the name of a member, and the names that lead to it. */
function findUnstorable(
  value: unknown,
  path: readonly string[] = [],
): { readonly text: string; readonly path: readonly string[] } | undefined {
  if (typeof value === 'string') return mayBeStored(value) ? undefined : { text: value, path }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = mayBeStored(name) ? findUnstorable(member, [...path, name]) : { text: name, path }
    if (found !== undefined) return found
  }
  return undefined
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
