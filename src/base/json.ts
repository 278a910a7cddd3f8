import { type JsonBounds, surveyJson, usualJsonBounds } from './json-bounds.ts'

/** JSON as this server reads and writes it: integers beyond 2^53 arrive and leave as `bigint`, digit for digit. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json }

/** An object, which is neither null nor a list. */
export function isJsonObject(json: Json | undefined): json is { readonly [key: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

// Sixteen digits in a row are the least an unsafe integer has; texts without them take the fast path.
const mayContainUnsafeInteger = /\d{16}/
const integerSource = /^-?\d+$/

/** @throws SyntaxError as JSON.parse does. */
export function parseJson(text: string): Json {
  return mayContainUnsafeInteger.test(text) ? parseWithSource(text, reviveUnsafeIntegers) : JSON.parse(text)
}

/**
 * JSON that somebody sent, of whose bytes this is the text.
 * @throws tooManyValues, tooManyMembers, nestedTooDeep; SyntaxError as JSON.parse does
 */
export function parseSentJson(bytes: Buffer, bounds: JsonBounds, text = bytes.toString('utf8')): Json {
  const { hasLongNumber } = surveyJson(bounds, bytes)
  return hasLongNumber ? parseWithSource(text, reviveUnsafeIntegers) : JSON.parse(text)
}

/** JSON inside a value that somebody sent; undefined when the text is no JSON. @throws tooManyValues, tooManyMembers, nestedTooDeep */
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
