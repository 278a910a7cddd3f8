import { defineProblem } from './problem.ts'

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

export interface JsonSurvey {
  /** Whether a number may be an integer that a double cannot hold: such have sixteen digits at least. */
  readonly hasLongNumber: boolean
}

/**
 * Looks over the bytes without taking anything apart, a few milliseconds a megabyte. Every value but the outermost stands behind
 * a comma or is the first of something that was opened, so those are all that has to be counted.
 * @throws tooManyValues, tooManyMembers, nestedTooDeep
 */
export function surveyJson({ maxValues, maxMembers, maxDepth }: JsonBounds, bytes: Buffer): JsonSurvey {
  // By depth: how many names an object may still have; of a list this is never asked.
  const room = new Int32Array(maxDepth + 1)
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
