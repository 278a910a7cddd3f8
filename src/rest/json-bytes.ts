import { isUtf8 } from 'node:buffer'
import { type Json, parseJson } from '../base/json.ts'
import { defineProblem } from '../base/problem.ts'

export const malformedJson = defineProblem(
  'malformedJson',
  'invalid',
  (of: { reason: string }) => `The request body is not valid JSON: ${of.reason}`,
)

// Deeper than any document; far less than what would exhaust the stack of a function that walks a value.
const maxDepth = 200

/** JSON that somebody sent. @throws malformedJson */
export function parseJsonBytes(bytes: Buffer): Json {
  if (!isUtf8(bytes)) throw malformedJson({ reason: 'it is not UTF-8.' })
  if (isNestedDeeperThan(maxDepth, bytes)) throw malformedJson({ reason: `it is nested deeper than ${maxDepth} levels.` })
  const text = bytes.toString('utf8')
  const value = parseText(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (mayNamePrototype.test(text) && namesPrototype(value)) throw malformedJson({ reason: 'the key __proto__ is not allowed.' })
  return value
}

function parseText(text: string): Json {
  try {
    return parseJson(text)
  } catch (cause) {
    throw malformedJson({ reason: `${cause instanceof Error ? cause.message : 'unreadable'}.` }, { cause })
  }
}

const quote = 0x22
const backslash = 0x5c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

function isNestedDeeperThan(limit: number, bytes: Buffer): boolean {
  if (bytes.length <= limit) return false
  let depth = 0
  let isInString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte === backslash) index++
    else if (byte === quote) isInString = !isInString
    else if (isInString) continue
    else if (opening.has(byte)) {
      if (++depth > limit) return true
    } else if (closing.has(byte)) depth--
  }
  return false
}

// Escapes can spell the key too; texts with neither need no walk.
const mayNamePrototype = /__proto__|\\u/

function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype)
}
