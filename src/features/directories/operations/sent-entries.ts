import { findJson, isJsonObject, type Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'

export const entriesNotReadable = defineProblem(
  'entriesNotReadable',
  'invalid',
  (of: { expected: string }) => `entries must be the text of a JSON list of ${of.expected}.`,
)

/** @throws entriesNotReadable */
export function parseIds(text: string): readonly string[] {
  return parseList(text, 'ids').map((item) => {
    if (typeof item === 'string' || typeof item === 'number' || typeof item === 'bigint') return String(item)
    throw entriesNotReadable({ expected: 'ids' })
  })
}

/** @throws entriesNotReadable */
export function parseEntries(text: string): readonly JsonObject[] {
  return parseList(text, 'objects').map((item) => {
    if (isJsonObject(item)) return item
    throw entriesNotReadable({ expected: 'objects' })
  })
}

function parseList(text: string, expected: string): readonly Json[] {
  const json = findJson(text)
  if (!Array.isArray(json)) throw entriesNotReadable({ expected })
  return json
}
