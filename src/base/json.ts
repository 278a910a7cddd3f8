import { createYieldPoint } from './event-loop.ts'
import { defineProblem } from './problem.ts'

const sizeOfNumber = 8
const aroundMember = 4

/** About as many bytes as the value has in JSON. Documents inside were counted when they were written. */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return sizeOfNumber
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 1 + sizeInside(item), 2)
  let size = 2
  for (const name in value) size += name.length + aroundMember + sizeInside((value as { [name: string]: unknown })[name])
  return size
}

function sizeInside(value: unknown): number {
  return isDocument(value) ? 0 : roughSize(value)
}

function isDocument(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'entity-type' in value && value['entity-type'] === 'document'
}

/** How much JSON a caller may send at once. Counted before it is parsed: an item of two bytes takes ten times as much memory. */
export interface JsonBounds {
  /** Objects, lists and what is in them, together. */
  readonly maxValues: number
  /** Names in one object: a hundred thousand in one take a hundred times as long as in a thousand objects. */
  readonly maxMembers: number
  readonly maxDepth: number
}

/** A page of a thousand documents, sent back with the usual schemas, has about 80,000 values. */
export const usualJsonBounds: JsonBounds = { maxValues: 100_000, maxMembers: 5_000, maxDepth: 200 }

export const tooManyValues = defineProblem(
  'tooManyValues',
  'tooLarge',
  (of: { maxValues: number }) =>
    `What was sent has more than the ${of.maxValues} values allowed at once. Send it in several requests.`,
)

export const tooManyMembers = defineProblem(
  'tooManyMembers',
  'tooLarge',
  (of: { maxMembers: number }) => `What was sent has more than the ${of.maxMembers} names allowed in one object. Send fewer.`,
)

export const nestedTooDeep = defineProblem(
  'nestedTooDeep',
  'invalid',
  (of: { maxDepth: number }) => `The request body is not valid JSON: it is nested deeper than ${of.maxDepth} levels.`,
)

const plain = 0
const quote = 1
const backslash = 2
const openingList = 3
const openingObject = 4
const closing = 5
const comma = 6
const digit = 7

const kinds = new Uint8Array(256)
for (const [text, kind] of [
  ['"', quote],
  ['\\', backslash],
  ['[', openingList],
  ['{', openingObject],
  [']}', closing],
  [',', comma],
  ['0123456789', digit],
] as const) {
  for (const character of text) kinds[character.charCodeAt(0)] = kind
}

interface JsonSurvey {
  /** Whether a number may be an integer that a double cannot hold: such have sixteen digits at least. */
  readonly hasLongNumber: boolean
}

/**
 * Looks over the bytes without taking anything apart, a few milliseconds a megabyte. Every value but the outermost stands behind
 * a comma or is the first of something that was opened, so those are all that has to be counted.
 * @throws tooManyValues, tooManyMembers, nestedTooDeep
 */
export function surveyJson({ maxValues, maxMembers, maxDepth }: JsonBounds, bytes: Buffer): JsonSurvey {
  // By depth: how many names an object may still have; of a list this is never asked. Most bodies are not deep: a typed array for the
  // deepest that is allowed took as long to make as all else here takes for a small body.
  const room: number[] = [unlimited]
  let values = 1
  let depth = 0
  let digits = 0
  let hasLongNumber = false
  for (let index = 0; index < bytes.length; index++) {
    const kind = kinds[bytes[index] as number]
    if (kind === digit) {
      if (++digits === longNumberDigits) hasLongNumber = true
      continue
    }
    digits = 0
    if (kind === plain) continue
    if (kind === quote) index = endOfString(bytes, index)
    else if (kind === closing) depth = Math.max(0, depth - 1)
    else if (kind === comma) {
      if (++values > maxValues) throw tooManyValues({ maxValues })
      const left = (room[depth] ?? 0) - 1
      room[depth] = left
      if (left === 0) throw tooManyMembers({ maxMembers })
    } else if (kind !== backslash) {
      if (++depth > maxDepth) throw nestedTooDeep({ maxDepth })
      if (++values > maxValues) throw tooManyValues({ maxValues })
      room[depth] = kind === openingObject ? maxMembers : unlimited
    }
  }
  return { hasLongNumber }
}

const longNumberDigits = 16
const unlimited = 0x7fffffff
const quoteByte = 0x22
const backslashByte = 0x5c
const shortString = 64

