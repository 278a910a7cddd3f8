import { isUtf8 } from 'node:buffer'
import { type Json, type JsonBounds, parseSentJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'

export const malformedJson = defineProblem(
  'malformedJson',
  'invalid',
  (of: { reason: string }) => `The request body is not valid JSON: ${of.reason}`,
)

/** How much JSON is taken in one request. */
export interface JsonLimits extends JsonBounds {
  readonly maxBytes: number
}

/** JSON that a client sent. @throws malformedJson, tooManyValues, tooManyMembers, nestedTooDeep */
export function parseJsonBytes(bytes: Buffer, bounds: JsonBounds): Json {
  if (!isUtf8(bytes)) throw malformedJson({ reason: 'it is not UTF-8.' })
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const value = parseBytes(isMarked ? bytes.subarray(byteOrderMark.length) : bytes, bounds)
  if (mayNamePrototype(bytes) && namesPrototype(value)) throw malformedJson({ reason: 'the key __proto__ is not allowed.' })
  return value
}

const byteOrderMark = Buffer.from('\uFEFF')

function parseBytes(bytes: Buffer, bounds: JsonBounds): Json {
  try {
    return parseSentJson(bytes, bounds)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw malformedJson({ reason: `${cause.message}.` }, { cause })
  }
}

/** Escapes can spell the key too; bytes with neither need no walk. */
function mayNamePrototype(bytes: Buffer): boolean {
  return bytes.includes('__proto__') || bytes.includes('\\u')
}

function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype)
}