/** The index of the quote that ends the string; that of the last byte when none does. */
function endOfString(bytes: Buffer, start: number): number {
  let index = start + 1
  while (index < bytes.length) {
    const near = Math.min(bytes.length, index + shortString)
    for (; index < near; index++) {
      const byte = bytes[index]
      if (byte === quoteByte) return index
      if (byte === backslashByte) index++
    }
    // Long strings are mostly text, through which this gets ten times as fast. It is asked once in a while only, as a string of
    // nothing but escaped quotes would make it slow.
    const found = bytes.indexOf(quoteByte, index)
    if (found < 0) return bytes.length
    if (!isEscaped(bytes, index, found)) return found
    index = found + 1
  }
  return index
}

/** Whether an odd number of backslashes stands before it. */
function isEscaped(bytes: Buffer, from: number, at: number): boolean {
  let before = at
  while (before > from && bytes[before - 1] === backslashByte) before--
  return (at - before) % 2 === 1
}

/** JSON as this server reads and writes it: integers beyond 2^53 arrive and leave as `bigint`, digit for digit. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json }

/** An object, which is neither null nor a list. */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonObject(json: Json | undefined): json is { readonly [key: string]: Json } {
  return isObject(json)
}

// Sixteen digits in a row are the least an unsafe integer has; texts without them take the fast path.
const mayContainUnsafeInteger = /\d{16}/
const integerSource = /^-?\d+$/

/** @throws SyntaxError as JSON.parse does. */
export function parseJson(text: string): Json {
  return mayContainUnsafeInteger.test(text) ? parseWithSource(text, reviveUnsafeIntegers) : JSON.parse(text)
}

/**
 * JSON that a client sent, of whose bytes this is the text.
 * @throws tooManyValues, tooManyMembers, nestedTooDeep; SyntaxError as JSON.parse does
 */
export function parseSentJson(bytes: Buffer, bounds: JsonBounds, text = bytes.toString('utf8')): Json {
  const { hasLongNumber } = surveyJson(bounds, bytes)
  return hasLongNumber ? parseWithSource(text, reviveUnsafeIntegers) : JSON.parse(text)
}

/**
 * JSON inside a value that a client sent; undefined when the text is no JSON. @throws tooManyValues, tooManyMembers,
 * nestedTooDeep
 */
export function findJson(text: string): Json | undefined {
  try {
    return parseSentJson(Buffer.from(text), usualJsonBounds, text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // A bigint is the one thing in our values that JSON.stringify refuses; asking for it on every call would cost every answer.
    if (error instanceof TypeError) return JSON.stringify(value, writeBigints)
    throw error
  }
}

function reviveUnsafeIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && integerSource.test(source) ? BigInt(source) : value
}

function writeBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value
}

// Both are in V8 but not yet in TypeScript's library: raw JSON, and the source text as a reviver's third argument.
const { rawJSON: rawJson, parse: parseWithSource } = JSON as unknown as {
  rawJSON(text: string): unknown
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): Json
}

// Pages of this many entries take a few milliseconds at most.
const fewEntries = 100

/**
 * JSON text of a body. A long list of entries is written a piece at a time, and other requests run in between: twenty megabytes
 * at once took a quarter of a second. `note` is told how long each piece is, and may throw.
 */
export function stringifyInSlices(body: unknown, note: (length: number) => void): string | Promise<string> {
  const entries = entriesOf(body)
  if (entries === undefined || entries.length <= fewEntries) {
    const text = stringifyJson(body)
    note(text.length)
    return text
  }
  return joinEntries(body as object, entries, note)
}

async function joinEntries(body: object, entries: readonly unknown[], note: (length: number) => void): Promise<string> {
  const yieldPoint = createYieldPoint()
  const texts: string[] = []
  for (const entry of entries) {
    // As JSON.stringify has it in a list.
    const text = stringifyJson(entry) ?? 'null'
    note(text.length + 1)
    texts.push(text)
    const resting = yieldPoint()
    if (resting !== undefined) await resting
  }
  // Fields keep their order: the place of the list is where its name stands first.
  const [before, after] = splitAt(body)
  return `${before}[${texts.join(',')}]${after}`
}

const placeholder = '\u0000entries\u0000'

function splitAt(body: object): readonly [before: string, after: string] {
  const [before = '', after = ''] = stringifyJson({ ...body, entries: placeholder }).split(JSON.stringify(placeholder))
  return [before, after]
}

function entriesOf(body: unknown): readonly unknown[] | undefined {
  if (typeof body !== 'object' || body === null || !('entries' in body) || 'toJSON' in body) return undefined
  return Array.isArray(body.entries) ? body.entries : undefined
}
